// del_multiplier for an assembly: (a) of assembled_step.hpp by Newton's method with a sparse LU. Unknowns Du
// and Lambda = h s lambda, (a) times h:
//   [ -(M + h^2/4 D^2 V(um))   G(u0)^T ] [ update of Du     ]
//   [  G(u1)                   0       ] [ update of Lambda ]

#include <Eigen/SparseLU>

#include "assembled_step.hpp"
#include "newton_updates.hpp"

namespace livens::reference {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Appends factor times a block whose corner is at (row, column).
void append(std::vector<Eigen::Triplet<double>>& entries, const Sparse& block, double factor,
            Eigen::Index row, Eigen::Index column) {
  for (Eigen::Index k = 0; k < block.outerSize(); ++k) {
    for (Sparse::InnerIterator at(block, k); at; ++at) {
      entries.emplace_back(row + at.row(), column + at.col(), factor * at.value());
    }
  }
}

Sparse newton_matrix(const Sparse& stiffness, const Sparse& G0, const Sparse& G1) {
  const Eigen::Index n = G0.cols(), m = G0.rows();
  std::vector<Eigen::Triplet<double>> entries;
  append(entries, stiffness, -1.0, 0, 0);
  append(entries, G0.transpose(), 1.0, 0, n);
  append(entries, G1, 1.0, n, 0);
  Sparse matrix(n + m, n + m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

class MultiplierForm : public AssembledSolver {
 public:
  explicit MultiplierForm(int max_iterations) : max_iterations_(max_iterations) {}

  AssembledRoot solve(const AssembledStep& step, const VectorXd& guess) override {
    const AssembledSystem& system = step.system;
    const Eigen::Index n = system.coordinates(), m = system.constraints();
    const Sparse G0 = system.constraint_jacobian(step.u0);
    VectorXd Du = guess, Lambda = VectorXd::Zero(m), residual(n + m), update;
    NewtonUpdates updates(max_iterations_);
    do {
      const VectorXd u1 = step.u0 + Du;
      residual << step.h * step.bracket(Du) + G0.transpose() * Lambda, system.constraint(u1);
      const Sparse matrix = newton_matrix(step.stiffness(Du), G0, system.constraint_jacobian(u1));
      if (factors_.rows() == 0) factors_.analyzePattern(matrix);  // the same at every step
      factors_.factorize(matrix);
      if (factors_.info() != Eigen::Success) throw NewtonFailure{Failure::singular_matrix};
      update = factors_.solve(-residual);
      Du += update.head(n);
      Lambda += update.tail(m);
    } while (!updates.end_with(update.head(n)));
    return {Du, Lambda / (step.h * step.s), updates.count()};
  }

 private:
  int max_iterations_;
  Eigen::SparseLU<Sparse> factors_;
};

}  // namespace

std::unique_ptr<AssembledSolver> assembled_multiplier_form(const Assembly&, int max_iterations) {
  return std::make_unique<MultiplierForm>(max_iterations);
}

}  // namespace livens::reference
