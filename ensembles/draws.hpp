#pragma once
// Draws of the entries of a spec, as every backend makes them (kernels/stepping/draws.hpp).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ensembles/range.hpp"
#include "ensembles/request.hpp"

namespace livens::ensembles {

/// Points P of the outer product of all grid laws; 1 when there is none.
/// Throws std::invalid_argument when P does not fit in 62 bits, or a grid law has no points.
std::int64_t grid_points(const std::vector<Variation>& variations);

/// The part of a standard normal distribution below x, by bisection of normal_quantile(): so it fits that to
/// the last bit, on every machine. 0 where it is not a normal number.
double normal_distribution(double x);

/// Of the values that a random law draws, before they meet the base value.
double standard_deviation(const Variation& variation);

/// Dimensions that Sobol's sequence has for `variations`: one a value of a random law.
int sobol_dimensions(const std::vector<Variation>& variations);
/// As many as there are direction numbers for.
inline constexpr int most_sobol_dimensions = 3667;

/// Draws of a list of variations.
class Draws {
 public:
  /// Keeps references to the points of `variations`. Throws as grid_points(), and for too many dimensions.
  Draws(const std::vector<Variation>& variations, std::uint64_t seed, Design design = Design::random);

  const Draw& operator[](std::size_t entry) const { return draws_[entry]; }

  /// The value that the law of an entry gives an instance (>= 0), before it meets the base value.
  double draw(std::size_t entry, std::int64_t instance, int part = 0) const {
    return drawn_by(draws_[entry], instance, part);
  }

 private:
  std::vector<Draw> draws_;
  std::vector<std::uint64_t> directions_;  // 64 a dimension
};

/// A draw with only those rows of its table that belong to consecutive instances.
Draw with_rows_of(Draw draw, const Range& instances);

}  // namespace livens::ensembles
