#pragma once
// The differential equations that the schemes approximate. herglotz-nonholonomic (3.1), for holonomic
// constraints holonomic.md section 1; A = G, b = 0 for these:
//   (a)  d/dt D_v T - D_q T + alpha D_v T + DV(q) + C(q)v - F(t) + A(q)^T lambda = 0
//   (b)  A(q) v + b(q) = 0, differentiated:  A v' + D_q(A v + b) v = 0
// lambda with the sign of holonomic.md; that of (3.1) is -lambda.

#include "system.hpp"

namespace livens::reference {

struct Motion {
  VectorXd acceleration, lambda;  // d, m entries
};

/// The motion that (a) and (b) give a state at time t. Infinite or NaN where they do not determine it.
Motion equations_of_motion(const System& system, const State& state, double t = 0.0);

/// (a) and (b) without the terms in v' and lambda: M v' + A^T lambda = force, A v' = -rate. A that of (b).
struct LinearMotion {
  MatrixXd M, A;
  VectorXd force, rate;
};
LinearMotion linear_motion(const System& system, const State& state, double t);

}  // namespace livens::reference
