#pragma once
// Discrete Euler-Lagrange equations with the midpoint rule; order 2, symplectic. Paper:
// gamma-convergence-constrained, (14), (15), (18). Du = u1 - u0, um = (u0+u1)/2,
//   L_d(u0,u1) = Du.M Du/(2h) - h V(um)                                                          (18)
//   D1 L_d = -M Du/h - h/2 DV(um),   D2 L_d = M Du/h - h/2 DV(um)
// c: the momentum left of a node, c = p at node 0. The step that del_multiplier and del_nullspace solve:
//   (a)  c0 + D1 L_d(u0,u1) + F- + s G(u0)^T lambda = 0,   g(u1) = 0,   s = h, at node 0 h/2     (14), (15)
//   (b)  c1 = D2 L_d(u0,u1) + F+
//   (c)  p = c + h/2 G(u)^T lambda,   lambda of the step after the node
// (c) is the constrained discrete Legendre transform. Viscous forces and loads, which are not in the paper,
// are split evenly, F- = F+ = h/2 [ (F(t0) + F(t1))/2 - C(um) Du/h ].

#include "scheme.hpp"

namespace livens::reference {

struct DiscreteEulerLagrange {
  const System& system;
  double h, s;
  VectorXd u0, c0, F;  // F the mean load of the step
  SparseMatrix M, Minv, G0;

  DiscreteEulerLagrange(const System& system, const Options& options, const Point& node);

  /// c0 + D1 L_d + F-. Du is an unknown and u1 = u0 + Du, not the other way round: M Du/h would else magnify
  /// the rounding of u1 by 1/h.
  template <class S>
  Vector<S> bracket(const Vector<S>& Du) const {
    const Vector<S> um = u0 + 0.5 * Du, vm = Du / h;
    return c0 - M * vm - 0.5 * h * (potential_gradient(system, um) + viscous_force(system, um, vm) - F);
  }

  /// The next point from a solution of (a). Throws NewtonFailure for one on the wrong branch.
  Point next(const Point& node, const VectorXd& Du, const VectorXd& lambda, const Root& root) const;
};

/// (c)
Momentum discrete_legendre(const System& system, double h, const Point& here, const Point& ahead);

}  // namespace livens::reference
