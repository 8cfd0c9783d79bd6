#include "host/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "host/status_names.hpp"

namespace livens::host {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3e}", value); }

std::string row(const std::string& what, const Spread& spread) {
  return fmt::format("{:<36}{:>12}{:>12}{:>12}\n", what, number(spread.mean), number(spread.high),
                     number(spread.max));
}

/// The values of the instances that are ok, divided by `scales` where given.
std::vector<double> good(const ensembles::Instances& instances, const std::vector<double>& values,
                         const std::vector<double>* scales = nullptr) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (instances.status[i] != static_cast<std::uint8_t>(Status::ok)) continue;
    // A system at rest without energy has scale 0; its error stays absolute.
    kept.push_back(scales && (*scales)[i] > 0.0 ? values[i] / (*scales)[i] : values[i]);
  }
  return kept;
}

/// The dissipated energy is kept only as statistics; its last sample is the end of the run.
Spread dissipated(const ensembles::Result& result) {
  Spread spread{nan, nan, nan};
  for (const ensembles::ObservableStatistics& entry : result.statistics) {
    if (entry.name != "dissipated_energy" || entry.mean.empty()) continue;
    spread.mean = entry.mean.back();
    spread.max = entry.max.back();
    const std::vector<double>& levels = result.quantile_levels;
    const auto level = std::find(levels.begin(), levels.end(), 0.95);
    if (level != levels.end()) spread.high = *(entry.quantiles.end() - (levels.end() - level));
  }
  return spread;
}

std::string failure_line(const ensembles::Result& result) {
  std::array<std::int64_t, status_names.size()> counts{};
  for (const std::uint8_t status : result.instances.status) ++counts.at(status);
  std::string line = fmt::format("{} of {} instances ok", counts[0], result.size);
  for (std::size_t code = 1; code < counts.size(); ++code) {
    if (counts[code] > 0) line += fmt::format(", {} {}", counts[code], status_names[code]);
  }
  return line + "\n";
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {nan, nan, nan};
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  const auto rank = static_cast<std::size_t>(std::ceil(0.95 * n));
  return {std::accumulate(values.begin(), values.end(), 0.0) / n, values[rank - 1], values.back()};
}

std::string headline(const ensembles::Result& result, const Provenance& provenance) {
  const double end = result.time.empty() ? 0.0 : result.time.back();
  return fmt::format("{}, scheme {} ({} form), {} instances to {:g} s, seed {}\n{}: {}\n", provenance.system,
                     provenance.scheme, provenance.form, result.size, end, result.seed, result.backend,
                     result.device);
}

std::string summary(const ensembles::Result& result) {
  const ensembles::Instances& instances = result.instances;
  std::string text =
      fmt::format("\n{:<36}{:>12}{:>12}{:>12}\n", "largest of each instance", "mean", "95 %", "max");
  text += row("energy error / energy scale",
              spread_of(good(instances, instances.max_energy_error, &instances.energy_scale)));
  if (result.momentum_maps > 0) {
    text += row("momentum error", spread_of(good(instances, instances.max_momentum_error)));
  }
  if (result.constraints > 0) {
    text += row("constraint", spread_of(good(instances, instances.max_constraint)));
    text += row("velocity constraint", spread_of(good(instances, instances.max_velocity_constraint)));
  }
  for (const ensembles::Instances::Observable& own : instances.observables) {
    std::vector<double> known = good(instances, own.values);
    std::erase_if(known, [](double value) { return std::isnan(value); });
    text += row(fmt::format("{} ({})", own.name, own.unit), spread_of(known));
  }
  text += row("dissipated energy at the end (J)", dissipated(result)) + "\n" + failure_line(result);

  const auto sum = [](const std::vector<std::int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  };
  const double steps = result.steps_per_second * result.wall_seconds;
  const double iterations = static_cast<double>(sum(instances.newton_iterations));
  text += fmt::format("{} steps retried, {:.2f} Newton iterations per step\n", sum(instances.retried_steps),
                      steps > 0.0 ? iterations / steps : 0.0);
  return text + fmt::format("{:.3g} steps/s, {:.3g} s\n", result.steps_per_second, result.wall_seconds);
}

std::int64_t failures(const ensembles::Result& result) {
  const auto failed = [](std::uint8_t status) { return status != static_cast<std::uint8_t>(Status::ok); };
  return std::count_if(result.instances.status.begin(), result.instances.status.end(), failed);
}

}  // namespace livens::host
