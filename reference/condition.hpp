// Condition numbers in the 2-norm.

#pragma once

#include <Eigen/Core>

namespace livens::reference {

/// The largest singular value of A over the least one.
double condition_of(const Eigen::MatrixXd& A);

}  // namespace livens::reference
