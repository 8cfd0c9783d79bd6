#include <cmath>
#include <numbers>
#include <vector>

#include "checks/checks.hpp"
#include "naive.hpp"

namespace livens::naive {
namespace {

using State = std::vector<double>;

/// The ratio of the errors with h and h/2 at time t, 2^p for a scheme of order p.
template <class Error>
double ratio(const char* system, const char* scheme, double h, double t, const Error& error) {
  const auto at = [&](double step) {
    return error(run(system, scheme, step, std::lround(t / step), 1e-14).final_q);
  };
  return at(h) / at(h / 2);
}

/// q = rho (cos th, sin th), th = pi/2 - w t, rho'' + alpha rho' + (g/l - w^2) rho = 0.
void check_foucault() {
  const double w = 7.292115e-5 * std::sin(49 * std::numbers::pi / 180), alpha = 1e-4, t = 300;
  const double rate = std::sqrt(9.81 / 67 - w * w - alpha * alpha / 4);
  const double rho =
      0.67 * std::exp(-alpha * t / 2) * (std::cos(rate * t) + alpha / (2 * rate) * std::sin(rate * t));
  const auto error = [&](const State& q) {
    return std::hypot(q[0] - rho * std::sin(w * t), q[1] - rho * std::cos(w * t));
  };
  expect("foucault_pendulum contact_2, distance to the closed form at t = 300, h = 0.05",
         error(run("foucault_pendulum", "contact_2", 0.05, std::lround(t / 0.05), 1e-14).final_q), 2e-3);
  expect("foucault_pendulum contact_2, |error(h)/error(h/2) - 4|",
         std::abs(ratio("foucault_pendulum", "contact_2", 0.1, t, error) - 4), 0.1);
}

/// u = (cos t, sin t)
double circle_error(const State& q) { return std::hypot(q[0] - std::cos(1), q[1] - std::sin(1)); }

/// Steady precession: the centre of mass goes round e3 at 10/s, here for t = 0.1.
double top_error(const State& q) {
  const double radius = 0.075 * std::sqrt(0.75);
  return std::hypot(q[0] - radius * std::sin(1), q[1] + radius * std::cos(1), q[2] - 0.0375);
}

/// x of joint P4 at t = 0.4 from 3 th'' = -3.5 * 9.81 cos th by the classical Runge-Kutta method.
double linkage_reference() {
  const auto acceleration = [](double th) { return -3.5 * 9.81 / 3 * std::cos(th); };
  const int steps = 4000;
  const double h = 0.4 / steps;
  double th = std::numbers::pi / 2, w = -1;
  for (int n = 0; n < steps; ++n) {
    const double w1 = w, a1 = acceleration(th);
    const double w2 = w + h / 2 * a1, a2 = acceleration(th + h / 2 * w1);
    const double w3 = w + h / 2 * a2, a3 = acceleration(th + h / 2 * w2);
    const double w4 = w + h * a3, a4 = acceleration(th + h * w3);
    th += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return std::cos(th);
}

}  // namespace

void check_closed_forms() {
  check_foucault();
  const double x = linkage_reference();
  const auto linkage_error = [x](const State& q) { return std::abs(q[18] - 0.5 * q[20] - x); };
  for (const std::string scheme : {"ems", "ggl_vi", "rattle", "del_multiplier"}) {
    const int top = scheme == "ggl_vi" ? 2 : 4;  // in position, it shows its order 1 on the top alone
    const char* name = scheme.c_str();
    expect("unit_circle " + scheme + ", |error(h)/error(h/2) - 4|",
           std::abs(ratio("unit_circle", name, 0.05, 1, circle_error) - 4), 0.1);
    expect("heavy_top " + scheme + ", |error(h)/error(h/2) - " + std::to_string(top) + "|",
           std::abs(ratio("heavy_top", name, 2.5e-4, 0.1, top_error) - top), 0.1);
    expect("double_four_bar " + scheme + ", |error(h)/error(h/2) - 4|",
           std::abs(ratio("double_four_bar", name, 2e-3, 0.4, linkage_error) - 4), 0.1);
  }
}

}  // namespace livens::naive
