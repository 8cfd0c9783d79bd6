#include "condition.hpp"

#include <Eigen/SVD>

namespace livens::reference {

double condition_of(const Eigen::MatrixXd& A) {
  // Square matrices need no QR factorization first, and without one this compiles in a second.
  const Eigen::VectorXd sigma =
      Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>(A).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

}  // namespace livens::reference
