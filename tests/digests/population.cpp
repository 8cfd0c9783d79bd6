#include "tests/digests/population.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace livens::selftest {
namespace {

// Places in the first tile of what must fail.
constexpr std::int64_t nan_parameter = 3, negative_parameter = 5, infinite_velocity = 7, nan_step = 9,
                       huge_step = 11, negative_step = 13, fast = 17;

/// Damping came to these systems later, behind their other parameters. Their steps are drawn as before, so
/// that what they do without damping has kept its digests.
constexpr std::string_view damped_later[] = {"double_spherical_pendulum", "heavy_top", "mass_spring",
                                             "spring_pendulum", "unit_circle"};

}  // namespace

Population::Population(const SystemInfo& system, int record_width, const Spread& spread)
    : system_(system), spread_(spread), status_(spread.size) {
  std::vector<Domain> domains;
  for (const ParameterInfo& parameter : system.parameters)
    for (int i = 0; i < parameter.size(); ++i) {
      shared_.push_back(parameter.defaults[i]);
      domains.push_back(parameter.domain);
    }
  const int entries = static_cast<int>(shared_.size());
  int step_entry = entries;
  if (std::ranges::find(damped_later, std::string_view(system.name)) != std::end(damped_later))
    for (const ParameterInfo& parameter : system.parameters)
      if (parameter.damps) step_entry -= parameter.size();
  varied_.resize(entries);
  for (int k = 0; k < entries; ++k) {
    // Every third stays shared, so that both kinds of parameter are read.
    if (k % 3 == 2 && shared_[k] != 0.0) continue;
    for (std::int64_t i = 0; i < spread.size; ++i) {
      const double relative = spread.parameters * random(i, k);
      const bool none = shared_[k] == 0.0;
      const bool may_be_positive = domains[k] == Domain::non_negative && spread.damped;
      varied_[k].push_back(none ? (may_be_positive ? 0.1 * (1.0 + relative) : 0.0)
                                : shared_[k] * (1.0 + relative));
    }
  }
  for (std::int64_t i = 0; i < spread.size; ++i) {
    step_.push_back(system.default_step * spread.step_factor * (1.0 + spread.step * random(i, step_entry)));
    steps_per_beat_.push_back(1 + i % 3);
  }
  if (spread.failures) {
    varied_[0][nan_parameter] = std::numeric_limits<double>::quiet_NaN();
    varied_[0][negative_parameter] = -1.0;
    step_[nan_step] = std::numeric_limits<double>::quiet_NaN();
    step_[huge_step] = 40.0 * system.default_step;
    step_[negative_step] = -system.default_step;
  }
  for (auto& values : varied_) pointers_.push_back(values.empty() ? nullptr : values.data());

  for (auto* array : {&q, &v, &p}) array->resize(spread.size * system.coordinates);
  records.resize(spread.size * record_width);
  batch_ = {spread.size,  shared_.data(),         pointers_.data(), system.default_step,
            step_.data(), steps_per_beat_.data(), q.data(),         v.data(),
            p.data(),     records.data()};
}

void Population::disturb_velocities() {
  const std::int64_t d = system_.coordinates;
  for (std::int64_t i = 0; i < spread_.size; ++i)
    for (std::int64_t c = 0; c < d; ++c)
      v[i * d + c] += spread_.velocities * random(i, 100 + static_cast<int>(c));
  if (!spread_.failures) return;
  v[infinite_velocity * d] = std::numeric_limits<double>::infinity();
  for (std::int64_t c = 0; c < d; ++c) v[fast * d + c] *= 300.0;
}

// In [-1, 1): SplitMix64 of instance and entry, the same everywhere because integers are.
double Population::random(std::int64_t instance, int entry) const {
  std::uint64_t x = (static_cast<std::uint64_t>(instance) * 1000u + static_cast<std::uint64_t>(entry) + 1u) *
                    0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1.0;
}

}  // namespace livens::selftest
