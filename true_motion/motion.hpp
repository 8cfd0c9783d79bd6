#pragma once
// The equations of motion as an ordinary differential equation y' = f(t, y). The last two entries of y are
// the energy dissipated and the work of forces, of rows that move and of what depends on t so far,
//   D' = alpha v.p + v.D_v R,   W' = F.v + lambda.g_t + kappa.b - L_t
// Any system has the form y = (q, v, D, W) with accelerations from the saddle-point equations of
// reference/equations_of_motion.hpp, differentiated automatically: constraints hold as the initial state
// does, to the tolerance. A system that someone cares to write out has a file in motions/, with the variables
// and the speed of a program made for it.

#include <functional>
#include <memory>

#include "reference/equations_of_motion.hpp"

namespace livens::true_motion {

using reference::State;
using reference::System;
using reference::VectorXd;

class Motion {
 public:
  virtual ~Motion() = default;

  /// Entries of y.
  virtual Eigen::Index size() const = 0;
  virtual VectorXd variables(const State& state) const = 0;
  virtual State state(const VectorXd& y) const = 0;

  /// dy = f(t, y), size() entries each. Values that are not finite where the equations do not determine it.
  virtual void derivative(double t, const double* y, double* dy) const = 0;
};

/// y = (q, v, D, W), for any system.
std::unique_ptr<Motion> automatic_motion(const System& system);

/// One written out, or null: where there is none, or where it needs a consistent state and `initial` is not.
std::unique_ptr<Motion> written_motion(const std::string& name, const System& system, const State& initial);

/// The equations with multipliers, reference::linear_motion or the same written out.
using Equations = std::function<reference::LinearMotion(const State&, double t)>;
/// `system` has to outlive the equations.
Equations equations_with_multipliers(const std::string& name, const System& system);

// motions/
Equations foucault_pendulum_equations(const System& system);
Equations rolling_disk_equations(const System& system);
std::unique_ptr<Motion> double_spherical_pendulum(const System& system);
std::unique_ptr<Motion> foucault_pendulum(const System& system);
std::unique_ptr<Motion> rolling_disk(const System& system);

}  // namespace livens::true_motion
