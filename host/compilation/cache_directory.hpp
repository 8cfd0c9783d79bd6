#pragma once
// The directory of the cache: where it is, that it is this user's alone, and that one process at a time
// writes an entry.

#include <filesystem>

namespace livens::host {

/// LIVENS_CACHE, else XDG_CACHE_HOME/livens, else HOME/.cache/livens. Throws RequestError where none is set, or
/// LIVENS_CACHE is relative.
std::filesystem::path cache_directory();

/// Throws RequestError unless the directory is this user's, and nobody else may put objects into it; one that
/// is not there passes.
void expect_own(const std::filesystem::path& directory);

/// A RequestError that names what can be done. `error` is that of errno.
[[noreturn]] void refuse_writing(const std::filesystem::path& path, int error);

/// Held by one process at a time, as long as it lives. Where the file system knows no locks, several compile
/// the same object, and the first one that is done is taken.
class Lock {
 public:
  /// Throws Interrupted where somebody asks for the end of calls meanwhile.
  explicit Lock(const std::filesystem::path& path);
  Lock(const Lock&) = delete;
  /// Removes the file while it is locked: who waits for it finds it gone, and begins again with the next.
  ~Lock();

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace livens::host
