// Double four-bar linkage, five bars of one mass and length, each (phi, d1, d2) in the plane.
//
//   M = diag(m, J/2, J/2) per bar, J = m l^2/12,  V = sum m g phi_2
//   g = ( (d1.d1-1)/2, (d2.d2-1)/2, d1.d2 per bar; the difference of the ends phi -+ l/2 d1 per joint )
//
// Paper: ggl-variational-principle, section 5.2, (70)-(74). There is no add_hessian: V is linear, and a
// scheme that finds none leaves the term out.
#pragma once

#include <Eigen/Dense>
#include <array>

namespace livens::naive {

class DoubleFourBar {
 private:
  static constexpr int bars = 5;
  static constexpr double bar_mass = 1, length = 1, gravity = 9.81, velocity = 1;

  /// phi_bar + arm d1_bar, as the first coordinate of the bar and the signed arm.
  struct End {
    int bar;
    double arm;
  };
  /// P1, P2, P3 to the ground at x = 0, l, 2 l; then P4, P5 twice, P6.
  static constexpr std::array<End, 3> feet{{{0, -length / 2}, {6, -length / 2}, {12, -length / 2}}};
  static constexpr std::array<std::array<End, 2>, 4> joints{{{{{0, length / 2}, {18, -length / 2}}},
                                                             {{{6, length / 2}, {18, length / 2}}},
                                                             {{{6, length / 2}, {24, -length / 2}}},
                                                             {{{12, length / 2}, {24, length / 2}}}}};

  Eigen::VectorXd masses, inverse_masses, weight;

  static auto position(const Eigen::VectorXd& q, const End& e) {
    return q.segment<2>(e.bar) + e.arm * q.segment<2>(e.bar + 2);
  }

  static void add_end(const End& e, double sign, int k, Eigen::MatrixXd& GT) {
    for (int i = 0; i < 2; ++i) {
      GT(e.bar + i, k + i) = sign;
      GT(e.bar + 2 + i, k + i) = sign * e.arm;
    }
  }

 public:
  static constexpr int d = 30, m = 29, s = 0;
  static constexpr double default_step = 0.001, end = 10;

  DoubleFourBar() : masses(d), weight(Eigen::VectorXd::Zero(d)) {
    for (int a = 0; a < d; a += 6) {
      masses.segment<2>(a).setConstant(bar_mass);
      masses.segment<4>(a + 2).setConstant(bar_mass * length * length / 24);
      weight[a + 1] = bar_mass * gravity;
    }
    inverse_masses = masses.cwiseInverse();
  }

  // asDiagonal() refers to the vector; a product with a DiagonalMatrix would copy it, and allocate.
  auto mass() const { return masses.asDiagonal(); }
  auto inverse_mass() const { return inverse_masses.asDiagonal(); }

  /// Bars 1-3 upright, 4 and 5 across; the latter move at `velocity` along e1.
  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    for (int a = 0; a < 3; ++a) {
      q.segment<6>(6 * a) << a * length, length / 2, 0, 1, -1, 0;
      v.segment<6>(6 * a) << velocity / 2, 0, velocity / length, 0, 0, velocity / length;
    }
    for (int a = 3; a < bars; ++a) {
      q.segment<6>(6 * a) << (a - 2.5) * length, length, 1, 0, 0, 1;
      v.segment<6>(6 * a) << velocity, 0, 0, 0, 0, 0;
    }
  }

  double potential(const Eigen::VectorXd& q) const { return weight.dot(q); }

  void gradient(const Eigen::VectorXd&, Eigen::VectorXd& f) const { f = weight; }

  void discrete_gradient(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd&,
                         Eigen::VectorXd& f) const {
    f = weight;
  }

  void constraint(const Eigen::VectorXd& q, Eigen::VectorXd& g) const {
    for (int b = 0; b < bars; ++b) {
      const auto d1 = q.segment<2>(6 * b + 2), d2 = q.segment<2>(6 * b + 4);
      g[3 * b] = 0.5 * (d1.squaredNorm() - 1);
      g[3 * b + 1] = 0.5 * (d2.squaredNorm() - 1);
      g[3 * b + 2] = d1.dot(d2);
    }
    int k = 3 * bars;
    for (int a = 0; a < 3; ++a, k += 2) {
      g.segment<2>(k) = position(q, feet[a]);
      g[k] -= a * length;
    }
    for (const auto& [one, other] : joints) {
      g.segment<2>(k) = position(q, one) - position(q, other);
      k += 2;
    }
  }

  /// Column k of GT is D g_k; the other entries are zero and stay as they are.
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& GT) const {
    curvature_columns(q, GT);
    int k = 3 * bars;
    for (const End& foot : feet) {
      add_end(foot, 1, k, GT);
      k += 2;
    }
    for (const auto& [one, other] : joints) {
      add_end(one, 1, k, GT);
      add_end(other, -1, k, GT);
      k += 2;
    }
  }

  /// Column k of Y is D^2 g_k w.
  void curvature_columns(const Eigen::VectorXd& w, Eigen::MatrixXd& Y) const {
    for (int b = 0; b < bars; ++b) {
      const int d1 = 6 * b + 2, d2 = 6 * b + 4;
      Y.col(3 * b).segment<2>(d1) = w.segment<2>(d1);
      Y.col(3 * b + 1).segment<2>(d2) = w.segment<2>(d2);
      Y.col(3 * b + 2).segment<2>(d1) = w.segment<2>(d2);
      Y.col(3 * b + 2).segment<2>(d2) = w.segment<2>(d1);
    }
  }

  /// S += scale * W(gamma), W = sum gamma_k D^2 g_k.
  void add_curvature(const Eigen::VectorXd& gamma, double scale, Eigen::MatrixXd& S) const {
    for (int b = 0; b < bars; ++b) {
      for (int d1 = 6 * b + 2, d2 = 6 * b + 4, i = 0; i < 2; ++i) {
        S(d1 + i, d1 + i) += scale * gamma[3 * b];
        S(d2 + i, d2 + i) += scale * gamma[3 * b + 1];
        S(d1 + i, d2 + i) += scale * gamma[3 * b + 2];
        S(d2 + i, d1 + i) += scale * gamma[3 * b + 2];
      }
    }
  }

  /// Y += scale * W(gamma) X
  template <class X, class Y>
  void add_curvature_product(const Eigen::VectorXd& gamma, double scale, const X& x, Y& y) const {
    for (int b = 0; b < bars; ++b) {
      const auto x1 = x.template middleRows<2>(6 * b + 2), x2 = x.template middleRows<2>(6 * b + 4);
      const double c11 = scale * gamma[3 * b], c22 = scale * gamma[3 * b + 1], c12 = scale * gamma[3 * b + 2];
      y.template middleRows<2>(6 * b + 2) += c11 * x1 + c12 * x2;
      y.template middleRows<2>(6 * b + 4) += c12 * x1 + c22 * x2;
    }
  }
};

}  // namespace livens::naive
