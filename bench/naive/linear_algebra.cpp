#include "linear_algebra.hpp"

namespace livens::naive {

LinearSolver::LinearSolver(int unknowns) : lu_(unknowns) {}

void LinearSolver::factorize(const Eigen::MatrixXd& matrix) { lu_.compute(matrix); }

void LinearSolver::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const { x.noalias() = lu_.solve(b); }

void transposed_product(double scale, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                        Eigen::Ref<Eigen::MatrixXd> C) {
  C.noalias() = scale * A.transpose() * B;
}

}  // namespace livens::naive
