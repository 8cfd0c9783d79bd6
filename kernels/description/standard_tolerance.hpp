#pragma once
// The tolerance of Newton's method where none is asked for: docs/decisions/0030-default-tolerance.md.

#include "kernels/description/interface.hpp"

namespace livens {

/// For steps of length `step`, in s; 0: to round-off. A scaled residual r in every step is r/h in every
/// velocity and adds up to T r/h^2, which must stay far below the error of the scheme, C h^order. At a
/// system's own step and above 1e-10 does; below it follows h^(order + 2). What would be less than 1e-13 is
/// round-off, and so it is of schemes that promise a balance of energy to round-off, and of composed steps,
/// whose stages are shorter and which are taken for their accuracy.
constexpr double standard_tolerance(const SystemInfo& system, const SchemeInfo& scheme,
                                    const Settings& settings, double step) {
  if (settings.order > 0 || system.to_round_off || scheme.exact_energy) return 0.0;
  double tolerance = Settings{}.tolerance;
  if (step < system.default_step)
    for (int power = 0; power < own_order(scheme, settings) + 2; ++power)
      tolerance *= step / system.default_step;
  return tolerance < 1e-13 ? 0.0 : tolerance;
}

}  // namespace livens
