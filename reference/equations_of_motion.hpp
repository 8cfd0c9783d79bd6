#pragma once
// The differential equations that the schemes approximate. docs/equations/general.md, herglotz-nonholonomic
// (3.1) for the term of alpha:
//   (a)  p' = L_q + F - D_v R - alpha p - G^T lambda - A^T kappa,   p = D_v T
//   (b)  J v + drift = 0, J = (G; A), drift = (g_t; b), differentiated: J v' + d/de (J v + drift) = 0 with v
//        as it is, at (q + e v, t + e)
// Multipliers with the sign of holonomic.md; those of (3.1) have the other.

#include "system.hpp"

namespace livens::reference {

struct Motion {
  VectorXd acceleration, lambda;  // d, m entries: lambda, then kappa
};

/// The motion that (a) and (b) give a state at time t. Infinite or NaN where they do not determine it.
Motion equations_of_motion(const System& system, const State& state, double t = 0.0);

/// (a) and (b) without the terms in v' and the multipliers: M v' + A^T lambda = force, A v' = -rate, A the J
/// of (b).
struct LinearMotion {
  MatrixXd M, A;
  VectorXd force, rate;
};
LinearMotion linear_motion(const System& system, const State& state, double t);

/// What the balance of energy counts: alpha v.p + v.D_v R, and F.v + (lambda, kappa).drift - L_t.
struct Power {
  double dissipated, work;
};
Power power_of(const System& system, const State& state, const VectorXd& lambda, double t);

}  // namespace livens::reference
