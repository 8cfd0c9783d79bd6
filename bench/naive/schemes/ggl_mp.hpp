// Classical GGL stabilization by the midpoint rule, constraints at the end point
// (ggl-structure-preserving-integrators, (8), with the -G^T lambda that (8b) lacks), q_m = (q^n + q^{n+1})/2:
//
//   (a) q^{n+1} - q^n = h M^-1 p_m + h G(q_m)^T gamma
//   (b) p^{n+1} - p^n = -h DV(q_m) - h G(q_m)^T lambda
//   (c) g(q^{n+1}) = 0         (d) G(q^{n+1}) M^-1 p^{n+1} = 0
//
// (a) gives p_m, and p^{n+1} = 2 p_m - p^n. Unknowns (q^{n+1}, mu, nu), mu = h^2 lambda, nu = h gamma. With
// w = h M^-1 p_m = Dq - G_m^T nu and y = h M^-1 p, (b) times h M^-1 and (d) times h read
//
//   (b') 2 (w - y^n) + M^-1 [ h^2 DV(q_m) + G_m^T mu ] = 0        (d') G(q^{n+1}) (2 w - y^n) = 0
#pragma once

#include <Eigen/Dense>

#include "linear_algebra.hpp"

namespace livens::naive {

template <class System>
class GglMp {
 public:
  GglMp(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), q1(d), qm(d), w(d), y1(d), f(d), mu(m), nu(m), g(m) {
    GTm.setZero(d, m), GT1.setZero(d, m), YT.setZero(d, m), S.setZero(d, d);
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
    w = q1 - q0;
    w.noalias() -= GTm.lazyProduct(nu);
    y1 = 2 * w - y0;

    system_.gradient(qm, f);
    f *= h_ * h_;
    f.noalias() += GTm.lazyProduct(mu);
    r.head(d).noalias() = system_.inverse_mass() * f;
    r.head(d) += 2 * (w - y0);
    system_.constraint(q1, g);
    r.segment(d, m) = g;
    r.tail(m).noalias() = GT1.transpose().lazyProduct(y1);
  }

  /// dw/dq = I - 1/2 W(nu), dw/dnu = -G_m^T.
  void jacobian(Eigen::MatrixXd& J) {
    S.setZero(), YT.setZero();
    if constexpr (requires { system_.add_hessian(qm, 1.0, S); }) {
      system_.add_hessian(qm, 0.5 * h_ * h_, S);
    }
    system_.add_curvature(mu, 0.5, S);
    J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
    S.setZero();
    system_.add_curvature(nu, 1, S);
    J.topLeftCorner(d, d) -= S;
    J.diagonal().head(d).array() += 2;
    J.block(0, d, d, m).noalias() = system_.inverse_mass() * GTm;
    J.topRightCorner(d, m) = -2 * GTm;

    J.block(d, 0, m, d) = GT1.transpose();
    system_.curvature_columns(y1, YT);
    system_.add_curvature_product(nu, -1, GT1, YT);
    J.bottomLeftCorner(m, d) = (YT + 2 * GT1).transpose();
    transposed_product(-2, GT1, GTm, J.bottomRightCorner(m, m));
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
  Eigen::MatrixXd GTm, GT1, YT, S;
};

}  // namespace livens::naive
