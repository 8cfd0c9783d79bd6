#pragma once
// Discrete equations of motion with nonholonomic constraints, of the Herglotz and of the
// Lagrange-d'Alembert principle. Paper: herglotz-nonholonomic, (2.4), (3.2)-(3.4); with all terms docs/
// equations/general.md, section 9. L = T - V - alpha z + F(t).q, A v + b = 0 beside g = 0, J = (G; A),
// drift = (g_t; b), v = (q1-q0)/h, q_s = (1-s) q0 + s q1, t_s likewise:
//   L_d = T(q_s,v,t_s) - (V(q0,t0)+V(q1,t1))/2 + (F(t0).q0 + F(t1).q1)/2 - alpha ((1-r) z0 + r z1)
//   D1 = (1-s) D_q T - D_v T/h + (Q0 - DV(q0,t0))/2,   D2 = s D_q T + D_v T/h + (Q1 - DV(q1,t1))/2
// with D_q T, D_v T at (q_s,v,t_s) and Q_i = [F - D_v R](q_i,v,t_i). One step carries the momentum P, P_0 = p_0;
// unknowns (q1, mu, lambda), d + m:
//   (a)  h D1 + F- + (1 + h D3) P0 = h J(q0,t0)^T (mu, lambda)                 (2.4), (3.4)
//   (b)  g(q1,t1) = 0,   A v + b = 0 at (q_c,t_c),   q_c = (1-c) q0 + c q1     (3.4), (4.2)
//   (c)  P1 = ( h D2 + F+ )/(1 - h D4)
//   (d)  z1 - z0 = h L_d, F.q where F is of t alone                            (3.2)
// Herglotz: D3 = -alpha (1-r), D4 = -alpha r, no F-, F+. Lagrange-d'Alembert: D3 = D4 = 0, F-, F+ share
// -h alpha D_v T between the two nodes. With P_0 = p_0 the first step is the discrete Legendre transform; the
// naive start is q1 = q0 + h v0 in place of (a) and (b), and then no multiplier belongs to that step.
// Measured: v = M^-1 (P - a) projected M-orthogonally onto J v + drift = 0, p = M v + a:
//   (e)  p = P - J^T nu
// The constraint force works where drift is not zero (docs/decisions/0006). Its multiplier in (3.1) is
// l = -(1 - h D4) lambda, and the part of a node's impulse that acts before it is nu:
//   (f)  W1 = W0 + (F(q0,v,t0) + F(q1,v,t1))/2.(q1-q0) + (1 - h D4) [(h lambda - nu0).b(q0) + nu1.b(q1)] - h L_t
// as equal steps have it. Where steps are composed, and where there are rows g or any rows depend on t,
//   (f') (h (mu, lambda) - (1 + h D3) nu0).drift0 + (1 - h D4) nu1.drift1 stands for the rows
//   (g)  D1 = D0 + h alpha v.D_v T(q_m,v,t_m) + h/2 v.(D_v R(q0,v,t0) + D_v R(q1,v,t1))

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
