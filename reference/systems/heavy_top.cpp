// Gyroscopic top, a cone with its tip fixed at the origin. Paper: ggl-variational-principle section 5.1,
// (59)-(68). q = (phi, d1, d2, d3) in R^12: centre of mass and directors.

#include <cmath>
#include <limits>
#include <numbers>

#include "../parameters.hpp"
#include "../rotation.hpp"
#include "../system.hpp"

namespace livens::reference {

System heavy_top(Parameters& given) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double density = given.value("density", 2700.0), a = given.value("height", 0.1),
               given_radius = given.value("radius", nan), gravity = given.value("gravity", 9.81);
  const double r = std::isnan(given_radius) ? 0.5 * a : given_radius;
  const double m = density * std::numbers::pi * r * r * a / 3.0, l = 0.75 * a;
  const double J1 = 3.0 / 80.0 * m * (4.0 * r * r + a * a), J2 = J1, J3 = 0.3 * m * r * r;  // (62)
  const std::vector<double> mass = {m, 0.5 * (J2 + J3 - J1), 0.5 * (J3 + J1 - J2),
                                    0.5 * (J1 + J2 - J3)};  // (60)

  const double nutation = given.value("nutation", std::numbers::pi / 3.0),
               precession = given.value("precession_rate", 10.0), given_spin = given.value("spin_rate", nan),
               eta = given.value("damping", 0.0);
  const double steady = m * gravity * l / (J3 * precession) +
                        (J1 + m * l * l - J3) / J3 * precession * std::cos(nutation);  // (66)
  const double spin = std::isnan(given_spin) ? steady : given_spin;

  System system;
  const double c = std::cos(nutation), s = std::sin(nutation);
  const VectorXd d3{{0.0, -s, c}};                                                // (67)
  const VectorXd omega = precession * VectorXd{{0.0, 0.0, 1.0}} + spin * d3;      // (65)
  system.initial.q = VectorXd{{0.0, -l * s, l * c, 1, 0, 0, 0, c, s, 0, -s, c}};  // (64), (67)
  system.initial.v = VectorXd(12);
  for (int k = 0; k < 12; k += 3) {
    system.initial.v.segment(k, 3) = cross(omega, VectorXd(system.initial.q.segment(k, 3)));  // (68)
  }
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    S T(0.0);
    for (int k = 0; k < 4; ++k) T += 0.5 * mass[k] * v.segment(3 * k, 3).squaredNorm();
    return T;
  };
  system.potential = [=]<class S>(const Vector<S>& q) -> S { return m * gravity * q[2]; };  // (63)
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {                       // (61), (64)
    const Vector<S> phi = q.head(3), d1 = q.segment(3, 3), d2 = q.segment(6, 3), d3 = q.tail(3);
    Vector<S> g(9);
    g << 0.5 * (d1.squaredNorm() - 1.0), 0.5 * (d2.squaredNorm() - 1.0), 0.5 * (d3.squaredNorm() - 1.0),
        d1.dot(d2), d1.dot(d3), d2.dot(d3), phi - l * d3;
    return g;
  };
  // Drag on the rim of the base, at the angles 0 and pi/2 and opposite to them: the mean of all angles.
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    S R(0.0);
    for (const double side : {-r, r}) {
      const Vector<S> rim1 = a * v.tail(3) + side * v.segment(3, 3),
                      rim2 = a * v.tail(3) + side * v.segment(6, 3);
      R += 0.5 * eta * 0.25 * (rim1.squaredNorm() + rim2.squaredNorm());
    }
    return R;
  };
  // The top turns about its tip by the angular velocity of the tangent vector, 1/2 sum d_i x d_i'.
  system.increment = []<class S>(const Vector<S>& q, const Vector<S>& xi) -> Vector<S> {
    Vector<S> w = Vector<S>::Constant(3, S(0.0)), Dq(12);
    for (int k = 3; k < 12; k += 3) {
      w += 0.5 * cross(Vector<S>(q.segment(k, 3)), Vector<S>(xi.segment(k, 3)));
    }
    for (int k = 0; k < 12; k += 3) {
      Dq.segment(k, 3) = rotation_increment(w, Vector<S>(q.segment(k, 3)));
    }
    return Dq;
  };
  system.momentum = [](const VectorXd& q, const VectorXd& p) -> VectorXd {  // about e3
    double L3 = 0.0;
    for (int k = 0; k < 12; k += 3) L3 += q[k] * p[k + 1] - q[k + 1] * p[k];
    return VectorXd{{L3}};
  };
  return system;
}

}  // namespace livens::reference
