// Discrete Euler-Lagrange equations with multipliers, midpoint rule (gamma-convergence-constrained,
// (14)-(15)):
//
//   L_d(a, b) = (b-a).M(b-a)/(2h) - h V((a+b)/2)
//   (a) c_n + D1 L_d(q^n, q^{n+1}) + s_n G(q^n)^T lambda_n = 0,    c_n = D2 L_d(q^{n-1}, q^n),  c_0 = p^0
//   (b) g(q^{n+1}) = 0                                             s_0 = h/2, then h
//
// The discrete null space method solves the same equations; this is the form with (q^{n+1}, mu), mu = h^2
// lambda, as unknowns. (a) times -h M^-1, with z_n = h M^-1 c_n, B = M^-1 G(q^n)^T and q_m the midpoint:
//
//   (a') Dq + h^2/2 M^-1 DV(q_m) - z_n - (s_n/h) B mu = 0
//
// The momentum of node n, p_n = -D1 L_d - h/2 G(q^n)^T lambda_n, needs the multiplier of the step that leaves
// it, so what is measured after a step is the node that the step started from.
#pragma once

#include <Eigen/Dense>

namespace livens::naive {

template <class System>
class DelMultiplier {
 public:
  DelMultiplier(const System& system, double h)
      : system_(system),
        h_(h),
        q0(d),
        z(d),
        guess(d),
        node_q(d),
        node_y(d),
        q1(d),
        qm(d),
        a(d),
        f(d),
        mu(m),
        g(m) {
    GT.setZero(d, m), B.setZero(d, m), S.setZero(d, d);
  }

  int unknowns() const { return d + m; }

  void start() {
    system_.initial_state(q0, f);
    z = h_ * f;
    weight = 0.5;
    guess = q0 + z;
    node_q = q0, node_y = z;
    prepare();
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = guess; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x.tail(m);
    qm = 0.5 * (q0 + q1);
    system_.gradient(qm, f);
    a.noalias() = system_.inverse_mass() * f;
    a *= 0.5 * h_ * h_;
    r.head(d) = (q1 - q0) + a - z;
    r.head(d).noalias() -= weight * B.lazyProduct(mu);
    system_.constraint(q1, g);
    r.tail(m) = g;
  }

  void jacobian(Eigen::MatrixXd& J) {
    if constexpr (requires { system_.add_hessian(qm, 1.0, S); }) {
      S.setZero();
      system_.add_hessian(qm, 0.25 * h_ * h_, S);
      J.topLeftCorner(d, d).noalias() = system_.inverse_mass() * S;
      J.diagonal().head(d).array() += 1;
    } else {
      J.diagonal().head(d).setOnes();
    }
    J.topRightCorner(d, m) = -weight * B;
    system_.constraint_gradients(q1, GT);
    J.bottomLeftCorner(m, d) = GT.transpose();
  }

  void accept(const Eigen::VectorXd&) {
    node_q = q0;
    node_y = (q1 - q0) + a;
    node_y.noalias() -= 0.5 * B.lazyProduct(mu);
    z = (q1 - q0) - a;
    guess = 2 * q1 - q0;
    q0.swap(q1);
    weight = 1;
    prepare();
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return node_q; }
  const Eigen::VectorXd& node_increment() const { return node_y; }
  double energy_balance() const { return 0; }

 private:
  static constexpr int d = System::d, m = System::m;

  void prepare() {
    system_.constraint_gradients(q0, GT);
    B.noalias() = system_.inverse_mass() * GT;
  }

  const System& system_;
  double h_, weight = 0.5;                                            // weight = s_n / h
  Eigen::VectorXd q0, z, guess, node_q, node_y, q1, qm, a, f, mu, g;  // a = h^2/2 M^-1 DV(q_m)
  Eigen::MatrixXd GT, B, S;
};

}  // namespace livens::naive
