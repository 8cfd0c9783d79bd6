// Double spherical pendulum. Paper: gamma-convergence-constrained, section 4.1. q = (u1, u2) in R^6, u2
// relative to mass 1.

#include "../parameters.hpp"
#include "../sphere.hpp"
#include "../system.hpp"

namespace livens::reference {

System double_spherical_pendulum(Parameters& given) {
  const auto mass = given.values("mass", {10.0, 5.0}), l = given.values("length", {1.0, 1.5});
  const auto eta = given.values("damping", {0.0, 0.0});
  const double gravity = given.value("gravity", 9.81);

  System system;
  system.initial.q = VectorXd{{l[0], 0, 0, l[1], 0, 0}};
  system.initial.v = VectorXd{{0, 1, 0, 0, 0, 1}};
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    const Vector<S> v1 = v.head(3), v2 = v1 + v.tail(3);
    return 0.5 * mass[0] * v1.squaredNorm() + 0.5 * mass[1] * v2.squaredNorm();
  };
  system.potential = [=]<class S>(const Vector<S>& q) -> S {
    return mass[0] * gravity * q[2] + mass[1] * gravity * (q[2] + q[5]);
  };
  system.potential_terms = [=](const VectorXd& q, double) -> VectorXd {  // of u1 and of u2
    return VectorXd{{(mass[0] + mass[1]) * gravity * q[2], mass[1] * gravity * q[5]}};
  };
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {
    return Vector<S>{
        {0.5 * (q.head(3).squaredNorm() - l[0] * l[0]), 0.5 * (q.tail(3).squaredNorm() - l[1] * l[1])}};
  };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    const Vector<S> v1 = v.head(3), v2 = v1 + v.tail(3);
    return 0.5 * eta[0] * v1.squaredNorm() + 0.5 * eta[1] * v2.squaredNorm();
  };
  system.increment = [=]<class S>(const Vector<S>& q, const Vector<S>& xi) -> Vector<S> {
    Vector<S> Dq(6);
    Dq << sphere_increment<S>(q.head(3), xi.head(3), l[0]), sphere_increment<S>(q.tail(3), xi.tail(3), l[1]);
    return Dq;
  };
  system.momentum = [](const VectorXd& q, const VectorXd& p) -> VectorXd {  // about e3
    return VectorXd{{q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3]}};
  };
  return system;
}

}  // namespace livens::reference
