#pragma once
// Draws of the entries of a spec, as every backend makes them (kernels/stepping/sampling.hpp).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ensembles/request.hpp"

namespace livens::ensembles {

/// Points P of the outer product of all grid laws; 1 when there is none.
/// Throws std::invalid_argument when P does not fit in 62 bits, or a grid law has no points.
std::int64_t grid_points(const std::vector<Variation>& variations);

/// Draws of a list of variations.
class Sampler {
 public:
  /// Keeps references to the points of `variations`. Throws as grid_points().
  Sampler(const std::vector<Variation>& variations, std::uint64_t seed);

  const Draw& operator[](std::size_t entry) const { return draws_[entry]; }

  /// The value that the law of an entry gives an instance (>= 0), before it meets the base value.
  double draw(std::size_t entry, std::int64_t instance) const { return drawn_by(draws_[entry], instance); }

 private:
  std::vector<Draw> draws_;
};

}  // namespace livens::ensembles
