#pragma once
// A file that only grows: frames of bytes, each with its own checksum, so that what was written before a
// crash can be told from what was being written.
//
//   bytes       what
//   0-7         "lvframe1"
//   8-15        number of the frame in the file, from 0
//   16-23       its kind
//   24-31       length n of its content
//   32-(32+n)   content
//   32 more     SHA-256 of all the above
// Numbers are little-endian, of 64 bits.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace livens::host {

enum class FrameKind : std::uint64_t { identity = 1, sample = 2, instances = 3, standing = 4 };

/// One frame as bytes.
std::string make_frame(std::uint64_t number, FrameKind kind, std::string_view content);

using FrameVisitor = std::function<void(FrameKind, std::string_view content)>;

/// Visits frames that fill `bytes` exactly. Throws Malformed (bytes.hpp).
void visit_frames(std::string_view bytes, const FrameVisitor& visit);

/// How much of the file counts.
struct Extent {
  std::int64_t length;
  std::uint64_t frames;
};

/// The file, open for appending and locked against other processes.
class Segments {
 public:
  /// Creates the file, or cuts an existing one to its first `length` bytes, which hold `frames` frames.
  /// Throws FileError, also where another process has it.
  Segments(std::string path, std::int64_t length, std::uint64_t frames);
  ~Segments();
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  void append(FrameKind kind, std::string_view content);
  /// Everything appended so far is on the disk.
  void sync();
  std::int64_t length() const { return length_; }
  std::uint64_t frames() const { return frames_; }

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  int descriptor_ = -1;
  std::int64_t length_;
  std::uint64_t frames_;
};

/// Visits the frames in the first `length` bytes of a file, one at a time in memory. Throws FileError for a
/// file that cannot be read or is damaged.
void read_segments(const std::string& path, std::int64_t length, const FrameVisitor& visit);

}  // namespace livens::host
