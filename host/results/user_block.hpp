#pragma once
// The user block: the first 512 bytes of a result file, which HDF5 leaves alone.
//
//   bytes    what (ASCII)
//   0-15     "livens result 1\n"                    kind of file and version of this layout
//   16-43    "length " + 20 decimal digits + "\n"   bytes after the user block
//   44-115   "sha256 " + 64 hexadecimal digits + "\n"   of those bytes
//   116-511  zeros
//
// All 512 bytes follow from the rest of the file, so a reader makes them anew and compares: no byte of the
// file can change unnoticed. `head -c 116 FILE.h5` shows them, `tail -c +513 FILE.h5 | sha256sum` recomputes
// the digest.

#include <cstdint>
#include <string>

#include "host/regular_file.hpp"

namespace livens::host {

inline constexpr std::int64_t user_block_size = 512;

/// The user block that belongs to a file, made from the bytes behind it.
std::string make_user_block(const std::string& path);

/// Throws FileError unless the file is a regular one and starts with the user block that belongs to it.
/// Returns it as it was then.
RegularFile check_user_block(const std::string& path);

}  // namespace livens::host
