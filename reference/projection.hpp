#pragma once
// A claimed projection against the reference's own, and what is left to round-off.

#include "reference.hpp"

namespace livens::reference {

/// The distance of a state from the projection of another, in the infinity norms of q and v, and as much of
/// it as round-off may have made.
struct ProjectionError {
  double q, v, q_bound, v_bound;
};

/// The velocity is compared at the q of `projected`. Throws as project() does.
ProjectionError projection_error(const Model& model, const State& given, const State& projected);

}  // namespace livens::reference
