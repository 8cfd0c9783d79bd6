// Heavy top in steady precession, q = (phi, d1, d2, d3): centre of mass and directors.
//
//   M = diag(m, E1, E2, E3),  E_i = (J_j + J_k - J_i)/2,  V = m g phi_3
//   g = ( (d1.d1-1)/2, (d2.d2-1)/2, (d3.d3-1)/2, d1.d2, d1.d3, d2.d3, phi - l d3 )
//
// Paper: ggl-variational-principle, section 5.1, (58)-(68). There is no add_hessian: V is linear, and a
// scheme that finds none leaves the term out.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>

namespace livens::naive {

class HeavyTop {
 private:
  /// The product of two directors, named by their first coordinates.
  struct Product {
    int a, b;
  };
  static constexpr std::array<Product, 6> products{{{3, 3}, {6, 6}, {9, 9}, {3, 6}, {3, 9}, {6, 9}}};

  static constexpr double density = 2700, height = 0.1, radius = height / 2, gravity = 9.81;
  static constexpr double nutation = std::numbers::pi / 3, precession_rate = 10;
  static constexpr double m_top = density * std::numbers::pi * radius * radius * height / 3;
  static constexpr double J1 = 3.0 / 80 * m_top * (4 * radius * radius + height * height);
  static constexpr double J3 = 0.3 * m_top * radius * radius;
  static constexpr double arm = 0.75 * height;  // l

  Eigen::VectorXd masses, inverse_masses;

 public:
  static constexpr int d = 12, m = 9, s = 1;
  static constexpr double default_step = 0.002, end = 2;

  HeavyTop() : masses(d) {
    masses.segment<3>(0).setConstant(m_top);
    masses.segment<6>(3).setConstant(J3 / 2);
    masses.segment<3>(9).setConstant(J1 - J3 / 2);
    inverse_masses = masses.cwiseInverse();
  }

  // asDiagonal() refers to the vector; a product with a DiagonalMatrix would copy it, and allocate.
  auto mass() const { return masses.asDiagonal(); }
  auto inverse_mass() const { return inverse_masses.asDiagonal(); }

  /// d_i = R0 e_i, R0 the rotation by `nutation` about e1; omega = omega_p e3 + omega_s d3, omega_s from
  /// (66).
  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    const double c = std::cos(nutation), t = std::sin(nutation);
    const double spin = m_top * gravity * arm / (J3 * precession_rate) +
                        (J1 + m_top * arm * arm - J3) / J3 * precession_rate * c;
    q << 0, -arm * t, arm * c, 1, 0, 0, 0, c, t, 0, -t, c;
    const Eigen::Vector3d omega(0, -spin * t, precession_rate + spin * c);
    for (int a = 0; a < d; a += 3) v.segment<3>(a) = omega.cross(q.segment<3>(a));
  }

  double potential(const Eigen::VectorXd& q) const { return m_top * gravity * q[2]; }

  void gradient(const Eigen::VectorXd&, Eigen::VectorXd& f) const {
    f.setZero();
    f[2] = m_top * gravity;
  }

  void discrete_gradient(const Eigen::VectorXd& q0, const Eigen::VectorXd&, const Eigen::VectorXd&,
                         Eigen::VectorXd& f) const {
    gradient(q0, f);
  }

  void constraint(const Eigen::VectorXd& q, Eigen::VectorXd& g) const {
    for (int k = 0; k < 3; ++k) g[k] = 0.5 * (q.segment<3>(3 * k + 3).squaredNorm() - 1);
    for (int k = 3; k < 6; ++k) g[k] = q.segment<3>(products[k].a).dot(q.segment<3>(products[k].b));
    g.segment<3>(6) = q.segment<3>(0) - arm * q.segment<3>(9);
  }

  /// Column k of GT is D g_k; the other entries are zero and stay as they are.
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& GT) const {
    curvature_columns(q, GT);
    for (int i = 0; i < 3; ++i) {
      GT(i, 6 + i) = 1;
      GT(9 + i, 6 + i) = -arm;
    }
  }

  /// Column k of Y is D^2 g_k w.
  void curvature_columns(const Eigen::VectorXd& w, Eigen::MatrixXd& Y) const {
    for (int k = 0; k < 6; ++k) {
      Y.col(k).segment<3>(products[k].a) = w.segment<3>(products[k].b);
      Y.col(k).segment<3>(products[k].b) = w.segment<3>(products[k].a);
    }
  }

  /// S += scale * W(gamma), W = sum gamma_k D^2 g_k.
  void add_curvature(const Eigen::VectorXd& gamma, double scale, Eigen::MatrixXd& S) const {
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = products[k];
      for (int i = 0; i < 3; ++i) {
        S(a + i, b + i) += scale * gamma[k];
        if (a != b) S(b + i, a + i) += scale * gamma[k];
      }
    }
  }

  /// Y += scale * W(gamma) X
  template <class X, class Y>
  void add_curvature_product(const Eigen::VectorXd& gamma, double scale, const X& x, Y& y) const {
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = products[k];
      y.template middleRows<3>(a) += scale * gamma[k] * x.template middleRows<3>(b);
      if (a != b) y.template middleRows<3>(b) += scale * gamma[k] * x.template middleRows<3>(a);
    }
  }

  /// Angular momentum about e3.
  void momentum_map(const Eigen::VectorXd& q, const Eigen::VectorXd& p, Eigen::VectorXd& L3) const {
    L3[0] = 0;
    for (int a = 0; a < d; a += 3) L3[0] += q[a] * p[a + 1] - q[a + 1] * p[a];
  }
};

}  // namespace livens::naive
