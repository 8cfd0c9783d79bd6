#pragma once
// How fast damping alone slows a system down.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// A bound of the rates c at which modes v' = -c v decay, 1/s: alpha of L = T - V - alpha z, or else the
/// largest row sum of |M^-1 C|, which no eigenvalue exceeds and constraints only lower. 0 without damping.
template <class System, class Scalar, int D>
LIVENS_HD Scalar damping_rate(const System& system, const Vec<Scalar, D>& q) {
  Scalar largest = Scalar(0.0);
  if constexpr (requires { system.dissipation_rate(); }) {
    largest = system.dissipation_rate();
  } else if constexpr (ViscousSystem<System>) {
    Vec<Scalar, D> sums = zero_vector<Scalar, D>();
    for (int j = 0; j < D; ++j) {
      Vec<Scalar, D> unit = zero_vector<Scalar, D>();
      unit[j] = Scalar(1.0);
      const Vec<Scalar, D> force = viscous_force(system, unit);
      if (norm_inf(force) == Scalar(0.0)) continue;  // M may have no inverse
      const Vec<Scalar, D> column = velocity_of(system, q, force);
      for (int i = 0; i < D; ++i) sums[i] = sums[i] + abs(column[i]);
    }
    largest = norm_inf(sums);
  }
  return largest;
}

}  // namespace livens::inline LIVENS_ISA
