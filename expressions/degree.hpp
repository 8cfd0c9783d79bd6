#pragma once
// The degree of an expression as a polynomial of the velocities, or of other leaves of one kind, from its form.

#include "expressions/graph.hpp"

namespace livens::expressions {

/// Every term of an expression has at least `low` and at most `high` factors from among the velocities. Zero
/// has low > high: it is of every degree.
struct Degree {
  int low = 0, high = 0;
  bool is(int degree) const { return low >= degree && high <= degree; }
  bool at_most(int degree) const { return high <= degree; }
};
/// What is no polynomial: such a leaf below a root, in a function, in a denominator. |x| has a second derivative that is zero,
/// but is none.
inline constexpr Degree no_polynomial = {0, 1000000};

Degree degree_in(Leaf kind, const Graph& graph, NodeId root);

}  // namespace livens::expressions
