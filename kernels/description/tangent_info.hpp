#pragma once
// What [tangent] of a spec asks for, as plain data: of what the derivatives of the discrete motion are taken.

#include <array>  // for the classes that name them
#include <cstdint>

namespace livens {

/// The kinds of quantities that a derivative is taken with respect to.
enum class WithRespectTo : std::uint8_t {
  q,          ///< an entry of initial.q, before the projection onto the constraints
  v,          ///< of initial.v, likewise
  p,          ///< of initial.p, likewise
  parameter,  ///< a scalar parameter of the system, in the order of its list
  step        ///< scheme.step
};
struct Direction {
  WithRespectTo of;
  int entry;
};

/// Where an entry of the initial state comes from, before the projection.
enum class Origin : std::uint8_t {
  given,      ///< from the spec, or set by a law: no parameter moves it
  own,        ///< the system's own, a function of its parameters, perhaps with something added
  multiplied  ///< the same times a number of the instance
};

}  // namespace livens
