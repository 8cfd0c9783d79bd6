#pragma once
// Steps among walls, gap(q,t) >= 0: docs/equations/text.md, section 6. A step is cut where a gap closes, and
// goes on behind the impact.

#include "composition.hpp"

namespace livens::reference {

/// At t = 0. Throws NewtonFailure for a state behind a wall, and a restitution that is none.
void start_among_walls(const System& system, Point& node);

/// One step from a node to the next, in as many parts as it takes. `composition`: null for the scheme's own.
/// Throws NewtonFailure.
Point step_among_walls(const Scheme& scheme, const System& system, const Options& options,
                       const Composition* composition, const Point& node);

}  // namespace livens::reference
