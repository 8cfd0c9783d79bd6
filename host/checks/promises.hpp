#pragma once
// The laws that a scheme promises to obey, whatever the system (equations/holonomic.md section 7,
// multibody.md section 5, herglotz.md section 3). Whoever adds a scheme says here what it must obey.

#include <optional>
#include <string>

#include "kernels/description/interface.hpp"

namespace livens::host {

struct Promises {
  bool exact_energy;         ///< the energy balance holds to round-off; otherwise to the order of the scheme
  bool symplectic;           ///< without damping, on g(q) = 0
  bool momentum;             ///< momentum maps of a system without damping, to round-off
  bool position_constraint;  ///< to round-off at the nodes; otherwise to the order of the scheme
  bool velocity_constraint;  ///< likewise
  bool unit_vectors_drift = false;  ///< |g| is the accumulated rounding of rotations
};

/// Nothing for a scheme that is not one of livens.
inline std::optional<Promises> promises_of(const PairKernels& pair) {
  const std::string scheme = pair.scheme->name;
  const bool closed = pair.unknowns == 0, exact = pair.scheme->exact_energy;
  if (scheme == "ems") return Promises{exact, false, true, true, true};
  // The velocity constraint of ggl_vi holds at the intermediate q_b. In closed form q_b and q1 share their
  // directions.
  if (scheme == "ggl_vi") return Promises{false, true, true, true, closed};
  if (scheme == "vi_a") return Promises{false, true, true, false, false};
  if (scheme == "vi_b") return Promises{false, true, true, true, true};
  if (scheme == "ggl_mp") return Promises{false, false, false, true, true};
  if (scheme == "livens") return Promises{exact, false, true, true, false};
  if (scheme == "rattle") return Promises{false, true, true, true, true};
  if (scheme == "del_multiplier") return Promises{false, true, true, true, false};
  if (scheme == "del_nullspace") return Promises{false, true, true, true, false, true};
  if (scheme == "contact_1" || scheme == "contact_2" || scheme == "lagrange_dalembert")
    return Promises{false, false, false, true, true};
  return {};
}

}  // namespace livens::host
