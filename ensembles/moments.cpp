#include "ensembles/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace livens::ensembles {

double standard_deviation(const Moments& moments) {
  return moments.n == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : std::sqrt(moments.m2 / static_cast<double>(moments.n));
}

Moments moments(std::span<const double> values) {
  Moments result;
  result.n = static_cast<std::int64_t>(values.size());
  if (result.n == 0) return result;
  double sum = 0.0;
  for (const double x : values) {
    sum += x;
    result.min = x < result.min ? x : result.min;
    result.max = result.max < x ? x : result.max;
  }
  result.mean = sum / static_cast<double>(result.n);
  for (const double x : values) result.m2 += (x - result.mean) * (x - result.mean);
  return result;
}

Moments merge(const Moments& a, const Moments& b) {
  if (a.n == 0) return b;
  if (b.n == 0) return a;
  Moments result;
  result.n = a.n + b.n;
  const double share = static_cast<double>(b.n) / static_cast<double>(result.n);
  const double delta = b.mean - a.mean;
  result.mean = a.mean + delta * share;
  result.m2 = a.m2 + b.m2 + delta * delta * static_cast<double>(a.n) * share;
  result.min = std::min(a.min, b.min);
  result.max = std::max(a.max, b.max);
  return result;
}

}  // namespace livens::ensembles
