#include "host/checkpoint/segments.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "host/files/regular_file.hpp"
#include "host/files/sha256.hpp"

namespace livens::host {
namespace {

constexpr std::string_view frame_mark = "lvframe";
constexpr std::size_t header_size = 32;

struct Header {
  std::uint64_t number, kind, length;
};

Header read_header(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.next(frame_mark.size()) != frame_mark) throw Malformed("no frame where one should begin");
  char format;
  reader.get(format);
  if (format != parts_format) throw OtherFormat(format);
  Header header;
  reader.get(header);
  return header;
}

/// `frame` is everything but its checksum.
void check(std::string_view frame, std::string_view checksum, const Header& header, std::uint64_t number) {
  if (sha256_of(frame) != checksum) throw Malformed("a checksum that does not fit");
  if (header.number != number) throw Malformed("frames out of order");
}

}  // namespace

OtherFormat::OtherFormat(char found)
    : Malformed(fmt::format("its parts are in format '{}', and this version of livens reads and writes '{}'; "
                            "expected the version that began the run",
                            found, parts_format)) {}

FileError unreadable(const std::string& path, const Malformed& problem) {
  if (dynamic_cast<const OtherFormat*>(&problem)) return {path, problem.what()};
  return {path, fmt::format("damaged ({})", problem.what())};
}

namespace {

/// What stands before and behind the content of a frame.
struct Ends {
  std::string header, checksum;
};
Ends ends_of(std::uint64_t number, FrameKind kind, std::string_view content) {
  ByteWriter writer;
  writer.put(Header{number, static_cast<std::uint64_t>(kind), content.size()});
  Ends ends{std::string(frame_mark) + parts_format + writer.take(), {}};
  const std::string_view pieces[] = {ends.header, content};
  ends.checksum = sha256_of(pieces);
  return ends;
}

}  // namespace

std::string make_frame(std::uint64_t number, FrameKind kind, std::string_view content) {
  const Ends ends = ends_of(number, kind, content);
  std::string frame;
  frame.reserve(header_size + content.size() + sha256_size);
  return frame.append(ends.header).append(content).append(ends.checksum);
}

void visit_frames(std::string_view bytes, const FrameVisitor& visit) {
  ByteReader reader(bytes);
  for (std::uint64_t number = 0; !bytes.empty(); ++number) {
    const Header header = read_header(bytes);
    if (header.length > bytes.size()) throw Malformed("a length that is more than there is");
    const std::string_view frame = reader.next(header_size + header.length);
    check(frame, reader.next(sha256_size), header, number);
    visit(static_cast<FrameKind>(header.kind), frame.substr(header_size));
    bytes.remove_prefix(frame.size() + sha256_size);
  }
}

Segments::Segments(Directory& directory) : path_(directory.path() + "/segments") {
  try {
    // Again where the run that had the file has removed it before this one got the lock.
    do {
      if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
      descriptor_ = directory.open_file("segments");
      if (const std::string other = directory.lock("segments", descriptor_); !other.empty())
        throw FileError(path_, "is being written by " + other);
    } while (!directory.holds("segments", descriptor_));
    expect_frames();
  } catch (...) {
    if (descriptor_ >= 0) close(descriptor_);
    throw;
  }
}

/// A file that begins otherwise is somebody else's, and not ours to cut.
void Segments::expect_frames() const {
  char first[frame_mark.size()];
  const ssize_t count = pread(descriptor_, first, sizeof first, 0);
  if (count < 0) fail("cannot be read");
  if (!frame_mark.starts_with(std::string_view(first, static_cast<std::size_t>(count))))
    throw FileError(path_, "was not written by a run", "another output, or that moved");
}

void Segments::begin(const Extent& extent) {
  if (ftruncate(descriptor_, extent.length) != 0 ||
      lseek(descriptor_, extent.length, SEEK_SET) != extent.length)
    fail("cannot be written");
  extent_ = extent;
}

Segments::~Segments() { close(descriptor_); }

void Segments::append(FrameKind kind, std::string_view content) {
  const Ends ends = ends_of(extent_.frames, kind, content);
  for (const std::string_view piece :
       {std::string_view(ends.header), content, std::string_view(ends.checksum)})
    write_whole(piece);
  extent_.length += static_cast<std::int64_t>(header_size + content.size() + sha256_size);
  ++extent_.frames;
}

void Segments::write_whole(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Segments::sync() {
  if (fdatasync(descriptor_) != 0) fail("cannot be flushed to the disk");
}

void Segments::fail(const char* action) const {
  throw FileError(path_, fmt::format("{} ({})", action, std::strerror(errno)));
}

void read_segments(const std::string& path, std::int64_t length, const FrameVisitor& visit) {
  if (length > regular_file(path).size) throw FileError(path, "damaged (it ends too early)");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  std::string frame;
  const auto take = [&](std::size_t count) {
    frame.resize(frame.size() + count);
    if (!file.read(frame.data() + frame.size() - count, static_cast<std::streamsize>(count)))
      throw Malformed("it ends too early");
  };
  try {
    std::uint64_t number = 0;
    for (std::int64_t at = 0; at < length; ++number) {
      frame.clear();
      take(header_size);
      const Header header = read_header(frame);
      if (header.length > static_cast<std::uint64_t>(length - at)) throw Malformed("a length beyond the end");
      take(header.length + sha256_size);
      const auto bytes = std::string_view(frame).substr(0, header_size + header.length);
      check(bytes, std::string_view(frame).substr(bytes.size()), header, number);
      visit(static_cast<FrameKind>(header.kind), bytes.substr(header_size));
      at += static_cast<std::int64_t>(frame.size());
    }
  } catch (const Malformed& problem) {
    throw unreadable(path, problem);
  }
}

}  // namespace livens::host
