#pragma once
// The laws each scheme claims to obey (equations/holonomic.md section 7, multibody.md section 5, herglotz.md
// section 3). A scheme that is not listed fails the laws: whoever adds one says here what it must obey.

#include <stdexcept>
#include <string>

#include "tests/laws/tables.hpp"

namespace livens::laws {

struct Claims {
  bool exact_energy;         ///< the energy balance holds to round-off; otherwise to the order of the scheme
  bool symplectic;           ///< without damping, on g(q) = 0
  bool momentum;             ///< momentum maps of a system without damping, to round-off
  bool position_constraint;  ///< to round-off at the nodes; otherwise to the order of the scheme
  bool velocity_constraint;  ///< likewise
  bool unit_vectors_drift = false;  ///< |g| is the accumulated rounding of rotations
};

inline Claims claims_of_scheme(const PairKernels& pair) {
  const std::string scheme = pair.scheme->name;
  const bool closed = pair.unknowns == 0;
  if (scheme == "ems") return {true, false, true, true, true};
  // The velocity constraint of ggl_vi holds at the intermediate q_b. In closed form q_b and q1 share their
  // directions.
  if (scheme == "ggl_vi") return {false, true, true, true, closed};
  if (scheme == "vi_a") return {false, true, true, false, false};
  if (scheme == "vi_b") return {false, true, true, true, true};
  if (scheme == "ggl_mp") return {false, false, false, true, true};
  if (scheme == "livens") return {true, false, true, true, false};
  if (scheme == "rattle") return {false, true, true, true, true};
  if (scheme == "del_multiplier") return {false, true, true, true, false};
  if (scheme == "del_nullspace") return {false, true, true, true, false, true};
  if (scheme == "contact_1" || scheme == "contact_2" || scheme == "lagrange_dalembert")
    return {false, false, false, true, true};
  throw std::invalid_argument("tests/laws/claims.hpp does not say what " + scheme + " conserves");
}

inline Claims claims(const PairKernels& pair) {
  Claims claims = claims_of_scheme(pair);
  if (pair.system->info->name == std::string("unit_circle")) {
    // Without forces the angular velocity stays what it is: the map (angle, angular velocity) only shifts the
    // angle. vi_a leaves the circle, so that its energy moves.
    claims.exact_energy = pair.scheme->name != std::string("vi_a");
    claims.symplectic = claims.momentum = true;
  }
  return claims;
}

}  // namespace livens::laws
