#pragma once
// Derivatives of sums over the nodes of a motion by everything that [tangent] names, backwards from the last node to the
// first (equations/tangents.md, section 7), as plain data: what is compiled of a pair on first use for that alone.

#include "kernels/description/batch.hpp"

namespace livens {

/// A sum for every instance: what it counts of the nodes that it looks at.
struct Counted {
  std::int64_t nodes;           ///< T
  const std::int64_t* beats;    ///< where they are, T, ascending, in beats of advance()
  const double *q, *p, *v;      ///< N,T,d each; null: not counted
  const double* sampled;        ///< N,T and the system's own values and those of a spec; null: not counted
  std::int64_t kept_every = 0;  ///< steps from one node that is kept to the next; 0: few enough are kept
};

struct AdjointKernels {
  int directions;  ///< K
  /// `gradients`: N,K; not numbers where an instance does not come to the last of the nodes, or has no status ok before.
  void (*gradients)(const Batch&, const Settings&, const std::uint8_t* status, const Counted&,
                    double* gradients, std::int64_t first, std::int64_t last);
};

}  // namespace livens
