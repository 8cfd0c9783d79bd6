#pragma once
// Regular files, as opposed to everything else that has a name: reading a pipe may wait for ever, and a
// device may have no end.

#include <cstdint>
#include <string>

namespace livens::host {

/// A file as it is now. Two that are equal are the same file with nothing written to it in between.
struct RegularFile {
  std::uint64_t device, number;
  std::int64_t size;      ///< bytes
  std::int64_t modified;  ///< ns since 1970
  bool operator==(const RegularFile&) const = default;
};

/// Throws FileError where nothing of that name can be read, or it is not a regular file.
RegularFile regular_file(const std::string& path);

}  // namespace livens::host
