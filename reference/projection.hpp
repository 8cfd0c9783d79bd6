#pragma once
// A claimed projection against the reference's own, and what is left to round-off; and what makes momenta of velocities at
// the start.

#include "reference.hpp"

namespace livens::reference {

/// The distance of a state from the projection of another, in the infinity norms of q and v, and as much of
/// it as round-off may have made.
struct ProjectionError {
  double q, v, q_bound, v_bound;
};

/// a(q), d entries, at the start: p = M v + a.
VectorXd field_momentum(const Model& model, const VectorXd& q);

/// The velocity is compared at the q of `projected`. Throws as project() does.
ProjectionError projection_error(const Model& model, const State& given, const State& projected);

}  // namespace livens::reference
