// Dense algebra, kept out of line so that it is compiled once.
#pragma once

#include <Eigen/LU>

namespace livens::naive {

/// LU with partial pivoting.
class LinearSolver {
 public:
  explicit LinearSolver(int unknowns);

  void factorize(const Eigen::MatrixXd& matrix);

  /// x = matrix^-1 b; x and b are different vectors.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// C = scale * A^T B
void transposed_product(double scale, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                        Eigen::Ref<Eigen::MatrixXd> C);

}  // namespace livens::naive
