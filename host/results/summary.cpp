#include "host/results/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "host/page.hpp"
#include "host/printable.hpp"

namespace livens::host {
namespace {

using ensembles::summarize;
using ensembles::Summary;

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3e}", value); }

std::string row(const std::string& what, double mean, double high, double max) {
  return fmt::format("{:<36}{:>12}{:>12}{:>12}\n", what, number(mean), number(high), number(max));
}

std::string row(const std::string& what, const Summary& summary) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const bool any = summary.moments.n > 0;
  return row(what, any ? summary.moments.mean : nan, quantile(summary, 0.95),
             any ? summary.moments.max : nan);
}

/// The dissipated energy is kept only as statistics; its last sample is the end of the run.
std::string dissipated(const ensembles::Result& result) {
  double mean, high, max;
  mean = high = max = std::numeric_limits<double>::quiet_NaN();
  for (const ensembles::ObservableStatistics& entry : result.statistics) {
    if (entry.name != "dissipated_energy" || entry.mean.empty()) continue;
    mean = entry.mean.back();
    max = entry.max.back();
    const std::vector<double>& levels = result.quantile_levels;
    const auto level = std::find(levels.begin(), levels.end(), 0.95);
    if (level != levels.end()) high = *(entry.quantiles.end() - (levels.end() - level));
  }
  return row("dissipated energy at the end (J)", mean, high, max);
}

/// Growth of the rms errors, where the samples span most of two decades of time: enough for a law to show.
std::string growth(const ensembles::Result& result) {
  std::string text;
  for (const ensembles::ObservableStatistics& entry : result.statistics) {
    const ensembles::Growth& law = entry.growth;
    if ((entry.name != "energy_error" && entry.name != "momentum_error") || !(law.to > 50.0 * law.from))
      continue;
    std::string name = entry.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("rms {} ~ t^{:.3f} ({:.3f} to {:.3f}, 95 %) from {:g} to {:g} s\n", name,
                        law.exponent, law.low, law.high, law.from, law.to);
  }
  return text;
}

}  // namespace

void Figures::add(const ensembles::Instances& instances) {
  const auto good = [&](const std::vector<double>& values, const std::vector<double>* scales = nullptr) {
    std::vector<double> kept;
    if (scales && scales->size() != values.size()) return Summary{};  // output.columns leaves them out
    std::vector<std::int64_t> numbers;
    kept.reserve(values.size());
    numbers.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_failure(static_cast<Status>(instances.status[i])) || !std::isfinite(values[i])) continue;
      // A system at rest without energy has scale 0; its error stays absolute.
      kept.push_back(scales && (*scales)[i] > 0.0 ? values[i] / (*scales)[i] : values[i]);
      numbers.push_back(static_cast<std::int64_t>(i));
    }
    return summarize(kept, numbers);
  };
  energy_ = merge(energy_, good(instances["max_energy_error"], &instances["energy_scale"]));
  momentum_ = merge(momentum_, good(instances["max_momentum_error"]));
  constraint_ = merge(constraint_, good(instances["max_constraint"]));
  velocity_constraint_ = merge(velocity_constraint_, good(instances["max_velocity_constraint"]));
  std::size_t k = 0;
  for (const ensembles::Quantity& own : instances.observables) {
    if (!own.axes.empty()) continue;
    if (k == own_.size()) own_.push_back({own.name, own.unit, {}});
    own_[k].summary = merge(own_[k].summary, good(own.values));
    ++k;
  }
  std::array<std::vector<double>, status_count> steps;
  for (std::size_t i = 0; i < instances.status.size(); ++i) {
    ++ended_.at(instances.status[i]);
    if (!instances.failed_step.empty())
      steps[instances.status[i]].push_back(static_cast<double>(instances.failed_step[i]));
  }
  for (std::size_t code = 0; code < steps.size(); ++code) {
    if (!is_failure(static_cast<Status>(code))) continue;
    std::vector<std::int64_t> numbers(steps[code].size());
    std::iota(numbers.begin(), numbers.end(), 0);
    failed_steps_[code] = merge(failed_steps_[code], summarize(steps[code], numbers));
  }
  const auto sum = [](const std::vector<std::int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  };
  costs_kept_ = costs_kept_ && !instances.newton_iterations.empty() && !instances.retried_steps.empty();
  newton_iterations_ += sum(instances.newton_iterations);
  retried_steps_ += sum(instances.retried_steps);
  steps_ += instances.steps;
}

std::int64_t Figures::failed() const {
  std::int64_t failed = 0;
  for (std::size_t code = 0; code < ended_.size(); ++code)
    if (is_failure(static_cast<Status>(code))) failed += ended_[code];
  return failed;
}

std::vector<Figures::Largest> Figures::largest(int constraints, int momentum_maps) const {
  std::vector<Largest> rows = {{"relative_energy_error", "energy error / energy scale", &energy_}};
  if (momentum_maps > 0) rows.push_back({"momentum_error", "momentum error", &momentum_});
  if (constraints > 0) {
    rows.push_back({"constraint", "constraint", &constraint_});
    rows.push_back({"velocity_constraint", "velocity constraint", &velocity_constraint_});
  }
  for (const Own& own : own_)
    rows.push_back({own.name, printable(fmt::format("{} ({})", own.name, own.unit)), &own.summary});
  return rows;
}

std::string Figures::failures(std::int64_t size) const {
  std::string line = fmt::format("{} of {} instances ok", ended(Status::ok), size);
  if (ended(Status::stopped) > 0) line += fmt::format(", {} stopped", ended(Status::stopped));
  bool any_dated = false;
  Columns table("lrrrr");
  table.row({"failed", "instances", "first at step", "half by step", "last at step"});
  for (std::size_t code = 1; code < ended_.size(); ++code) {
    if (ended_[code] == 0 || !is_failure(static_cast<Status>(code))) continue;
    line += fmt::format(", {} {}", ended_[code], status_rows[code].name);
    const Summary& steps = failed_steps_[code];
    if (steps.moments.n == 0) continue;  // output.columns leaves them out
    any_dated = true;
    table.row({status_rows[code].name, fmt::format("{}", steps.moments.n),
               fmt::format("{:.0f}", steps.moments.min), fmt::format("{:.0f}", median(steps)),
               fmt::format("{:.0f}", steps.moments.max)});
  }
  return wrapped(line) + "\n" + (any_dated ? table.text() : "");
}

std::string Figures::text(const ensembles::Result& samples) const {
  std::string text =
      fmt::format("\n{:<36}{:>12}{:>12}{:>12}\n", "largest of each instance", "mean", "95 %", "max");
  for (const Largest& one : largest(samples.constraints, samples.momentum_maps))
    text += row(one.label, *one.summary);
  text += dissipated(samples) + growth(samples) + "\n" + failures(samples.size);
  if (costs_kept_)
    text += fmt::format("{} steps retried, {:.2f} Newton iterations per step\n", retried_steps_,
                        newton_iterations_per_step());
  return text + fmt::format("{:.3g} steps/s, {:.3g} s\n", samples.steps_per_second, samples.wall_seconds);
}

double median(const Summary& failed_steps) { return std::floor(quantile(failed_steps, 0.5)); }

std::vector<std::string> notes_of_statistics(const ensembles::Result& result) {
  std::vector<std::string> notes;
  for (const ensembles::ObservableStatistics& entry : result.statistics) {
    std::int64_t most = 0;
    std::size_t where = 0;
    for (std::size_t sample = 0; sample < result.time.size(); ++sample) {
      const auto row = entry.histogram.begin() + static_cast<std::ptrdiff_t>(sample) * entry.bin_count;
      const std::int64_t counted = std::accumulate(row, row + entry.bin_count, std::int64_t{0}),
                         missing = result.ok[sample] - counted;
      if (counted == 0 || missing <= most)
        continue;  // of none the statistics are no numbers, which is to be seen
      most = missing;
      where = sample;
    }
    if (most > 0)
      notes.push_back(
          fmt::format("{}: not finite in up to {} of {} instances ({:g} s); its statistics are without them",
                      entry.name, most, result.ok[where], result.time[where]));
  }
  return notes;
}

std::string headline(const ensembles::Result& result, const Provenance& provenance) {
  const double end = result.time.empty() ? 0.0 : result.time.back();
  return wrapped(fmt::format("{}, scheme {} ({} form), {} instances to {:g} s, seed {}\n{}: {}",
                             printable(provenance.system), printable(provenance.scheme),
                             printable(provenance.form), result.size, end, result.seed,
                             printable(result.backend), printable(result.device)),
                 2) +
         '\n';
}

}  // namespace livens::host
