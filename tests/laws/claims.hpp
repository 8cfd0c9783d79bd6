#pragma once
// The laws a pair claims to obey: those of its scheme, and more where the system makes them hold. A scheme
// that says nothing fails them.

#include <stdexcept>
#include <string>

#include "host/checks/promises.hpp"
#include "tests/laws/instance.hpp"

namespace livens::laws {

using Claims = host::Promises;

inline Claims claims(const PairKernels& pair, Damping damping = Damping::off) {
  const std::optional<Claims> promised = host::promises_of(pair);
  if (!promised)
    throw std::invalid_argument(std::string("host/checks/promises.hpp does not say what ") +
                                pair.scheme->name + " conserves");
  Claims claims = *promised;
  if (pair.system->info->name == std::string("unit_circle") && damping == Damping::off) {
    // Without forces the angular velocity stays what it is: the map (angle, angular velocity) only shifts the
    // angle. vi_a leaves the circle, so that its energy moves.
    claims.exact_energy = pair.scheme->name != std::string("vi_a");
    claims.symplectic = claims.momentum = true;
  }
  return claims;
}

}  // namespace livens::laws
