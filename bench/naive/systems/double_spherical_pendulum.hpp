// Double spherical pendulum, q = (u1, u2), u2 relative to mass 1.
//
//   M = [ (m1+m2) I  m2 I ; m2 I  m2 I ],  V = f.q,  f = (0,0,(m1+m2)g, 0,0,m2 g)
//   g_k = 1/2 (|u_k|^2 - l_k^2)
//
// Paper: gamma-convergence-constrained, section 4.1. There is no add_hessian: V is linear, and a scheme that
// finds none leaves the term out.
#pragma once

#include <Eigen/Dense>
#include <array>

namespace livens::naive {

class DoubleSphericalPendulum {
 public:
  static constexpr int d = 6, m = 2, s = 1;
  static constexpr double default_step = 0.01, end = 10;

  DoubleSphericalPendulum() : M(d, d), M_inverse(d, d), weight(Eigen::VectorXd::Zero(d)) {
    constexpr double m1 = 10, m2 = 5, gravity = 9.81;
    const auto I = Eigen::MatrixXd::Identity(3, 3);
    M << (m1 + m2) * I, m2 * I, m2 * I, m2 * I;
    M_inverse << I, -I, -I, (1 + m1 / m2) * I;
    M_inverse /= m1;
    weight[2] = (m1 + m2) * gravity;
    weight[5] = m2 * gravity;
  }

  const Eigen::MatrixXd& mass() const { return M; }
  const Eigen::MatrixXd& inverse_mass() const { return M_inverse; }

  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q << length[0], 0, 0, length[1], 0, 0;
    v << 0, 1, 0, 0, 0, 1;
  }

  double potential(const Eigen::VectorXd& q) const { return weight.dot(q); }

  void gradient(const Eigen::VectorXd&, Eigen::VectorXd& f) const { f = weight; }

  void discrete_gradient(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                         Eigen::VectorXd& f) const {
    f = weight;
  }

  void constraint(const Eigen::VectorXd& q, Eigen::VectorXd& g) const {
    for (int k = 0; k < m; ++k) g[k] = 0.5 * (q.segment<3>(3 * k).squaredNorm() - length[k] * length[k]);
  }

  /// Column k of GT is D g_k; the other entries are zero and stay as they are.
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& GT) const {
    for (int k = 0; k < m; ++k) GT.col(k).segment<3>(3 * k) = q.segment<3>(3 * k);
  }

  /// Column k of Y is D^2 g_k w: the gradients are linear.
  void curvature_columns(const Eigen::VectorXd& w, Eigen::MatrixXd& Y) const { constraint_gradients(w, Y); }

  /// S += scale * W(gamma), W = sum gamma_k D^2 g_k.
  void add_curvature(const Eigen::VectorXd& gamma, double scale, Eigen::MatrixXd& S) const {
    for (int k = 0; k < m; ++k) S.diagonal().segment<3>(3 * k).array() += scale * gamma[k];
  }

  /// Y += scale * W(gamma) X
  template <class X, class Y>
  void add_curvature_product(const Eigen::VectorXd& gamma, double scale, const X& x, Y& y) const {
    for (int k = 0; k < m; ++k) {
      y.template middleRows<3>(3 * k) += scale * gamma[k] * x.template middleRows<3>(3 * k);
    }
  }

  /// Angular momentum about e3; the same in relative coordinates, since p is the cotangent lift.
  void momentum_map(const Eigen::VectorXd& q, const Eigen::VectorXd& p, Eigen::VectorXd& L3) const {
    L3[0] = q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3];
  }

 private:
  std::array<double, m> length{1, 1.5};
  Eigen::MatrixXd M, M_inverse;
  Eigen::VectorXd weight;
};

}  // namespace livens::naive
