// Four particles: rigid bars 1-2 and 3-4, springs 1-3 and 2-4.
//
//   V   = 1/2 k1 (|q3-q1|^2 - l13^2)^2 + 1/2 k2 (|q4-q2|^2 - l24^2)^2
//   g_1 = 1/2 (|q2-q1|^2 / l12^2 - 1),   g_2 = 1/2 (|q4-q3|^2 / l34^2 - 1)
//
// Paper: ggl-structure-preserving-integrators, section 5.
#pragma once

#include <Eigen/Dense>
#include <array>

namespace livens::naive {

class FourParticle {
 private:
  /// a and b are the first coordinates of the two ends.
  struct Element {
    int a, b;
    double length, stiffness;
  };
  Eigen::VectorXd masses, inverse_masses;
  std::array<Element, 2> bars{{{0, 3, 1, 0}, {6, 9, 1, 0}}};
  std::array<Element, 2> springs{{{0, 6, 1, 1}, {3, 9, 1, 10}}};

  static auto between(const Eigen::VectorXd& q, const Element& e) {
    return q.segment<3>(e.b) - q.segment<3>(e.a);
  }
  static double inverse_square(const Element& e) { return 1 / (e.length * e.length); }

 public:
  static constexpr int d = 12, m = 2, s = 3;
  static constexpr double default_step = 0.05, end = 10;

  FourParticle() : masses(d) {
    constexpr std::array particle_mass{1.0, 3.0, 2.3, 1.7};
    for (int a = 0; a < 4; ++a) masses.segment<3>(3 * a).setConstant(particle_mass[a]);
    inverse_masses = masses.cwiseInverse();
  }

  // asDiagonal() refers to the vector; a product with a DiagonalMatrix would copy it, and allocate.
  auto mass() const { return masses.asDiagonal(); }
  auto inverse_mass() const { return inverse_masses.asDiagonal(); }

  /// p = 0 but p4 = (0, 3, 2).
  void initial_state(Eigen::VectorXd& q, Eigen::VectorXd& v) const {
    q << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0;
    v << 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3 / masses[9], 2 / masses[9];
  }

  double potential(const Eigen::VectorXd& q) const {
    double V = 0;
    for (const Element& e : springs) {
      const double stretch = between(q, e).squaredNorm() - e.length * e.length;
      V += 0.5 * e.stiffness * stretch * stretch;
    }
    return V;
  }

  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& f) const { discrete_gradient(q, q, q, f); }

  /// sum k (1/2 (pi^n + pi^{n+1}) - l^2) D pi(q^{n+1/2}), pi = |r|^2, D pi = 2 r: no quotient, so no 0/0.
  void discrete_gradient(const Eigen::VectorXd& q0, const Eigen::VectorXd& qm, const Eigen::VectorXd& q1,
                         Eigen::VectorXd& f) const {
    f.setZero();
    for (const Element& e : springs) {
      const double c = 2 * tension(q0, q1, e);
      f.segment<3>(e.b) += c * between(qm, e);
      f.segment<3>(e.a) -= c * between(qm, e);
    }
  }

  /// S += scale * d discrete_gradient / d q1; a spring contributes c I + 2 k r_m r_1^T.
  void add_discrete_hessian(const Eigen::VectorXd& q0, const Eigen::VectorXd& qm, const Eigen::VectorXd& q1,
                            double scale, Eigen::MatrixXd& S) const {
    for (const Element& e : springs) {
      const double c = scale * tension(q0, q1, e);
      for (int j = 0; j < 3; ++j) {
        const double slope = 2 * scale * e.stiffness * (q1[e.b + j] - q1[e.a + j]);
        for (int i = 0; i < 3; ++i) {
          const double entry = slope * (qm[e.b + i] - qm[e.a + i]) + (i == j ? c : 0.0);
          add_pair(e, i, j, entry, S);
        }
      }
    }
  }

  /// S += scale * D^2 V(q): the same element with q0 held at q and both slopes taken.
  void add_hessian(const Eigen::VectorXd& q, double scale, Eigen::MatrixXd& S) const {
    add_discrete_hessian(q, q, q, 2 * scale, S);
  }

  void constraint(const Eigen::VectorXd& q, Eigen::VectorXd& g) const {
    for (int k = 0; k < m; ++k) {
      g[k] = 0.5 * (between(q, bars[k]).squaredNorm() * inverse_square(bars[k]) - 1);
    }
  }

  /// Column k of GT is D g_k; the other entries are zero and stay as they are.
  void constraint_gradients(const Eigen::VectorXd& q, Eigen::MatrixXd& GT) const {
    for (int k = 0; k < m; ++k) {
      GT.col(k).segment<3>(bars[k].b) = inverse_square(bars[k]) * between(q, bars[k]);
      GT.col(k).segment<3>(bars[k].a) = -GT.col(k).segment<3>(bars[k].b);
    }
  }

  /// Column k of Y is D^2 g_k w: the gradients are linear.
  void curvature_columns(const Eigen::VectorXd& w, Eigen::MatrixXd& Y) const { constraint_gradients(w, Y); }

  /// S += scale * W(gamma), W = sum gamma_k D^2 g_k.
  void add_curvature(const Eigen::VectorXd& gamma, double scale, Eigen::MatrixXd& S) const {
    for (int k = 0; k < m; ++k) {
      const double c = scale * gamma[k] * inverse_square(bars[k]);
      for (int i = 0; i < 3; ++i) add_pair(bars[k], i, i, c, S);
    }
  }

  /// Y += scale * W(gamma) X, bar by bar: a dense W would make this the dearest product of a step.
  template <class X, class Y>
  void add_curvature_product(const Eigen::VectorXd& gamma, double scale, const X& x, Y& y) const {
    for (int k = 0; k < m; ++k) {
      const Element& e = bars[k];
      const double c = scale * gamma[k] * inverse_square(e);
      const auto pull = c * (x.template middleRows<3>(e.b) - x.template middleRows<3>(e.a));
      y.template middleRows<3>(e.b) += pull;
      y.template middleRows<3>(e.a) -= pull;
    }
  }

  /// Angular momentum.
  void momentum_map(const Eigen::VectorXd& q, const Eigen::VectorXd& p, Eigen::VectorXd& L) const {
    L.setZero();
    for (int a = 0; a < d; a += 3) L.head<3>() += q.segment<3>(a).cross(p.segment<3>(a));
  }

 private:
  static double tension(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, const Element& e) {
    const double pi0 = between(q0, e).squaredNorm(), pi1 = between(q1, e).squaredNorm();
    return e.stiffness * (0.5 * (pi0 + pi1) - e.length * e.length);
  }

  static void add_pair(const Element& e, int i, int j, double entry, Eigen::MatrixXd& S) {
    S(e.a + i, e.a + j) += entry;
    S(e.b + i, e.b + j) += entry;
    S(e.a + i, e.b + j) -= entry;
    S(e.b + i, e.a + j) -= entry;
  }
};

}  // namespace livens::naive
