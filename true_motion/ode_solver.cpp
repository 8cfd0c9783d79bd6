// CVODE: Adams' methods of order one to twelve, their equations solved by fixed-point iteration. The systems
// here are not stiff.

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "reference/newton.hpp"
#include "solver.hpp"

namespace livens::true_motion {
namespace {

struct FreeCvode {
  using pointer = void*;
  void operator()(void* memory) const { CVodeFree(&memory); }
};

struct Problem {
  std::unique_ptr<Motion> motion;
  std::function<bool()> stop;
  bool stopped() const { return stop && stop(); }
};

int rate(double t, N_Vector y, N_Vector dy, void* problem) {
  const auto& asked = *static_cast<const Problem*>(problem);
  if (asked.stopped()) return give_up;
  asked.motion->derivative(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  return entries(dy).allFinite() ? evaluated : shorter_step;
}

reference::Failure reason_of(int flag) {
  const bool rate_failed = flag == CV_RHSFUNC_FAIL || flag == CV_FIRST_RHSFUNC_ERR ||
                           flag == CV_REPTD_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR;
  return rate_failed ? reference::Failure::not_finite : reference::Failure::newton_diverged;
}

class OdeSolver : public Solver {
 public:
  OdeSolver(std::unique_ptr<Motion> motion, const Options& options, const State& initial)
      : problem_{std::move(motion), options.stop},
        y_(copy_of(problem_.motion->variables(initial), context_)),
        memory_(CVodeCreate(CV_ADAMS, context_)),
        iteration_(SUNNonlinSol_FixedPoint(y_.get(), 0, context_)) {
    expect_success(CVodeInit(memory_.get(), rate, 0.0, y_.get()));
    expect_success(CVodeSStolerances(memory_.get(), options.relative_tolerance, options.absolute_tolerance));
    expect_success(CVodeSetUserData(memory_.get(), &problem_));
    expect_success(CVodeSetNonlinearSolver(memory_.get(), iteration_.get()));
    expect_success(CVodeSetMaxNumSteps(memory_.get(), most_steps));
    // Failures are reported by their status, not on the standard error.
    expect_success(CVodeSetErrHandlerFn(
        memory_.get(), [](int, const char*, const char*, char*, void*) {}, nullptr));
  }

  void advance(double t) override {
    double reached;
    const int flag = CVode(memory_.get(), t, y_.get(), &reached, CV_NORMAL);
    if (flag < 0 && problem_.stopped()) throw Stopped();
    if (flag < 0) throw reference::NewtonFailure{reason_of(flag)};
  }

  State state() const override { return problem_.motion->state(entries(y_.get())); }
  double dissipated() const override { return entries(y_.get())[problem_.motion->size() - 2]; }
  double work() const override { return entries(y_.get())[problem_.motion->size() - 1]; }
  long iterations() const override {
    long count = 0;
    CVodeGetNumNonlinSolvIters(memory_.get(), &count);
    return count;
  }

 private:
  sundials::Context context_;
  Problem problem_;
  SolverVector y_;
  std::unique_ptr<void, FreeCvode> memory_;
  Handle<SUNNonlinearSolver, SUNNonlinSolFree> iteration_;
};

}  // namespace

std::unique_ptr<Solver> ode_solver(std::unique_ptr<Motion> motion, const Options& options,
                                   const State& initial) {
  return std::make_unique<OdeSolver>(std::move(motion), options, initial);
}

}  // namespace livens::true_motion
