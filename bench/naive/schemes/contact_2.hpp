// Contact variational integrator of second order, for L = T - V - alpha z with a constant mass matrix and one
// constraint A(q) v + b(q) = 0 (herglotz-nonholonomic, (A.1)-(A.5), without loads). Dq = q^{n+1} - q^n, q_m =
// (q^n + q^{n+1})/2:
//
//   (a) M Dq/h + h/2 DV(q^n) - before P^n + h A(q^n)^T lambda = 0          before = 1 - alpha h/2
//   (b) after P^{n+1} = M Dq/h - h/2 DV(q^{n+1})                           after  = 1 + alpha h/2,  P^0 = p^0
//   (c) A(q_m) Dq/h + b(q_m) = 0
//
// Unknowns (q^{n+1}, mu), mu = h^2 lambda. (a) times h M^-1 and (c) times h, with w^n = h M^-1 P^n:
//
//   (a') Dq + h^2/2 M^-1 DV(q^n) - before w^n + M^-1 A(q^n)^T mu = 0       (c') A(q_m) Dq + h b(q_m) = 0
#pragma once

#include <Eigen/Dense>

namespace livens::naive {

template <class System>
class Contact2 {
 public:
  Contact2(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), u0(d), a0(d), q1(d), qm(d), Dq(d), f(d) {
    AT.setZero(d, m), B0.setZero(d, m);
  }

  int unknowns() const { return d + m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    balance = 0;
    prepare();
    u0 = before * y0 - a0;
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x[d];
    Dq = q1 - q0;
    qm = q0 + 0.5 * Dq;
    r.head(d) = Dq - u0 + mu * B0.col(0);
    system_.constraint_gradients(qm, AT);
    r[d] = AT.col(0).dot(Dq) + h_ * system_.affine_part(qm);
  }

  void jacobian(Eigen::MatrixXd& J) {
    J.diagonal().head(d).setOnes();
    J.topRightCorner(d, m) = B0;
    system_.constraint_slope(qm, Dq, h_, f);
    J.bottomLeftCorner(m, d) = (AT.col(0) + 0.5 * f).transpose();
  }

  /// Node velocity: M^-1 P, projected M-orthogonally onto A v + b = 0. The damper takes 2 alpha T(Dq/h) per
  /// unit time; b makes the constraint force work, and lambda here is -1/after times the force of (3.1).
  void accept(const Eigen::VectorXd&) {
    f.noalias() = system_.mass() * Dq;
    balance += system_.damping / h_ * Dq.dot(f);
    balance -= mu / h_ * after * system_.affine_part(q0);

    q0.swap(q1);
    prepare();
    u0 = (Dq - a0) / after;
    y0 = u0;
    const double defect = AT.col(0).dot(y0) + h_ * system_.affine_part(q0);
    y0 -= defect / AT.col(0).dot(B0.col(0)) * B0.col(0);
    u0 = before * u0 - a0;
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  /// Dissipated energy less the work of the constraint.
  double energy_balance() const { return balance; }

 private:
  static constexpr int d = System::d, m = System::m;
  static_assert(m == 1, "the projection of the node velocity divides by A M^-1 A^T");

  /// a0 = h^2/2 M^-1 DV(q^n), AT = A(q^n)^T, B0 = M^-1 AT; then u0 = before w^n - a0 is what (a') holds
  /// fixed.
  void prepare() {
    system_.gradient(q0, f);
    a0.noalias() = system_.inverse_mass() * f;
    a0 *= 0.5 * h_ * h_;
    system_.constraint_gradients(q0, AT);
    B0.noalias() = system_.inverse_mass() * AT;
  }

  const System& system_;
  double h_;
  double before = 1 - 0.5 * system_.damping * h_, after = 1 + 0.5 * system_.damping * h_;
  double balance = 0, mu = 0;
  Eigen::VectorXd q0, y0, u0, a0, q1, qm, Dq, f;
  Eigen::MatrixXd AT, B0;
};

}  // namespace livens::naive
