#pragma once
// Integer counts of instances in the cells of a grid over two quantities or more: a histogram that says how
// they go together, for which no instance has to be kept.
//
// An axis with a range has equal bins over it, and what lies outside is not counted. An axis without one has
// the bins [k 2^e, (k + 1) 2^e), k an integer, as far as there are values, with the least e for which these
// are as many bins as asked for at most: half of them or more, where values differ by more than rounding. e
// follows from the least and the largest value, and a bin of e + 1 is two bins of e. So the histograms of the
// parts of an ensemble make that of the whole, in any order and to the bit, whatever the values.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/stepping/draws.hpp"

namespace livens::ensembles {

/// An axis as it is asked for: a value that varies, or an observable.
struct JointAxis {
  std::string name, unit, description;
  std::optional<livens::Target> varied;  ///< none: an observable
  int entry = 0;                         ///< scalar entry of what is varied
  std::int64_t bins = 0;                 ///< 2 or more; with a range exactly, else at most
  std::optional<std::pair<double, double>> range;
};

/// One [[output.joint]].
struct Joint {
  std::string name;
  std::vector<JointAxis> axes;  ///< 2 or more
  bool at_samples = false;      ///< at every sample; else at the last one alone

  bool is_at(std::int64_t sample, std::int64_t samples) const { return at_samples || sample + 1 == samples; }
};

/// The bins of an axis that lie between the least and the largest value.
struct BinRange {
  std::int64_t exponent = 0;          ///< e; 0 where the range is given
  std::int64_t first = 0, count = 0;  /// k, k + 1, ...; no value, no bin
  bool operator==(const BinRange&) const = default;
};

struct JointCell {
  std::int64_t number;  ///< of the cell in row-major order of the bins, the last axis fastest
  std::int64_t count;
  bool operator==(const JointCell&) const = default;
};

/// Only the cells that occur, in the order of their numbers.
struct JointHistogram {
  std::vector<BinRange> axes;
  std::vector<JointCell> cells;
  bool operator==(const JointHistogram&) const = default;
};

inline constexpr std::int64_t most_cells = 10'000'000;  ///< of a joint histogram

/// True for a histogram of these axes whose numbers merge() can make sense of.
bool belongs(const JointHistogram& histogram, const std::vector<JointAxis>& axes);

/// Counts the rows of `values`, a number an axis each. A row with a number that is not finite, or outside of
/// a range, is left out.
JointHistogram joint_histogram(const std::vector<JointAxis>& axes, std::span<const double> values);

/// Both of the same axes.
JointHistogram merge(const std::vector<JointAxis>& axes, const JointHistogram& a, const JointHistogram& b);

/// Counts of all cells of these bins, which hold those of the histogram.
std::vector<std::int64_t> all_cells(const JointHistogram& histogram, const std::vector<BinRange>& bins);

/// One more than there are bins, ascending.
std::vector<double> bin_edges(const JointAxis& axis, const BinRange& bins);

}  // namespace livens::ensembles
