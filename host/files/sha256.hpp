#pragma once
// SHA-256 of a stretch of a file, or of bytes in memory.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace livens::host {

inline constexpr std::size_t sha256_size = 32;

/// The 32 bytes themselves; of several pieces, as if they stood behind each other.
std::string sha256_of(std::string_view bytes);
std::string sha256_of(std::span<const std::string_view> pieces);

/// Bytes as hexadecimal digits, two each.
std::string hexadecimal(std::string_view bytes);

/// 64 hexadecimal digits for `length` bytes of a file from `offset` on, or all that there are from there.
/// Throws FileError.
std::string sha256_from(const std::string& path, std::int64_t offset,
                        std::int64_t length = std::numeric_limits<std::int64_t>::max());

}  // namespace livens::host
