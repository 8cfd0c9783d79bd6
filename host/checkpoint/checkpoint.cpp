#include "host/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/checkpoint/parts.hpp"
#include "host/errors.hpp"
#include "host/files/bytes.hpp"
#include "host/files/pending_file.hpp"
#include "host/files/regular_file.hpp"
#include "host/printable.hpp"

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
  // Not errno alone: an allocation that was tried again leaves one, too.
  if (!file.is_open() || bytes.bad())
    throw FileError(path, fmt::format("cannot be read ({})", std::strerror(errno)));
  return bytes.str();
}

/// The kinds that mark the frames of a stage.
struct Kinds {
  FrameKind sample, instances, standing;
};
Kinds kinds_of(Stage stage) {
  if (stage == Stage::true_motion)
    return {FrameKind::true_sample, FrameKind::true_instances, FrameKind::true_standing};
  return {FrameKind::sample, FrameKind::instances, FrameKind::standing};
}

/// The one frame of the file `standing`: Extent, identity, Standing.
struct Saved {
  Stage stage;
  Extent extent;
  Identity identity;
  ensembles::Standing standing;
};

Saved read_saved(const std::string& path) {
  Saved saved{};
  bool found = false;
  try {
    visit_frames(contents(path), [&](FrameKind kind, std::string_view content) {
      if ((kind != FrameKind::standing && kind != FrameKind::true_standing) || found)
        throw Malformed("not a checkpoint");
      found = true;
      saved.stage = kind == FrameKind::standing ? Stage::run : Stage::true_motion;
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
    throw unreadable(path, problem);
  }
  return saved;
}

}  // namespace

std::string checkpoint_directory(const std::string& output) { return output + ".checkpoint"; }

namespace {
void expect_no_standing(const Directory& directory) {
  if (directory.has("standing"))
    refuse({directory.path()}, "holds an interrupted run", "--resume, or the directory removed");
}
}  // namespace

void refuse_to_begin(const std::string& directory) {
  if (fs::symlink_status(directory).type() == fs::file_type::not_found) return;
  expect_no_standing(Directory(directory));
  refuse_other_ranks(directory, 1);
}

Checkpoint::Checkpoint(const std::string& directory, const Identity& identity, double every, Begin begin,
                       std::size_t room, ensembles::StopAsked interrupted)
    : directory_(directory),
      segments_(directory_),
      identity_(identity),
      every_(every),
      room_(room),
      interrupted_(std::move(interrupted)) {
  written_ = directory_.has("standing");
  if (begin == Begin::anew) expect_no_standing(directory_);
  if (written_) {
    read_back();
  } else {
    begin_anew();
  }
  directory_.remove_partial();
}

Checkpoint::~Checkpoint() {
  if (!written_ && !discarded_) discard();
}

void Checkpoint::begin_anew() {
  try {
    segments_.begin({0, 0});
    segments_.append(FrameKind::identity, encode(identity_));
  } catch (...) {
    discard();
    throw;
  }
}

void Checkpoint::read_back() {
  const Saved saved = read_saved(standing_in(directory()));
  const std::string other = difference(saved.identity, identity_);
  if (!other.empty() || saved.identity.range != identity_.range) {
    refuse({.key = "--resume"},
           fmt::format("{} is of another run: {} differs", directory(), other.empty() ? "the shard" : other),
           "the same");
  }
  std::uint64_t frames = 0;
  // Now rather than when hours of stepping have been added.
  read_segments(segments_.path(), saved.extent.length, [&](FrameKind, std::string_view) { ++frames; });
  if (frames != saved.extent.frames) throw FileError(segments_.path(), "damaged (frames are missing)");
  segments_.begin(saved.extent);
  holding_ = false;
  standing_ = saved.standing;
  stage_ = saved.stage;
}

void Checkpoint::enter(Stage stage) {
  if (stage == stage_) return;
  stage_ = stage;
  standing_.reset();
  done_.reset();
}

void Checkpoint::add(const ensembles::SamplePart& part) {
  if (!holding_) return append(stage_, &part, nullptr);
  held_.add(stage_, part);
  if (held_.bytes() > room_) write_parts();
}

void Checkpoint::add(ensembles::InstancesPart part) {
  if (!holding_) return append(stage_, nullptr, &part);
  held_.add(stage_, std::move(part));
  if (held_.bytes() > room_) write_parts();
}

void Checkpoint::add_unloaded(ensembles::InstancesPart part, const Loading& load) {
  held_.add_unloaded(stage_, std::move(part), load);
  if (held_.bytes() > room_) write_parts();
}

void Checkpoint::append(Stage stage, const ensembles::SamplePart* sample,
                        const ensembles::InstancesPart* instances) {
  if (sample) segments_.append(kinds_of(stage).sample, encode(*sample));
  if (instances) segments_.append(kinds_of(stage).instances, encode(*instances));
}

void Checkpoint::write_parts() {
  if (!holding_) return;
  holding_ = false;
  std::size_t written = 0;
  held_.visit(held_.count(), [&](Stage stage, const auto* sample, const auto* instances) {
    append(stage, sample, instances);
    if (done_ && done_->held == ++written) done_->extent = segments_.extent();
  });
  held_.clear();
}

void Checkpoint::visit(Stage stage, const SampleVisitor& sample, const InstancesVisitor& instances) const {
  if (!holding_) return read_parts(directory(), sample, instances, stage);
  held_.visit(held_.count(), [&](Stage of, const auto* one, const auto* other) {
    if (of != stage) return;
    if (one && sample) sample(*one);
    if (other && instances) instances(*other);
  });
}

bool Checkpoint::wants_standing() {
  if (every_ <= 0.0) return false;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - kept_;
  return since.count() >= every_ || (interrupted_ && interrupted_());
}

void Checkpoint::keep(const ensembles::Standing& standing) {
  write_parts();
  write(standing, segments_.extent());
}

void Checkpoint::done(const ensembles::Standing& standing) {
  done_ = {standing, segments_.extent(), held_.count()};
}

void Checkpoint::fall_back() {
  if (every_ <= 0.0 || !done_) return;
  write_parts();
  write(done_->standing, done_->extent);
}

void Checkpoint::write(const ensembles::Standing& standing, const Extent& extent) {
  segments_.sync();
  ByteWriter content;
  content.put(extent);
  content.put(encode(identity_));
  content.put(encode(standing));
  write_text(standing_in(directory()), make_frame(0, kinds_of(stage_).standing, content.take()));
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
  discarded_ = true;
  written_ = false;
  try {
    // The lock is held until the file is gone: who comes next makes one of its own.
    if (!directory_.remove_run())
      tell(fmt::format("livens: {}: cannot be removed ({})\n", printable(directory()), std::strerror(errno)));
  } catch (const FileError& problem) {
    tell(fmt::format("livens: {}\n", problem.what()));
  }
}

void read_parts(const std::string& directory, const SampleVisitor& sample, const InstancesVisitor& instances,
                Stage stage) {
  const std::string path = segments_in(directory);
  const Kinds kinds = kinds_of(stage);
  read_segments(path, regular_file(path).size, [&](FrameKind kind, std::string_view content) {
    if (kind == kinds.sample && sample) sample(decode_sample(content));
    if (kind == kinds.instances && instances) instances(decode_instances(content));
  });
}

void visit_samples(std::string_view frames, const SampleVisitor& sample) {
  visit_frames(frames, [&](FrameKind, std::string_view content) { sample(decode_sample(content)); });
}

}  // namespace livens::host
