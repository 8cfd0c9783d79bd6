// Spring pendulum in spherical coordinates, with a mass matrix that depends on them and no constraint.
// Paper: livens-energy-consistent section 6.2, (42)-(46). q = (r, theta, phi).

#include <numbers>

#include "../parameters.hpp"
#include "../system.hpp"

namespace livens::reference {

System spring_pendulum(Parameters& given) {
  const double m = given.value("mass", 1.0), EA = given.value("axial_stiffness", 300.0),
               l0 = given.value("rest_length", 1.0), eta = given.value("damping", 0.0);

  System system;
  system.initial.q = VectorXd{{1.05 * l0, 0.5 * std::numbers::pi, 0.0}};  // (46): 5 per cent longer
  system.initial.v = VectorXd{{0.0, 1.0, 1.0}};
  system.mass_coordinates = 2;                                                         // phi is cyclic
  system.kinetic_energy = [=]<class S>(const Vector<S>& q, const Vector<S>& v) -> S {  // (45)
    using std::sin;
    const S rate = q[0] * v[1], azimuthal = q[0] * sin(q[1]) * v[2];
    return 0.5 * m * (v[0] * v[0] + rate * rate + azimuthal * azimuthal);
  };
  system.invariants = []<class S>(const Vector<S>& q) -> Vector<S> { return Vector<S>{{q[0] * q[0]}}; };
  system.potential = [=]<class S>(const Vector<S>& pi) -> S {  // (43), (44)
    const S strain = (pi[0] - l0 * l0) / (2.0 * l0 * l0);
    return 0.5 * EA * strain * strain;
  };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * eta * v[0] * v[0];
  };
  system.momentum = [](const VectorXd&, const VectorXd& p) -> VectorXd { return VectorXd{{p[2]}}; };
  return system;
}

}  // namespace livens::reference
