#include "host/compare/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "host/files/sha256.hpp"

namespace livens::host {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Of a column, which may be absent, relative to another where that is given and not 0.
ErrorFigures figures_of(const ensembles::Instances& instances, const char* name,
                        const char* scale = nullptr) {
  const std::vector<double>& values = instances[name];
  const std::vector<double>* scales = scale ? &instances[scale] : nullptr;
  double sum = 0.0, squares = 0.0, max = -std::numeric_limits<double>::infinity(), count = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_failure(static_cast<Status>(instances.status[i])) || !std::isfinite(values[i])) continue;
    const bool relative = scales && !scales->empty() && (*scales)[i] > 0.0;
    const double value = relative ? values[i] / (*scales)[i] : values[i];
    sum += value;
    squares += value * value;
    max = std::max(max, value);
    count += 1.0;
  }
  if (count == 0.0) return {nan, nan, nan};
  return {sum / count, max, std::sqrt(squares / count)};
}

}  // namespace

std::int64_t Measured::failed() const {
  std::int64_t count = 0;
  for (std::size_t code = 0; code < statuses.size(); ++code)
    if (is_failure(static_cast<Status>(code))) count += statuses[code];
  return count;
}

Measured measure(const ResultReader& file) {
  const ensembles::Result& outline = file.outline().result;
  const ensembles::Instances instances = file.instances();
  Measured measured{};
  measured.size = outline.size;
  for (const std::uint8_t code : instances.status) ++measured.statuses.at(code);
  measured.energy = figures_of(instances, "max_energy_error", "energy_scale");
  measured.momentum = figures_of(instances, "max_momentum_error");
  measured.constraint = figures_of(instances, "max_constraint");
  measured.velocity_constraint = figures_of(instances, "max_velocity_constraint");
  measured.position = figures_of(instances, "position_error");
  measured.drift = {nan, nan, nan, nan, nan};
  for (const ensembles::ObservableStatistics& entry : outline.statistics)
    if (entry.name == "energy_error") measured.drift = entry.growth;
  for (const double q : instances.final_q)
    if (std::isfinite(q)) measured.largest_q = std::max(measured.largest_q, std::abs(q));
  measured.end = outline.time.empty() ? 0.0 : outline.time.back();
  measured.seconds = outline.wall_seconds;
  measured.fates =
      sha256_of({reinterpret_cast<const char*>(instances.status.data()), instances.status.size()});
  return measured;
}

}  // namespace livens::host
