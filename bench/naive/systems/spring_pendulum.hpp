// Spring pendulum in spherical coordinates, q = (r, theta, phi): the mass matrix depends on q.
//
//   T = 1/2 z.M(q) z, M = m diag(1, r^2, r^2 sin^2 theta),  V = 1/2 EA eps^2, eps = (r^2 - l0^2)/(2 l0^2)
//
// Paper: livens-energy-consistent, section 6.2. No gravity, no constraint.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace livens::naive {

class SpringPendulum {
 public:
  static constexpr int d = 3, m = 0, s = 1;
  static constexpr double default_step = 0.01, end = 1;

  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q << 1.05, std::numbers::pi / 2, 0;
    v << 0, 1, 1;
  }

  /// The diagonal of M(q).
  void mass(const Eigen::VectorXd& q, Eigen::VectorXd& M) const {
    const double t = std::sin(q[1]);
    M << bob, bob * q[0] * q[0], bob * q[0] * q[0] * t * t;
  }

  double kinetic_energy(const Eigen::VectorXd& q, const Eigen::VectorXd& z) const {
    const double t = std::sin(q[1]);
    return 0.5 * bob * (z[0] * z[0] + q[0] * q[0] * (z[1] * z[1] + t * t * z[2] * z[2]));
  }

  /// f += scale * D_q T(q, z)
  void add_kinetic_gradient(const Eigen::VectorXd& q, const Eigen::VectorXd& z, double scale,
                            Eigen::VectorXd& f) const {
    const double t = std::sin(q[1]), c = std::cos(q[1]);
    f[0] += scale * bob * q[0] * (z[1] * z[1] + t * t * z[2] * z[2]);
    f[1] += scale * bob * q[0] * q[0] * t * c * z[2] * z[2];
  }

  /// S += scale * D_q D_q T(q, z)
  void add_kinetic_hessian(const Eigen::VectorXd& q, const Eigen::VectorXd& z, double scale,
                           Eigen::MatrixXd& S) const {
    const double t = std::sin(q[1]), c = std::cos(q[1]), k = scale * bob * z[2] * z[2];
    S(0, 0) += scale * bob * z[1] * z[1] + k * t * t;
    S(0, 1) += 2 * k * q[0] * t * c;
    S(1, 0) += 2 * k * q[0] * t * c;
    S(1, 1) += k * q[0] * q[0] * (c * c - t * t);
  }

  /// Row k of C is dM/dq_k z; the other entries are zero and stay as they are.
  void mass_slopes(const Eigen::VectorXd& q, const Eigen::VectorXd& z, Eigen::MatrixXd& C) const {
    const double t = std::sin(q[1]), c = std::cos(q[1]);
    C(0, 1) = 2 * bob * q[0] * z[1];
    C(0, 2) = 2 * bob * q[0] * t * t * z[2];
    C(1, 2) = 2 * bob * q[0] * q[0] * t * c * z[2];
  }

  double potential(const Eigen::VectorXd& q) const { return 0.5 * axial_stiffness * strain(q) * strain(q); }

  /// f += scale * D V(q)
  void add_gradient(const Eigen::VectorXd& q, double scale, Eigen::VectorXd& f) const {
    f[0] += scale * axial_stiffness * strain(q) * q[0] / (rest_length * rest_length);
  }

  /// S += scale * D^2 V(q)
  void add_hessian(const Eigen::VectorXd& q, double scale, Eigen::MatrixXd& S) const {
    const double stretch = q[0] / rest_length;
    S(0, 0) += scale * axial_stiffness * (strain(q) + stretch * stretch) / (rest_length * rest_length);
  }

  /// Angular momentum about the polar axis.
  void momentum_map(const Eigen::VectorXd&, const Eigen::VectorXd& p, Eigen::VectorXd& L3) const {
    L3[0] = p[2];
  }

 private:
  static constexpr double bob = 1, axial_stiffness = 300, rest_length = 1;

  static double strain(const Eigen::VectorXd& q) {
    return 0.5 * (q[0] * q[0] / (rest_length * rest_length) - 1);
  }
};

}  // namespace livens::naive
