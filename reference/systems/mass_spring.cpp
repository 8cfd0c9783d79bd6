// Two masses and two nonlinear springs in redundant coordinates with a singular mass matrix. Paper:
// livens-energy-consistent section 6.1, (36)-(41). q = (x1, q2, x2). The paper has no initial values.

#include "../parameters.hpp"
#include "../system.hpp"

namespace livens::reference {

System mass_spring(Parameters& given) {
  const auto m = given.values("mass", {1.0, 1.0}), k = given.values("stiffness", {1.0, 3.0}),
             l0 = given.values("rest_length", {1.0, 1.0}),  // the second enters no energy
      eta = given.values("damping", {0.0, 0.0});
  const double gap = l0[0] + given.value("width", 0.1);

  System system;
  system.initial.q = VectorXd{{1.0, 1.0 + gap, 0.0}};
  system.initial.v = VectorXd{{0.0, 0.0, 1.0}};
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {  // (39)
    const S v2 = v[1] + v[2];
    return 0.5 * m[0] * v[0] * v[0] + 0.5 * m[1] * v2 * v2;
  };
  // In the squares (41) is quadratic, so that its discrete derivative is exact there and amounts to the
  // difference quotient of each coordinate's own term.
  system.invariants = []<class S>(const Vector<S>& q) -> Vector<S> {
    return Vector<S>{{q[0] * q[0], q[2] * q[2]}};
  };
  system.potential = [=]<class S>(const Vector<S>& pi) -> S {  // (41)
    return 0.25 * k[0] * (pi[0] + pi[0] * pi[0]) + 0.25 * k[1] * (pi[1] + pi[1] * pi[1]);
  };
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {  // (38)
    const S distance = q[1] - q[0];
    return Vector<S>{{0.5 * (distance * distance - gap * gap)}};
  };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    return 0.5 * eta[0] * v[0] * v[0] + 0.5 * eta[1] * v[2] * v[2];
  };
  return system;
}

}  // namespace livens::reference
