// GGL variational integrator VI-A (ggl-structure-preserving-integrators, (14)-(19)) for alpha = 1/2,
// q_m = (q^n + q^{n+1})/2, F = -DV(q_m) - W(gamma) v - G(q_m)^T lambda:
//
//   (a) q^{n+1} - q^n = h v + h M^-1 G(q_m)^T gamma
//   (b) M v = p^n + h/2 F          (c) p^{n+1} = M v + h/2 F
//   (d) g(q_m) = 0                 (e) G(q_m) v = 0
//
// (a) gives v, and p^{n+1} = 2 M v - p^n. Unknowns (q^{n+1}, mu, nu), mu = h^2 lambda, nu = h gamma. With
// u = h v = Dq - M^-1 G_m^T nu and y = h M^-1 p, (b) times 2 h M^-1 and (e) times h read
//
//   (b') 2 (u - y^n) + M^-1 [ h^2 DV(q_m) + G_m^T mu + W(nu) u ] = 0        (e') G_m u = 0
#pragma once

#include <Eigen/Dense>

#include "linear_algebra.hpp"

namespace livens::naive {

template <class System>
class ViA {
 public:
  ViA(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), q1(d), qm(d), u(d), f(d), mu(m), nu(m), g(m) {
    GT.setZero(d, m), B.setZero(d, m), Z.setZero(d, m);
    S.setZero(d, d), C.setZero(d, d), E.setZero(d, d);
  }

  int unknowns() const { return d + 2 * m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x.segment(d, m), nu = x.tail(m);
    qm = 0.5 * (q0 + q1);
    system_.constraint_gradients(qm, GT);
    B.noalias() = system_.inverse_mass() * GT;
    u = q1 - q0;
    u.noalias() -= B.lazyProduct(nu);

    system_.gradient(qm, f);
    f *= h_ * h_;
    f.noalias() += GT.lazyProduct(mu);
    system_.add_curvature_product(nu, 1, u, f);
    r.head(d).noalias() = system_.inverse_mass() * f;
    r.head(d) += 2 * (u - y0);
    system_.constraint(qm, g);
    r.segment(d, m) = g;
    r.tail(m).noalias() = GT.transpose().lazyProduct(u);
  }

  /// du/dq = I - 1/2 M^-1 W(nu), du/dnu = -M^-1 G_m^T =: -B. In d(b')/dq the two M^-1 W(nu) cancel, and Z,
  /// the columns D^2 g_k u less W(nu) B, serves (b') as well as (e').
  void jacobian(Eigen::MatrixXd& J) {
    S.setZero(), C.setZero(), Z.setZero();
    if constexpr (requires { system_.add_hessian(qm, 1.0, S); }) {
      system_.add_hessian(qm, 0.5 * h_ * h_, S);
    }
    system_.add_curvature(mu, 0.5, S);
    system_.add_curvature(nu, 1, C);
    E.noalias() = system_.inverse_mass() * C;
    system_.add_curvature_product(nu, -0.5, E, S);
    J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
    J.diagonal().head(d).array() += 2;

    system_.curvature_columns(u, Z);
    system_.add_curvature_product(nu, -1, B, Z);
    J.block(0, d, d, m) = B;
    J.topRightCorner(d, m).noalias() = system_.inverse_mass() * Z;
    J.topRightCorner(d, m) -= 2 * B;

    J.block(d, 0, m, d) = 0.5 * GT.transpose();
    J.bottomLeftCorner(m, d) = (GT + 0.5 * Z).transpose();
    transposed_product(-1, GT, B, J.bottomRightCorner(m, m));
  }

  void accept(const Eigen::VectorXd&) {
    q0.swap(q1);
    y0 = 2 * u - y0;
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;
  const System& system_;
  double h_;
  Eigen::VectorXd q0, y0, q1, qm, u, f, mu, nu, g;
  Eigen::MatrixXd GT, B, Z, S, C, E;
};

}  // namespace livens::naive
