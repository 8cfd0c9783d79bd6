// A free particle on the unit circle, q = u in R^2.
//
//   T = 1/2 |v|^2,  V = 0,  g = 1/2 (|u|^2 - 1)
//
// Paper: gamma-convergence-constrained, Example 3.1. There is no add_hessian: V is zero.
#pragma once

#include <Eigen/Dense>

namespace livens::naive {

class UnitCircle {
 public:
  static constexpr int d = 2, m = 1, s = 1;
  static constexpr double default_step = 0.1, end = 10;

  // asDiagonal() refers to the vector; a product with a DiagonalMatrix would copy it, and allocate.
  auto mass() const { return masses.asDiagonal(); }
  auto inverse_mass() const { return masses.asDiagonal(); }

  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q << 1, 0;
    v << 0, 1;
  }

  double potential(const Eigen::VectorXd&) const { return 0; }

  void gradient(const Eigen::VectorXd&, Eigen::VectorXd& f) const { f.setZero(); }

  void discrete_gradient(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                         Eigen::VectorXd& f) const {
    f.setZero();
  }

  void constraint(const Eigen::VectorXd& q, Eigen::VectorXd& g) const { g[0] = 0.5 * (q.squaredNorm() - 1); }

  /// Column k of GT is D g_k.
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& GT) const { GT.col(0) = q; }

  /// Column k of Y is D^2 g_k w.
  void curvature_columns(const Eigen::VectorXd& w, Eigen::MatrixXd& Y) const { Y.col(0) = w; }

  /// S += scale * W(gamma), W = sum gamma_k D^2 g_k.
  void add_curvature(const Eigen::VectorXd& gamma, double scale, Eigen::MatrixXd& S) const {
    S.diagonal().array() += scale * gamma[0];
  }

  /// Y += scale * W(gamma) X
  template <class X, class Y>
  void add_curvature_product(const Eigen::VectorXd& gamma, double scale, const X& x, Y& y) const {
    y += scale * gamma[0] * x;
  }

  /// Angular momentum about e3.
  void momentum_map(const Eigen::VectorXd& q, const Eigen::VectorXd& p, Eigen::VectorXd& L3) const {
    L3[0] = q[0] * p[1] - q[1] * p[0];
  }

 private:
  Eigen::VectorXd masses = Eigen::VectorXd::Ones(d);
};

}  // namespace livens::naive
