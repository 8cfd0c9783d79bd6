#pragma once
// What each scheme claims to conserve (equations/holonomic.md section 7, multibody.md section 5, herglotz.md
// section 3). A scheme that is not listed fails the laws: whoever adds one says here what it must obey.

#include <stdexcept>
#include <string>

#include "tests/laws/tables.hpp"

namespace livens::laws {

struct Claims {
  bool exact_energy;         ///< the energy balance holds to round-off; otherwise to the order of the scheme
  bool symplectic;           ///< without damping, on g(q) = 0
  bool momentum;             ///< momentum maps of a system without damping, to round-off
  bool velocity_constraint;  ///< to round-off at the nodes; otherwise to the order of the scheme
  bool unit_vectors_drift;   ///< |g| is the accumulated rounding of rotations, not solved for in every step
};

inline Claims claims(const PairKernels& pair) {
  const std::string scheme = pair.scheme->name;
  if (scheme == "ems") return {true, false, true, true, false};
  // The velocity constraint of ggl_vi holds at the intermediate q_b. In closed form q_b and q1 share their
  // directions.
  if (scheme == "ggl_vi") return {false, true, true, pair.form == std::string("reduced"), false};
  if (scheme == "del_nullspace") return {false, true, true, false, true};
  if (scheme == "contact_2") return {false, false, false, true, false};
  throw std::invalid_argument("tests/laws/claims.hpp does not say what " + scheme + " conserves");
}

}  // namespace livens::laws
