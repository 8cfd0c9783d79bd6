// Thin disk that rolls on a plane without slipping, damped and driven. Paper: herglotz-nonholonomic, (4.8)-
// (4.12). q = (X, Y, theta, phi, psi): foot of the centre, inclination from the vertical, heading, rotation.

#include <cmath>
#include <limits>
#include <numbers>

#include "../parameters.hpp"
#include "../system.hpp"

namespace livens::reference {

System rolling_disk(Parameters& given) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double m = given.value("mass", 5.0), R = given.value("radius", 0.5),
               gravity = given.value("gravity", 9.81);
  const double axial = given.value("inertia_axial", nan), transverse = given.value("inertia_transverse", nan);
  const double IA = std::isnan(axial) ? 0.5 * m * R * R : axial,
               IT = std::isnan(transverse) ? 0.25 * m * R * R : transverse;
  const std::vector<double> F = given.values("force", {0.0, 0.0, 0.0, 0.0, 0.0}),
                            rate = given.values("force_rate", {0.0, 0.0, 0.0, 0.0, 0.0});

  System system;
  system.initial.q = VectorXd{{0.0, 0.0, std::numbers::pi / 36.0, 0.0, 0.0}};
  system.initial.v = VectorXd{{R * 2.0 * std::numbers::pi, 0.0, 0.0, 0.0, 2.0 * std::numbers::pi}};
  system.mass_coordinates = 3;  // theta is the last of them
  system.action_damping = given.value("damping", 0.0);
  system.kinetic_energy = [=]<class S>(const Vector<S>& q, const Vector<S>& v) -> S {  // (4.10)
    using std::sin, std::cos;
    const S s = sin(q[2]), c = cos(q[2]), spin = v[4] - v[3] * s, height = R * s * v[2];
    return 0.5 * m * (v[0] * v[0] + v[1] * v[1] + height * height) +
           0.5 * (IA * spin * spin + IT * (v[2] * v[2] + v[3] * v[3] * c * c));
  };
  system.potential = [=]<class S>(const Vector<S>& q) -> S {
    using std::cos;
    return m * gravity * R * cos(q[2]);
  };
  system.velocity_constraint = [=]<class S>(const Vector<S>& q, const Vector<S>& v) -> Vector<S> {  // (4.11)
    using std::sin, std::cos;
    const S along = R * (v[4] - sin(q[2]) * v[3]), across = R * cos(q[2]) * v[2];
    const S s = sin(q[3]), c = cos(q[3]);
    return Vector<S>{{v[0] - (along * c - across * s), v[1] - (along * s + across * c)}};
  };
  system.load = [=](double t) -> VectorXd {  // F(t) of (4.12)
    VectorXd force(5);
    for (int i = 0; i < 5; ++i) force[i] = F[i] + rate[i] * t;
    return force;
  };
  return system;
}

}  // namespace livens::reference
