#include "host/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "host/backends/backends.hpp"
#include "host/checkpoint/checkpoint.hpp"
#include "host/compare/comparison_table.hpp"
#include "host/errors.hpp"
#include "host/files/pending_file.hpp"
#include "host/pairs/registry.hpp"
#include "host/printable.hpp"
#include "host/results/hdf5_inputs.hpp"
#include "host/run/failures_allowed.hpp"
#include "host/terminal/interrupt.hpp"
#include "host/version.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

/// A mistake as one of a combination, whose name stands before that of its file.
Mistake of_combination(const std::string& name, Mistake mistake) {
  mistake.file = mistake.file.empty() ? name : name + ": " + mistake.file;
  return mistake;
}

/// What is wrong with combinations: a mistake once, whatever the number of those that it is about.
class Refusals {
 public:
  void add(const std::string& combination, const RequestError& error) {
    for (const Mistake& mistake : error.mistakes) {
      auto known = std::ranges::find(found_, mistake, &Found::mistake);
      if (known == found_.end()) known = found_.insert(known, {mistake, combination, 0});
      ++known->count;
    }
  }
  bool any() const { return !found_.empty(); }

  /// `all`: the combinations that there are; what is wrong with all of them is no matter of combinations.
  std::vector<Mistake> mistakes(std::size_t all) const {
    std::vector<Mistake> said;
    for (const auto& [mistake, first, count] : found_) {
      const std::string more = count > 1 ? fmt::format(" (and {} more)", count - 1) : "";
      said.push_back(count == all ? mistake : of_combination(first + more, mistake));
    }
    return said;
  }

 private:
  struct Found {
    Mistake mistake;
    std::string first;  // the first combination it is about
    std::size_t count;
  };
  std::vector<Found> found_;
};

/// The accuracy that a true motion is integrated with.
double tolerance_of(const std::string& error_against) {
  const SchemeInfo* scheme = error_against.empty() ? nullptr : registered().scheme(error_against);
  if (scheme)
    for (const SchemeOption& option : scheme->options)
      if (option.name == std::string_view("relative_tolerance")) return option.standard;
  return 0.0;
}

std::string table_path(const std::string& directory) { return (fs::path(directory) / "table.csv").string(); }

}  // namespace

Comparison::Comparison(ComparisonOptions options, std::vector<Sweep> sweeps)
    : options_(std::move(options)),
      sweeps_(std::move(sweeps)),
      text_(read_text(options_.spec)),
      combinations_(combinations_of(sweeps_)) {
  read_all();
  refuse_directory();
}

Spec Comparison::spec_of(const Combination& combination) const {
  return parse_spec(text_, options_.spec, registered(),
                    overrides_of(sweeps_, combination, options_.overrides), {&hdf5_inputs(), {}});
}

std::string Comparison::file_of(const Combination& combination) const {
  return (fs::path(options_.directory) / (combination.name + ".h5")).string();
}

void Comparison::read_all() {
  const InterruptGuard guard;
  Refusals wrong, absent;
  std::vector<Combination> there;
  for (const Combination& combination : combinations_) {
    const std::string name = described(sweeps_, combination);
    try {
      const Spec spec = spec_of(combination);
      make_backend(spec.request, options_.run.backend, options_.run.threads, devices_of(options_.run),
                   InterruptGuard::requested);
      there.push_back(combination);
    } catch (const AbsentPair& problem) {
      absent.add(name, problem);
    } catch (const RequestError& problem) {
      wrong.add(name, problem);
    }
  }
  if (wrong.any()) throw RequestError(wrong.mistakes(combinations_.size()));
  std::vector<Mistake> left_out = absent.mistakes(combinations_.size());
  if (there.empty() || (absent.any() && !options_.skip_absent)) {
    if (!there.empty()) left_out.push_back({{}, "--skip-absent compares the combinations that there are"});
    throw RequestError(std::move(left_out));
  }
  if (options_.run.note)
    for (const Mistake& mistake : left_out) options_.run.note("left out: " + printed(mistake));
  combinations_ = std::move(there);
}

/// What stands in the directory may have taken days.
void Comparison::refuse_directory() const {
  if (options_.resume) return;
  std::error_code none;
  for (const Combination& combination : combinations_) {
    const std::string begun = checkpoint_directory(file_of(combination));
    if (fs::exists(fs::symlink_status(begun, none)))
      refuse({begun}, "is of a comparison that was begun",
             "--resume to go on from there, or another directory");
  }
  if (options_.overwrite) return;
  std::vector<std::string> paths = {table_path(options_.directory)};
  for (const Combination& combination : combinations_) paths.push_back(file_of(combination));
  for (const std::string& path : paths)
    if (fs::exists(fs::symlink_status(path, none)))
      refuse({path}, "already exists", "another directory, --resume to go on, or --force to replace it");
}

/// True where the result of this very run is there.
bool Comparison::finished(const Combination& combination) const {
  const std::string path = file_of(combination);
  std::error_code none;
  if (!fs::exists(fs::symlink_status(path, none))) return false;
  const Spec spec = spec_of(combination);
  const ResultFile found = ResultReader(path).outline();
  const Provenance& provenance = found.provenance;
  if (provenance.version != version || provenance.spec != spec.text ||
      provenance.overrides != spec.overrides || found.result.seed != spec.request.seed ||
      found.result.size != spec.request.size || found.shard)
    refuse({path}, "is the result of another spec, other options or another version",
           "another directory, or --force in place of --resume");
  return true;
}

int Comparison::run() {
  std::vector<bool> there;
  for (const Combination& combination : combinations_)
    there.push_back(options_.resume && finished(combination));
  std::error_code problem;
  fs::create_directories(options_.directory, problem);
  if (problem) throw FileError(options_.directory, "cannot be made (" + problem.message() + ")");
  int status = exit_done;
  for (std::size_t i = 0; i < combinations_.size(); ++i) {
    const Combination& combination = combinations_[i];
    const std::string name = printable(described(sweeps_, combination));
    const std::string count = fmt::format("{} of {} runs", runs_.size(), combinations_.size());
    const Spec spec = spec_of(combination);
    const InterruptGuard guard;
    try {
      if (!there[i]) integrate(combination, spec);
      keep(combination, spec);
    } catch (const Interrupted& interrupted) {
      throw Interrupted(fmt::format("{}: {}; {} are finished", name, interrupted.what(), count));
    } catch (const RequestError& error) {
      std::vector<Mistake> mistakes = error.mistakes;
      for (Mistake& mistake : mistakes) mistake = of_combination(name, mistake);
      throw RequestError(std::move(mistakes));
    } catch (...) {
      tell(fmt::format("livens: {}: this run has failed; {} are finished, --resume goes on from there\n",
                       name, count));
      throw;
    }
    const Measured& measured = runs_.back().measured;
    const std::string too_many = too_many_failed(spec.request, measured.failed(), measured.size);
    if (!too_many.empty()) {
      tell(fmt::format("livens: {}: {}\n", name, too_many));
      status = exit_instances_failed;
    }
    const bool interrupted = InterruptGuard::interrupted() || InterruptGuard::came_late();
    if (interrupted && runs_.size() < combinations_.size())
      throw Interrupted(fmt::format("interrupted; {} of {} runs are finished, --resume goes on from there",
                                    runs_.size(), combinations_.size()));
  }
  return status;
}

void Comparison::integrate(const Combination& combination, Spec spec) const {
  RunOptions options = options_.run;
  const ProgressStyle style = options_.quiet ? ProgressStyle::none : options_.progress;
  if (const auto shown = make_progress(style)) {
    if (style != ProgressStyle::json) tell(combination.name + '\n');
    options.progress = [shown](const Progress& at) { shown(at.done, at.total, at.failed); };
  }
  FileOptions to;
  to.path = file_of(combination);
  to.overwrite = options_.overwrite;
  std::error_code none;
  to.resume = options_.resume && fs::exists(checkpoint_directory(to.path), none);
  const Ranks alone;
  RunOnDisk run(std::move(spec), options_.spec, to, options, alone,
                {InterruptGuard::requested, [] { InterruptGuard::interrupted(); }, InterruptGuard::too_late});
  run.run();
}

/// Takes a finished run into the table.
void Comparison::keep(const Combination& combination, const Spec& spec) {
  const ensembles::Request& request = spec.request;
  const bool steps_vary = std::ranges::any_of(request.variations, [](const ensembles::Variation& variation) {
    return variation.target == ensembles::Target::step;
  });
  runs_.push_back({combination, measure(ResultReader(file_of(combination))),
                   steps_vary ? std::numeric_limits<double>::quiet_NaN() : request.step,
                   static_cast<double>(request.steps), request.settings.tolerance,
                   tolerance_of(spec.error_against)});
  write_text(table_path(options_.directory), table_as_csv(sweeps_, runs_));
}

}  // namespace livens::host
