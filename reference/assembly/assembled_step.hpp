#pragma once
// A step of del_multiplier and del_nullspace for an assembly. Paper: gamma-convergence-constrained,
// (14)-(18), with the midpoint rule, Du = u1 - u0, um = (u0 + u1)/2, and the impulse F = h/2 F(tm) of the
// load in each half of a step. c is the momentum to the left of a node, c = p at node 0:
//   (a)  c0 - M Du/h - h/2 DV(um) + F + s G(u0)^T lambda = 0,   g(u1) = 0,   s = h, at node 0 h/2
//   (b)  P(u0)^T [ c0 - M Du/h - h/2 DV(um) + F ] = 0,          u1 = F_d(w, u0)
//   (c)  c1 = M Du/h - h/2 DV(um) + F
// (15) is printed without a load: then F is left out of (a) and (b) in the first step, not of (c). A composed
// step has stages of other h, with c from one to the next: what is normal to the constraints moves nothing.

#include <memory>

#include "assembled_system.hpp"

namespace livens::reference {

struct AssembledStep {
  const AssembledSystem& system;
  double h, s;
  VectorXd u0, c0, F;  // F of (a) and (b)

  VectorXd middle(const VectorXd& Du) const { return u0 + 0.5 * Du; }

  /// What stands before the multiplier in (a), n entries.
  VectorXd bracket(const VectorXd& Du) const {
    return c0 - system.mass() * (Du / h) - 0.5 * h * system.potential_gradient(middle(Du)) + F;
  }

  /// Minus h times its derivative by Du, n x n.
  Eigen::SparseMatrix<double> stiffness(const VectorXd& Du) const {
    return system.mass() + 0.25 * h * h * system.potential_hessian(middle(Du));
  }
};

/// A solution of (a).
struct AssembledRoot {
  VectorXd Du, lambda;  // n, m entries
  int iterations;       // linear systems solved
};

/// One way to it, by Newton's method from an increment Du. Throws NewtonFailure.
class AssembledSolver {
 public:
  virtual ~AssembledSolver() = default;
  virtual AssembledRoot solve(const AssembledStep& step, const VectorXd& guess) = 0;
};

std::unique_ptr<AssembledSolver> assembled_multiplier_form(const Assembly& assembly, int max_iterations);

/// Throws std::invalid_argument where the assembly has no F_d.
std::unique_ptr<AssembledSolver> assembled_null_space_form(const Assembly& assembly, int max_iterations);

}  // namespace livens::reference
