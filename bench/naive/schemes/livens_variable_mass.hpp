// Livens scheme (livens-energy-consistent, (28), (30)) for a mass matrix M(q), diagonal, without constraints:
//
//   (a) q^{n+1} - q^n = h v_m
//   (b) p^{n+1} - p^n = h/2 [ Dbar T(., v^n) + Dbar T(., v^{n+1}) ] - h Dbar V
//   (c) p_m = 1/2 (M(q^n) + M(q^{n+1})) v_m
//
// Dbar is the discrete gradient in q, and linear in its function. (a) gives v^{n+1} and (c) p^{n+1}; the
// unknown is q^{n+1}. With y = h v, y^{n+1} = 2 Dq - y^n and P = h p, (b) times h reads
//
//   (b') (M(q^n) + M(q^{n+1})) Dq - 2 P^n + Dbar U = 0,  U(q) = h^2 V(q) - 1/2 T(q, y^n) - 1/2 T(q, y^{n+1})
//
// where U depends on q^{n+1} through y^{n+1}, too.
#pragma once

#include <Eigen/Dense>

#include "gonzalez.hpp"

namespace livens::naive {

template <class System>
class LivensVariableMass {
 public:
  LivensVariableMass(const System& system, double h)
      : system_(system),
        h_(h),
        gonzalez(d),
        q0(d),
        y0(d),
        P0(d),
        M0(d),
        q1(d),
        y1(d),
        M1(d),
        qm(d),
        Dq(d),
        f(d),
        slope(d) {
    S.setZero(d, d), C.setZero(d, d);
  }

  int unknowns() const { return d; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    system_.mass(q0, M0);
    P0 = M0.cwiseProduct(y0);
  }

  void predict(Eigen::VectorXd& x) const { x = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x;
    qm = 0.5 * (q0 + q1);
    Dq = q1 - q0;
    y1 = 2 * Dq - y0;
    system_.mass(q1, M1);
    gradient(qm, f);
    gonzalez.gradient(q0, q1, function(q1) - function(q0), f);
    r = (M0 + M1).cwiseProduct(Dq) - 2 * P0 + f;
  }

  /// S is the part at fixed y^{n+1}. With C_kj = (dM/dq_k z)_j,
  ///   d/dz Dbar T(., z) = C(q_m, z) + Dq [ (M(q^{n+1}) - M(q^n)) z - C(q_m, z)^T Dq ]^T / (Dq.Dq),
  /// which counts with -1/2 and dy^{n+1}/dq^{n+1} = 2.
  void jacobian(Eigen::MatrixXd& J) {
    S.setZero();
    system_.add_hessian(qm, 0.5 * h_ * h_, S);
    system_.add_kinetic_hessian(qm, y0, -0.25, S);
    system_.add_kinetic_hessian(qm, y1, -0.25, S);
    gradient(q1, f);
    gonzalez.hessian(f, S);
    J = S;
    J.diagonal() += M0 + M1;
    system_.mass_slopes(q1, Dq, C);
    J += C.transpose();
    system_.mass_slopes(qm, y1, C);
    J -= C;
    slope = (M1 - M0).cwiseProduct(y1);
    slope.noalias() -= C.transpose().lazyProduct(Dq);
    if (const double square = Dq.squaredNorm(); square >= 1e-30) {
      slope /= square;
      J.noalias() -= Dq.lazyProduct(slope.transpose());
    }
  }

  void accept(const Eigen::VectorXd&) {
    P0 = (M0 + M1).cwiseProduct(Dq) - P0;
    q0.swap(q1), y0.swap(y1), M0.swap(M1);
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  /// h p
  const Eigen::VectorXd& node_momentum() const { return P0; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d;
  static_assert(System::m == 0);

  /// U and D U at fixed y^{n+1}.
  double function(const Eigen::VectorXd& q) const {
    return h_ * h_ * system_.potential(q) -
           0.5 * (system_.kinetic_energy(q, y0) + system_.kinetic_energy(q, y1));
  }
  void gradient(const Eigen::VectorXd& q, Eigen::VectorXd& out) const {
    out.setZero();
    system_.add_gradient(q, h_ * h_, out);
    system_.add_kinetic_gradient(q, y0, -0.5, out);
    system_.add_kinetic_gradient(q, y1, -0.5, out);
  }

  const System& system_;
  double h_;
  Gonzalez gonzalez;
  Eigen::VectorXd q0, y0, P0, M0, q1, y1, M1, qm, Dq, f, slope;
  Eigen::MatrixXd S, C;
};

}  // namespace livens::naive
