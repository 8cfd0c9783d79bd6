#pragma once
// The values of a quantity over some instances, as quantiles and histograms need them: points, each with the
// number of instances it stands for. A few values are kept as they are. Of more, neighbours become one point
// at the middle of a cell that holds them:
//
//   * cells are what finite numbers with the same leading bits share, those of the order of all numbers. They
//     nest, so that a value which is moved again and again is still in its last cell, half a width at most
//     from its middle;
//   * with S = Q95 - Q5, the distance between the quantiles of the values themselves, a cell is at most S/128
//     wide, and D/64 where it is D outside of [Q5, Q95];
//   * a cell of several values holds at most 1/256 of all instances (8, where these are fewer), and at most a
//     twelfth of those from there outwards, so that few go astray even where the values of a part of an
//     ensemble lie much wider than those of the whole;
//   * nothing is relative to the values. An offset changes nothing.
//
// Order statistics move no more than the values that are moved. Which cells there are depends on the values
// of the parts that were joined: who wants the same bits joins the same parts (statistics.hpp).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace livens::ensembles {

/// A value, and the instances that it stands for.
struct Point {
  double value;
  std::int64_t count;
  bool operator==(const Point&) const = default;
};

/// Ascending, no value twice.
using Distribution = std::vector<Point>;

/// A distribution with more points is condensed before it is joined with another one.
inline constexpr std::size_t most_points = 512;
/// Largest error of a quantile from 5 to 95 %, relative to Q95 - Q5 of the widest part that was joined.
inline constexpr double quantile_resolution = 1.0 / 256.0;

/// Points of finite numbers, which are ascending.
Distribution distribution_of(std::span<const double> ascending);

/// All points of both.
Distribution merge(const Distribution& a, const Distribution& b);

/// The same instances by fewer points, as said above.
Distribution condensed(const Distribution& points);

/// The value of rank max(1, ceil(level n)), n being the sum of all counts; NaN where that is 0. 0 <= level <=
/// 1.
double quantile(const Distribution& points, double level);

/// Counts in the bins [k 2^e, (k + 1) 2^e) that occur, with the least e for which 2^e >= S/64, or 1/64 of the
/// distance of the outermost points where S is 0.
struct Histogram {
  double width = 0.0;       ///< 2^e; 0 where all values are the same
  std::vector<Point> bins;  ///< lower edges
};
Histogram histogram(const Distribution& points);

}  // namespace livens::ensembles
