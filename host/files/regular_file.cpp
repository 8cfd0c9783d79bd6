#include "host/files/regular_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "host/errors.hpp"

namespace livens::host {

RegularFile regular_file(const std::string& path) {
  struct stat found;
  if (stat(path.c_str(), &found) != 0)
    throw FileError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  if (!S_ISREG(found.st_mode)) throw FileError(path, "cannot be read (not a regular file)");
  constexpr std::int64_t second = 1'000'000'000;
  return {found.st_dev, found.st_ino, found.st_size, found.st_mtim.tv_sec * second + found.st_mtim.tv_nsec};
}

}  // namespace livens::host
