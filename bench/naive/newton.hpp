// Newton's method on F(x) = 0, all storage owned and sized once.
#pragma once

#include <Eigen/Dense>
#include <stdexcept>

#include "linear_algebra.hpp"

namespace livens::naive {

class Newton {
 public:
  Newton(int unknowns, double tolerance)
      : x(Eigen::VectorXd::Zero(unknowns)),
        tolerance_(tolerance),
        residual_(unknowns),
        correction_(unknowns),
        jacobian_(Eigen::MatrixXd::Zero(unknowns, unknowns)),
        lu_(unknowns) {}

  /// Improves `x` until |F(x)|_inf <= tolerance; returns the number of linear solves.
  template <class Equations>
  int solve(Equations& equations) {
    constexpr int max_iterations = 25;
    for (int iteration = 0;; ++iteration) {
      equations.residual(x, residual_);
      if (residual_.lpNorm<Eigen::Infinity>() <= tolerance_) return iteration;
      if (iteration == max_iterations) throw std::runtime_error("naive loop: Newton did not converge");
      // jacobian_ starts as zero and lu_ works on its own copy, so a scheme writes only what can be nonzero
      // and may rely on what residual() has just evaluated at the same x.
      equations.jacobian(jacobian_);
      lu_.factorize(jacobian_);
      lu_.solve(residual_, correction_);
      x -= correction_;
    }
  }

  Eigen::VectorXd x;

 private:
  double tolerance_;
  Eigen::VectorXd residual_, correction_;
  Eigen::MatrixXd jacobian_;
  LinearSolver lu_;
};

}  // namespace livens::naive
