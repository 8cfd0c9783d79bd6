#include "host/results/user_block.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "host/checkpoint/sha256.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

const std::string magic = "livens result 1\n";

std::string front_of(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string front(user_block_size, '\0');
  file.read(front.data(), user_block_size);
  if (!file.is_open() || file.bad() || errno != 0) {
    throw FileError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  }
  front.resize(static_cast<std::size_t>(file.gcount()));
  return front;
}

}  // namespace

std::string make_user_block(const std::string& path) {
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
  std::string block = fmt::format("{}length {:020}\nsha256 {}\n", magic, size - user_block_size,
                                  sha256_from(path, user_block_size));
  block.resize(user_block_size, '\0');
  return block;
}

RegularFile check_user_block(const std::string& path) {
  const RegularFile file = regular_file(path);
  const std::string front = front_of(path);
  if (front.substr(0, magic.size()) != magic) throw FileError(path, "not a livens result");
  if (front.size() < user_block_size) throw FileError(path, "truncated");
  const std::string whole = make_user_block(path);
  const std::size_t digest = front.find("sha256");
  if (front.substr(0, digest) != whole.substr(0, digest)) {
    throw FileError(path, "truncated or corrupted: its length is not the one written in it");
  }
  if (front != whole) throw FileError(path, "corrupted: its SHA-256 is not the one written in it");
  return file;
}

}  // namespace livens::host
