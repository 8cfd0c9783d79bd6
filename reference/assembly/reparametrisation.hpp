#pragma once
// The nodal reparametrisation u1 = F_d(w, u0) of an assembly, gamma-convergence-constrained (16), (17): u1 is
// on the constraints for every w, and P(u) = D_w F_d(0, u) spans the null space of G(u). R(w) is the rotation
// exp(skew(w)). The unknowns of a body, in the order of the bodies:
//   (a)  free:                 v, w    phi+ = phi + v,                     d_i+ = R(w) d_i
//   (b)  on a spherical joint:    w    phi+ by the places of the joint,    d_i+ = R(w) d_i
//   (c)  on an axis n:        theta    phi+ by the places of the joint,    d_i+ = R_on R(theta n) d_i
// R_on is what the body that carries the joint turns by. Elements may close loops, joints may not.

#include "../derivatives.hpp"
#include "../rotation.hpp"
#include "quadratic.hpp"

namespace livens::reference {

class Reparametrisation {
 public:
  /// Throws std::invalid_argument where two joints carry one body, or joints carry each other.
  explicit Reparametrisation(const Assembly& assembly);

  Eigen::Index unknowns() const { return unknowns_; }

  /// F_d(w, u0) - u0, without the cancellation of that difference.
  template <class S>
  Vector<S> increment(const VectorXd& u0, const Vector<S>& w) const {
    Vector<S> Du = Vector<S>::Constant(u0.size(), S(0.0));
    for (const Placed& placed : placed_) {
      for (int i = 0; i < 3; ++i) {
        const Eigen::Index d = 12 * placed.body + 3 + 3 * i;
        for (const Turn& turn : placed.turns) {
          const Vector<S> x = u0.segment(d, 3) + Du.segment(d, 3);
          Du.segment(d, 3) += rotation_increment(rotation_vector(turn, u0, w), x);
        }
      }
      if (placed.joint) {  // phi of the body has not moved yet
        const auto& [on, of, axis] = *placed.joint;
        Du.segment(12 * placed.body, 3) = Vector<S>(point(on).change(Du) - point(of).change(Du));
      } else {
        Du.segment(12 * placed.body, 3) = w.segment(placed.unknown, 3);
      }
    }
    return Du;
  }

  /// P(u), n x unknowns().
  MatrixXd null_space(const VectorXd& u) const;

 private:
  /// A rotation by w, or by an angle about a director of where the step starts.
  struct Turn {
    Eigen::Index unknown;
    std::optional<SpatialVector> axis;
  };
  struct Placed {
    int body;
    std::optional<Joint> joint;
    Eigen::Index unknown;     // its first
    std::vector<Turn> turns;  // the first acts first
  };

  template <class S>
  static Vector<S> rotation_vector(const Turn& turn, const VectorXd& u0, const Vector<S>& w) {
    if (!turn.axis) return w.segment(turn.unknown, 3);
    return w[turn.unknown] * constant<S>(VectorXd(turn.axis->constant + turn.axis->change(u0)));
  }

  std::vector<Placed> placed_;  // what carries a body before it
  Eigen::Index unknowns_ = 0;
};

}  // namespace livens::reference
