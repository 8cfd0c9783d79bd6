#include "ensembles/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/stepping/statistics.hpp"

namespace livens::ensembles {
namespace {

using livens::key_of;
using livens::value_of;

constexpr double low_level = 0.05, high_level = 0.95;
constexpr std::int64_t least_most = 8;  // that a cell may hold, however few instances there are

std::int64_t instances_of(const Distribution& points) {
  std::int64_t n = 0;
  for (const Point& point : points) n += point.count;
  return n;
}

std::int64_t rank_of(double level, std::int64_t n) {
  return std::max(std::int64_t{1}, static_cast<std::int64_t>(std::ceil(level * static_cast<double>(n))));
}

class Condensing {
 public:
  explicit Condensing(const Distribution& points)
      : points_(points), keys_(points.size()), before_(points.size() + 1) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      keys_[k] = key_of(points[k].value);
      before_[k + 1] = before_[k] + points[k].count;
    }
    low_ = at(low_level);
    high_ = at(high_level);
    // Halves: the distance of two finite numbers may be none.
    least_ = high_ / 256.0 - low_ / 256.0;
    result_.reserve(points.size());
    add(0, points.size());
  }

  /// Without the room that all points would take.
  Distribution result() const { return {result_.begin(), result_.end()}; }

 private:
  double at(double level) const {
    const auto reached = std::lower_bound(before_.begin(), before_.end(), rank_of(level, before_.back()));
    return points_[static_cast<std::size_t>(reached - before_.begin()) - 1].value;
  }

  /// Half the width that a cell from `least` to `largest` may have.
  double half_width(double least, double largest) const {
    const double outside = largest < low_  ? low_ / 128.0 - largest / 128.0
                           : least > high_ ? least / 128.0 - high_ / 128.0
                                           : 0.0;
    return std::max(least_, outside);
  }

  /// Instances that the cell of some points may have.
  std::int64_t most(std::size_t first, std::size_t last) const {
    const std::int64_t n = before_.back(), outward = std::min(before_[last], n - before_[first]);
    return std::min(std::max(n / 256, least_most), outward / 12);
  }

  void add(std::size_t first, std::size_t last) {
    if (last - first == 1) {
      result_.push_back(points_[first]);
      return;
    }
    const std::uint64_t top = std::bit_floor(keys_[first] ^ keys_[last - 1]);
    const std::int64_t count = before_[last] - before_[first];
    if (count <= most(first, last)) {
      const std::uint64_t within = 2 * top - 1;
      const double least = value_of(keys_[first] & ~within), largest = value_of(keys_[first] | within);
      // Not so either where the cell has numbers that are not finite.
      if (largest / 2.0 - least / 2.0 <= half_width(least, largest)) {
        result_.push_back({least / 2.0 + largest / 2.0, count});
        return;
      }
    }
    const auto begin = keys_.begin();
    const auto split = static_cast<std::size_t>(std::lower_bound(begin + static_cast<std::ptrdiff_t>(first),
                                                                 begin + static_cast<std::ptrdiff_t>(last),
                                                                 keys_[last - 1] & ~(top - 1)) -
                                                begin);
    add(first, split);
    add(split, last);
  }

  const Distribution& points_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::int64_t> before_;  // counts of the points before each
  double low_, high_, least_;
  Distribution result_;
};

/// floor(x / 2^e) 2^e.
double lower_edge(double x, int e) {
  const double quotient = std::ldexp(x, -e);
  // Where that is no number of 53 bits x is a multiple of 2^e.
  const double edge = std::abs(quotient) < 0x1p53 ? std::ldexp(std::floor(quotient), e) : x;
  return std::isfinite(edge) ? edge : x;
}

}  // namespace

Distribution distribution_of(std::span<const double> ascending) {
  if (ascending.empty()) return {};
  Distribution points(ascending.size());
  std::size_t last = 0;
  points[0].value = ascending[0];
  // Nobody foresees which values are the same, and this loop has no branch for it.
  for (const double value : ascending) {
    const bool is_new = points[last].value != value;
    last += is_new;
    points[last] = {is_new ? value : points[last].value, points[last].count + 1};
  }
  points.resize(last + 1);
  return points;
}

Distribution merge(const Distribution& a, const Distribution& b) {
  Distribution result(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  auto to = result.begin();
  // Nobody foresees whose point is next, and this loop has no branch for it.
  while (i != a.end() && j != b.end()) {
    const double x = i->value, y = j->value;
    const auto from_a = static_cast<std::int64_t>(x <= y), from_b = static_cast<std::int64_t>(y <= x);
    *to++ = {std::min(x, y), from_a * i->count + from_b * j->count};
    i += from_a;
    j += from_b;
  }
  to = std::copy(i, a.end(), to);
  to = std::copy(j, b.end(), to);
  result.erase(to, result.end());
  return result;
}

Distribution condensed(const Distribution& points) {
  return points.empty() ? Distribution{} : Condensing(points).result();
}

double quantile(const Distribution& points, double level) {
  const std::int64_t rank = rank_of(level, instances_of(points));
  std::int64_t reached = 0;
  for (const Point& point : points) {
    reached += point.count;
    if (reached >= rank) return point.value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Histogram histogram(const Distribution& points) {
  Histogram result;
  if (points.empty()) return result;
  double low = quantile(points, low_level), high = quantile(points, high_level);
  if (low == high) low = points.front().value, high = points.back().value;
  int e = 0;
  if (low != high) {
    const double distance = std::min(high - low, std::numeric_limits<double>::max());
    const bool power_of_two = std::frexp(distance, &e) == 0.5;  // distance = 2^(e - 1)
    e = std::max(power_of_two ? e - 7 : e - 6, -1074);
    result.width = std::ldexp(1.0, e);
  }
  for (const Point& point : points) {
    const double edge = result.width > 0.0 ? lower_edge(point.value, e) : point.value;
    if (!result.bins.empty() && result.bins.back().value == edge)
      result.bins.back().count += point.count;
    else
      result.bins.push_back({edge, point.count});
  }
  return result;
}

}  // namespace livens::ensembles
