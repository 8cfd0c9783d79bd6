// The nonholonomic schemes (contact_weights.hpp) for a constant mass matrix and one constraint A(q) v + b(q)
// = 0. Unknowns (q^{n+1}, mu), mu = h^2 lambda; (c) times -h M^-1, with w^n = h M^-1 P^n:
//
//   (c') left Dq + h^2/2 M^-1 DV(q^n) - before w^n + M^-1 A(q^n)^T mu = 0     (d) A(q_s) Dq + h b(q_s) = 0
#pragma once

#include <Eigen/Dense>

#include "contact_weights.hpp"

namespace livens::naive {

template <class System, class Weights>
class ContactConstantMass {
 public:
  ContactConstantMass(const System& system, double h)
      : system_(system), h_(h), q0(d), y0(d), u0(d), a0(d), q1(d), qs(d), Dq(d), f(d) {
    AT.setZero(d, m), B0.setZero(d, m);
  }

  int unknowns() const { return d + m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    balance = 0;
    prepare();
    u0 = w.before * y0 - a0;
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d), mu = x[d];
    Dq = q1 - q0;
    qs = q0 + w.s * Dq;
    r.head(d) = w.left * Dq - u0 + mu * B0.col(0);
    system_.constraint_gradients(qs, AT);
    r[d] = AT.col(0).dot(Dq) + h_ * system_.affine_part(qs);
  }

  void jacobian(Eigen::MatrixXd& J) {
    J.diagonal().head(d).setConstant(w.left);
    J.topRightCorner(d, m) = B0;
    system_.constraint_slope(qs, Dq, h_, f);
    J.bottomLeftCorner(m, d) = (AT.col(0) + w.s * f).transpose();
  }

  /// Node velocity: M^-1 P, projected M-orthogonally onto A v + b = 0. The damper takes 2 alpha T(Dq/h) per
  /// unit time; b makes the constraint force work, and lambda here is -1/after times the force of (3.1).
  void accept(const Eigen::VectorXd&) {
    f.noalias() = system_.mass() * Dq;
    balance += system_.damping / h_ * Dq.dot(f);
    balance -= mu / h_ * w.after * system_.affine_part(q0);

    q0.swap(q1);
    prepare();
    u0 = (w.right * Dq - a0) / w.after;
    y0 = u0;
    const double defect = AT.col(0).dot(y0) + h_ * system_.affine_part(q0);
    y0 -= defect / AT.col(0).dot(B0.col(0)) * B0.col(0);
    u0 = w.before * u0 - a0;
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  /// Dissipated energy less the work of the constraint.
  double energy_balance() const { return balance; }

 private:
  static constexpr int d = System::d, m = System::m;
  static_assert(m == 1, "the projection of the node velocity divides by A M^-1 A^T");

  /// a0 = h^2/2 M^-1 DV(q^n), AT = A(q^n)^T, B0 = M^-1 AT; then u0 = before w^n - a0 is what (c') holds
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
  ContactWeights w = Weights::of(system_.damping * h_, true);
  double balance = 0, mu = 0;
  Eigen::VectorXd q0, y0, u0, a0, q1, qs, Dq, f;
  Eigen::MatrixXd AT, B0;
};

}  // namespace livens::naive
