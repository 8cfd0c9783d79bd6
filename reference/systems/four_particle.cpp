// Four particles, two rigid bars and two springs. Paper: ggl-structure-preserving-integrators, (25), (26)
// and Table 1. q = (q1, q2, q3, q4) in R^12.

#include <Eigen/Geometry>

#include "../parameters.hpp"
#include "../sphere.hpp"
#include "../system.hpp"

namespace livens::reference {

System four_particle(Parameters& given) {
  const auto mass = given.values("mass", {1.0, 3.0, 2.3, 1.7}), k = given.values("stiffness", {1.0, 10.0});
  const auto l = given.values("length", {1.0, 1.0, 1.0, 1.0}), eta = given.values("damping", {0.0, 0.0});
  const double l12 = l[0], l34 = l[1], l13 = l[2], l24 = l[3];
  // From particle i to particle j (counted from 0), of positions or of velocities.
  const auto between = []<class S>(const Vector<S>& x, int i, int j) -> Vector<S> {
    return x.segment(3 * j, 3) - x.segment(3 * i, 3);
  };

  System system;
  system.initial.q = VectorXd{{0, 0, 0, l12, 0, 0, 0, 1, 0, l34, 1, 0}};  // printed for unit bars
  system.initial.v = VectorXd{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3 / mass[3], 2 / mass[3]}};
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    S T(0.0);
    for (int i = 0; i < 4; ++i) T += 0.5 * mass[i] * v.segment(3 * i, 3).squaredNorm();
    return T;
  };
  system.invariants = [=]<class S>(const Vector<S>& q) -> Vector<S> {
    return Vector<S>{{between(q, 0, 2).squaredNorm(), between(q, 1, 3).squaredNorm()}};
  };
  system.potential = [=]<class S>(const Vector<S>& pi) -> S {  // (26)
    const S stretch13 = pi[0] - l13 * l13, stretch24 = pi[1] - l24 * l24;
    return 0.5 * k[0] * stretch13 * stretch13 + 0.5 * k[1] * stretch24 * stretch24;
  };
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {  // (25)
    return Vector<S>{{0.5 * (between(q, 0, 1).squaredNorm() / (l12 * l12) - 1.0),
                      0.5 * (between(q, 2, 3).squaredNorm() / (l34 * l34) - 1.0)}};
  };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * eta[0] * between(v, 0, 2).squaredNorm() + 0.5 * eta[1] * between(v, 1, 3).squaredNorm();
  };
  // A bar moves as its middle, freely, and as the vector along it, on a sphere.
  system.increment = [=]<class S>(const Vector<S>& q, const Vector<S>& xi) -> Vector<S> {
    Vector<S> Dq(12);
    for (int bar = 0; bar < 2; ++bar) {
      const int i = 2 * bar, j = i + 1;
      const Vector<S> middle = 0.5 * (xi.segment(3 * i, 3) + xi.segment(3 * j, 3));
      const Vector<S> along = sphere_increment(between(q, i, j), between(xi, i, j), l[bar]);
      Dq.segment(3 * i, 3) = middle - 0.5 * along;
      Dq.segment(3 * j, 3) = middle + 0.5 * along;
    }
    return Dq;
  };
  system.momentum = [](const VectorXd& q, const VectorXd& p) -> VectorXd {
    Eigen::Vector3d L = Eigen::Vector3d::Zero();
    for (int i = 0; i < 4; ++i) L += q.segment<3>(3 * i).cross(p.segment<3>(3 * i));
    return L;
  };
  return system;
}

}  // namespace livens::reference
