#include <algorithm>
#include <cmath>

#include "checks/checks.hpp"
#include "schemes/del_multiplier.hpp"
#include "schemes/ggl_vi.hpp"
#include "systems/double_spherical_pendulum.hpp"
#include "systems/heavy_top.hpp"
#include "trajectory.hpp"

namespace livens::naive {
namespace {

/// Table 1 of gamma-convergence-constrained: the largest |(q^{n+1} - q^n)/h| up to t = 10.
void check_pendulum() {
  const double published[] = {14.437579674951671, 11.992045771547241, 11.979460050283279, 11.979355188823591};
  const double bound[] = {1e-9, 1e-9, 1e-8, 1e-6};
  double h = 0.1;
  for (int row = 0; row < 4; ++row, h /= 10) {
    Trajectory<DoubleSphericalPendulum, DelMultiplier> trajectory(h, 1e-14);
    Result result;
    Eigen::VectorXd before = trajectory.position();
    double largest = 0;
    for (int n = 0; n < std::lround(10 / h); ++n) {
      trajectory.advance(result);
      largest = std::max(largest, (trajectory.position() - before).norm() / h);
      before = trajectory.position();
    }
    char what[80];
    std::snprintf(what, sizeof what, "double_spherical_pendulum Table 1, h = %.0e, %.1f iterations a step", h,
                  static_cast<double>(result.newton_iterations) / static_cast<double>(result.steps));
    expect(what, std::abs(largest - published[row]), bound[row]);
  }
}

/// The height of the centre of mass, from the authors' own code.
void check_top() {
  Trajectory<HeavyTop, GglVi> trajectory(0.002, 1e-13);
  Result result;
  double low = trajectory.position()[2], high = low;
  for (int n = 0; n < 1000; ++n) {
    trajectory.advance(result);
    low = std::min(low, trajectory.position()[2]);
    high = std::max(high, trajectory.position()[2]);
  }
  expect("heavy_top ggl_vi, lowest phi_3 against the authors' code", std::abs(low - .037248698983), 1e-11);
  expect("heavy_top ggl_vi, highest phi_3 against the authors' code", std::abs(high - .038936705326), 1e-11);
}

}  // namespace

void check_whole_runs() {
  check_pendulum();
  check_top();
}

}  // namespace livens::naive
