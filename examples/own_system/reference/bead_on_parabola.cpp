// A bead on a parabolic wire: T = m/2 |v|^2, V = m g y, g = y - kappa x^2/2, drag -c v.

#include "reference/parameters.hpp"
#include "reference/system.hpp"

namespace livens::reference {

System bead_on_parabola(Parameters& given) {
  const double mass = given.value("mass", 1.0), bend = given.value("bend", 1.0);
  const double gravity = given.value("gravity", 9.81), drag = given.value("damping", 0.0);
  const double width = given.value("width", 1.0);

  System system;
  system.initial.q = VectorXd{{width, 0.5 * bend * width * width}};
  system.initial.v = VectorXd{{0.0, 0.0}};
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * mass * v.squaredNorm();
  };
  system.potential = [=]<class S>(const Vector<S>& q) -> S { return mass * gravity * q[1]; };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * drag * v.squaredNorm();
  };
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {
    return Vector<S>{{q[1] - 0.5 * bend * q[0] * q[0]}};
  };
  return system;
}

}  // namespace livens::reference
