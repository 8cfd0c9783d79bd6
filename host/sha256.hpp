#pragma once
// SHA-256 of a stretch of a file.

#include <cstdint>
#include <string>

namespace livens::host {

/// 64 hexadecimal digits for the bytes from `offset` to the end. Throws FileError.
std::string sha256_from(const std::string& path, std::int64_t offset);

}  // namespace livens::host
