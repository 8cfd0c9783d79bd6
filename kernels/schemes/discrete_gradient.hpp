#pragma once
// Gonzalez' discrete gradient of V on R^d, livens-energy-consistent (26); equations/holonomic.md, section 5:
//   Dbar V = DV(q_m) + c Dq,   c = [V(q1) - V(q0) - DV(q_m).Dq] / (Dq.Dq)
// The bracket is O(|Dq|^3): the correction is dropped where Dq.Dq < 20 eps^2. It is exact for the energy and,
// in general, not for momentum maps; the gradient through a system's invariants is both.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// Dbar V through the invariants; DV where V is linear.
template <class System, class Position>
LIVENS_HD Position discrete_force(const System& system, const Position& q0, const Position& q1) {
  if constexpr (System::linear_potential)
    return system.gradient(q0);
  else
    return system.discrete_gradient(q0, q1);
}

template <class Scalar>
inline constexpr double shortest_squared_increment = is_single<Scalar> ? 3e-13 : 1e-30;

template <class Scalar>
struct GonzalezCorrection {
  Scalar c, per_square;  ///< 1/(Dq.Dq); both zero where the correction is dropped
};
template <class System, class Scalar, int D>
LIVENS_HD GonzalezCorrection<Scalar> gonzalez_correction(const System& system, const Vec<Scalar, D>& q0,
                                                         const Vec<Scalar, D>& q1) {
  const Vec<Scalar, D> Dq = q1 - q0, gradient = system.gradient(Scalar(0.5) * (q0 + q1));
  const Scalar square = dot(Dq, Dq);
  const Mask<Scalar> moved = square > Scalar(shortest_squared_increment<Scalar>);
  const Scalar per_square = select(moved, Scalar(1.0) / square, Scalar(0.0));
  return {per_square * (system.potential(q1) - system.potential(q0) - dot(gradient, Dq)), per_square};
}

/// Dbar V(q0, q1).
template <class System, class Scalar, int D>
LIVENS_HD Vec<Scalar, D> plain_discrete_gradient(const System& system, const Vec<Scalar, D>& q0,
                                                 const Vec<Scalar, D>& q1) {
  return fma(gonzalez_correction(system, q0, q1).c, q1 - q0, system.gradient(Scalar(0.5) * (q0 + q1)));
}

/// Its derivative by q1: K/2 + c I + Dq (x) [DV(q1) - DV(q_m) - K Dq/2 - 2 c Dq]/(Dq.Dq), K the Hessian at
/// q_m.
template <class System, class Scalar, int D>
LIVENS_HD Mat<Scalar, D, D> plain_discrete_gradient_jacobian(const System& system, const Vec<Scalar, D>& q0,
                                                             const Vec<Scalar, D>& q1) {
  const Scalar half = Scalar(0.5);
  const Vec<Scalar, D> q_m = half * (q0 + q1), Dq = q1 - q0;
  const auto correction = gonzalez_correction(system, q0, q1);
  Mat<Scalar, D, D> K = system.hessian(q_m);
  Vec<Scalar, D> row = system.gradient(q1) - system.gradient(q_m);
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) {
      K(i, j) = half * K(i, j);
      row[i] = fnma(K(i, j), Dq[j], row[i]);
    }
  row = correction.per_square * fnma(Scalar(2.0) * correction.c, Dq, row);
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) K(i, j) = fma(Dq[i], row[j], K(i, j));
    K(i, i) = K(i, i) + correction.c;
  }
  return K;
}

}  // namespace livens::inline LIVENS_ISA
