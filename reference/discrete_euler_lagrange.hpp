#pragma once
// Discrete Euler-Lagrange equations with the midpoint rule; order 2, symplectic. Paper:
// gamma-convergence-constrained, (14), (15), (18); with all terms docs/equations/general.md, section 7.
// Du = u1 - u0, um = (u0+u1)/2, w = Du/h, all of L at (um,w,tm),
//   L_d(u0,u1) = h L,   D1 L_d = -L_v + h/2 L_q,   D2 L_d = L_v + h/2 L_q                         (18)
// c: the momentum left of a node, c = p at node 0. The step that del_multiplier and del_nullspace solve:
//   (a)  c0 + D1 L_d(u0,u1) + F- + s G(u0)^T lambda = 0,   g(u1) = 0,   s = h, at node 0 h/2     (14), (15)
//   (b)  c1 = D2 L_d(u0,u1) + F+
//   (c)  p = c + h/2 G(u)^T lambda,   lambda of the step after the node
// (c) is the constrained discrete Legendre transform. Viscous and other forces, which are not in the paper, are
// split evenly, F- = F+ = h/2 [ F_m - D_v R(um,w,tm) ], F_m the mean of F at t0 and t1. A support that moves
// works by the impulses of the step at both its ends, with the nu of c - G^T nu, whose velocity is consistent:
//   (d)  -(s lambda + nu0).g_t(u0,t0) + nu1.g_t(u1,t1)

#include "scheme.hpp"

namespace livens::reference {

struct DiscreteEulerLagrange {
  const System& system;
  double h, s, t0, t1, tm;
  VectorXd u0, c0;
  SparseMatrix M, Minv, G0;

  DiscreteEulerLagrange(const System& system, const Options& options, const Point& node);

  /// c0 + D1 L_d + F-. Du is an unknown and u1 = u0 + Du, not the other way round: M Du/h would else magnify
  /// the rounding of u1 by 1/h.
  template <class S>
  Vector<S> bracket(const Vector<S>& Du) const {
    const Vector<S> um = u0 + 0.5 * Du, w = Du / h;
    return c0 - momentum(um, w) - 0.5 * h * resistance(um, w);
  }

  /// L_v(um,w,tm), and -L_q + D_v R - F_m.
  template <class S>
  Vector<S> momentum(const Vector<S>& um, const Vector<S>& w) const {
    return M * w + field_momentum(system, um, tm);
  }
  template <class S>
  Vector<S> resistance(const Vector<S>& um, const Vector<S>& w) const {
    return -lagrangian_gradient(system, um, w, tm) + viscous_force(system, um, w, tm) -
           mean_force(system, um, w, t0, t1);
  }

  /// The next point from a solution of (a). Throws NewtonFailure for one on the wrong branch.
  Point next(const Point& node, const VectorXd& Du, const VectorXd& lambda, const Root& root) const;
};

/// (c)
Momentum discrete_legendre(const System& system, double h, const Point& here, const Point& ahead);

}  // namespace livens::reference
