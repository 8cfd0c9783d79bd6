#include "host/compilation/cache_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "host/compilation/called_program.hpp"
#include "host/errors.hpp"

namespace livens::host {

namespace fs = std::filesystem;

fs::path cache_directory() {
  const auto absolute = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value == '/' ? fs::path(value) : fs::path();
  };
  // A relative one would be looked for in whatever directory livens is started from: objects that lie there
  // came with it.
  if (const char* own = std::getenv("LIVENS_CACHE"); own && *own) {
    if (*own != '/') refuse({}, fmt::format("LIVENS_CACHE is '{}'", own), "a path that begins with /");
    return own;
  }
  if (const fs::path cache = absolute("XDG_CACHE_HOME"); !cache.empty()) return cache / "livens";
  if (const fs::path home = absolute("HOME"); !home.empty()) return home / ".cache" / "livens";
  refuse({}, "there is no place for objects compiled on first use",
         "LIVENS_CACHE, XDG_CACHE_HOME or HOME to name a directory");
}

void expect_own(const fs::path& directory) {
  struct stat state {};
  if (lstat(directory.c_str(), &state) != 0) {
    if (errno == ENOENT) return;
    refuse({directory.string()}, fmt::format("cannot be used as a cache ({})", std::strerror(errno)));
  }
  const char* problem = !S_ISDIR(state.st_mode)               ? "is no directory"
                        : state.st_uid != geteuid()           ? "belongs to another user"
                        : state.st_mode & (S_IWGRP | S_IWOTH) ? "can be written by others (chmod 700)"
                                                              : nullptr;
  if (problem)
    refuse({directory.string()}, problem,
           "a directory of this user's alone for objects compiled on first use (LIVENS_CACHE)");
}

void refuse_writing(const fs::path& path, int error) {
  refuse(
      {path.string()},
      fmt::format("cannot be written ({}), and the object that is needed is not there", std::strerror(error)),
      "LIVENS_CACHE to name a directory that can, or 'livens compile SPEC' where it can");
}

namespace {
bool is_named(int file, const fs::path& path) {
  struct stat mine {
  }, named{};
  return fstat(file, &mine) == 0 && lstat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
         mine.st_dev == named.st_dev;
}
}  // namespace

Lock::Lock(const fs::path& path) : path_(path) {
  bool locked = false;
  // Again where the name has gone, or stands for another file, by the time that the lock is had: it was that
  // of a process that is done.
  do {
    if (file_ >= 0) close(file_);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0) refuse_writing(path.parent_path(), errno);
    while (!(locked = flock(file_, LOCK_EX | LOCK_NB) == 0) && (errno == EWOULDBLOCK || errno == EINTR)) {
      if (end_of_calls_is_asked()) {
        close(file_);
        throw Interrupted();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  } while (locked && !is_named(file_, path));
}

Lock::~Lock() {
  unlink(path_.c_str());
  close(file_);
}

}  // namespace livens::host
