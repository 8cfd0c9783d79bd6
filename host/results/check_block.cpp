#include "host/results/check_block.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "host/errors.hpp"
#include "host/files/sha256.hpp"
#include "host/results/hdf5_reading.hpp"

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

/// HDF5 locks a file that it writes, where the file system has locks.
void expect_nobody_writes(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;  // which reading it will tell
  const bool locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  if (locked) throw FileError(path, "is open for writing in another program", "it closed there");
}

/// A result that HDF5 has opened for writing ends where its own part does, changed or not: what is behind
/// that is cut off. One that is truncated does not open.
bool is_cut_by_hdf5(const std::string& path) {
  const hdf5::Turn turn = hdf5::take_turn();
  hdf5::prepare();
  try {
    return hdf5::Source(path).has_attribute("/", "livens_version");
  } catch (const hdf5::Failure& failure) {
    return failure.reason.find("open for write") != std::string::npos;  // and was never closed
  }
}

}  // namespace

std::string make_check_block(const std::string& path, std::int64_t length) {
  return block_about(path, magic, 0, length);
}

RegularFile check_file(const std::string& path) {
  const RegularFile file = regular_file(path);
  expect_nobody_writes(path);
  constexpr auto kind = static_cast<std::int64_t>(16);  // bytes of either magic
  const std::string front = bytes_of(path, 0, kind);
  if (front == old_magic) {
    check_old(path, file.size);
    return file;
  }
  const std::int64_t length = std::max<std::int64_t>(file.size - check_block_size, 0);
  const std::string block = bytes_of(path, length, check_block_size);
  if (block.substr(0, magic.size()) != magic) {
    if (front.substr(0, 8) != "\x89HDF\r\n\x1a\n") throw FileError(path, "not a livens result");
    const std::int64_t before = std::max<std::int64_t>(length - check_block_size, 0);
    const bool some_is_left =
        bytes_of(path, before, file.size - before).find(magic.substr(0, 8)) != std::string::npos;
    if (!some_is_left && is_cut_by_hdf5(path))
      throw FileError(path, "has lost its check block: another program has opened it for writing",
                      "the file as livens wrote it, opened for reading alone (h5py: mode 'r')");
    throw FileError(path, "not a livens result, or truncated: it does not end with a check block");
  }
  expect_same(path, block, make_check_block(path, length));
  return file;
}

}  // namespace livens::host
