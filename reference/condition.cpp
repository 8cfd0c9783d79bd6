#include "condition.hpp"

#include <Eigen/SVD>

namespace livens::reference {

double condition_of(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd sigma = Eigen::BDCSVD<Eigen::MatrixXd>(A).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

}  // namespace livens::reference
