#pragma once
// The check block: the last 116 bytes of a result file, behind what HDF5 knows of. Everything that opens HDF5
// finds the format's own signature at the beginning.
//
//   bytes    what (ASCII)
//   0-15     "livens result 2\n"                        kind of file and version of this layout
//   16-43    "length " + 20 decimal digits + "\n"       bytes before the block
//   44-115   "sha256 " + 64 hexadecimal digits + "\n"   of those bytes
//
// All 116 bytes follow from the rest of the file, so a reader makes them anew and compares: no byte of the
// file can change unnoticed. They are written last. `tail -c 116 FILE.h5` shows them, `head -c -116 FILE.h5 |
// sha256sum` recomputes the digest.
//
// Files of version 0.1 say the same of themselves in their first 512 bytes, which are a user block of HDF5:
// "livens result 1\n", length and digest of the bytes behind it, zeros. They are read, no longer written.

#include <cstdint>
#include <string>

#include "host/files/regular_file.hpp"

namespace livens::host {

inline constexpr std::int64_t check_block_size = 116;
inline constexpr std::int64_t old_user_block_size = 512;

/// The block that belongs behind the first `length` bytes of a file.
std::string make_check_block(const std::string& path, std::int64_t length);

/// Throws FileError unless the file is a regular one and ends with the check block that belongs to it, or
/// begins with that of version 0.1. Returns it as it was then.
RegularFile check_file(const std::string& path);

}  // namespace livens::host
