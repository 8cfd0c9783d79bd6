// GGL variational integrator (ggl-variational-principle, (39)-(41)), qb = q^n + h v^n:
//
//   (a) q^{n+1} = qb + h M^-1 G(qb)^T gamma
//   (b) M v^n = p^n - h DV(q^n) - h G(q^n)^T lambda              the sum of (41b) and (41c)
//   (c) (I + h W(gamma) M^-1) p^{n+1} = M v^n
//   (d) g(q^{n+1}) = 0          (e) G(qb) M^-1 p^{n+1} = 0
//
// (b) makes v^n, then qb and with (a) also q^{n+1} explicit in the multipliers, while (c) is a linear system
// for p^{n+1}. So p^{n+1} stays as the vector unknown in place of q^{n+1}: as many unknowns, and no inner
// solve. They are (y, mu, nu), y = h M^-1 p^{n+1}, mu = h^2 lambda, nu = h gamma; with u = h v^n, (c) times h
// M^-1 is
//
//   (c') y + M^-1 W(nu) y - u(mu) = 0
#pragma once

#include <Eigen/Dense>

#include "linear_algebra.hpp"

namespace livens::naive {

template <class System>
class GglVi {
 public:
  GglVi(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), u0(d), q1(d), qb(d), y(d), f(d), mu(m), nu(m), g(m) {
    GT.setZero(d, m), GTb.setZero(d, m), GT1.setZero(d, m), YT.setZero(d, m);
    B0.setZero(d, m), Bb.setZero(d, m), D.setZero(d, m), S.setZero(d, d);
  }

  int unknowns() const { return d + 2 * m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    prepare();
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    y = x.head(d), mu = x.segment(d, m), nu = x.tail(m);
    qb = u0;
    qb.noalias() -= B0.lazyProduct(mu);
    f.setZero();
    system_.add_curvature_product(nu, 1, y, f);
    r.head(d).noalias() = system_.inverse_mass() * f;
    r.head(d) += y - qb;

    qb += q0;
    system_.constraint_gradients(qb, GTb);
    Bb.noalias() = system_.inverse_mass() * GTb;
    q1 = qb;
    q1.noalias() += Bb.lazyProduct(nu);
    system_.constraint(q1, g);
    r.segment(d, m) = g;
    r.tail(m).noalias() = GTb.transpose().lazyProduct(y);
  }

  /// dqb/dmu = -M^-1 G(q^n)^T =: -B0, dq^{n+1}/dnu = M^-1 G(qb)^T =: Bb, dq^{n+1}/dmu = -(B0 + M^-1 W(nu)
  /// B0).
  void jacobian(Eigen::MatrixXd& J) {
    S.setZero();
    system_.add_curvature(nu, 1, S);
    J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
    J.diagonal().head(d).array() += 1;
    J.block(0, d, d, m) = B0;
    system_.curvature_columns(y, YT);
    J.topRightCorner(d, m).noalias() = system_.inverse_mass() * YT;

    system_.constraint_gradients(q1, GT1);
    GT.setZero();
    system_.add_curvature_product(nu, 1, B0, GT);
    D.noalias() = system_.inverse_mass() * GT;
    D += B0;
    transposed_product(-1, GT1, D, J.block(d, d, m, m));
    transposed_product(1, GT1, Bb, J.block(d, d + m, m, m));

    J.bottomLeftCorner(m, d) = GTb.transpose();
    transposed_product(-1, YT, B0, J.block(d + m, d, m, m));
  }

  void accept(const Eigen::VectorXd&) {
    q0.swap(q1), y0.swap(y);
    prepare();
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;

  /// The terms that do not change while Newton iterates: u0 and B0 of u = u0 - B0 mu.
  void prepare() {
    system_.gradient(q0, f);
    u0.noalias() = system_.inverse_mass() * f;
    u0 = y0 - h_ * h_ * u0;
    system_.constraint_gradients(q0, GT1);
    B0.noalias() = system_.inverse_mass() * GT1;
  }

  const System& system_;
  double h_;
  Eigen::VectorXd q0, y0, u0, q1, qb, y, f, mu, nu, g;
  Eigen::MatrixXd GT, GTb, GT1, YT, B0, Bb, D, S;
};

}  // namespace livens::naive
