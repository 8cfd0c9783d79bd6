#pragma once
// Base of a system's class that has V alone: its derivatives by dual numbers, and Gonzalez' discrete
// gradient, livens-energy-consistent (26). With q_m the middle and Dq = q1 - q0:
//   (a) Dbar V = DV(q_m) + c Dq,   c = b/(Dq.Dq),   b = V(q1) - V(q0) - DV(q_m).Dq
//   (b) by q1: K/2 + c I + Dq (x) [DV(q1) - DV(q_m) - K Dq/2 - 2 c Dq]/(Dq.Dq),   K = D^2 V(q_m)
// b is O(|Dq|^3), and a difference of numbers of the size of V: where it is below their round-off it says
// nothing, and c would be noise/(Dq.Dq), so there c = 0. The energy is then off by that round-off, as it is
// anyway. What is lost against a discrete gradient through the system's invariants: momentum maps are not
// conserved, only its mean over q0, q1 is exact; and where b is just above round-off Dbar V carries an error
// of eps V/|Dq|.

#include "kernels/systems/shared/lifted.hpp"

namespace livens::inline LIVENS_ISA {

/// System: the class itself, with `parameters`, what its constructor takes; D: its coordinates.
template <class System, class Scalar, int D>
class FromPotential {
 public:
  static constexpr bool linear_potential = false;
  /// True for the entries of the Hessian that may be non-zero: all, unless a class that knows better says so.
  static constexpr bool stiff(int, int) { return true; }
  using Configuration = Vec<Scalar, D>;

  LIVENS_HD Scalar potential_scale(const Configuration& q) const { return abs(self().potential(q)); }
  LIVENS_HD Configuration gradient(const Configuration& q) const {
    return lifted_gradient<System>(self().parameters, q);
  }
  LIVENS_HD Mat<Scalar, D, D> hessian(const Configuration& q) const {
    return lifted_hessian<System>(self().parameters, q);
  }
  /// (a).
  LIVENS_HD Configuration discrete_gradient(const Configuration& q0, const Configuration& q1) const {
    const Correction at = correction(q0, q1);
    return fma(at.c, q1 - q0, at.gradient);
  }
  /// (b).
  LIVENS_HD Mat<Scalar, D, D> discrete_gradient_jacobian(const Configuration& q0,
                                                         const Configuration& q1) const {
    const Scalar half = Scalar(0.5);
    const Correction at = correction(q0, q1);
    const Configuration Dq = q1 - q0;
    Mat<Scalar, D, D> K = hessian(half * (q0 + q1));
    Configuration row = gradient(q1) - at.gradient;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        K(i, j) = half * K(i, j);
        row[i] = fnma(K(i, j), Dq[j], row[i]);
      }
    row = at.per_square * fnma(Scalar(2.0) * at.c, Dq, row);
    for (int i = 0; i < D; ++i) {
      for (int j = 0; j < D; ++j) K(i, j) = fma(Dq[i], row[j], K(i, j));
      K(i, i) = K(i, i) + at.c;
    }
    return K;
  }

 private:
  struct Correction {
    Configuration gradient;  ///< DV(q_m)
    Scalar c, per_square;    ///< 1/(Dq.Dq); both zero where b is round-off
  };
  LIVENS_HD Correction correction(const Configuration& q0, const Configuration& q1) const {
    const Configuration Dq = q1 - q0, gradient_m = gradient(Scalar(0.5) * (q0 + q1));
    const Scalar V0 = self().potential(q0), V1 = self().potential(q1), along = dot(gradient_m, Dq);
    const Scalar b = (V1 - V0) - along;
    // V0 and V1 are rounded by some units in the last place, and so is the product.
    constexpr double unit = is_single<Scalar> ? 0x1p-22 : 0x1p-51;
    const auto meant = abs(b) > Scalar(unit) * (abs(V0) + abs(V1) + abs(along));
    const Scalar per_square = select(meant, Scalar(1.0) / dot(Dq, Dq), Scalar(0.0));
    return {gradient_m, per_square * b, per_square};
  }
  LIVENS_HD const System& self() const { return static_cast<const System&>(*this); }
};

}  // namespace livens::inline LIVENS_ISA
