// Discrete gradient of a function on R^d (livens-energy-consistent, (26)), q_m = (q^n + q^{n+1})/2:
//
//   (a) Dbar f = Df(q_m) + c Dq,  c = [ f(q^{n+1}) - f(q^n) - Df(q_m).Dq ] / (Dq.Dq)
//   (b) d(Dbar f)/dq^{n+1} = 1/2 D^2 f(q_m) + c I + Dq (dc/dq)^T,
//       dc/dq = [ Df(q^{n+1}) - Df(q_m) - 1/2 D^2 f(q_m) Dq - 2 c Dq ] / (Dq.Dq)
//
// The correction is O(|Dq|^2) and left out where Dq vanishes.
#pragma once

#include <Eigen/Dense>

namespace livens::naive {

class Gonzalez {
 public:
  explicit Gonzalez(int d) : Dq(d), fm(d), slope(d) {}

  /// f = Df(q_m) on entry, Dbar f on return; `rise` is f(q^{n+1}) - f(q^n).
  void gradient(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, double rise, Eigen::VectorXd& f) {
    Dq = q1 - q0;
    fm = f;
    const double square = Dq.squaredNorm();
    inverse_square = square < 1e-30 ? 0 : 1 / square;
    c = (rise - fm.dot(Dq)) * inverse_square;
    f += c * Dq;
  }

  /// S = 1/2 D^2 f(q_m) on entry, (b) on return; f1 = Df(q^{n+1}).
  void hessian(const Eigen::VectorXd& f1, Eigen::MatrixXd& S) {
    slope = f1 - fm - 2 * c * Dq;
    slope.noalias() -= S.lazyProduct(Dq);
    slope *= inverse_square;
    S.noalias() += Dq.lazyProduct(slope.transpose());
    S.diagonal().array() += c;
  }

 private:
  Eigen::VectorXd Dq, fm, slope;
  double c = 0, inverse_square = 0;
};

}  // namespace livens::naive
