#pragma once
// Statistics of one column of the records over a block of 1024 consecutive instances: the order of every sum
// is fixed here, for every backend. A team of threads shares a block. What has an order that shows in the
// bits (the sum of the values, that of the squares about the mean, each group of squares) one member adds up
// alone, in the order of the instances; the rest (squares, counts, least and largest, bins) is spread over
// all.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/backends/interface.hpp"
#include "kernels/math/scalar.hpp"
#include "kernels/stepping/team.hpp"

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

/// The statistics of a column over a block, but for its bins: they stand in a list.
struct BlockSummary {
  Moments moments;
  GroupedSquares squares;
  std::int64_t ok;    ///< instances whose status is ok, whatever their value
  std::int64_t bins;  ///< that occur
};

}  // namespace livens

namespace livens::inline LIVENS_ISA {

/// The memory that a team works on.
struct BlockScratch {
  double values[block_size];  ///< NaN where an instance does not count; in the end squares about the mean
  double least[GroupedSquares::groups], largest[GroupedSquares::groups];  ///< of 32 instances in a row each
  std::int32_t bins[block_size];
  std::int32_t
      starts[block_size + 1];  ///< of the runs of equal bins, sorted; behind them the end of the last
};

/// Behind all bins, whose numbers are at most 1 + 2047 * 64.
inline constexpr std::int32_t no_bin = (1 << (key_bits - 1)) - 1;

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

/// Of `count` bins, among them n that are not no_bin, those that occur into `list`, and their number into
/// `listed`: the runs of equal numbers, once they are sorted.
template <class Team>
LIVENS_HD void list_bins(const Team& team, int count, int n, BlockScratch& scratch, Bin* list,
                         std::int64_t& listed) {
  team.sort(scratch.bins, count);
  const std::int32_t* const sorted = scratch.bins;
  const auto begins = [&](int i) { return i == 0 || sorted[i] != sorted[i - 1]; };
  const int share = (n + team.size() - 1) / team.size(), share_begin = team.rank() * share;
  const int first = share_begin < n ? share_begin : n, last = first + share < n ? first + share : n;
  int runs = 0;
  for (int i = first; i < last; ++i) runs += begins(i) ? 1 : 0;
  int at = team.sum_before(runs);
  for (int i = first; i < last; ++i)
    if (begins(i)) scratch.starts[at++] = i;
  if (team.rank() == team.size() - 1) {
    scratch.starts[at] = n;
    listed = at;
  }
  team.wait();
  for (int run = team.rank(); run < listed; run += team.size())
    list[run] = {sorted[scratch.starts[run]], scratch.starts[run + 1] - scratch.starts[run]};
}

/// The same on a processor, which counts in the octaves that occur and sorts these alone: few, as the numbers
/// of a block are of a kind, and an octave has 64 bins.
inline void list_bins(const Alone&, int count, int, BlockScratch& scratch, Bin* list, std::int64_t& listed) {
  constexpr int octave_bits = 6, bins = 1 << octave_bits, offset = 1 << (key_bits - 1);
  std::uint16_t places[1 << (key_bits - octave_bits)] =
      {};  // of octaves, from 1 in their order of occurrence
  std::uint16_t counts[block_size + 1][bins];
  int octaves[block_size];
  int found = 0;
  for (int i = 0; i < count; ++i) {
    if (scratch.bins[i] == no_bin) continue;
    const int key = scratch.bins[i] + offset, octave = key >> octave_bits;
    if (places[octave] == 0) {
      octaves[found++] = octave;
      places[octave] = static_cast<std::uint16_t>(found);
      memset(counts[found], 0, sizeof counts[found]);
    }
    ++counts[places[octave]][key & (bins - 1)];
  }
  std::sort(octaves, octaves + found);
  listed = 0;
  for (int k = 0; k < found; ++k) {
    const std::uint16_t* const here = counts[places[octaves[k]]];
    // First which: nobody foresees what occurs, and this loop has no branch for it.
    std::uint8_t occurring[bins];
    int occur = 0;
    for (int bin = 0; bin < bins; ++bin) {
      occurring[occur] = static_cast<std::uint8_t>(bin);
      occur += here[bin] != 0 ? 1 : 0;
    }
    for (int at = 0; at < occur; ++at) {
      const int bin = occurring[at];
      list[listed++] = {(octaves[k] << octave_bits) + bin - offset, here[bin]};
    }
  }
}

/// Instances whose status is ok, and those among them whose value is finite.
struct Counts {
  int ok, finite;
};

/// The values of a column, and their bins, into the memory of the team.
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
      scratch.bins[i] = counts ? bin_of(value) : no_bin;
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
    std::int32_t bins[tile_size];
    for (int i = 0; i < size; ++i) {
      const bool is_ok = status[i] == ok,
                 counted = is_ok & (abs(values[i]) <= std::numeric_limits<double>::max());
      counts.ok += is_ok;
      counts.finite += counted;
      taken[i] = counted ? values[i] : nan;
    }
    for (int i = 0; i < size; ++i) bins[i] = bin_of(taken[i]);
    for (int i = 0; i < size; ++i) {
      scratch.values[begin + i] = taken[i];
      scratch.bins[begin + i] = taken[i] == taken[i] ? bins[i] : no_bin;
    }
  }
  return counts;
}

/// Summarizes a column of the instances [first, first + count) of the records. `count` <= block_size; `first`
/// begins a block; `bins` has room for a bin an instance. Ends without a wait.
template <class Team>
LIVENS_HD void summarize_block(const Team& team, const double* records, int record_width, int column,
                               std::int64_t first, int count, BlockScratch& scratch, BlockSummary& summary,
                               Bin* bins) {
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
  list_bins(team, count, n, scratch, bins, summary.bins);
}

}  // namespace livens::inline LIVENS_ISA
