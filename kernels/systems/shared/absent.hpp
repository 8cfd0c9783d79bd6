#pragma once
// Bases of a system's class for what it does not have.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// m = 0: no constraints, for the holonomic schemes. D: coordinates.
template <class Scalar, int D>
struct NoConstraints {
  LIVENS_HD Vec<Scalar, 0> constraints_at(const Vec<Scalar, D>&) const { return {}; }
  LIVENS_HD Mat<Scalar, 0, D> constraint_jacobian(const Vec<Scalar, D>&) const { return {}; }
  LIVENS_HD Scalar curvature(int, int, int) const { return Scalar(0.0); }
  static constexpr bool constrains(int, int) { return false; }
  static constexpr bool curved(int, int, int) { return false; }
};

/// C = 0.
template <class Scalar>
struct NoDamping {
  LIVENS_HD Scalar damping(int, int) const { return Scalar(0.0); }
};

/// No conserved momentum maps.
template <class Scalar, int D>
struct NoMomentumMaps {
  LIVENS_HD Vec<Scalar, 0> momentum_map(const Vec<Scalar, D>&, const Vec<Scalar, D>&) const { return {}; }
};

}  // namespace livens::inline LIVENS_ISA
