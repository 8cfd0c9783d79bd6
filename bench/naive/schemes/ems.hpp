// GGL energy-momentum scheme (ggl-structure-preserving-integrators, (21)-(24)), q_m = (q^n + q^{n+1})/2:
//
//   (a) q^{n+1} - q^n = h M^-1 p_m + h M^-1 G(q_m)^T gamma
//   (b) p^{n+1} - p^n = -h Dbar V - h G(q_m)^T lambda - h W(gamma) M^-1 p_m
//   (c) g(q^{n+1}) = 0         (d) G(q^{n+1}) M^-1 p^{n+1} = 0
//
// (a) gives p_m, and p^{n+1} = 2 p_m - p^n. Unknowns (q^{n+1}, mu, nu), mu = h^2 lambda, nu = h gamma. With
// w = h M^-1 p_m = Dq - M^-1 G_m^T nu and y = h M^-1 p, (b) times h M^-1 and (d) times h read
//
//   (b') 2 (w - y^n) + M^-1 [ h^2 Dbar V + G_m^T mu + W(nu) w ] = 0        (d') G(q^{n+1}) (2 w - y^n) = 0
#pragma once

#include <Eigen/Dense>

#include "linear_algebra.hpp"

namespace livens::naive {

template <class System>
class Ems {
 public:
  Ems(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), q1(d), qm(d), w(d), y1(d), f(d), mu(m), nu(m), g(m) {
    GTm.setZero(d, m), GT1.setZero(d, m), YT.setZero(d, m), B.setZero(d, m), BT1.setZero(d, m);
    S.setZero(d, d), C.setZero(d, d), E.setZero(d, m);
  }

  int unknowns() const { return d + 2 * m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x.segment(d, m), nu = x.tail(m);
    qm = 0.5 * (q0 + q1);
    system_.constraint_gradients(qm, GTm);
    system_.constraint_gradients(q1, GT1);
    B.noalias() = system_.inverse_mass() * GTm;
    w = q1 - q0;
    w.noalias() -= B.lazyProduct(nu);
    y1 = 2 * w - y0;

    system_.discrete_gradient(q0, qm, q1, f);
    f *= h_ * h_;
    f.noalias() += GTm.lazyProduct(mu);
    system_.add_curvature_product(nu, 1, w, f);
    r.head(d).noalias() = system_.inverse_mass() * f;
    r.head(d) += 2 * (w - y0);
    system_.constraint(q1, g);
    r.segment(d, m) = g;
    r.tail(m).noalias() = GT1.transpose().lazyProduct(y1);
  }

  /// dw/dq = I - 1/2 M^-1 W(nu), dw/dnu = -M^-1 G_m^T =: -B. In d(b')/dq the two M^-1 W(nu) cancel.
  void jacobian(Eigen::MatrixXd& J) {
    // M^-1 may couple particles, so what is added below leaves the pattern that curvature_columns() writes.
    S.setZero(), C.setZero(), YT.setZero(), BT1.setZero();
    if constexpr (requires { system_.add_discrete_hessian(q0, qm, q1, 1.0, S); }) {
      system_.add_discrete_hessian(q0, qm, q1, h_ * h_, S);
    }
    system_.add_curvature(mu, 0.5, S);
    system_.add_curvature(nu, 1, C);
    J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * C;
    C = J.topLeftCorner(d, d);
    system_.add_curvature_product(nu, -0.5, C, S);
    J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
    J.diagonal().head(d).array() += 2;

    J.block(0, d, d, m) = B;
    system_.curvature_columns(w, YT);
    system_.add_curvature_product(nu, -1, B, YT);
    J.topRightCorner(d, m).noalias() = system_.inverse_mass() * YT;
    J.topRightCorner(d, m) -= 2 * B;

    J.block(d, 0, m, d) = GT1.transpose();
    E.noalias() = system_.inverse_mass() * GT1;
    system_.curvature_columns(y1, BT1);
    BT1 += 2 * GT1;
    system_.add_curvature_product(nu, -1, E, BT1);
    J.bottomLeftCorner(m, d) = BT1.transpose();
    transposed_product(-2, GT1, B, J.bottomRightCorner(m, m));
  }

  void accept(const Eigen::VectorXd&) { q0.swap(q1), y0.swap(y1); }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;
  const System& system_;
  double h_;
  Eigen::VectorXd q0, y0, q1, qm, w, y1, f, mu, nu, g;
  Eigen::MatrixXd GTm, GT1, YT, B, BT1, S, C, E;
};

}  // namespace livens::naive
