// The nonholonomic schemes (contact_weights.hpp) for a mass matrix M(q) and constraints A(q) v = 0. Unknowns
// (q^{n+1}, mu), mu = h^2 lambda; (c) times -h, rows divided by the diagonal of M(q^n):
//
//   (c') left M(q_s) Dq - (1 - s) D_q T(q_s, Dq) + h^2/2 DV(q^n) - before h P^n + A(q^n)^T mu = 0
//   (d)  A(q_s) Dq = 0
//
// The node velocity is M^-1 P projected M-orthogonally onto A v = 0: M v + A^T nu = P, A v = 0.
#pragma once

#include <Eigen/Dense>

#include "contact_weights.hpp"
#include "linear_algebra.hpp"

namespace livens::naive {

template <class System, class Weights>
class ContactVariableMass {
 public:
  ContactVariableMass(const System& system, double h)
      : system_(system),
        h_(h),
        kkt(d + m),
        q0(d),
        y0(d),
        P0(d),
        u0(d),
        scale(d),
        q1(d),
        qs(d),
        Dq(d),
        Mq(d),
        Mv(d),
        f(d),
        right(d + m),
        node(d + m) {
    M.setZero(d, d), S.setZero(d, d), H.setZero(d, d), K.setZero(d + m, d + m);
    A0.setZero(m, d), A.setZero(m, d), slope.setZero(m, d);
  }

  int unknowns() const { return d + m; }

  void start() {
    system_.initial_state(q0, f);
    y0 = h_ * f;
    system_.mass_matrix(system_.angles(q0), M);
    P0.noalias() = M * y0;
    Mv = P0;
    balance = 0;
    prepare();
  }

  void predict(Eigen::VectorXd& x) const { x.head(d) = q0 + y0; }

  void residual(const Eigen::VectorXd& x, Eigen::VectorXd& r) {
    q1 = x.head(d);
    Dq = q1 - q0;
    qs = q0 + w.s * Dq;
    at = system_.angles(qs);
    system_.mass_matrix(at, M);
    Mq.noalias() = M * Dq;
    f = w.left * Mq - u0;
    system_.add_kinetic_gradient(at, Dq, w.s - 1, f);
    f.noalias() += A0.transpose() * x.tail(m);
    r.head(d) = f.cwiseProduct(scale);
    system_.constraint_matrix(at, A);
    r.tail(m).noalias() = A * Dq;
  }

  void jacobian(Eigen::MatrixXd& J) {
    system_.inertia_slope(at, Dq, S);
    system_.kinetic_hessian(at, Dq, H);
    auto top = J.topLeftCorner(d, d);
    top = w.left * M + w.left * w.s * S - (1 - w.s) * w.s * H;
    top -= (1 - w.s) * S.transpose();
    top.array().colwise() *= scale.array();
    J.topRightCorner(d, m) = scale.asDiagonal() * A0.transpose();
    system_.constraint_slope(at, Dq, slope);
    J.bottomLeftCorner(m, d) = A + w.s * slope;
  }

  /// The damper takes 2 alpha T(q_m, Dq/h) per unit time.
  void accept(const Eigen::VectorXd&) {
    qs = 0.5 * (q0 + q1);
    balance += 2 * system_.damping / h_ * system_.kinetic_energy(qs, Dq);
    P0 = w.right * Mq;
    system_.add_kinetic_gradient(at, Dq, w.s, P0);
    q0.swap(q1);
    system_.gradient(q0, f);
    P0 -= 0.5 * h_ * h_ * f;
    P0 /= w.after;

    prepare();
    K.topLeftCorner(d, d) = M;
    K.topRightCorner(d, m) = A0.transpose();
    K.bottomLeftCorner(m, d) = A0;
    right.head(d) = P0;
    right.tail(m).setZero();
    kkt.factorize(K);
    kkt.solve(right, node);
    y0 = node.head(d);
    Mv.noalias() = M * y0;
  }

  const Eigen::VectorXd& position() const { return q0; }
  const Eigen::VectorXd& node_position() const { return q0; }
  const Eigen::VectorXd& node_increment() const { return y0; }
  /// h p
  const Eigen::VectorXd& node_momentum() const { return Mv; }
  /// Dissipated energy.
  double energy_balance() const { return balance; }

 private:
  static constexpr int d = System::d, m = System::m;

  /// M and A at q^n; u0 = before h P^n - h^2/2 DV(q^n) is what (c') holds fixed.
  void prepare() {
    at = system_.angles(q0);
    system_.mass_matrix(at, M);
    scale = M.diagonal().cwiseInverse();
    system_.constraint_matrix(at, A0);
    system_.gradient(q0, f);
    u0 = w.before * P0 - 0.5 * h_ * h_ * f;
  }

  const System& system_;
  double h_;
  ContactWeights w = Weights::of(system_.damping * h_, false);
  double balance = 0;
  typename System::Angles at;
  LinearSolver kkt;
  Eigen::VectorXd q0, y0, P0, u0, scale, q1, qs, Dq, Mq, Mv, f, right, node;
  Eigen::MatrixXd M, S, H, K, A0, A, slope;
};

}  // namespace livens::naive
