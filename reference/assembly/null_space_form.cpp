// del_nullspace for an assembly: (b) of assembled_step.hpp, times h, by Newton's method with a dense LU.
// Unknowns w; minus the matrix is P(u0)^T (M + h^2/4 D^2 V(um)) D_w F_d(w, u0).

#include <Eigen/Cholesky>

#include "assembled_step.hpp"
#include "newton_updates.hpp"
#include "reparametrisation.hpp"

namespace livens::reference {
namespace {

class NullSpaceForm : public AssembledSolver {
 public:
  NullSpaceForm(const Assembly& assembly, int max_iterations)
      : reparametrisation_(assembly), max_iterations_(max_iterations) {}

  AssembledRoot solve(const AssembledStep& step, const VectorXd& guess) override {
    const auto increment = [&](const auto& w) { return reparametrisation_.increment(step.u0, w); };
    const MatrixXd P = reparametrisation_.null_space(step.u0);
    VectorXd w = (P.transpose() * P).ldlt().solve(P.transpose() * guess), update;
    NewtonUpdates updates(max_iterations_);
    do {
      const VectorXd Du = increment(w);
      const MatrixXd matrix = P.transpose() * (step.stiffness(Du) * jacobian(increment, w));
      update = matrix.partialPivLu().solve(step.h * (P.transpose() * step.bracket(Du)));
      w += update;
    } while (!updates.end_with(update));

    const VectorXd Du = increment(w);
    const MatrixXd G = step.system.constraint_jacobian(step.u0);
    const VectorXd lambda = -(G * G.transpose()).ldlt().solve(G * step.bracket(Du)) / step.s;  // by (a)
    return {Du, lambda, updates.count()};
  }

 private:
  Reparametrisation reparametrisation_;
  int max_iterations_;
};

}  // namespace

std::unique_ptr<AssembledSolver> assembled_null_space_form(const Assembly& assembly, int max_iterations) {
  return std::make_unique<NullSpaceForm>(assembly, max_iterations);
}

}  // namespace livens::reference
