#pragma once
// A file that only grows: frames of bytes, each with its own checksum, so that what was written before a
// crash can be told from what was being written.
//
//   bytes       what
//   0-6         "lvframe"
//   7           the format of what follows and of the contents, as a character: parts_format
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

#include "host/checkpoint/directory.hpp"
#include "host/errors.hpp"
#include "host/files/bytes.hpp"

namespace livens::host {

/// Those of the true motion are what output.error_against compares a run with.
enum class FrameKind : std::uint64_t {
  identity = 1,
  sample = 2,
  instances = 3,
  standing = 4,
  true_sample = 5,
  true_instances = 6,
  true_standing = 7
};

/// Raised by one whenever the header or the content of any kind of frame changes: a program reads what was
/// written in its own format, and says so of any other.
inline constexpr char parts_format = '5';

/// Frames in another format. What it says is the whole message.
struct OtherFormat : Malformed {
  explicit OtherFormat(char found);
};
/// A file with frames that cannot be read, and why.
FileError unreadable(const std::string& path, const Malformed& problem);

/// One frame as bytes.
std::string make_frame(std::uint64_t number, FrameKind kind, std::string_view content);

using FrameVisitor = std::function<void(FrameKind, std::string_view content)>;

/// Visits frames that fill `bytes` exactly. Throws Malformed (bytes.hpp).
void visit_frames(std::string_view bytes, const FrameVisitor& visit);

/// The part of the file that counts, from its beginning.
struct Extent {
  std::int64_t length;
  std::uint64_t frames;
};

/// The file `segments` of a directory, open for appending and locked against other processes.
class Segments {
 public:
  /// Makes the file where there is none, and leaves one that there is as it is until begin(). Throws
  /// FileError, also where another process has it or it is not a file of frames.
  explicit Segments(Directory& directory);
  ~Segments();
  Segments(const Segments&) = delete;
  Segments& operator=(const Segments&) = delete;

  /// Cuts the file to what counts of it; frames are appended from there.
  void begin(const Extent& extent);
  void append(FrameKind kind, std::string_view content);
  /// Everything appended so far is on the disk.
  void sync();
  const Extent& extent() const { return extent_; }
  const std::string& path() const { return path_; }

 private:
  void expect_frames() const;
  void write_whole(std::string_view bytes) const;
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  int descriptor_ = -1;
  Extent extent_{0, 0};
};

/// Visits the frames in the first `length` bytes of a file, one at a time in memory. Throws FileError for a
/// file that cannot be read or is damaged.
void read_segments(const std::string& path, std::int64_t length, const FrameVisitor& visit);

}  // namespace livens::host
