#include "host/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/checkpoint/bytes.hpp"
#include "host/checkpoint/parts.hpp"
#include "host/checkpoint/pending_file.hpp"
#include "host/commands/interrupt.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"
#include "host/regular_file.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

std::string segments_in(const std::string& directory) { return directory + "/segments"; }
std::string standing_in(const std::string& directory) { return directory + "/standing"; }

std::string contents(const std::string& path) {
  regular_file(path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file.is_open() || file.bad() || errno != 0)
    throw FileError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  return bytes.str();
}

/// The one frame of the file `standing`: Extent, identity, Standing.
struct Saved {
  Extent extent;
  Identity identity;
  ensembles::Standing standing;
};

Saved read_saved(const std::string& path) {
  Saved saved{};
  bool found = false;
  try {
    visit_frames(contents(path), [&](FrameKind kind, std::string_view content) {
      if (kind != FrameKind::standing || found) throw Malformed("not a checkpoint");
      found = true;
      ByteReader reader(content);
      std::string identity, standing;
      reader.get(saved.extent);
      reader.get(identity);
      reader.get(standing);
      reader.expect_end();
      saved.identity = decode_identity(identity);
      saved.standing = decode_standing(standing);
    });
    if (!found) throw Malformed("empty");
  } catch (const Malformed& problem) {
    throw FileError(path, fmt::format("damaged ({})", problem.what()));
  }
  return saved;
}

}  // namespace

std::string checkpoint_directory(const std::string& output) { return output + ".checkpoint"; }

Checkpoint::Checkpoint(const std::string& directory, const Identity& identity, double every, Begin begin)
    : directory_(directory), identity_(identity), every_(every) {
  std::error_code problem;
  fs::create_directories(directory, problem);
  if (problem) throw FileError(directory, fmt::format("cannot be created ({})", problem.message()));
  written_ = fs::exists(standing_in(directory));
  if (written_ && begin == Begin::anew)
    throw RequestError(directory +
                       ": an interrupted run stands there; expected --resume, or the directory removed");
  if (written_) {
    read_back();
  } else {
    segments_.emplace(segments_in(directory), 0, 0);
    segments_->append(FrameKind::identity, encode(identity));
  }
}

Checkpoint::~Checkpoint() {
  segments_.reset();
  if (written_) return;
  std::error_code none;
  fs::remove_all(directory_, none);
}

void Checkpoint::read_back() {
  const Saved saved = read_saved(standing_in(directory_));
  const std::string other = difference(saved.identity, identity_);
  if (!other.empty() || saved.identity.range != identity_.range) {
    throw RequestError(fmt::format("--resume: {} is of another run: {} differs; expected the same",
                                   directory_, other.empty() ? "the shard" : other));
  }
  std::uint64_t frames = 0;
  // Now rather than when hours of stepping have been added.
  read_segments(segments_in(directory_), saved.extent.length, [&](FrameKind, std::string_view) { ++frames; });
  if (frames != saved.extent.frames) throw FileError(segments_in(directory_), "damaged (frames are missing)");
  segments_.emplace(segments_in(directory_), saved.extent.length, saved.extent.frames);
  standing_ = saved.standing;
}

void Checkpoint::add(const ensembles::SamplePart& part) {
  segments_->append(FrameKind::sample, encode(part));
}

void Checkpoint::add(ensembles::InstancesPart part) { segments_->append(FrameKind::instances, encode(part)); }

bool Checkpoint::wants_standing() {
  if (every_ <= 0.0) return false;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - kept_;
  return since.count() >= every_ || InterruptGuard::interrupted();
}

void Checkpoint::keep(const ensembles::Standing& standing) {
  write(standing, {segments_->length(), segments_->frames()});
}

void Checkpoint::done(const ensembles::Standing& standing) {
  done_ = {standing, {segments_->length(), segments_->frames()}};
}

void Checkpoint::fall_back() {
  if (every_ > 0.0 && done_) write(done_->first, done_->second);
}

void Checkpoint::write(const ensembles::Standing& standing, const Extent& extent) {
  segments_->sync();
  ByteWriter content;
  content.put(extent);
  content.put(encode(identity_));
  content.put(encode(standing));
  write_text(standing_in(directory_), make_frame(0, FrameKind::standing, content.take()));
  written_ = true;
  done_.reset();
  kept_ = std::chrono::steady_clock::now();
}

void Checkpoint::finished(ensembles::Range range, double wall_seconds) {
  if (every_ <= 0.0) return;
  ensembles::Standing end;
  end.chunk = {range.last, range.last};
  end.wall_seconds = wall_seconds;
  keep(end);
}

void Checkpoint::discard() {
  segments_.reset();
  written_ = false;
  std::error_code problem;
  // First what says that there is something to go on from: a process may die between any two removals.
  fs::remove(standing_in(directory_), problem);
  fs::remove_all(directory_, problem);
  if (problem)
    tell(fmt::format("livens: {}: cannot be removed ({})\n", printable(directory_), problem.message()));
}

void read_parts(const std::string& directory, const SampleVisitor& sample,
                const InstancesVisitor& instances) {
  const std::string path = segments_in(directory);
  read_segments(path, regular_file(path).size, [&](FrameKind kind, std::string_view content) {
    if (kind == FrameKind::sample && sample) sample(decode_sample(content));
    if (kind == FrameKind::instances && instances) instances(decode_instances(content));
  });
}

void visit_samples(std::string_view frames, const SampleVisitor& sample) {
  visit_frames(frames, [&](FrameKind, std::string_view content) { sample(decode_sample(content)); });
}

std::string sample_frames(const std::string& directory) {
  std::string frames;
  std::uint64_t number = 0;
  const std::string path = segments_in(directory);
  read_segments(path, regular_file(path).size, [&](FrameKind kind, std::string_view content) {
    if (kind == FrameKind::sample) frames += make_frame(number++, kind, content);
  });
  return frames;
}

}  // namespace livens::host
