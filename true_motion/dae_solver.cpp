// IDA: backward differentiation formulas of order one to five on the equations of motion with multipliers, in
// the form of index one. y = (q, v, lambda, D, W); (a), (b) of reference/equations_of_motion.hpp:
//   q' = v,   M v' + A^T lambda = force,   A v' = -rate,   D' = ...,   W' = ...
// lambda stays out of the error test. (With the constraints themselves in place of the third, index two, and
// lambda in the error test IDA gives up.)

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "reference/newton.hpp"
#include "solver.hpp"

namespace livens::true_motion {
namespace {

struct FreeIda {
  using pointer = void*;
  void operator()(void* memory) const { IDAFree(&memory); }
};

struct Problem {
  const System& system;
  Equations equations;
  Eigen::Index d, m;
  std::function<bool()> stop;
  bool stopped() const { return stop && stop(); }
  Eigen::Index size() const { return 2 * d + m + 2; }
};

int residual(double t, N_Vector y_vector, N_Vector rate_vector, N_Vector residual_vector, void* problem) {
  const auto& [system, equations, d, m, stop] = *static_cast<const Problem*>(problem);
  if (stop && stop()) return give_up;
  const auto y = entries(y_vector), rate = entries(rate_vector);
  const State at{y.head(d), y.segment(d, d)};
  const VectorXd lambda = y.segment(2 * d, m), acceleration = rate.segment(d, d);
  const reference::LinearMotion motion = equations(at, t);
  const auto [dissipated, work] = power_of(system, at, lambda, t);
  auto r = entries(residual_vector);
  r << rate.head(d) - at.v, motion.M * acceleration + motion.A.transpose() * lambda - motion.force,
      motion.A * acceleration + motion.rate, rate[2 * d + m] - dissipated, rate[2 * d + m + 1] - work;
  return r.allFinite() ? evaluated : shorter_step;
}

reference::Failure reason_of(int flag) {
  if (flag == IDA_LSETUP_FAIL || flag == IDA_LSOLVE_FAIL) return reference::Failure::singular_matrix;
  const bool residual_failed = flag == IDA_RES_FAIL || flag == IDA_FIRST_RES_FAIL || flag == IDA_REP_RES_ERR;
  return residual_failed ? reference::Failure::not_finite : reference::Failure::newton_diverged;
}

class DaeSolver : public Solver {
 public:
  DaeSolver(const System& system, Equations equations, const Options& options, const State& initial)
      : problem_{system, std::move(equations), initial.q.size(), constraint_count(system), options.stop},
        memory_(IDACreate(context_)),
        matrix_(SUNDenseMatrix(problem_.size(), problem_.size(), context_)) {
    const Eigen::Index d = problem_.d, m = problem_.m;
    const Motion start = equations_of_motion(system, initial);
    const auto [dissipated, work] = power_of(system, initial, start.lambda, 0.0);
    VectorXd y(problem_.size()), rate(problem_.size()), differential = VectorXd::Ones(problem_.size());
    y << initial.q, initial.v, start.lambda, 0.0, 0.0;
    rate << initial.v, start.acceleration, VectorXd::Zero(m), dissipated, work;
    differential.segment(2 * d, m).setZero();
    y_ = copy_of(y, context_);
    rate_ = copy_of(rate, context_);
    const SolverVector id = copy_of(differential, context_);
    linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_));
    expect_success(IDAInit(memory_.get(), residual, 0.0, y_.get(), rate_.get()));
    expect_success(IDASStolerances(memory_.get(), options.relative_tolerance, options.absolute_tolerance));
    expect_success(IDASetUserData(memory_.get(), &problem_));
    expect_success(IDASetLinearSolver(memory_.get(), linear_.get(), matrix_.get()));
    expect_success(IDASetId(memory_.get(), id.get()));
    expect_success(IDASetSuppressAlg(memory_.get(), true));
    expect_success(IDASetMaxNumSteps(memory_.get(), most_steps));
    expect_success(IDASetErrHandlerFn(
        memory_.get(), [](int, const char*, const char*, char*, void*) {}, nullptr));
  }

  void advance(double t) override {
    double reached;
    const int flag = IDASolve(memory_.get(), t, &reached, y_.get(), rate_.get(), IDA_NORMAL);
    if (flag < 0 && problem_.stopped()) throw Stopped();
    if (flag < 0) throw reference::NewtonFailure{reason_of(flag)};
  }

  State state() const override {
    const auto y = entries(y_.get());
    return {y.head(problem_.d), y.segment(problem_.d, problem_.d)};
  }
  double dissipated() const override { return entries(y_.get())[problem_.size() - 2]; }
  double work() const override { return entries(y_.get())[problem_.size() - 1]; }
  long iterations() const override {
    long count = 0;
    IDAGetNumNonlinSolvIters(memory_.get(), &count);
    return count;
  }

 private:
  using Motion = reference::Motion;
  sundials::Context context_;
  Problem problem_;
  std::unique_ptr<void, FreeIda> memory_;
  Handle<SUNMatrix, SUNMatDestroy> matrix_;
  SolverVector y_, rate_;
  Handle<SUNLinearSolver, SUNLinSolFree> linear_;
};

}  // namespace

std::unique_ptr<Solver> dae_solver(const System& system, Equations equations, const Options& options,
                                   const State& initial) {
  return std::make_unique<DaeSolver>(system, std::move(equations), options, initial);
}

}  // namespace livens::true_motion
