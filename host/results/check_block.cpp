#include "host/results/check_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "host/checkpoint/sha256.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

const std::string magic = "livens result 2\n", old_magic = "livens result 1\n";

/// Up to `length` bytes from `offset` on; fewer where the file ends before.
std::string bytes_of(const std::string& path, std::int64_t offset, std::int64_t length) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(length), '\0');
  file.seekg(offset);
  file.read(bytes.data(), length);
  if (!file.is_open() || file.bad() || errno != 0)
    throw FileError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// About the `length` bytes of a file from `offset` on.
std::string block_about(const std::string& path, const std::string& kind, std::int64_t offset,
                        std::int64_t length) {
  return fmt::format("{}length {:020}\nsha256 {}\n", kind, length, sha256_from(path, offset, length));
}

void expect_same(const std::string& path, const std::string& found, const std::string& whole) {
  const std::size_t digest = whole.find("sha256");
  if (found.substr(0, digest) != whole.substr(0, digest))
    throw FileError(path, "truncated or corrupted: its length is not the one written in it");
  if (found != whole) throw FileError(path, "corrupted: its SHA-256 is not the one written in it");
}

void check_old(const std::string& path, std::int64_t size) {
  if (size < old_user_block_size) throw FileError(path, "truncated");
  std::string whole = block_about(path, old_magic, old_user_block_size, size - old_user_block_size);
  whole.resize(old_user_block_size, '\0');
  expect_same(path, bytes_of(path, 0, old_user_block_size), whole);
}

}  // namespace

std::string make_check_block(const std::string& path, std::int64_t length) {
  return block_about(path, magic, 0, length);
}

RegularFile check_file(const std::string& path) {
  const RegularFile file = regular_file(path);
  constexpr auto kind = static_cast<std::int64_t>(16);  // bytes of either magic
  const std::string front = bytes_of(path, 0, kind);
  if (front == old_magic) {
    check_old(path, file.size);
    return file;
  }
  const std::int64_t length = std::max<std::int64_t>(file.size - check_block_size, 0);
  const std::string block = bytes_of(path, length, check_block_size);
  if (block.substr(0, magic.size()) != magic) {
    const bool hdf5 = front.substr(0, 8) == "\x89HDF\r\n\x1a\n";
    throw FileError(path, hdf5 ? "not a livens result, or truncated: it does not end with a check block"
                               : "not a livens result");
  }
  expect_same(path, block, make_check_block(path, length));
  return file;
}

}  // namespace livens::host
