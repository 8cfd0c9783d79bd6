// Foucault pendulum, small oscillations in the horizontal plane, q = (x, y). Paper: herglotz-nonholonomic,
// (4.1), (4.2), (4.5).

#include <numbers>

#include "../parameters.hpp"
#include "../system.hpp"

namespace livens::reference {

System foucault_pendulum(Parameters& given) {
  const double mass = given.value("mass", 28.0), length = given.value("length", 67.0),
               gravity = given.value("gravity", 9.81);
  const double latitude = given.value("latitude", 49.0 * std::numbers::pi / 180.0);
  const double earth_rate = given.value("earth_rate", 7.292115e-5);
  const double omega = earth_rate * std::sin(latitude);

  System system;
  system.initial.q = VectorXd{{0.0, length / 100.0}};
  system.initial.v = VectorXd::Zero(2);
  system.action_damping = given.value("damping", 1e-4);
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * mass * v.squaredNorm();
  };
  system.potential = [=]<class S>(const Vector<S>& q) -> S {
    return 0.5 * mass * gravity / length * q.squaredNorm();
  };
  system.velocity_constraint = [=]<class S>(const Vector<S>& q, const Vector<S>& v) -> Vector<S> {  // (4.2)
    return Vector<S>{{-q[1] * v[0] + q[0] * v[1] + omega * q.squaredNorm()}};
  };
  return system;
}

}  // namespace livens::reference
