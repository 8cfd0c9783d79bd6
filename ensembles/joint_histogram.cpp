#include "ensembles/joint_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace livens::ensembles {
namespace {

constexpr std::int64_t least_exponent = -1074, largest_exponent = 1024, largest_bin = std::int64_t{1} << 53;

/// floor(x / 2^e), where that is at most 2^53 in magnitude.
std::int64_t bin_at(double x, std::int64_t exponent) {
  const auto bin = static_cast<std::int64_t>(std::floor(std::ldexp(x, static_cast<int>(-exponent))));
  // Where the quotient underflows it has lost its sign.
  return bin == 0 && x < 0.0 ? -1 : bin;
}

/// The bin of e + `levels` that has bin k of e.
std::int64_t coarser(std::int64_t k, std::int64_t levels) { return k >> std::min<std::int64_t>(levels, 63); }

/// The bins from k to l of an exponent, or of the next larger ones, as long as they are more than `most`.
BinRange widened(std::int64_t exponent, std::int64_t k, std::int64_t l, std::int64_t most) {
  for (; l - k >= most; ++exponent) k = coarser(k, 1), l = coarser(l, 1);
  return {exponent, k, l - k + 1};
}

BinRange bins_of(double least, double largest, std::int64_t most) {
  // The finest at which a bin number is exact: |x| < 2^E becomes less than 2^53.
  int magnitude = static_cast<int>(least_exponent);
  if (const double size = std::max(std::abs(least), std::abs(largest)); size > 0.0)
    std::frexp(size, &magnitude);
  const std::int64_t exponent = std::max<std::int64_t>(magnitude - 53, least_exponent);
  return widened(exponent, bin_at(least, exponent), bin_at(largest, exponent), most);
}

BinRange merge(const JointAxis& axis, const BinRange& a, const BinRange& b) {
  if (axis.range || b.count == 0) return a;
  if (a.count == 0) return b;
  const std::int64_t exponent = std::max(a.exponent, b.exponent);
  const auto first = [&](const BinRange& one) { return coarser(one.first, exponent - one.exponent); };
  const auto last = [&](const BinRange& one) {
    return coarser(one.first + one.count - 1, exponent - one.exponent);
  };
  return widened(exponent, std::min(first(a), first(b)), std::max(last(a), last(b)), axis.bins);
}

/// The number of a cell of some bins among the cells of others that hold them.
std::int64_t renumbered(std::int64_t number, const std::vector<BinRange>& from,
                        const std::vector<BinRange>& to) {
  std::int64_t result = 0, stride = 1;
  for (std::size_t k = from.size(); k-- > 0;) {
    const std::int64_t bin = from[k].first + number % from[k].count;
    result += stride * (coarser(bin, to[k].exponent - from[k].exponent) - to[k].first);
    number /= from[k].count;
    stride *= to[k].count;
  }
  return result;
}

/// Cells in any order, made one where their numbers are the same.
std::vector<JointCell> together(std::vector<JointCell> cells) {
  std::sort(cells.begin(), cells.end(),
            [](const JointCell& a, const JointCell& b) { return a.number < b.number; });
  std::vector<JointCell> result;
  for (const JointCell& cell : cells) {
    if (result.empty() || result.back().number != cell.number) result.push_back({cell.number, 0});
    result.back().count += cell.count;
  }
  return result;
}

/// True for a row that is counted.
bool counts(const std::vector<JointAxis>& axes, const double* row) {
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto& range = axes[k].range;
    if (!std::isfinite(row[k]) || (range && (row[k] < range->first || row[k] > range->second))) return false;
  }
  return true;
}

}  // namespace

bool belongs(const JointHistogram& histogram, const std::vector<JointAxis>& axes) {
  if (histogram.axes.size() != axes.size()) return false;
  std::int64_t size = 1;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const BinRange& bins = histogram.axes[k];
    if (axes[k].range ? bins != BinRange{0, 0, axes[k].bins}
                      : bins.exponent < least_exponent || bins.exponent > largest_exponent ||
                            bins.first < -largest_bin || bins.first > largest_bin || bins.count < 0 ||
                            bins.count > axes[k].bins)
      return false;
    size *= bins.count;  // at most most_cells, as the spec has been checked for
  }
  std::int64_t next = 0;
  for (const JointCell& cell : histogram.cells) {
    if (cell.number < next || cell.number >= size || cell.count < 1 || cell.count > std::int64_t{1} << 40)
      return false;
    next = cell.number + 1;
  }
  return true;
}

JointHistogram joint_histogram(const std::vector<JointAxis>& axes, std::span<const double> values) {
  std::vector<const double*> rows;
  for (std::size_t i = 0; i < values.size(); i += axes.size())
    if (counts(axes, &values[i])) rows.push_back(&values[i]);
  JointHistogram histogram;
  std::vector<JointCell> cells(rows.size(), {0, 1});
  for (std::size_t k = 0; k < axes.size(); ++k) {
    BinRange bins{0, 0, 0};
    std::function<std::int64_t(double)> bin;
    if (axes[k].range) {
      bins.count = axes[k].bins;
      bin = [&, edges = bin_edges(axes[k], bins)](double x) {
        const auto above = std::upper_bound(edges.begin(), edges.end(), x) - edges.begin();
        return std::clamp<std::int64_t>(above - 1, 0, bins.count - 1);  // the last bin has its upper edge
      };
    } else if (!rows.empty()) {
      const auto [least, largest] = std::minmax_element(
          rows.begin(), rows.end(), [k](const double* a, const double* b) { return a[k] < b[k]; });
      bins = bins_of((*least)[k], (*largest)[k], axes[k].bins);
      bin = [&](double x) { return bin_at(x, bins.exponent) - bins.first; };
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
      cells[i].number = cells[i].number * bins.count + bin(rows[i][k]);
    histogram.axes.push_back(bins);
  }
  histogram.cells = together(std::move(cells));
  return histogram;
}

JointHistogram merge(const std::vector<JointAxis>& axes, const JointHistogram& a, const JointHistogram& b) {
  JointHistogram both;
  for (std::size_t k = 0; k < axes.size(); ++k) both.axes.push_back(merge(axes[k], a.axes[k], b.axes[k]));
  for (const JointHistogram* one : {&a, &b})
    for (const JointCell& cell : one->cells)
      both.cells.push_back({renumbered(cell.number, one->axes, both.axes), cell.count});
  both.cells = together(std::move(both.cells));
  return both;
}

std::vector<std::int64_t> all_cells(const JointHistogram& histogram, const std::vector<BinRange>& bins) {
  std::int64_t size = 1;
  for (const BinRange& axis : bins) size *= axis.count;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(size), 0);
  for (const JointCell& cell : histogram.cells)
    counts[static_cast<std::size_t>(renumbered(cell.number, histogram.axes, bins))] += cell.count;
  return counts;
}

std::vector<double> bin_edges(const JointAxis& axis, const BinRange& bins) {
  std::vector<double> edges;
  for (std::int64_t k = 0; k <= bins.count; ++k) {
    if (axis.range) {
      const auto [low, high] = *axis.range;
      const double part = static_cast<double>(k) / static_cast<double>(bins.count);
      edges.push_back(k == bins.count ? high : low + (high - low) * part);
    } else {
      edges.push_back(std::ldexp(static_cast<double>(bins.first + k), static_cast<int>(bins.exponent)));
    }
  }
  return edges;
}

}  // namespace livens::ensembles
