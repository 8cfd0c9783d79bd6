// naive_loops: the rates of the comparator, and the published or closed-form numbers that show it is right.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "naive.hpp"
#include "schemes/del_multiplier.hpp"
#include "systems/double_spherical_pendulum.hpp"
#include "trajectory.hpp"

namespace naive = livens::naive;

namespace {

int failures = 0;

void expect(const char* what, double error, double bound) {
  const bool good = error <= bound;
  failures += !good;
  std::printf("  %-74s %9.2e  (<= %.0e)  %s\n", what, error, bound, good ? "ok" : "WRONG");
}

/// Mass 4 at t = 10 from the authors' own code, and what the scheme conserves.
void check_four_particle() {
  const auto ems = naive::run("four_particle", "ems", 0.05, 200, 1e-10);
  const double published[] = {.86875333741, 3.88822562141, 2.32002849891};
  double error = 0;
  for (int i = 0; i < 3; ++i) error = std::max(error, std::abs(ems.final_q[9 + i] - published[i]));
  expect("four_particle ems, q4 at t = 10 against the authors' code", error, 1e-9);
  // 200 steps of round-off at |q| |p| ~ 50 come to 200 * 50 * 2e-16 = 2e-12, and what Newton leaves is no
  // larger: its last step goes far below the 1e-13 that stops it.
  const auto tight = naive::run("four_particle", "ems", 0.05, 200, 1e-13);
  expect("four_particle ems, energy, tolerance 1e-13", tight.max_energy_error, 1e-11);
  expect("four_particle ems, angular momentum, tolerance 1e-13", tight.max_momentum_error, 1e-11);

  const auto ggl_vi = naive::run("four_particle", "ggl_vi", 0.05, 200, 1e-13);
  expect("four_particle ggl_vi, |max change of H - 0.41|", std::abs(ggl_vi.max_energy_error - 0.41), 6e-3);
  expect("four_particle ggl_vi, angular momentum", ggl_vi.max_momentum_error, 1e-11);
}

/// Table 1 of gamma-convergence-constrained: the largest |(q^{n+1} - q^n)/h| up to t = 10.
void check_pendulum() {
  const double published[] = {14.437579674951671, 11.992045771547241, 11.979460050283279, 11.979355188823591};
  const double bound[] = {1e-9, 1e-9, 1e-8, 1e-6};
  double h = 0.1;
  for (int row = 0; row < 4; ++row, h /= 10) {
    naive::Trajectory<naive::DoubleSphericalPendulum, naive::DelMultiplier> trajectory(h, 1e-14);
    naive::Result result;
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

/// q = rho (cos th, sin th), th = pi/2 - w t, rho'' + alpha rho' + (g/l - w^2) rho = 0.
void check_foucault() {
  const double w = 7.292115e-5 * std::sin(49 * std::numbers::pi / 180), alpha = 1e-4, t = 300;
  const double rate = std::sqrt(9.81 / 67 - w * w - alpha * alpha / 4);
  const double rho =
      0.67 * std::exp(-alpha * t / 2) * (std::cos(rate * t) + alpha / (2 * rate) * std::sin(rate * t));
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double h = i == 0 ? 0.1 : 0.05;
    const auto q = naive::run("foucault_pendulum", "contact_2", h, std::lround(t / h), 1e-14).final_q;
    error[i] = std::hypot(q[0] - rho * std::sin(w * t), q[1] - rho * std::cos(w * t));
  }
  expect("foucault_pendulum contact_2, distance to the closed form at t = 300, h = 0.05", error[1], 2e-3);
  expect("foucault_pendulum contact_2, |error(h)/error(h/2) - 4|", std::abs(error[0] / error[1] - 4), 0.1);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0.3;
  for (const naive::Pair& pair : naive::pairs()) {
    const auto to_end = std::lround(pair.end / pair.default_step);
    const auto once = pair.integrate(0, to_end, 1e-10);
    const auto steps = static_cast<std::int64_t>(seconds * static_cast<double>(to_end) / once.seconds) + 1;
    std::vector<double> rates;
    for (int repeat = 0; repeat < 7; ++repeat) {
      const auto r = pair.integrate(0, steps, 1e-10);
      rates.push_back(static_cast<double>(r.steps) / r.seconds);
    }
    std::ranges::sort(rates);
    std::printf(
        "%s %s: %.0f steps/s (%.0f..%.0f), %.3f iterations a step, |dE| %.2e, |g| %.1e, |Gv| %.1e, "
        "|dJ| %.1e\n",
        pair.system.data(), pair.scheme.data(), rates[3], rates.front(), rates.back(),
        static_cast<double>(once.newton_iterations) / static_cast<double>(once.steps), once.max_energy_error,
        once.max_constraint, once.max_velocity_constraint, once.max_momentum_error);
    std::printf("  q(T) =");
    for (const double x : once.final_q) std::printf(" %.11f", x);
    std::printf("\n");
  }
  check_four_particle();
  check_pendulum();
  check_foucault();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
