#pragma once
// Discrete equations of motion with nonholonomic constraints, of the Herglotz and of the
// Lagrange-d'Alembert principle. Paper: herglotz-nonholonomic, (2.4), (3.2)-(3.4). L = T - V - alpha z +
// F(t).q, A(q)v + b(q) = 0, v = (q1-q0)/h, q_s = (1-s) q0 + s q1:
//   L_d = T(q_s,v) - (V(q0)+V(q1))/2 + (F(t0).q0 + F(t1).q1)/2 - alpha ((1-r) z0 + r z1)
//   D1 = (1-s) D_q T - D_v T/h - DV(q0)/2 + F(t0)/2,   D2 = s D_q T + D_v T/h - DV(q1)/2 + F(t1)/2
// with D_q T, D_v T at (q_s, v). One step carries the momentum P, P_0 = p_0; unknowns (q1, lambda), d + m:
//   (a)  h D1(q0,q1) + F-(q0,q1) + (1 + h D3) P0 = h A(q0)^T lambda            (2.4), (3.4)
//   (b)  A(q_c) v + b(q_c) = 0,   q_c = (1-c) q0 + c q1                        (3.4), (4.2)
//   (c)  P1 = ( h D2(q0,q1) + F+(q0,q1) )/(1 - h D4)
//   (d)  z1 - z0 = h L_d                                                       (3.2)
// Herglotz: D3 = -alpha (1-r), D4 = -alpha r, no F. Lagrange-d'Alembert: D3 = D4 = 0, F-, F+ share
// -h alpha D_v T between the two nodes. With P_0 = p_0 the first step is the discrete Legendre transform; the
// naive start is q1 = q0 + h v0 in place of (a) and (b), and then no multiplier belongs to that step.
// Measured: v = M^-1 P projected M-orthogonally onto A v + b = 0, p = M v:
//   (e)  M v = P - A(q)^T mu,  A(q) v + b(q) = 0
// The constraint force works where b is not zero (docs/decisions/0006). Its multiplier in (3.1) is
// l = -(1 - h D4) lambda, and the part of a node's impulse that acts before it is mu:
//   (f)  W1 = W0 + (F(t0) + F(t1))/2.(q1-q0) + (1 - h D4) [(h lambda - mu0).b(q0) + mu1.b(q1)]

#include "scheme.hpp"

namespace livens::reference {

/// The rule that tells one scheme from another.
struct NonholonomicRule {
  double s;            // where T is taken
  double c;            // where the constraint is taken
  double D3, D4;       // of L_d, 1/s
  double minus, plus;  // F- = -minus h D_v T,  F+ = -plus h D_v T; 1/s
};

Point nonholonomic_step(const System& system, const Options& options, const NonholonomicRule& rule,
                        const Point& node);

/// (e)
Momentum nonholonomic_legendre(const System& system, double h, const Point& here, const Point& ahead);

}  // namespace livens::reference
