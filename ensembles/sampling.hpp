#pragma once
// Values of the varied quantities of an instance: random numbers from a counter, so that instance i starts
// the same whatever the backend, the thread or rank count and the size of the ensemble, and points of a grid.
//
// The counter-based generator is Philox 4x32-10: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel
// random numbers: as easy as 1, 2, 3, SC 2011.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ensembles/request.hpp"

namespace livens::ensembles {

using Words = std::array<std::uint32_t, 4>;

/// Philox 4x32-10 of a counter; the low word of `key` comes first.
Words philox(const Words& counter, std::uint64_t key);

/// Two numbers of (0, 1], multiples of 2^-54.
struct Uniforms {
  double u1, u2;
};

/// The uniform numbers of one draw: key = seed, counter = (instance low, high, entry, 0).
/// `entry` is the 0-based position among all [[ensemble.vary]] entries of the spec, grid laws included.
Uniforms uniforms(std::uint64_t seed, std::int64_t instance, std::size_t entry);

/// sqrt(-2 ln u1) cos(2 pi u2).
double standard_normal(Uniforms u);

/// A base value after a draw has met it.
double combine(Mode mode, double base, double drawn);

/// Points P of the outer product of all grid laws; 1 when there is none.
/// Throws std::invalid_argument when P does not fit in 62 bits, or a grid law has no points.
std::int64_t grid_points(const std::vector<Variation>& variations);

/// Draws of a list of variations.
class Sampler {
 public:
  /// Keeps a reference to `variations`. Throws as grid_points().
  Sampler(const std::vector<Variation>& variations, std::uint64_t seed);

  /// What the law of an entry gives for an instance (>= 0), before it meets the base value.
  double draw(std::size_t entry, std::int64_t instance) const;

 private:
  const std::vector<Variation>& variations_;
  std::uint64_t seed_;
  std::int64_t grid_points_;
  std::vector<std::int64_t> strides_;  // instances between two points of a grid law; of the other laws unused
};

}  // namespace livens::ensembles
