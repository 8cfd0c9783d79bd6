// The nearest consistent state of an assembly, in the metric of the identity, which every one has. Where
// 1/2 |x - q|^2 + mu.g(x) is stationary:
//   (a)  x - q + G(x)^T mu = 0,  g(x) = 0
//   (b)  v - G^T (G G^T)^-1 G v

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "assembled_system.hpp"
#include "newton_updates.hpp"

namespace livens::reference {

VectorXd project_position(const AssembledSystem& system, const VectorXd& q) {
  const Eigen::Index n = system.coordinates(), m = system.constraints();
  VectorXd x = q, mu = VectorXd::Zero(m), residual(n + m), update;
  NewtonUpdates updates(50);
  do {
    const MatrixXd G = system.constraint_jacobian(x);
    MatrixXd matrix = MatrixXd::Zero(n + m, n + m);
    matrix.topLeftCorner(n, n) = MatrixXd::Identity(n, n) + MatrixXd(system.constraint_hessian(mu));
    matrix.topRightCorner(n, m) = G.transpose();
    matrix.bottomLeftCorner(m, n) = G;
    residual << x - q + G.transpose() * mu, system.constraint(x);  // (a)
    update = matrix.partialPivLu().solve(-residual);
    x += update.head(n);
    mu += update.tail(m);
  } while (!updates.end_with(update));
  return x;
}

VectorXd project_velocity(const AssembledSystem& system, const VectorXd& q, const VectorXd& v) {
  const MatrixXd G = system.constraint_jacobian(q);
  return v - G.transpose() * (G * G.transpose()).ldlt().solve(G * v);  // (b)
}

}  // namespace livens::reference
