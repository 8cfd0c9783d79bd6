// Livens scheme (livens-energy-consistent, (28), (30)) for a constant mass matrix, which may be singular;
// q_m = (q^n + q^{n+1})/2, Dbar V the discrete gradient on R^d:
//
//   (a) q^{n+1} - q^n = h v_m        (b) p^{n+1} - p^n = -h Dbar V - h G(q_m)^T lambda
//   (c) p_m = M v_m                  (d) g(q^{n+1}) = 0
//
// From p^0 = M v^0 follows p = M v, and (a) gives v^{n+1}. Unknowns (q^{n+1}, mu), mu = h^2 lambda. With
// y = h v, (b) times h reads
//
//   (b') 2 M (Dq - y^n) + h^2 Dbar V + G_m^T mu = 0
//
// and is multiplied by M^-1 if there is one. For a linear V, Dbar V = DV.
#pragma once

#include <Eigen/Dense>

#include "gonzalez.hpp"

namespace livens::naive {

template <class System>
class Livens {
 public:
  Livens(const System& system, double h)
      : system_(system), h_(h), gonzalez(d), q0(d), y0(d), q1(d), qm(d), f(d), t(d), mu(m), g(m) {
    GT.setZero(d, m), GT1.setZero(d, m), S.setZero(d, d);
  }

  int unknowns() const { return d + m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    V0 = system_.potential(q0);
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x.tail(m);
    qm = 0.5 * (q0 + q1);
    system_.constraint_gradients(qm, GT);
    system_.gradient(qm, f);
    if constexpr (!linear_potential) {
      V1 = system_.potential(q1);
      gonzalez.gradient(q0, q1, V1 - V0, f);
    }
    f *= h_ * h_;
    f.noalias() += GT.lazyProduct(mu);
    t = 2 * (q1 - q0 - y0);
    if constexpr (regular) {
      r.head(d).noalias() = system_.inverse_mass() * f;
      r.head(d) += t;
    } else {
      r.head(d) = f;
      r.head(d).noalias() += system_.mass() * t;
    }
    system_.constraint(q1, g);
    r.tail(m) = g;
  }

  void jacobian(Eigen::MatrixXd& J) {
    S.setZero();
    if constexpr (!linear_potential) {
      system_.add_hessian(qm, 0.5, S);
      system_.gradient(q1, f);
      gonzalez.hessian(f, S);
      S *= h_ * h_;
    }
    system_.add_curvature(mu, 0.5, S);
    if constexpr (regular) {
      J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
      J.diagonal().head(d).array() += 2;
      J.topRightCorner(d, m).noalias() = system_.inverse_mass() * GT;
    } else {
      J.topLeftCorner(d, d) = S + 2 * system_.mass();
      J.topRightCorner(d, m) = GT;
    }
    system_.constraint_gradients(q1, GT1);
    J.bottomLeftCorner(m, d) = GT1.transpose();
  }

  void accept(const Eigen::VectorXd&) {
    y0 = 2 * (q1 - q0) - y0;
    q0.swap(q1);
    V0 = V1;
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;
  static constexpr bool regular = requires(const System& system) { system.inverse_mass(); };
  static constexpr bool linear_potential =
      !requires(const System& system, Eigen::VectorXd& q, Eigen::MatrixXd& S) {
    system.add_hessian(q, 1.0, S);
  };
  const System& system_;
  double h_, V0 = 0, V1 = 0;
  Gonzalez gonzalez;
  Eigen::VectorXd q0, y0, q1, qm, f, t, mu, g;
  Eigen::MatrixXd GT, GT1, S;
};

}  // namespace livens::naive
