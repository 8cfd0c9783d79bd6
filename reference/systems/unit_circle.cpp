// A particle on a circle, free of forces. Paper: gamma-convergence-constrained, example 3.1 (multibody.md
// section 4). q = u in R^2.

#include "../parameters.hpp"
#include "../sphere.hpp"
#include "../system.hpp"

namespace livens::reference {

System unit_circle(Parameters& given) {
  const double mass = given.value("mass", 1.0), radius = given.value("radius", 1.0),
               eta = given.value("damping", 0.0);

  System system;
  system.initial.q = VectorXd{{radius, 0.0}};
  system.initial.v = VectorXd{{0.0, 1.0}};
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * mass * v.squaredNorm();
  };
  system.potential = []<class S>(const Vector<S>&) -> S { return S(0.0); };
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {
    return Vector<S>{{0.5 * (q.squaredNorm() - radius * radius)}};
  };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * eta * v.squaredNorm();
  };
  system.increment = [=]<class S>(const Vector<S>& q, const Vector<S>& xi) -> Vector<S> {
    return sphere_increment(q, xi, radius);
  };
  system.momentum = [](const VectorXd& q, const VectorXd& p) -> VectorXd {  // about e3
    return VectorXd{{q[0] * p[1] - q[1] * p[0]}};
  };
  return system;
}

}  // namespace livens::reference
