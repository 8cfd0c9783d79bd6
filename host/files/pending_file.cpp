#include "host/files/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "host/errors.hpp"

namespace livens::host {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a directory";
  return S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

PendingFile::PendingFile(std::string path, const std::string& scratch) : path_(std::move(path)) {
  struct stat found;
  // Of a link itself, not of what it points to.
  if (lstat(path_.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
    throw FileError(path_, fmt::format("cannot be written ({}, not a regular file)", kind_of(found.st_mode)));
  // Not by mkostemp(), whose files nobody else may read: to give them the rights of others the mask has to be
  // known, which no process with threads can ask for without changing it for all of them.
  std::random_device random;
  do {
    temporary_ = fmt::format("{}.partial-{:08x}", scratch.empty() ? path_ : scratch + "/result", random());
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail("cannot be written");
}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!committed_) unlink(temporary_.c_str());
}

void PendingFile::write(const std::string& bytes, std::int64_t offset) {
  // A disk that fills up takes a part; why it takes no more, the next call says.
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = pwrite(descriptor_, bytes.data() + done, bytes.size() - done,
                                   offset + static_cast<std::int64_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    done += static_cast<std::size_t>(written);
  }
}

void PendingFile::send() const {
  // What goes wrong with the disk, fsync() will tell.
  sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
}

void PendingFile::commit() {
  if (fsync(descriptor_) != 0) fail("cannot be flushed to the disk");
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be renamed into place");
  committed_ = true;
  // The name is safe only when the directory is: a crash may otherwise undo the rename, though never tear the
  // file.
  const std::string directory = std::filesystem::absolute(path_).parent_path().string();
  const int folder = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

void write_text(const std::string& path, const std::string& text) {
  PendingFile file(path);
  file.write(text, 0);
  file.commit();
}

void PendingFile::fail(const char* action) const {
  throw FileError(path_, fmt::format("{} ({})", action, std::strerror(errno)));
}

}  // namespace livens::host
