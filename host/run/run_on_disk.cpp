#include "host/run/run_on_disk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "ensembles/population.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/position_error.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/errors.hpp"
#include "host/files/sha256.hpp"
#include "host/number_of.hpp"
#include "host/printable.hpp"
#include "host/results/remedies.hpp"
#include "host/run/failures_allowed.hpp"
#include "host/run/run_memory.hpp"
#include "host/version.hpp"

namespace livens::host {
namespace {

using ensembles::Range;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

/// The result file; that of a shard has a name of its own, unless one was given.
std::string output_of(const Spec& spec, const FileOptions& to) {
  if (!to.path.empty()) return to.path;
  if (!to.shard) return spec.output;
  const std::filesystem::path path = spec.output;
  const std::string name = fmt::format("{}.{}-of-{}{}", path.stem().string(), to.shard->index,
                                       to.shard->count, path.extension().string());
  return (path.parent_path() / name).string();
}

Range range_of(std::int64_t size, const char* what, std::int64_t index, std::int64_t count) {
  try {
    return ensembles::shard(size, index, count);
  } catch (const std::invalid_argument& problem) {
    refuse({.key = what}, problem.what());
  }
}

/// Instances of a chunk, if two chunks take the memory allowed, one being integrated and the one before being
/// written: the records, and the initial q, v, p. No more than a device holds.
std::int64_t instances_at_a_time(ensembles::Backend& backend, double gibibytes) {
  const double each = 8.0 * (backend.record_width() + 3.0 * backend.system().coordinates);
  const auto allowed = static_cast<std::int64_t>(std::min(gibibytes * 0x1p30 / (2.0 * each), 0x1p40));
  return std::min(allowed, backend.most_instances());
}

std::vector<std::string> names_of_varied(const ensembles::Request& request) {
  std::vector<std::string> names;
  for (const ensembles::Variation* entry : ensembles::recorded_entries(request)) names.push_back(entry->what);
  return names;
}

Interrupted interruption(const Checkpoint& checkpoint) {
  if (!checkpoint.written()) return Interrupted();
  return Interrupted(fmt::format("interrupted; the checkpoint is in {}, --resume goes on from there",
                                 checkpoint.directory()));
}

/// Keeps what was done before a device failed, and says what came of that.
std::string saved(Checkpoint& checkpoint) {
  try {
    checkpoint.fall_back();
  } catch (const std::exception& error) {
    return std::string("; ") + error.what();
  }
  return checkpoint.written() ? "; --resume goes on from " + checkpoint.directory() : "";
}

/// A result that cannot be written where it should be: what is still held makes a checkpoint, if that can be
/// written where the result has been.
void keep_if_possible(Checkpoint& checkpoint, std::optional<Joiner>& result, Range range, double seconds) {
  try {
    if (!checkpoint.holds()) return;
    checkpoint.load();
    result.reset();
    checkpoint.finished(range, seconds);
  } catch (const FileError&) {
    // The first failure is the one to tell of.
  }
}

/// Takes states and varied values out of a part that the result is without: they are nearly all of it. The
/// rest is in the summary.
void leave_out(const std::vector<std::string>& left_out, ensembles::Instances& part) {
  for (const auto& [name, values] : {std::pair{"initial_q", &part.initial_q},
                                     {"initial_v", &part.initial_v},
                                     {"final_q", &part.final_q},
                                     {"final_v", &part.final_v},
                                     {"final_p", &part.final_p}})
    if (!keeps_column(left_out, name)) std::vector<double>().swap(*values);
  std::erase_if(part.parameters, [&](const ensembles::Instances::Varied& varied) {
    return !keeps_column(left_out, "parameters/" + varied.what);
  });
}

/// Writes the result while it is being computed, and keeps the parts in the checkpoint: what is written of a
/// result is nothing to go on from, but values can be read from it while it is there.
class ResultAndCheckpoint : public ensembles::Journal {
 public:
  ResultAndCheckpoint(std::optional<Joiner>& result, Checkpoint& checkpoint,
                      const std::vector<std::string>& left_out)
      : result_(result), checkpoint_(checkpoint), left_out_(left_out) {}
  void add(const ensembles::SamplePart& part) override {
    attempt([&] { result_->add(part); });
    checkpoint_.add(part);
  }
  void add(ensembles::InstancesPart part) override {
    leave_out(left_out_, part.instances);
    attempt([&] { result_->place(part); });
    if (!result_ || !checkpoint_.holds()) return checkpoint_.add(std::move(part));
    result_->unload(part);
    checkpoint_.add_unloaded(std::move(part),
                             [&result = result_](ensembles::InstancesPart& one) { result->load(one); });
  }
  bool wants_standing() override { return checkpoint_.wants_standing(); }
  void keep(const ensembles::Standing& standing) override { checkpoint_.keep(standing); }
  void done(const ensembles::Standing& standing) override { checkpoint_.done(standing); }

 private:
  /// A disk that is full now may hold the checkpoint once the result has gone. It is put together at the end.
  template <class Action>
  void attempt(Action action) {
    try {
      if (result_) action();
    } catch (const FileError&) {
      checkpoint_.load();
      result_.reset();
    }
  }

  std::optional<Joiner>& result_;
  Checkpoint& checkpoint_;
  const std::vector<std::string>& left_out_;
};

/// Tells somebody of the samples on their way to a journal.
class Watched : public ensembles::Journal {
 public:
  Watched(ensembles::Journal& journal, const ensembles::Shape& shape,
          const std::function<void(const Sample&)>& told)
      : journal_(journal), shape_(shape), told_(told) {}
  void add(const ensembles::SamplePart& part) override {
    journal_.add(part);
    if (told_) told_(sample_of(part, shape_.time));
  }
  void add(ensembles::InstancesPart part) override { journal_.add(std::move(part)); }
  bool wants_standing() override { return journal_.wants_standing(); }
  void keep(const ensembles::Standing& standing) override { journal_.keep(standing); }
  void done(const ensembles::Standing& standing) override { journal_.done(standing); }

 private:
  ensembles::Journal& journal_;
  const ensembles::Shape& shape_;
  const std::function<void(const Sample&)>& told_;
};

}  // namespace

Sample sample_of(const ensembles::SamplePart& part, const std::vector<double>& times) {
  return {part.sample,
          static_cast<std::int64_t>(times.size()),
          times.at(static_cast<std::size_t>(part.sample)),
          part.range.first,
          part.range.last,
          part.statistics.ok};
}

std::optional<DeviceChoice> devices_of(const RunOptions& options) {
  if (!options.all_devices && options.devices.empty()) return {};
  return DeviceChoice{options.devices};
}

RunOnDisk::RunOnDisk(Spec spec, const std::string& source, const FileOptions& to, const RunOptions& options,
                     const Ranks& ranks, Cancellation cancellation)
    : spec_(std::move(spec)),
      to_(to),
      options_(options),
      ranks_(ranks),
      cancellation_(std::move(cancellation)) {
  if (to_.shard && ranks_.count() > 1)
    refuse({.key = "--shard"}, "a shard runs in one process", "it without mpirun");
  output_ = output_of(spec_, to_);
  refuse_overwriting(source, output_);
  for (const std::string& file : spec_.files) refuse_overwriting(file, output_);
  if (!to_.overwrite && !to_.resume) refuse_overwriting_result(output_);
  const std::int64_t size = spec_.request.size;
  whole_ = to_.shard ? range_of(size, "--shard", to_.shard->index, to_.shard->count) : Range{0, size};
  mine_ = ranks_.count() > 1 ? range_of(size, "mpirun", ranks_.rank(), ranks_.count()) : whole_;
  const auto began = Clock::now();
  backend_ = make_backend(
      spec_.request, options_.backend, options_.threads, devices_of(options_),
      [this] { return end_wanted(); }, options_.compiling);
  compiling_ = seconds_since(began);
  provenance_ = {version,          spec_.request.system, spec_.request.scheme,
                 backend_->form(), spec_.text,           spec_.overrides};
  if (ranks_.first() && options_.note)
    for (const std::string& warning : with_note_of_projection(spec_, *backend_))
      options_.note(printable(warning));
  // Now rather than after hours of stepping.
  check_writable(output_);
}

std::string RunOnDisk::common_directory() const { return checkpoint_directory(output_); }

std::string RunOnDisk::directory(int rank) const {
  return rank_directory(common_directory(), rank, ranks_.count());
}

Identity RunOnDisk::identity() const { return {provenance_, spec_.request.seed, spec_.request.size, mine_}; }

Destination RunOnDisk::destination() const {
  Destination to{output_, directory(0), units_of(backend_->system()), provenance_, {}, spec_.left_out};
  if (to_.shard) to.shard = Shard{whole_, spec_.request.size, {}};
  return to;
}

ensembles::Result RunOnDisk::about(double seconds) const {
  ensembles::Result about{};
  about.backend = backend_->name();
  about.device = backend_->device();
  about.seed = spec_.request.seed;
  about.wall_seconds = seconds;
  return about;
}

bool RunOnDisk::end_wanted() const {
  return other_rank_failed_ || (cancellation_.asked && cancellation_.asked());
}

bool RunOnDisk::end_heard() const {
  if (!end_wanted()) return false;
  if (cancellation_.heard) cancellation_.heard();
  return true;
}

/// Reports, and ends a run that is interrupted or has failed on another rank once its checkpoint is written.
ensembles::Progress RunOnDisk::progress(const Checkpoint& checkpoint) const {
  return [this, &checkpoint](std::int64_t done, std::int64_t total, std::int64_t failed) {
    // What is computed has to be written, too: all is done when the file is there.
    reported_ = {std::min(done, total - 1), total, failed};
    if (options_.progress) options_.progress(reported_);
    const auto failure = ranks_.failure();
    if (failure && !end_wanted()) {
      other_rank_failed_ = true;  // and back: a checkpoint is written first
      return;
    }
    if (!end_heard()) return;
    if (failure) throw OtherRankFailed{*failure};
    throw interruption(checkpoint);
  };
}

Forecast RunOnDisk::forecast() const {
  if (ranks_.count() > 1) refuse({.key = "--dry-run"}, "asks one process", "it without mpirun");
  if (!to_.resume) refuse_to_begin(common_directory());
  try {
    return make_forecast(spec_, *backend_, whole_, options_, instances_at_a_time(*backend_, options_.memory),
                         output_);
  } catch (const ensembles::InconsistentBase& error) {
    refuse_base_state(spec_, error);
  } catch (const ensembles::Stopped&) {
    throw Interrupted();
  }
}

Written RunOnDisk::run() {
  refuse_other_ranks(common_directory(), ranks_.count());
  const auto room = static_cast<std::size_t>(room_for_parts(options_.memory));
  Checkpoint checkpoint(directory(ranks_.rank()), identity(), spec_.checkpoint_every,
                        to_.resume ? Begin::resume : Begin::anew, room, [this] { return end_heard(); });
  expect_same_request();
  if (to_.resume && !checkpoint.standing() && ranks_.first() && options_.note)
    options_.note(fmt::format("no checkpoint in {}; the run starts anew", printable(checkpoint.directory())));
  shape_ = ensembles::shape_of(spec_.request, backend_->system(), whole_);
  std::optional<Joiner> result;
  begin(result, checkpoint);
  double seconds = 0.0;
  const auto began = Clock::now();
  try {
    seconds = together(integrate(checkpoint, result));
  } catch (const ensembles::BackendFailure& failure) {
    throw ensembles::BackendFailure(failure.what() + saved(checkpoint));
  } catch (const Interrupted&) {
    throw interruption(checkpoint);
  }
  if (cancellation_.too_late) cancellation_.too_late();
  Written written{output_, {}, {}, whole_.size(), 0, {}};
  written.compiling = compiling_;
  written.stepping = seconds_since(began);
  if (ranks_.first()) {
    const auto stepped = Clock::now();
    const Joined made = write(checkpoint, result, seconds);
    written.writing = seconds_since(stepped);
    written.summary =
        headline(made.result, provenance_) + made.figures.text(made.result) + advice(made.figures.statuses());
    written.json = summary_as_json(output_, made.result, provenance_, destination().shard, spec_.left_out,
                                   made.figures, names_of_varied(spec_.request));
    if (options_.note)
      for (const std::string& note : notes_of_statistics(made.result)) options_.note(printable(note));
    written.failed = made.figures.failed();
    written.too_many = too_many_failed(spec_.request, written.failed, written.size);
  }
  written.too_many = ranks_.spread(written.too_many);
  if (ranks_.count() == 1) remove_ranks(common_directory());
  checkpoint.discard();
  ranks_.gather("");  // all have removed theirs
  if (ranks_.count() > 1 && ranks_.first()) remove_ranks(common_directory());
  reported_.done = reported_.total;
  if (options_.progress) options_.progress(reported_);
  return written;
}

/// Makes the result that is written as parts come, and puts those of a checkpoint into it. None under mpirun,
/// where parts come to other processes.
void RunOnDisk::begin(std::optional<Joiner>& result, const Checkpoint& checkpoint) const {
  if (ranks_.count() > 1) return;
  result.emplace(destination(), shape_);
  try {
    if (checkpoint.standing())
      checkpoint.visit(
          Stage::run, [&](const ensembles::SamplePart& part) { result->add(part); },
          [&](const ensembles::InstancesPart& part) { result->place(part); });
  } catch (const FileError&) {
    result.reset();  // as ResultAndCheckpoint has it
  }
}

/// Integrates what is left of a range and hands its parts over. Returns the seconds of stepping.
double RunOnDisk::integrate(Checkpoint& checkpoint, std::optional<Joiner>& result) const {
  ResultAndCheckpoint both(result, checkpoint, spec_.left_out);
  ensembles::Journal* journal = &both;
  if (result && spec_.checkpoint_every <= 0.0) journal = &*result;
  std::optional<AgainstTrueMotion> compared;
  if (!spec_.error_against.empty()) {
    compared.emplace(spec_, options_.threads, checkpoint, *journal, [this] { return end_wanted(); });
    journal = &*compared;
  }
  Watched watched(*journal, shape_, options_.sample);
  try {
    if (compared) compared->integrate(mine_, progress(checkpoint));
    const double seconds =
        ensembles::integrate(spec_.request, *backend_, mine_, instances_at_a_time(*backend_, options_.memory),
                             watched, checkpoint.standing(), progress(checkpoint));
    if (ranks_.count() > 1) checkpoint.write_parts();
    if (!checkpoint.holds()) checkpoint.finished(mine_, seconds);
    return seconds;
  } catch (const ensembles::InconsistentBase& error) {
    refuse_base_state(spec_, error);
  } catch (const ensembles::Stopped&) {
    throw interruption(checkpoint);
  }
}

/// The sum over all ranks, once all have come here; on the first one.
double RunOnDisk::together(double seconds) const {
  double sum = 0.0;
  for (const std::string& one : ranks_.gather(fmt::format("{}", seconds)))
    sum += number_of<double>(one).value();
  ranks_.spread("");
  return sum;
}

Joined RunOnDisk::write(Checkpoint& checkpoint, std::optional<Joiner>& result, double seconds) const {
  std::vector<PartSource> sources = {
      {[&](const SampleVisitor& visit) { checkpoint.visit(Stage::run, visit, {}); },
       [&](const InstancesVisitor& visit) { checkpoint.visit(Stage::run, {}, visit); }}};
  for (int rank = 1; rank < ranks_.count(); ++rank) sources.push_back(segments_of(directory(rank)));
  try {
    return result ? result->finish(about(seconds)) : join(destination(), shape_, sources, about(seconds));
  } catch (const FileError&) {
    keep_if_possible(checkpoint, result, mine_, seconds);
    throw;
  }
}

/// Throws RequestError where another rank was asked for something else: the parts would not be of one run.
void RunOnDisk::expect_same_request() const {
  const std::pair<const char*, std::string> asked[] = {{"the version of livens", version},
                                                       {"the spec", spec_.text},
                                                       {"the options", spec_.overrides},
                                                       {"the output", output_},
                                                       {"the form of the scheme", provenance_.form},
                                                       {"--resume", to_.resume ? "yes" : "no"}};
  std::string digests;
  for (const auto& [what, value] : asked) digests += sha256_of(value);
  const std::vector<std::string> all = ranks_.gather(digests);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    for (std::size_t k = 0; k < std::size(asked); ++k)
      if (all[rank].compare(k * sha256_size, sha256_size, digests, k * sha256_size, sha256_size) != 0)
        refuse({}, fmt::format("rank {} differs from rank 0 in {}", rank, asked[k].first),
               "the same request on all");
  }
  ranks_.spread("");
}

}  // namespace livens::host
