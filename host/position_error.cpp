#include "host/position_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/registry.hpp"
#include "host/result_layout.hpp"

namespace livens::host {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Of the d entries from a and b on; NaN if one of them is.
double distance(const double* a, const double* b, int d) {
  double largest = 0.0;
  for (int i = 0; i < d; ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference)) return nan;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace

Spec true_motion(const Spec& spec) {
  Spec motion = spec;
  motion.request.scheme = spec.error_against;
  motion.request.form = "auto";
  motion.request.settings = standard_settings(*registered().scheme(spec.error_against));
  motion.request.settings.retry = 0;
  return motion;
}

void add_position_error(const ensembles::Result& motion, ensembles::Result& result) {
  const int d = result.coordinates;
  ensembles::Instances::Observable own{position_error_name, "SI", position_error_description, {}};
  for (std::int64_t i = 0; i < result.size; ++i) {
    const bool good = result.instances.status[i] == 0 && motion.instances.status[i] == 0;
    own.values.push_back(
        good ? distance(&result.instances.final_q[i * d], &motion.instances.final_q[i * d], d) : nan);
  }
  result.instances.observables.push_back(std::move(own));
  for (std::size_t row = 0; row < result.trajectories.energy.size(); ++row) {
    result.trajectories.position_error.push_back(
        distance(&result.trajectories.q[row * d], &motion.trajectories.q[row * d], d));
  }
}

}  // namespace livens::host
