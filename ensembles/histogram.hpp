#pragma once
// Integer counts of numbers in fixed bins: exact whatever the order of counting, and the source of the
// quantiles.
//
// A bin holds the numbers that share sign, exponent and the leading 6 bits of the mantissa; +0 and -0 share
// the bin 0. Above the subnormal range a bin is at most 1/64 of its numbers wide. Bins are numbered in the
// order of their numbers: 1 + (the leading 17 bits below the sign) where x > 0, and the negative of that
// where x < 0.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/stepping/statistics.hpp"

namespace livens::ensembles {

/// Largest |x - bin_middle(bin_of(x))| / |x| outside the subnormal range: half a bin.
inline constexpr double histogram_resolution = 1.0 / 128.0;

using livens::Bin;
using livens::bin_of;

/// Least number of a bin. A finite x lies in the occurring bin with the greatest edge <= x.
double bin_edge(std::int32_t bin);

/// The number that stands for a bin: midway between its ends in magnitude, 0 in the bin 0.
double bin_middle(std::int32_t bin);

/// Only the bins that occur, ascending.
using Histogram = std::vector<Bin>;

/// Counts finite numbers.
Histogram histogram(std::span<const double> values);

Histogram merge(const Histogram& a, const Histogram& b);

/// Middle of the bin in which the counts, added from the lowest bin, first reach max(1, ceil(level n)), n
/// being the sum of all: the bin of the order statistic of that rank (1-based). NaN when n = 0. 0 <= level
/// <= 1.
double quantile(const Histogram& counts, double level);

}  // namespace livens::ensembles
