// RATTLE (Andersen, J. Comput. Phys. 52, 1983):
//
//   (a) p_m = p^n - h/2 DV(q^n) - h/2 G(q^n)^T lambda          (b) q^{n+1} = q^n + h M^-1 p_m
//   (c) g(q^{n+1}) = 0
//   (d) p^{n+1} = p_m - h/2 DV(q^{n+1}) - h/2 G(q^{n+1})^T kappa          (e) G(q^{n+1}) M^-1 p^{n+1} = 0
//
// Unknowns (q^{n+1}, mu), mu = h^2/2 lambda; with y = h M^-1 p, a = h^2/2 M^-1 DV and B = M^-1 G^T, (a) in
// (b) is
//
//   (b') Dq - y^n + a_n + B_n mu = 0
//
// and after the step (d) with (e) is linear: (G B)_{n+1} nu = G (Dq - a_{n+1}), nu = h^2/2 kappa.
#pragma once

#include <Eigen/Dense>

#include "linear_algebra.hpp"

namespace livens::naive {

template <class System>
class Rattle {
 public:
  Rattle(const System& system, double h)
      : system_(system), h_(h), lu(m), q0(d), y0(d), a0(d), q1(d), f(d), mu(m), nu(m), g(m) {
    GT.setZero(d, m), B.setZero(d, m), N.setZero(m, m);
  }

  int unknowns() const { return d + m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    prepare();
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x.tail(m);
    r.head(d) = (q1 - q0) - y0 + a0;
    r.head(d).noalias() += B.lazyProduct(mu);
    system_.constraint(q1, g);
    r.tail(m) = g;
  }

  void jacobian(Eigen::MatrixXd& J) {
    J.diagonal().head(d).setOnes();
    J.topRightCorner(d, m) = B;
    system_.constraint_gradients(q1, GT);
    J.bottomLeftCorner(m, d) = GT.transpose();
  }

  void accept(const Eigen::VectorXd&) {
    y0 = q1 - q0;
    q0.swap(q1);
    prepare();
    y0 -= a0;
    g.noalias() = GT.transpose().lazyProduct(y0);
    N.noalias() = GT.transpose().lazyProduct(B);
    lu.factorize(N);
    lu.solve(g, nu);
    y0.noalias() -= B.lazyProduct(nu);
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;

  void prepare() {
    system_.gradient(q0, f);
    a0.noalias() = system_.inverse_mass() * f;
    a0 *= 0.5 * h_ * h_;
    system_.constraint_gradients(q0, GT);
    B.noalias() = system_.inverse_mass() * GT;
  }

  const System& system_;
  double h_;
  LinearSolver lu;
  Eigen::VectorXd q0, y0, a0, q1, f, mu, nu, g;
  Eigen::MatrixXd GT, B, N;
};

}  // namespace livens::naive
