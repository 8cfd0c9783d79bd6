#pragma once
// Newton's method on a residual written once as a generic lambda. Unknowns and residual are scaled by the
// caller such that the matrix has a condition number independent of the step size; otherwise round-off
// would show as an error of the scheme.

#include <Eigen/LU>

#include "derivatives.hpp"
#include "reference.hpp"

namespace livens::reference {

struct NewtonFailure {
  Failure reason;
};

struct Root {
  VectorXd x;
  MatrixXd matrix;  // of the last iteration; empty if there was none
  int iterations;   // linear systems solved
};

/// x with |residual(x)| <= tolerance in the infinity norm. With tolerance 0 the iteration goes on until
/// updates no longer halve: once one is below sqrt(eps)|x| the next is quadratically smaller, hence nothing
/// but round-off, which may creep on below eps|x|.
template <class Residual>
Root newton(const Residual& residual, VectorXd x, double tolerance, int max_iterations) {
  const double quadratic = std::sqrt(std::numeric_limits<double>::epsilon());
  Root root{std::move(x), {}, 0};
  double last_update = std::numeric_limits<double>::infinity();
  while (true) {
    const VectorXd value = residual(root.x);
    if (!value.allFinite()) throw NewtonFailure{Failure::not_finite};
    if (tolerance > 0.0 && value.lpNorm<Eigen::Infinity>() <= tolerance) return root;
    if (root.iterations == max_iterations) throw NewtonFailure{Failure::newton_diverged};

    root.matrix = jacobian(residual, root.x);
    const Eigen::PartialPivLU<MatrixXd> factors(root.matrix);
    const VectorXd pivots = factors.matrixLU().diagonal().cwiseAbs();
    if (!(pivots.minCoeff() > std::numeric_limits<double>::epsilon() * pivots.maxCoeff())) {
      throw NewtonFailure{Failure::singular_matrix};
    }
    const VectorXd dx = factors.solve(-value);
    root.x += dx;
    ++root.iterations;

    const double update = dx.lpNorm<Eigen::Infinity>();
    const bool close = last_update <= quadratic * root.x.lpNorm<Eigen::Infinity>();
    if (tolerance == 0.0 && (update == 0.0 || (close && update > 0.5 * last_update))) return root;
    last_update = update;
  }
}

}  // namespace livens::reference
