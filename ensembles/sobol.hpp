#pragma once
// Direction numbers of Sobol's sequence, those of Boost.Random: S. Joe, F. Y. Kuo, Constructing Sobol'
// sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008) 2635-2654.

#include <cstdint>
#include <vector>

namespace livens::ensembles {

/// 64 numbers a dimension, the first dimension first, as fractions of 2^64: the point of number n is the sum
/// modulo 2 of those at the bits of n ^ n/2. Throws std::invalid_argument for more dimensions than are known.
std::vector<std::uint64_t> sobol_directions(int dimensions);

}  // namespace livens::ensembles
