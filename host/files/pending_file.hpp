#pragma once
// A file that appears under its name only when it is complete: written beside it, flushed to the disk, then
// renamed.

#include <cstdint>
#include <string>

namespace livens::host {

class PendingFile {
 public:
  /// Creates an empty file in the directory of `path`, or in `scratch` on the same file system. Throws
  /// FileError where that is not possible, or where `path` is something other than a regular file: a
  /// directory, a FIFO, a device, or a symbolic link, whatever that points to.
  explicit PendingFile(std::string path, const std::string& scratch = {});
  /// Removes what was not committed.
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& temporary() const { return temporary_; }

  /// Writes bytes from `offset` on.
  void write(const std::string& bytes, std::int64_t offset);
  /// Sends what is written to the disk and waits for none of it, so that commit() has less to wait for.
  void send() const;
  /// Flushes and renames.
  void commit();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_, temporary_;
  int descriptor_ = -1;
  bool committed_ = false;
};

/// Writes a text to a file, whole or not at all. Throws FileError.
void write_text(const std::string& path, const std::string& text);

}  // namespace livens::host
