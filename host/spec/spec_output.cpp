// [output]: what is kept of the instances, and where.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensembles/draws.hpp"
#include "ensembles/observables.hpp"
#include "ensembles/schedule.hpp"
#include "expressions/nearest.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/printable.hpp"
#include "host/spec/sample_memory.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

std::vector<double> read_quantiles(const Section& section) {
  const std::vector<double> levels =
      section.numbers("quantiles").value_or(std::vector<double>{0.05, 0.25, 0.5, 0.75, 0.95});
  constexpr std::size_t most = 100;
  if (levels.empty() || levels.size() > most)
    refuse(section.place("quantiles"), fmt::format("{} levels", levels.size()), fmt::format("1 to {}", most));
  for (const double level : levels) {
    if (!(level > 0.0 && level < 1.0)) {
      refuse(section.place("quantiles"), fmt::format("{} is out of range", level), "numbers between 0 and 1");
    }
  }
  return levels;
}

/// A scheme of the true motion that runs the system, or nothing.
std::string read_error_against(const Section& section, const Catalogue& catalogue, const SystemInfo& system) {
  const std::string name = section.text("error_against").value_or("");
  if (!section.has("error_against")) return name;
  std::vector<std::string> schemes;
  for (const PairKernels& pair : catalogue.pairs)
    if (is_true_motion(pair) && pair.system->info == &system) schemes.emplace_back(pair.scheme->name);
  if (schemes.empty()) {
    refuse(section.place("error_against"), fmt::format("no scheme of the true motion runs {}", system.name));
  }
  if (std::find(schemes.begin(), schemes.end(), name) == schemes.end()) {
    refuse(section.place("error_against"),
           fmt::format("'{}' is no scheme of the true motion of {}", name, system.name), enumerate(schemes));
  }
  return name;
}

/// output.interval of a run whose steps are all alike, as output.every.
std::int64_t steps_of_interval(const Section& section, const ensembles::Request& request) {
  const Place place = section.place("interval");
  if (section.has("every")) refuse(place, "output.every is given too", "one of the two");
  const auto [steps, fit] = ensembles::pieces_of(request.interval, request.step);
  constexpr double most = 0x1p53;
  if (!fit || steps < 1.0 || steps > most)
    refuse(place,
           fmt::format("{} s are {} steps of {} s", request.interval, request.interval / request.step,
                       request.step),
           "a multiple of scheme.step");
  return static_cast<std::int64_t>(steps);
}

/// Samples are kept until the end: where they cannot be, it is better known now.
void check_memory(const Place& place, const ensembles::Request& request, const SystemInfo& system) {
  const auto [samples, bytes] = sample_memory(request, system);
  const double most = machine_memory();
  if (bytes <= most) return;
  refuse(place,
         fmt::format("{:.3g} samples of {} trajectories and of the statistics take about {:.3g} GiB, and "
                     "this machine has {:.3g}",
                     samples, request.trajectories, bytes * 0x1p-30, most * 0x1p-30),
         "fewer samples, trajectories or names in `observe`");
}

}  // namespace

/// Tells where a run ends whose pieces, steps or intervals, do not fit into the time that was asked for.
void SpecReader::note_rest() {
  const ensembles::Request& request = spec.request;
  const bool intervals = ensembles::varies_step(request);
  const double piece = intervals ? request.interval : request.step;
  const auto [count, fit] = ensembles::pieces_of(request.end, piece);
  if (fit) return;
  const Section scheme = document.section("scheme");
  const Place place = scheme.has("end") ? scheme.place("end")
                      : intervals       ? document.section("output").place("interval")
                                        : scheme.place("step");
  spec.warnings.push_back(printed(Mistake{
      place, fmt::format("the end of {} s is no multiple of {} = {} s; the run ends at {:.15g} s",
                         request.end, intervals ? "output.interval" : "scheme.step", piece, count * piece)}));
}

void SpecReader::read_output() {
  ensembles::Request& request = spec.request;
  const Section section = document.section("output");
  section.allow(std::vector<std::string>{"file", "every", "interval", "sampling", "trajectories", "quantiles",
                                         "error_against", "checkpoint_every", "energy_bound", "observe",
                                         "extremes", "stop", "joint", "columns", "event", "keep_impacts"});
  constexpr std::int64_t many = std::numeric_limits<std::int64_t>::max();
  spec.output = overrides.output.value_or(section.text("file").value_or(spec.output));
  if (spec.output.empty()) {
    refuse(overrides.output ? Place{.key = "-o"} : section.place("file"), "empty", "the name of a file");
  }
  if (printable(spec.output) != spec.output) {
    refuse(overrides.output ? Place{.key = "-o"} : section.place("file"),
           "has a control character, or is no UTF-8", "the name of a file");
  }
  request.every = section.integer_or("every", 10, 1, many);
  const auto positive = [](double value) { return value > 0.0 && std::isfinite(value); };
  request.interval = section.number_or("interval", 0.0, positive, "a finite time > 0 (s)");
  if (ensembles::varies_step(request)) {
    if (section.has("every")) refuse(section.place("every"), "scheme.step varies", "output.interval instead");
    if (!section.has("interval"))
      refuse(section.place("interval"), "missing", "a time (s), as scheme.step varies");
    if (ensembles::pieces_of(request.end, request.interval).count < 1.0) {
      refuse(overrides.steps ? Place{.key = "--steps"} : section.place("interval"),
             fmt::format("{} s is longer than the run of {} s", request.interval, request.end),
             "interval <= end");
    }
  } else if (request.interval > 0.0) {
    request.every = steps_of_interval(section, request);
    request.interval = 0.0;
  }
  note_rest();
  using ensembles::Sampling;
  constexpr std::pair<const char*, Sampling> samplings[] = {{"linear", Sampling::linear},
                                                            {"log", Sampling::log}};
  request.sampling = section.choice<Sampling>("sampling", Sampling::linear, samplings);
  const std::int64_t trajectories = section.integer_or("trajectories", 8, 0, many);
  request.trajectories = std::min(trajectories, request.size);
  const auto note = [&](const char* key, const std::string& what) {
    if (section.has(key)) spec.warnings.push_back(printed(Mistake{section.place(key), what}));
  };
  if (trajectories > request.size)
    note("trajectories",
         fmt::format("{}, of {} instances; there are as many as instances", trajectories, request.size));
  if (request.every > request.steps && !ensembles::varies_step(request))
    note("every", fmt::format("{} steps, of {}; there are samples at the start and at the end alone",
                              request.every, request.steps));
  request.quantiles = read_quantiles(section);
  request.energy_bound = section.number_or("energy_bound", 0.0, positive, "a finite number > 0");
  read_observe(section);
  check_memory(overrides.steps ? Place{.key = "--steps"}
                               : section.place(section.has("interval") ? "interval" : "every"),
               request, *system);
  const std::optional<bool> extremes = section.truth("extremes");
  request.extremes = extremes.value_or(false);
  request.settings.largest_violations = extremes.value_or(true);
  if (request.extremes && request.observe.empty())
    refuse(section.place("extremes"), "nothing is observed", "names in output.observe");
  spec.error_against = read_error_against(section, catalogue, *system);
  spec.checkpoint_every = section.number_or(
      "checkpoint_every", spec.checkpoint_every,
      [](double value) { return value >= 0.0 && std::isfinite(value); }, "a finite time >= 0 (s)");
  read_joints(section);
  if (section.sound()) refuse_doubled_names(document.place("output"));
  read_columns(section);
}

}  // namespace livens::host
