#pragma once
// The common part of CVODE and IDA here: a state that is carried to a given time, and the handles of
// SUNDIALS.

#include <nvector/nvector_serial.h>

#include <memory>
#include <sundials/sundials_context.hpp>

#include "motion.hpp"
#include "true_motion.hpp"

namespace livens::true_motion {

struct Solver {
  virtual ~Solver() = default;

  /// Throws reference::NewtonFailure or Stopped, and is of no use after that.
  virtual void advance(double t) = 0;
  virtual State state() const = 0;
  virtual double dissipated() const = 0;
  virtual double work() const = 0;
  /// Of the nonlinear equations, so far.
  virtual long iterations() const = 0;
};

std::unique_ptr<Solver> ode_solver(std::unique_ptr<Motion> motion, const Options& options,
                                   const State& initial);
/// `system` has to outlive the solver.
std::unique_ptr<Solver> dae_solver(const System& system, Equations equations, const Options& options,
                                   const State& initial);

/// A C object and how it is destroyed.
template <class Pointer, auto destroy>
struct Destroy {
  using pointer = Pointer;
  void operator()(Pointer object) const { destroy(object); }
};
template <class Pointer, auto destroy>
using Handle = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy<Pointer, destroy>>;

using SolverVector = Handle<N_Vector, N_VDestroy>;

inline SolverVector copy_of(const VectorXd& values, SUNContext context) {
  SolverVector vector(N_VNew_Serial(values.size(), context));
  std::copy(values.begin(), values.end(), N_VGetArrayPointer(vector.get()));
  return vector;
}
inline Eigen::Map<VectorXd> entries(N_Vector vector) {
  return {N_VGetArrayPointer(vector), N_VGetLength(vector)};
}

/// Set-up calls fail for wrong arguments or want of memory only.
inline void expect_success(int flag) {
  if (flag < 0) throw std::runtime_error("SUNDIALS refuses its set-up, code " + std::to_string(flag));
}

/// The return values of the functions that SUNDIALS calls for the equations.
enum Evaluation : int {
  give_up = -1,  ///< the solver ends at once
  evaluated = 0,
  shorter_step = 1,  ///< where values are not finite
};

/// Steps within one interval between nodes: at the standard tolerances some hundred for every period of a
/// motion. Without a limit a solver may creep towards a singular point for ever.
/// (They may still take a minute; Options::stop is asked all the while.)
constexpr long most_steps = 10'000'000;

}  // namespace livens::true_motion
