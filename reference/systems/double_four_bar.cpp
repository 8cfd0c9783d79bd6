// Double four-bar linkage. Paper: ggl-variational-principle section 5.2, (70)-(79). Bodies 1 to 5, each
// (phi, d1, d2) in the plane, q in R^30: the bars 1 to 3 stand on the ground joints, 4 and 5 lie on them.
// (80) is printed with the wrong sign, and with its second block row as the third. It must be the matrix of
// the Rayleigh function (77), (78), C_i = eta_i A^T A with A = [I, l/2 I, 0]: its block rows phi and d1.

#include "../parameters.hpp"
#include "../rotation.hpp"
#include "../system.hpp"

namespace livens::reference {

System double_four_bar(Parameters& given) {
  const double m = given.value("mass", 1.0), l = given.value("length", 1.0),
               gravity = given.value("gravity", 9.81), v0 = given.value("velocity", 1.0);
  const auto eta = given.values("damping", {0.0, 0.0});
  const double J = m * l * l / 12.0, E = 0.5 * J;  // (71)
  // The end of a bar, of positions or of velocities: -1 for the one d1 points away from, +1 for the other.
  const auto end = [=]<class S>(const Vector<S>& x, int body, double side) -> Vector<S> {
    return x.segment(6 * body, 2) + (0.5 * side * l) * x.segment(6 * body + 2, 2);
  };

  System system;
  system.initial.q = VectorXd::Zero(30);
  system.initial.v = VectorXd::Zero(30);
  for (int bar = 0; bar < 3; ++bar) {  // upright, d1 = e2, d2 = -e1, turning with theta' = -v0/l
    system.initial.q.segment(6 * bar, 6) << bar * l, 0.5 * l, 0, 1, -1, 0;
    system.initial.v.segment(6 * bar, 6) << 0.5 * v0, 0, v0 / l, 0, 0, v0 / l;
  }
  for (int bar = 3; bar < 5; ++bar) {
    system.initial.q.segment(6 * bar, 6) << (bar - 2.5) * l, l, 1, 0, 0, 1;
    system.initial.v.segment(6 * bar, 2) << v0, 0;
  }
  system.kinetic_energy = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {
    S T(0.0);
    for (int k = 0; k < 30; k += 6) {
      T += 0.5 * m * v.segment(k, 2).squaredNorm() + 0.5 * E * v.segment(k + 2, 4).squaredNorm();
    }
    return T;
  };
  system.potential = [=]<class S>(const Vector<S>& q) -> S {  // (72)
    S V(0.0);
    for (int k = 0; k < 30; k += 6) V += m * gravity * q[k + 1];
    return V;
  };
  system.potential_terms = [=](const VectorXd& q, double) -> VectorXd {
    VectorXd V(5);
    for (int bar = 0; bar < 5; ++bar) V[bar] = m * gravity * q[6 * bar + 1];
    return V;
  };
  system.constraint = [=]<class S>(const Vector<S>& q) -> Vector<S> {
    Vector<S> g(29);
    for (int body = 0; body < 5; ++body) {  // (73)
      const Vector<S> d1 = q.segment(6 * body + 2, 2), d2 = q.segment(6 * body + 4, 2);
      g.segment(3 * body, 3) << 0.5 * (d1.squaredNorm() - 1.0), 0.5 * (d2.squaredNorm() - 1.0), d1.dot(d2);
    }
    const Vector<S> ground2 = VectorXd{{l, 0}}.cast<S>(), ground3 = VectorXd{{2 * l, 0}}.cast<S>();
    g.tail(14) << end(q, 0, -1), end(q, 1, -1) - ground2, end(q, 2, -1) - ground3,  // (74a): P1, P2, P3
        end(q, 0, +1) - end(q, 3, -1), end(q, 1, +1) - end(q, 3, +1),               // (74b): P4, P5 with
        end(q, 1, +1) - end(q, 4, -1), end(q, 2, +1) - end(q, 4, +1);  // bar 4 and with bar 5, P6
    return g;
  };
  system.rayleigh = [=]<class S>(const Vector<S>&, const Vector<S>& v) -> S {  // (77), (78)
    return 0.5 * eta[0] * end(v, 3, +1).squaredNorm() + 0.5 * eta[1] * end(v, 4, +1).squaredNorm();
  };
  system.own = [=](const VectorXd& q, const VectorXd& v) {  // angular momentum (75), (76)
    const Eigen::Matrix2d K{{0.0, 1.0}, {-1.0, 0.0}};
    double L = 0.0;
    for (int k = 0; k < 30; k += 6) {
      L += m * q.segment<2>(k).dot(K * v.segment<2>(k));
      for (int d = k + 2; d < k + 6; d += 2) L += E * q.segment<2>(d).dot(K * v.segment<2>(d));
    }
    return VectorXd{{L}};
  };
  // Bars 1 to 3 turn about their ground joints by the angular velocity of bar 1, 1/2 sum d_i x d_i'; 4 and 5
  // follow the upper end of bar 1 without turning.
  system.increment = [=]<class S>(const Vector<S>& q, const Vector<S>& xi) -> Vector<S> {
    const S angle = 0.5 * (q[2] * xi[3] - q[3] * xi[2] + q[4] * xi[5] - q[5] * xi[4]);
    Vector<S> Dq = Vector<S>::Constant(30, S(0.0));
    for (int k = 0; k < 18; k += 6) {
      const Vector<S> Dd1 = plane_rotation_increment(angle, Vector<S>(q.segment(k + 2, 2)));
      const Vector<S> Dd2 = plane_rotation_increment(angle, Vector<S>(q.segment(k + 4, 2)));
      Dq.segment(k, 6) << 0.5 * l * Dd1, Dd1, Dd2;
    }
    for (int k = 18; k < 30; k += 6) Dq.segment(k, 2) = l * Dq.segment(2, 2);
    return Dq;
  };
  return system;
}

}  // namespace livens::reference
