// Foucault pendulum in the rotating frame, q = (x, y), L = T - V - alpha z, with the affine constraint A v +
// b = 0.
//
//   T = m/2 |v|^2,  V = m g/(2 l) |q|^2,  A = (-y, x),  b = Omega sin(beta) |q|^2
//
// Paper: herglotz-nonholonomic, section 4.1.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace livens::naive {

class FoucaultPendulum {
 public:
  static constexpr int d = 2, m = 1, s = 0;
  static constexpr double default_step = 0.1, end = 3600;

  double bob = 28, length = 67, gravity = 9.81, damping = 1e-4;
  double frame_rate = 7.292115e-5 * std::sin(49 * std::numbers::pi / 180);  // Omega sin(beta)

  // asDiagonal() refers to the vector; a product with a DiagonalMatrix would copy it, and allocate.
  auto mass() const { return masses.asDiagonal(); }
  auto inverse_mass() const { return inverse_masses.asDiagonal(); }

  /// At rest is not consistent; the M-nearest v with A v + b = 0 is -omega J q, J q = (-y, x).
  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q << 0, length / 100;
    v << frame_rate * q[1], -frame_rate * q[0];
  }

  double potential(const Eigen::VectorXd& q) const { return 0.5 * bob * gravity / length * q.squaredNorm(); }

  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& f) const { f = (bob * gravity / length) * q; }

  /// A(q)^T
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& AT) const {
    AT(0, 0) = -q[1];
    AT(1, 0) = q[0];
  }

  /// b(q)
  double affine_part(const Eigen::VectorXd& q) const { return frame_rate * q.squaredNorm(); }

  /// A(q) v + b(q)
  void constraint_rates(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& c) const {
    c[0] = q[0] * v[1] - q[1] * v[0] + affine_part(q);
  }

  /// f = D_q [ A(q) w + h b(q) ]^T
  void constraint_slope(const Eigen::VectorXd& q, const Eigen::VectorXd& w, double h,
                        Eigen::VectorXd& f) const {
    f[0] = w[1] + 2 * h * frame_rate * q[0];
    f[1] = -w[0] + 2 * h * frame_rate * q[1];
  }

 private:
  Eigen::VectorXd masses = Eigen::VectorXd::Constant(d, bob);
  Eigen::VectorXd inverse_masses = Eigen::VectorXd::Constant(d, 1 / bob);
};

}  // namespace livens::naive
