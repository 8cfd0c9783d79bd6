#include "host/compare/convergence.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace livens::host {

ConvergenceOrder convergence_order(const std::vector<StepError>& runs) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(runs.size());
  double x = 0.0, y = 0.0;
  for (const StepError& run : runs) {
    x += std::log(run.step) / n;
    y += std::log(run.error) / n;
  }
  double xx = 0.0, xy = 0.0;
  for (const StepError& run : runs) {
    const double dx = std::log(run.step) - x;
    xx += dx * dx;
    xy += dx * (std::log(run.error) - y);
  }
  if (!(xx > 0.0) || !std::isfinite(xy)) return {nan, nan, nan};
  const double exponent = xy / xx;
  if (runs.size() < 3) return {exponent, nan, nan};
  double residuals = 0.0;
  for (const StepError& run : runs) {
    const double residual = std::log(run.error) - y - exponent * (std::log(run.step) - x);
    residuals += residual * residual;
  }
  const boost::math::students_t student(n - 2.0);
  const double half = boost::math::quantile(student, 0.975) * std::sqrt(residuals / (n - 2.0) / xx);
  return {exponent, exponent - half, exponent + half};
}

}  // namespace livens::host
