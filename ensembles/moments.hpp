#pragma once
// Count, mean, spread and range of a set of numbers, and of the union of two sets.

#include <span>

#include "kernels/stepping/statistics.hpp"

namespace livens::ensembles {

using livens::Moments;

/// sqrt(m2/n): of the ensemble itself, not an estimate for a larger one. NaN for the empty set.
double standard_deviation(const Moments& moments);

/// Moments of finite numbers, summed in the order given.
Moments moments(std::span<const double> values);

/// Moments of the union of two disjoint sets (T. F. Chan, G. H. Golub, R. J. LeVeque, Updating formulae and a
/// pairwise algorithm for computing sample variances, 1979):
///   mean = mean_a + delta n_b/n,  m2 = m2_a + m2_b + delta^2 n_a n_b/n,  delta = mean_b - mean_a.
/// In floating point neither commutative nor associative. The empty set is neutral, to the bit.
Moments merge(const Moments& a, const Moments& b);

}  // namespace livens::ensembles
