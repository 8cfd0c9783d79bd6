// livens run: spec in, result file out.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "ensembles/ensemble.hpp"
#include "host/backends/backends.hpp"
#include "host/backends/position_error.hpp"
#include "host/backends/ranks.hpp"
#include "host/checkpoint/assemble.hpp"
#include "host/checkpoint/directory.hpp"
#include "host/checkpoint/sha256.hpp"
#include "host/commands/commands.hpp"
#include "host/commands/complaint.hpp"
#include "host/errors.hpp"
#include "host/interrupt.hpp"
#include "host/printable.hpp"
#include "host/spec/registry.hpp"
#include "host/version.hpp"

namespace livens::host {
namespace {

using ensembles::Range;

std::int64_t number_in(const char* variable, std::int64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoll(text) : otherwise;
}

/// The shard asked for, or that of a task of a Slurm job array.
std::optional<ShardOption> shard_of(const RunOptions& options) {
  if (options.shard) return options.shard;
  const std::int64_t count = number_in("SLURM_ARRAY_TASK_COUNT", 0);
  if (count < 1) return {};
  const std::int64_t first = number_in("SLURM_ARRAY_TASK_MIN", 0),
                     step = number_in("SLURM_ARRAY_TASK_STEP", 1);
  return ShardOption{(number_in("SLURM_ARRAY_TASK_ID", 0) - first) / std::max(step, std::int64_t{1}), count};
}

/// The result file; that of a shard has a name of its own, unless one was typed.
std::string output_of(const Spec& spec, const RunOptions& options, const std::optional<ShardOption>& shard) {
  if (!shard || options.overrides.output) return spec.output;
  const std::filesystem::path path = spec.output;
  const std::string name = fmt::format("{}.{}-of-{}{}", path.stem().string(), shard->index, shard->count,
                                       path.extension().string());
  return (path.parent_path() / name).string();
}

Range range_of(std::int64_t size, const char* what, std::int64_t index, std::int64_t count) {
  try {
    return ensembles::shard(size, index, count);
  } catch (const std::invalid_argument& problem) {
    throw RequestError(fmt::format("{}: {}", what, problem.what()));
  }
}

/// Instances of a chunk, if two chunks take the memory allowed, one being integrated and the one before being
/// written: the records, and the initial q, v, p.
std::int64_t instances_at_a_time(const ensembles::Backend& backend, double gibibytes) {
  const double each = 8.0 * (backend.record_width() + 3.0 * backend.system().coordinates);
  return static_cast<std::int64_t>(std::min(gibibytes * 0x1p30 / (2.0 * each), 0x1p40));
}

Interrupted interruption(const Checkpoint& checkpoint) {
  if (!checkpoint.written()) return Interrupted();
  return Interrupted(fmt::format("interrupted; the checkpoint is in {}, --resume goes on from there",
                                 checkpoint.directory()));
}

/// Reports, and ends a run that is interrupted or has failed on another rank once its checkpoint is written.
ensembles::Progress progress_of(const RunOptions& options, const Ranks& ranks, const Checkpoint& checkpoint) {
  const bool silent = options.quiet || !ranks.first();
  const ensembles::Progress shown = make_progress(silent ? ProgressStyle::none : options.progress);
  return [shown, &ranks, &checkpoint](std::int64_t done, std::int64_t total, std::int64_t failed) {
    if (shown) shown(done, total, failed);
    const auto failure = ranks.failure();
    if (failure && !InterruptGuard::requested()) {
      InterruptGuard::request();  // and back: a checkpoint is written first
      return;
    }
    if (!InterruptGuard::interrupted()) return;
    if (failure) throw OtherRankFailed{*failure};
    throw interruption(checkpoint);
  };
}

/// Integrates what is left of a range and leaves its parts in the checkpoint. Returns the seconds of
/// stepping.
double integrate(const RunOptions& options, const Spec& spec, ensembles::Backend& backend, Range range,
                 Checkpoint& checkpoint, const ensembles::Progress& progress) {
  std::optional<AgainstTrueMotion> compared;
  if (!spec.error_against.empty()) compared.emplace(spec, options.threads, checkpoint);
  ensembles::Journal& journal = compared ? static_cast<ensembles::Journal&>(*compared) : checkpoint;
  try {
    if (compared) compared->integrate(range, progress);
    const double seconds =
        ensembles::integrate(spec.request, backend, range, instances_at_a_time(backend, options.memory),
                             journal, checkpoint.standing(), progress);
    checkpoint.finished(range, seconds);
    return seconds;
  } catch (const ensembles::InconsistentBase& error) {
    throw RequestError(spec.consistency_place + ": " + error.what());
  } catch (const ensembles::Stopped&) {
    throw interruption(checkpoint);
  }
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

int judge_failures(const ensembles::Request& request, std::int64_t failed, std::int64_t size) {
  const double fraction = static_cast<double>(failed) / static_cast<double>(size);
  if (request.on_failure == ensembles::OnFailure::error && failed > 0) {
    tell(fmt::format("livens: {} of {} instances failed, and ensemble.on_failure is \"error\"\n", failed,
                     size));
    return exit_instances_failed;
  }
  if (fraction > request.max_failed_fraction) {
    tell(fmt::format("livens: {} of {} instances failed, more than ensemble.max_failed_fraction = {}\n",
                     failed, size, request.max_failed_fraction));
    return exit_instances_failed;
  }
  return exit_done;
}

/// The ranks of an MPI run: each integrates its share, the first one writes.
class Run {
 public:
  Run(const RunOptions& options, const Ranks& ranks)
      : options_(options), ranks_(ranks), spec_(read_spec(options.spec, registered(), options.overrides)) {
    shard_ = shard_of(options);
    if (shard_ && ranks.count() > 1)
      throw RequestError("--shard: a shard runs in one process; expected it without mpirun");
    output_ = output_of(spec_, options, shard_);
    const std::int64_t size = spec_.request.size;
    whole_ = shard_ ? range_of(size, "--shard", shard_->index, shard_->count) : Range{0, size};
    mine_ = ranks.count() > 1 ? range_of(size, "mpirun", ranks.rank(), ranks.count()) : whole_;
    backend_ = make_backend(spec_.request, options.backend, options.threads, options.devices);
    provenance_ = {version,          spec_.request.system, spec_.request.scheme,
                   backend_->form(), spec_.text,           spec_.overrides};
    refuse_overwriting(options.spec, output_);
    if (ranks.first() && !options.quiet)
      for (const std::string& warning : spec_.warnings) tell("livens: " + printable(warning) + '\n');
    // Now rather than after hours of stepping.
    check_writable(output_);
  }

  /// The common directory of the ranks' checkpoints.
  std::string common_directory() const { return checkpoint_directory(output_); }

  int integrate_and_write() {
    const InterruptGuard guard;
    refuse_other_ranks(common_directory(), ranks_.count());
    const Begin begin = options_.resume ? Begin::resume : Begin::anew;
    Checkpoint checkpoint(directory(ranks_.rank()),
                          {provenance_, spec_.request.seed, spec_.request.size, mine_},
                          spec_.checkpoint_every, begin);
    expect_same_request();
    if (options_.resume && !checkpoint.standing() && ranks_.first())
      tell(fmt::format("livens: no checkpoint in {}; the run starts anew\n",
                       printable(checkpoint.directory())));
    double seconds = 0.0;
    try {
      seconds = together(integrate(options_, spec_, *backend_, mine_, checkpoint,
                                   progress_of(options_, ranks_, checkpoint)));
    } catch (const ensembles::BackendFailure& failure) {
      throw ensembles::BackendFailure(failure.what() + saved(checkpoint));
    } catch (const Interrupted&) {
      throw interruption(checkpoint);
    }
    // While the result is being written a first interrupt has come too late.
    InterruptGuard::too_late();
    const int status = std::stoi(ranks_.spread(ranks_.first() ? std::to_string(write(seconds)) : ""));
    if (ranks_.count() == 1) remove_ranks(common_directory());
    checkpoint.discard();
    ranks_.gather("");  // all have removed theirs
    if (ranks_.count() > 1 && ranks_.first()) remove_ranks(common_directory());
    return status;
  }

 private:
  std::string directory(int rank) const { return rank_directory(common_directory(), rank, ranks_.count()); }

  /// Throws RequestError where another rank was asked for something else: the parts would not be of one run.
  void expect_same_request() const {
    const std::pair<const char*, std::string> asked[] = {{"the version of livens", version},
                                                         {"the spec", spec_.text},
                                                         {"the options", spec_.overrides},
                                                         {"the output", output_},
                                                         {"the form of the scheme", provenance_.form},
                                                         {"--resume", options_.resume ? "yes" : "no"}};
    std::string digests;
    for (const auto& [what, value] : asked) digests += sha256_of(value);
    const std::vector<std::string> all = ranks_.gather(digests);
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      for (std::size_t k = 0; k < std::size(asked); ++k)
        if (all[rank].compare(k * sha256_size, sha256_size, digests, k * sha256_size, sha256_size) != 0)
          throw RequestError(fmt::format(
              "rank {} differs from rank 0 in {}; expected the same request on all", rank, asked[k].first));
    }
    ranks_.spread("");
  }

  /// The sum over all ranks, once all have come here; on the first one.
  double together(double seconds) const {
    double sum = 0.0;
    for (const std::string& one : ranks_.gather(fmt::format("{}", seconds))) sum += std::stod(one);
    ranks_.spread("");
    return sum;
  }

  int write(double seconds) const {
    const ensembles::Shape shape = ensembles::shape_of(spec_.request, backend_->system(), whole_);
    Destination to{output_, directory(0), units_of(backend_->system()), provenance_, {}};
    if (shard_) {
      const std::string frames = sample_frames(directory(0));
      to.shard = Shard{whole_, spec_.request.size, {frames.begin(), frames.end()}};
    }
    std::vector<PartSource> sources;
    for (int rank = 0; rank < ranks_.count(); ++rank) sources.push_back(segments_of(directory(rank)));
    ensembles::Result about{};
    about.backend = backend_->name();
    about.device = backend_->device();
    about.seed = spec_.request.seed;
    about.wall_seconds = seconds;
    const Assembled made = assemble(to, shape, sources, about);
    if (!options_.quiet) {
      fmt::print("{}{}written to {}\n", headline(made.result, provenance_), made.figures.text(made.result),
                 printable(output_));
    }
    return judge_failures(spec_.request, made.figures.failed(), whole_.size());
  }

  const RunOptions& options_;
  const Ranks& ranks_;
  Spec spec_;
  std::optional<ShardOption> shard_;
  std::string output_;
  Range whole_, mine_;  // of the file, of this process
  std::unique_ptr<ensembles::Backend> backend_;
  Provenance provenance_;
};

}  // namespace

int run(const RunOptions& options) {
  Ranks ranks;
  if (ranks.count() == 1) return Run(options, ranks).integrate_and_write();
  int status = exit_done;
  std::string common;
  try {
    Run run(options, ranks);
    common = run.common_directory();
    return run.integrate_and_write();
  } catch (const OtherRankFailed& other) {
    status = other.status;
  } catch (...) {
    const Complaint complaint = complaint_about(std::current_exception());
    tell(fmt::format("livens: rank {}: {}\n", ranks.rank(), complaint.message));
    status = complaint.status;
    ranks.fail(status);
  }
  ranks.part();
  // Unless a checkpoint stands there.
  if (!common.empty()) rmdir(common.c_str());
  return status;
}

}  // namespace livens::host
