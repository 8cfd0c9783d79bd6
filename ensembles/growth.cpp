#include "ensembles/growth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace livens::ensembles {
namespace {

/// Slope of the weighted regression of log rms on log t.
double slope(const std::vector<double>& log_time, const std::vector<double>& weight,
             const std::vector<GroupedSquares>& squares, std::size_t first, int without) {
  double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < log_time.size(); ++k) {
    const double value = 0.5 * std::log(mean_square(squares[first + k], without));
    const double at = log_time[k] - log_time.front();
    w += weight[k];
    x += weight[k] * at;
    y += weight[k] * value;
    xx += weight[k] * at * at;
    xy += weight[k] * at * value;
  }
  return (w * xy - x * y) / (w * xx - x * x);
}

}  // namespace

double mean_square(const GroupedSquares& squares, int without) {
  double sum = 0.0, count = 0.0;
  for (int group = 0; group < GroupedSquares::groups; ++group) {
    if (group == without) continue;
    sum += squares.sum[group];
    count += static_cast<double>(squares.count[group]);
  }
  return sum / count;
}

Growth growth(const std::vector<double>& time, const std::vector<GroupedSquares>& squares) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t fewest = 8;
  constexpr double two_decades = 100.0, student_31 = 2.0395;
  Growth result{nan, nan, nan, nan, nan};
  if (time.empty()) return result;
  const auto start = std::lower_bound(time.begin(), time.end(), time.back() / two_decades);
  const auto first = static_cast<std::size_t>(
      (*start > 0.0 ? start : std::upper_bound(time.begin(), time.end(), 0.0)) - time.begin());
  const std::size_t count = time.size() - first;
  if (count < fewest || time.back() < 10.0 * time[first]) return result;

  std::vector<double> log_time(count), weight(count);
  for (std::size_t k = 0; k < count; ++k) log_time[k] = std::log(time[first + k]);
  for (std::size_t k = 0; k < count; ++k)
    weight[k] = log_time[std::min(k + 1, count - 1)] - log_time[k == 0 ? 0 : k - 1];

  const double exponent = slope(log_time, weight, squares, first, no_group);
  double spread = 0.0, mean = 0.0;
  std::vector<double> left_out;
  for (int group = 0; group < GroupedSquares::groups; ++group) {
    left_out.push_back(slope(log_time, weight, squares, first, group));
    mean += left_out.back() / GroupedSquares::groups;
  }
  for (const double estimate : left_out) spread += (estimate - mean) * (estimate - mean);
  const double error = std::sqrt(spread * (GroupedSquares::groups - 1) / GroupedSquares::groups);
  if (!std::isfinite(exponent) || !std::isfinite(error)) return result;
  return {exponent, exponent - student_31 * error, exponent + student_31 * error, time[first], time.back()};
}

}  // namespace livens::ensembles
