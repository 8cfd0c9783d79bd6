#pragma once
// Statistics of one column of the records over a block of 1024 consecutive instances: the order of every sum
// is fixed here, for every backend. A team of threads shares a block. What has an order that shows in the
// bits (the sum of the values, that of the squares about the mean, each group of squares) one member adds up
// alone, in the order of the instances; the rest (squares, counts, least and largest, the values in their
// order) is spread over all.

#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/description/interface.hpp"
#include "kernels/math/scalar.hpp"
#include "kernels/stepping/team.hpp"

namespace livens {

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

/// The statistics of a column over a block, but for its values: they stand in a list, moments.n of them.
struct BlockSummary {
  Moments moments;
  GroupedSquares squares;
  std::int64_t ok;  ///< instances whose status is ok, whatever their value
};

}  // namespace livens

namespace livens::inline LIVENS_ISA {

/// The memory that a team works on.
struct BlockScratch {
  double values[block_size];  ///< NaN where an instance does not count; in the end squares about the mean
  double least[GroupedSquares::groups], largest[GroupedSquares::groups];  ///< of 32 instances in a row each
  std::uint64_t keys[block_size];
};

/// Numbers in the order of finite ones: the leading bit says that x >= 0, where the others are those of x,
/// else their complement. -0 has the key of 0.
LIVENS_HD std::uint64_t key_of(double x) {
  const double number = x == 0.0 ? 0.0 : x;
  std::uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// The number that has this key.
LIVENS_HD double value_of(std::uint64_t key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const std::uint64_t bits = (key & sign) != 0 ? key & ~sign : ~key;
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/// Behind the keys of all finite numbers.
inline constexpr std::uint64_t no_key = ~std::uint64_t{0};

/// Sum of those values that are not NaN, in their order. The others add -0, which leaves any sum as it is:
/// the chain of additions has no branch, and nothing else waits in it.
LIVENS_HD double sum_in_order(const double* values, int count) {
  constexpr int ahead = 16;
  double sum = 0.0;
  int i = 0;
  for (; i + ahead <= count; i += ahead) {
    double loaded[ahead];
    for (int k = 0; k < ahead; ++k) loaded[k] = values[i + k];
    for (int k = 0; k < ahead; ++k) sum += loaded[k] == loaded[k] ? loaded[k] : -0.0;
  }
  for (; i < count; ++i) sum += values[i] == values[i] ? values[i] : -0.0;
  return sum;
}

/// The least of [first, last) and of one that came before. Of zeros with different signs, which are equal,
/// the first one stays; NaN is passed over.
LIVENS_HD double least_of(const double* values, int first, int last, double before) {
  for (int i = first; i < last; ++i) before = values[i] < before ? values[i] : before;
  return before;
}
LIVENS_HD double largest_of(const double* values, int first, int last, double before) {
  for (int i = first; i < last; ++i) before = before < values[i] ? values[i] : before;
  return before;
}

/// Instances whose status is ok, and those among them whose value is finite.
struct Counts {
  int ok, finite;
};

/// The values of a column, and their keys, into the memory of the team.
template <class Team>
LIVENS_HD Counts take_values(const Team& team, const double* records, int record_width, int column,
                             std::int64_t first, int count, BlockScratch& scratch) {
  const auto value_of = [&](std::int64_t instance, int c) {
    return records[column_offset(instance / tile_size, record_width, c) + instance % tile_size];
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  int ok = 0, n = 0;
  for (int begin = 0; begin < count; begin += team.size()) {
    const int i = begin + team.rank();
    const bool is_ok =
        i < count && value_of(first + i, static_cast<int>(Column::status)) == static_cast<double>(Status::ok);
    const double value = is_ok ? value_of(first + i, column) : nan;
    const bool counts = finite(value);
    if (i < count) {
      scratch.values[i] = counts ? value : nan;
      scratch.keys[i] = counts ? key_of(value) : no_key;
    }
    ok += team.count(is_ok);
    n += team.count(counts);
  }
  return {ok, n};
}

/// The same on a processor: tile after tile, in loops without a branch.
inline Counts take_values(const Alone&, const double* records, int record_width, int column,
                          std::int64_t first, int count, BlockScratch& scratch) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), ok = static_cast<double>(Status::ok);
  Counts counts{};
  for (int begin = 0; begin < count; begin += tile_size) {
    const std::int64_t tile = (first + begin) / tile_size;
    const double* const status =
        records + column_offset(tile, record_width, static_cast<int>(Column::status));
    const double* const values = records + column_offset(tile, record_width, column);
    const int size = begin + tile_size < count ? tile_size : count - begin;
    double taken[tile_size];
    for (int i = 0; i < size; ++i) {
      const bool is_ok = status[i] == ok,
                 counted = is_ok & (abs(values[i]) <= std::numeric_limits<double>::max());
      counts.ok += is_ok;
      counts.finite += counted;
      taken[i] = counted ? values[i] : nan;
    }
    for (int i = 0; i < size; ++i) {
      scratch.values[begin + i] = taken[i];
      scratch.keys[begin + i] = taken[i] == taken[i] ? key_of(taken[i]) : no_key;
    }
  }
  return counts;
}

/// Summarizes a column of the instances [first, first + count) of the records. `count` <= block_size; `first`
/// begins a block; the values that count go into `ascending`, which has room for one an instance. Ends
/// without a wait.
template <class Team>
LIVENS_HD void summarize_block(const Team& team, const double* records, int record_width, int column,
                               std::int64_t first, int count, BlockScratch& scratch, BlockSummary& summary,
                               double* ascending) {
  constexpr Moments empty{};
  const auto [ok, n] = take_values(team, records, record_width, column, first, count, scratch);
  team.wait();
  const bool adds_up = team.rank() == 0;
  if (adds_up) {
    summary.moments = empty;
    summary.moments.n = n;
    summary.ok = ok;
    if (n > 0) summary.moments.mean = sum_in_order(scratch.values, count) / static_cast<double>(n);
  }
  // The groups go to the last of the team, so that the first one is free for the sum.
  constexpr int groups = GroupedSquares::groups, row = block_size / groups;
  for (int group = team.size() - 1 - team.rank(); group < groups; group += team.size()) {
    // In registers: the compiler cannot know that the values and the sums are different memory.
    double squares = 0.0;
    int counted = 0;
    for (int i = group; i < count; i += groups) {
      const double value = scratch.values[i];
      squares += value == value ? value * value : 0.0;  // a sum of squares is never -0
      counted += value == value ? 1 : 0;
    }
    summary.squares.sum[group] = squares;
    summary.squares.count[group] = counted;
    const int begin = group * row, end = begin + row < count ? begin + row : count;
    scratch.least[group] = least_of(scratch.values, begin, end, empty.min);
    scratch.largest[group] = largest_of(scratch.values, begin, end, empty.max);
  }
  team.wait();
  for (int i = team.rank(); i < count; i += team.size()) {
    const double difference = scratch.values[i] - summary.moments.mean;
    scratch.values[i] = difference * difference;
  }
  team.wait();
  if (adds_up) {
    Moments& moments = summary.moments;
    moments.m2 = sum_in_order(scratch.values, count);
    moments.min = least_of(scratch.least, 0, groups, moments.min);
    moments.max = largest_of(scratch.largest, 0, groups, moments.max);
  }
  team.sort(scratch.keys, count);
  for (int i = team.rank(); i < n; i += team.size()) ascending[i] = value_of(scratch.keys[i]);
}

}  // namespace livens::inline LIVENS_ISA
