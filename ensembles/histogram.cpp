#include "ensembles/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace livens::ensembles {
namespace {

constexpr int dropped_bits = 52 - 6;

// Least magnitude of the numbers whose leading bits are `leading`.
double least_magnitude(std::int32_t leading) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(leading) << dropped_bits);
}

}  // namespace

double bin_edge(std::int32_t bin) {
  if (bin == 0) return 0.0;
  // Among the numbers of the bin 1 zero would be the least, but it has a bin of its own.
  if (bin == 1) return std::numeric_limits<double>::denorm_min();
  if (bin > 0) return least_magnitude(bin - 1);
  return -std::nextafter(least_magnitude(-bin), 0.0);
}

double bin_middle(std::int32_t bin) {
  if (bin == 0) return 0.0;
  const auto leading = static_cast<std::uint64_t>(std::abs(bin) - 1);
  const double middle =
      std::bit_cast<double>(leading << dropped_bits | std::uint64_t{1} << (dropped_bits - 1));
  return std::copysign(middle, bin);
}

Histogram histogram(std::span<const double> values) {
  if (values.empty()) return {};
  std::vector<std::int32_t> bins(values.size());
  std::transform(values.begin(), values.end(), bins.begin(), [](double x) { return bin_of(x); });
  const auto [least, largest] = std::minmax_element(bins.begin(), bins.end());
  // All bins between them, 2^18 at most: counting a million values takes less than sorting them.
  std::vector<std::int64_t> counts(static_cast<std::size_t>(*largest - *least) + 1);
  for (const std::int32_t bin : bins) ++counts[static_cast<std::size_t>(bin - *least)];
  Histogram result;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0) result.push_back({*least + static_cast<std::int64_t>(k), counts[k]});
  return result;
}

Histogram merge(const Histogram& a, const Histogram& b) {
  Histogram result;
  result.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (i->number < j->number) {
      result.push_back(*i++);
    } else if (j->number < i->number) {
      result.push_back(*j++);
    } else {
      result.push_back({i->number, i->count + j->count});
      ++i, ++j;
    }
  }
  result.insert(result.end(), i, a.end());
  result.insert(result.end(), j, b.end());
  return result;
}

double quantile(const Histogram& counts, double level) {
  std::int64_t n = 0;
  for (const Bin& bin : counts) n += bin.count;
  const auto rank =
      std::max(std::int64_t{1}, static_cast<std::int64_t>(std::ceil(level * static_cast<double>(n))));
  std::int64_t reached = 0;
  for (const Bin& bin : counts) {
    reached += bin.count;
    if (reached >= rank) return bin_middle(bin.number);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace livens::ensembles
