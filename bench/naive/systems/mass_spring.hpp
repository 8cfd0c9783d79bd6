// Two masses on two springs in coordinates that make the mass matrix singular, q = (x1, q2, x2).
//
//   T = 1/2 m1 v1^2 + 1/2 m2 (v2 + v3)^2,  V = 1/4 k1 (x1^2 + x1^4) + 1/4 k2 (x2^2 + x2^4)
//   g = 1/2 ((q2 - x1)^2 - (l10 + w)^2)
//
// Paper: livens-energy-consistent, section 6.1. There is no inverse_mass.
#pragma once

#include <Eigen/Dense>

namespace livens::naive {

class MassSpring {
 public:
  static constexpr int d = 3, m = 1, s = 0;
  static constexpr double default_step = 0.1, end = 10;

  MassSpring() : M(d, d) { M << m1, 0, 0, 0, m2, m2, 0, m2, m2; }

  const Eigen::MatrixXd& mass() const { return M; }

  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q << 1, 1 + distance, 0;
    v << 0, 0, 1;
  }

  double potential(const Eigen::VectorXd& q) const { return spring(k1, q[0]) + spring(k2, q[2]); }

  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& f) const {
    f << k1 * q[0] * (0.5 + q[0] * q[0]), 0, k2 * q[2] * (0.5 + q[2] * q[2]);
  }

  /// S += scale * D^2 V(q)
  void add_hessian(const Eigen::VectorXd& q, double scale, Eigen::MatrixXd& S) const {
    S(0, 0) += scale * k1 * (0.5 + 3 * q[0] * q[0]);
    S(2, 2) += scale * k2 * (0.5 + 3 * q[2] * q[2]);
  }

  void constraint(const Eigen::VectorXd& q, Eigen::VectorXd& g) const {
    g[0] = 0.5 * ((q[1] - q[0]) * (q[1] - q[0]) - distance * distance);
  }

  /// Column k of GT is D g_k.
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& GT) const {
    GT(0, 0) = q[0] - q[1];
    GT(1, 0) = q[1] - q[0];
  }

  /// S += scale * W(gamma), W = sum gamma_k D^2 g_k.
  void add_curvature(const Eigen::VectorXd& gamma, double scale, Eigen::MatrixXd& S) const {
    const double c = scale * gamma[0];
    S(0, 0) += c, S(1, 1) += c;
    S(0, 1) -= c, S(1, 0) -= c;
  }

 private:
  static constexpr double m1 = 1, m2 = 1, k1 = 1, k2 = 3, distance = 1 + 0.1;  // l10 + w

  static double spring(double k, double x) { return 0.25 * k * x * x * (1 + x * x); }

  Eigen::MatrixXd M;
};

}  // namespace livens::naive
