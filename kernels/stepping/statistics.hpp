#pragma once
// Statistics of one column of the records over a block of 1024 consecutive instances: the order of every sum
// is fixed here, for every backend. A team of threads shares a block: a block of CUDA threads, or one thread
// of a processor by itself. What a member of the team does alone keeps the order of the instances; what is
// spread over the members (groups of squares, bins, their sorting) has no order that could show.

#include <cstdint>
#include <limits>

#include "kernels/backends/interface.hpp"
#include "kernels/math/scalar.hpp"

namespace livens {

/// Instances that share statistics, and the multiple at which everything is cut.
inline constexpr std::int64_t block_size = 1024;

/// Count, mean, spread and range of a set of numbers; the empty set by default.
struct Moments {
  std::int64_t n = 0;
  double mean = 0.0;
  double m2 = 0.0;  ///< sum (x - mean)^2
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  bool operator==(const Moments&) const = default;
};

/// Sums of squares over `groups` disjoint groups of instances: what a confidence interval of a mean square is
/// made of (ensembles/growth.hpp). An instance belongs to the group of its number modulo `groups`.
struct GroupedSquares {
  static constexpr int groups = 32;
  double sum[groups] = {};
  std::int64_t count[groups] = {};
  LIVENS_HD void add(std::int64_t instance, double value) {
    sum[instance % groups] += value * value;
    ++count[instance % groups];
  }
  bool operator==(const GroupedSquares&) const = default;
};

/// A bin of a histogram that occurs. Bins hold the numbers that share sign, exponent and the leading 6 bits
/// of the mantissa: ensembles/histogram.hpp.
struct Bin {
  std::int64_t number;  ///< as wide as the count: its bytes go to files, and no padding shall
  std::int64_t count;
  bool operator==(const Bin&) const = default;
};

/// The statistics of a column over a block, but for its bins: they stand in a list that several summaries
/// share.
struct BlockSummary {
  Moments moments;
  GroupedSquares squares;
  std::int64_t ok;               ///< instances whose status is ok, whatever their value
  std::int64_t first_bin, bins;  ///< place in the list, number
};

}  // namespace livens

namespace livens::inline LIVENS_ISA {

/// The memory that a team works on. A value is NaN where an instance does not count.
struct BlockScratch {
  double values[block_size];
  std::int32_t bins[block_size];
};

/// Behind all bins.
inline constexpr std::int32_t no_bin = std::numeric_limits<std::int32_t>::max();

/// Number of the bin of a finite x: 0 for zero, 1 + the leading 17 bits below the sign where x > 0, and the
/// negative of that where x < 0.
LIVENS_HD std::int32_t bin_of(double x) {
  if (x == 0.0) return 0;
  const double magnitude = abs(x);
  std::uint64_t bits;
  memcpy(&bits, &magnitude, sizeof bits);
  const std::int32_t number = 1 + static_cast<std::int32_t>(bits >> (52 - 6));
  return x < 0.0 ? -number : number;
}

/// Of those values that are not NaN, summed in the order given.
LIVENS_HD Moments moments_of(const double* values, std::int64_t count) {
  Moments result;
  double sum = 0.0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = values[i];
    if (x != x) continue;
    ++result.n;
    sum += x;
    result.min = x < result.min ? x : result.min;
    result.max = result.max < x ? x : result.max;
  }
  if (result.n == 0) return result;
  result.mean = sum / static_cast<double>(result.n);
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = values[i];
    if (x == x) result.m2 += (x - result.mean) * (x - result.mean);
  }
  return result;
}

/// Sorts `size` keys, a power of two, by the bitonic network, whose steps are independent exchanges.
template <class Team>
LIVENS_HD void sort_keys(const Team& team, std::int32_t* keys, int size) {
  for (int run = 2; run <= size; run *= 2)
    for (int stride = run / 2; stride > 0; stride /= 2) {
      for (int pair = team.rank(); pair < size / 2; pair += team.size()) {
        const int low = 2 * pair - (pair & (stride - 1)), high = low + stride;
        const std::int32_t a = keys[low], b = keys[high];
        const bool ascending = (low & run) == 0;
        keys[low] = (a < b) == ascending ? a : b;
        keys[high] = (a < b) == ascending ? b : a;
      }
      team.wait();
    }
}

/// A thread that has a block for itself.
struct Alone {
  LIVENS_HD int rank() const { return 0; }
  LIVENS_HD int size() const { return 1; }
  LIVENS_HD void wait() const {}
  LIVENS_HD void sort(std::int32_t* keys, int count) const { sort_keys(*this, keys, count); }
};

/// Fills the scratch with a column of the instances [first, first + count) of the records and with its bins
/// in ascending order, and the summary but for the place of the bins. `count` <= block_size; `first` begins a
/// block.
template <class Team>
LIVENS_HD void summarize_block(const Team& team, const double* records, int record_width, int column,
                               std::int64_t first, int count, BlockScratch& scratch, BlockSummary& summary) {
  const auto value_of = [&](std::int64_t instance, int c) {
    return records[column_offset(instance / tile_size, record_width, c) + instance % tile_size];
  };
  const auto ok = [&](std::int64_t instance) {
    return value_of(instance, static_cast<int>(Column::status)) == static_cast<double>(Status::ok);
  };
  int keys = 1;
  while (keys < count) keys *= 2;
  for (int i = team.rank(); i < keys; i += team.size()) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (i < count && ok(first + i)) value = value_of(first + i, column);
    const bool counts = finite(value);
    scratch.values[i] = counts ? value : std::numeric_limits<double>::quiet_NaN();
    scratch.bins[i] = counts ? bin_of(value) : no_bin;
  }
  team.wait();
  // The groups go to the last of the team, so that the first one is free for the moments.
  for (int group = team.size() - 1 - team.rank(); group < GroupedSquares::groups; group += team.size()) {
    summary.squares.sum[group] = 0.0;
    summary.squares.count[group] = 0;
    for (int i = group; i < count; i += GroupedSquares::groups)
      if (scratch.values[i] == scratch.values[i]) summary.squares.add(i, scratch.values[i]);
  }
  if (team.rank() == 0) {
    summary.moments = moments_of(scratch.values, count);
    summary.ok = 0;
    for (int i = 0; i < count; ++i) summary.ok += ok(first + i);
  }
  team.sort(scratch.bins, keys);
}

/// Bins that occur among `count` sorted ones; they are written where `to` is not null.
LIVENS_HD std::int64_t list_bins(const std::int32_t* sorted, std::int64_t count, Bin* to) {
  std::int64_t listed = 0;
  for (std::int64_t i = 0; i < count;) {
    std::int64_t next = i + 1;
    while (next < count && sorted[next] == sorted[i]) ++next;
    if (to != nullptr) to[listed] = {sorted[i], next - i};
    ++listed;
    i = next;
  }
  return listed;
}

}  // namespace livens::inline LIVENS_ISA
