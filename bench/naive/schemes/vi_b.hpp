// GGL variational integrator VI-B (ggl-structure-preserving-integrators, (14)-(18), (20)) for alpha = 1,
// theta = 0:
//
//   (a) q^{n+1} - q^n = h v + h M^-1 G(q^{n+1})^T gamma
//   (b) M v = p^n - h G(q^n)^T lambda
//   (c) p^{n+1} = M v - h DV(q^{n+1}) - h W(gamma) v
//   (d) g(q^{n+1}) = 0          (e) G(q^{n+1}) v = 0
//
// (b) makes v explicit, (c) comes after the step. Unknowns (q^{n+1}, mu, nu), mu = h^2 lambda, nu = h gamma.
// With y = h M^-1 p, B_n = M^-1 G(q^n)^T and u = h v = y^n - B_n mu:
//
//   (a') Dq - u - B_{n+1} nu = 0        (e') G(q^{n+1}) u = 0
//
// The constraint holds for v, not for p^{n+1}: v is the node's velocity, energy and momentum map take p.
#pragma once

#include <Eigen/Dense>

#include "linear_algebra.hpp"

namespace livens::naive {

template <class System>
class ViB {
 public:
  ViB(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), q1(d), u(d), f(d), mu(m), nu(m), g(m) {
    GT.setZero(d, m), YT.setZero(d, m), B0.setZero(d, m), B1.setZero(d, m), S.setZero(d, d);
  }

  int unknowns() const { return d + 2 * m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    u = y0;
    system_.constraint_gradients(q0, GT);
    B0.noalias() = system_.inverse_mass() * GT;
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x.segment(d, m), nu = x.tail(m);
    system_.constraint_gradients(q1, GT);
    B1.noalias() = system_.inverse_mass() * GT;
    u = y0;
    u.noalias() -= B0.lazyProduct(mu);
    r.head(d) = (q1 - q0) - u;
    r.head(d).noalias() -= B1.lazyProduct(nu);
    system_.constraint(q1, g);
    r.segment(d, m) = g;
    r.tail(m).noalias() = GT.transpose().lazyProduct(u);
  }

  void jacobian(Eigen::MatrixXd& J) {
    S.setZero();
    system_.add_curvature(nu, -1, S);
    J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
    J.diagonal().head(d).array() += 1;
    J.block(0, d, d, m) = B0;
    J.topRightCorner(d, m) = -B1;

    J.block(d, 0, m, d) = GT.transpose();
    system_.curvature_columns(u, YT);
    J.bottomLeftCorner(m, d) = YT.transpose();
    transposed_product(-1, GT, B0, J.block(d + m, d, m, m));
  }

  void accept(const Eigen::VectorXd&) {
    system_.gradient(q1, f);
    f *= h_ * h_;
    system_.add_curvature_product(nu, 1, u, f);
    y0 = u;
    y0.noalias() -= system_.inverse_mass() * f;
    q0.swap(q1), B0.swap(B1);
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  const Eigen::VectorXd& velocity_increment() const { return u; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;
  const System& system_;
  double h_;
  Eigen::VectorXd q0, y0, q1, u, f, mu, nu, g;
  Eigen::MatrixXd GT, YT, B0, B1, S;
};

}  // namespace livens::naive
