#pragma once
// The true motion of one instance, as far as doubles go: the equations of motion integrated with the
// variable-step, variable-order solvers of SUNDIALS, sampled at the nodes t = n h.
//   reference_ode  CVODE, Adams' methods, on an explicit form y' = f(t, y) (motion.hpp)
//   reference_dae  IDA, backward differentiation formulas, on the equations with multipliers of index one

#include <functional>
#include <memory>
#include <string>

#include "reference/reference.hpp"

namespace livens::reference {
struct System;
}

namespace livens::true_motion {

struct Options {
  std::string scheme;
  double step = 0.0;                  // s between nodes; no error comes of it
  double relative_tolerance = 1e-12;  // of the error of a step, as SUNDIALS weighs it:
  double absolute_tolerance = 1e-14;  // relative |y| + absolute, SI units
  std::function<bool()> stop = {};    // asked whenever the equations are evaluated: whether to throw Stopped
};

/// The integration was left between two nodes, and is of no use after that.
struct Stopped {};

/// True where the scheme is one of these and the system's equations determine its accelerations.
bool applicable(const reference::Model& model, const std::string& scheme);

/// Entries of y.
int unknowns(const reference::Model& model, const std::string& scheme);

struct Solver;

/// Nodes hold q, v, p = M v, lambda (with the sign of holonomic.md and of (3.4) of herglotz-nonholonomic; NaN
/// at node 0), energies, what was dissipated and the work done; no gamma, no z.
class Integrator : public reference::Trajectory {
 public:
  /// `initial` is taken as it is. Throws std::invalid_argument for an unknown name, a pair that makes no
  /// sense, a step that is not positive or a state of the wrong size.
  Integrator(const reference::Model& model, const Options& options, const reference::State& initial);
  ~Integrator() override;

  const reference::Node& node() const override { return node_; }
  /// Throws reference::StepFailure, and Stopped.
  const reference::Node& advance() override;

 private:
  void measure();

  std::unique_ptr<reference::System> system_;
  double step_;
  long steps_ = 0;
  std::unique_ptr<Solver> solver_;
  reference::Node node_;
};

}  // namespace livens::true_motion
