// A disk that rolls without slipping, q = (X, Y, theta, phi, psi), theta from the vertical: the mass matrix
// depends on theta.
//
//   T = m/2 (X'^2 + Y'^2 + R^2 sin^2 th th'^2) + I_A/2 (psi' - phi' sin th)^2 + I_T/2 (th'^2 + phi'^2 cos^2
//   th) V = m g R cos th X' + R cos th sin ph th' + R sin th cos ph ph' - R cos ph psi' = 0 Y' - R cos th cos
//   ph th' + R sin th sin ph ph' - R sin ph psi' = 0
//
// Paper: herglotz-nonholonomic, section 4.2; experiment 2.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace livens::naive {

class RollingDisk {
 public:
  static constexpr int d = 5, m = 2, s = 0;
  static constexpr double default_step = 0.1, end = 20;

  double body = 5, radius = 0.5, gravity = 9.81, damping = 0;

  /// Sines and cosines of theta and phi.
  struct Angles {
    double st, ct, sp, cp;
  };
  Angles angles(const Eigen::VectorXd& q) const {
    return {std::sin(q[2]), std::cos(q[2]), std::sin(q[3]), std::cos(q[3])};
  }

  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    const double spin = 2 * std::numbers::pi;
    q << 0, 0, std::numbers::pi / 36, 0, 0;
    v << radius * spin, 0, 0, 0, spin;
  }

  double potential(const Eigen::VectorXd& q) const { return weight * std::cos(q[2]); }
  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& f) const {
    f << 0, 0, -weight * std::sin(q[2]), 0, 0;
  }

  /// M; what is not written stays zero.
  void mass_matrix(const Angles& a, Eigen::MatrixXd& M) const {
    M(0, 0) = M(1, 1) = body;
    M(2, 2) = mR2 * a.st * a.st + I_T;
    M(3, 3) = I_A * a.st * a.st + I_T * a.ct * a.ct;
    M(3, 4) = M(4, 3) = -I_A * a.st;
    M(4, 4) = I_A;
  }
  double kinetic_energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    const double st = std::sin(q[2]), ct = std::cos(q[2]), spin = v[4] - v[3] * st;
    return 0.5 * body * (v[0] * v[0] + v[1] * v[1]) + 0.5 * (mR2 * st * st + I_T) * v[2] * v[2] +
           0.5 * I_A * spin * spin + 0.5 * I_T * ct * ct * v[3] * v[3];
  }
  /// f += scale * D_q T
  void add_kinetic_gradient(const Angles& a, const Eigen::VectorXd& v, double scale,
                            Eigen::VectorXd& f) const {
    f[2] += scale * a.ct * (a.st * squares(v) - I_A * v[3] * v[4]);
  }
  /// S_ij = D_j (M v)_i
  void inertia_slope(const Angles& a, const Eigen::VectorXd& v, Eigen::MatrixXd& S) const {
    S(2, 2) = 2 * mR2 * a.st * a.ct * v[2];
    S(3, 2) = a.ct * (2 * (I_A - I_T) * a.st * v[3] - I_A * v[4]);
    S(4, 2) = -I_A * a.ct * v[3];
  }
  /// D_q^2 T
  void kinetic_hessian(const Angles& a, const Eigen::VectorXd& v, Eigen::MatrixXd& H) const {
    H(2, 2) = (a.ct * a.ct - a.st * a.st) * squares(v) + I_A * a.st * v[3] * v[4];
  }

  void constraint_matrix(const Angles& a, Eigen::MatrixXd& A) const {
    const double R = radius;
    A(0, 0) = A(1, 1) = 1;
    A(0, 2) = R * a.ct * a.sp, A(0, 3) = R * a.st * a.cp, A(0, 4) = -R * a.cp;
    A(1, 2) = -R * a.ct * a.cp, A(1, 3) = R * a.st * a.sp, A(1, 4) = -R * a.sp;
  }
  /// D_q (A(q) w)
  void constraint_slope(const Angles& a, const Eigen::VectorXd& w, Eigen::MatrixXd& D) const {
    const double R = radius;
    D(0, 2) = -R * a.st * a.sp * w[2] + R * a.ct * a.cp * w[3];
    D(0, 3) = R * a.ct * a.cp * w[2] - R * a.st * a.sp * w[3] + R * a.sp * w[4];
    D(1, 2) = R * a.st * a.cp * w[2] + R * a.ct * a.sp * w[3];
    D(1, 3) = R * a.ct * a.sp * w[2] + R * a.st * a.cp * w[3] - R * a.cp * w[4];
  }
  /// A(q) v
  void constraint_rates(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& c) const {
    const Angles a = angles(q);
    const double along = radius * (v[4] - a.st * v[3]), across = radius * a.ct * v[2];
    c[0] = v[0] + a.sp * across - a.cp * along;
    c[1] = v[1] - a.cp * across - a.sp * along;
  }

 private:
  double squares(const Eigen::VectorXd& v) const { return mR2 * v[2] * v[2] + (I_A - I_T) * v[3] * v[3]; }

  double mR2 = body * radius * radius, I_A = mR2 / 2, I_T = mR2 / 4, weight = body * gravity * radius;
};

}  // namespace livens::naive
