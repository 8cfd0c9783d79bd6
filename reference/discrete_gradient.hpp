#pragma once
// ggl-structure-preserving-integrators (22): the Gonzalez discrete gradient, with z = (x+y)/2,
//   Dbar f(x,y) = Df(z) + [ f(y) - f(x) - Df(z).(y-x) ] / |y-x|^2 (y-x),
// printed with |y-x| in the denominator, but Dbar f(x,y).(y-x) = f(y) - f(x), (23), needs the square. And
// (24), G-equivariant, for f(x) = ft(pi(x)) with invariants pi of degree two at most:
//   DbarG f(x,y) = Dpi(z)^T Dbar ft(pi(x), pi(y)).
// A text has a rule of its own, docs/equations/text.md section 4, in which t is one more entry of a place.

#include "system.hpp"

namespace livens::reference {

template <class S, class Function>
Vector<S> discrete_gradient(const Function& f, const Vector<S>& x, const Vector<S>& y) {
  using std::abs;
  // Some tens of operations behind every term.
  constexpr double rounding = 64.0 * std::numeric_limits<double>::epsilon();
  const Vector<S> z = 0.5 * (x + y), dx = y - x;
  const Vector<S> Df = gradient(f, z);
  const S fx = f(x), fy = f(y);
  S defect = fy - fx - Df.dot(dx);
  double terms = abs(plain(fx)) + abs(plain(fy)), change = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    terms += abs(plain(Df[i])) * (abs(plain(x[i])) + abs(plain(y[i])));
    change += abs(plain(Df[i]) * plain(dx[i]));
  }
  // A defect below the rounding of its own terms carries no information, and dividing its noise by a small
  // |dx|^2 would turn round-off into an error. Then f(y) - f(x) by Gauss' rule with two points, exact up to
  // degree four, from gradients along dx, which round less.
  if (abs(plain(defect)) <= rounding * terms) {
    const Vector<S> offset = (0.5 / std::sqrt(3.0)) * dx;
    defect = (0.5 * (gradient(f, Vector<S>(z - offset)) + gradient(f, Vector<S>(z + offset))) - Df).dot(dx);
    if (abs(plain(defect)) <= rounding * change) return Df;  // as in exact arithmetic for degree two
  }
  return Df + (defect / dx.squaredNorm()) * dx;
}

template <class S, class Function, class Invariants>
Vector<S> equivariant_discrete_gradient(const Function& ft, const Invariants& pi, const Vector<S>& x,
                                        const Vector<S>& y) {
  const Vector<S> z = 0.5 * (x + y);
  const Vector<S> weights = discrete_gradient(ft, Vector<S>(pi(x)), Vector<S>(pi(y)));
  return gradient([&]<class R>(const Vector<R>& q) { return pi(q).dot(constant<R>(weights)); }, z);
}

/// The place (q, t); as the velocity of one, (v, 1).
template <class S>
Vector<S> place(const Vector<S>& q, const Time<S>& t) {
  Vector<S> z(q.size() + 1);
  z << q, t;
  return z;
}

/// Dbar L(., v) by the rule of a text, d + 1 entries.
template <class S>
Vector<S> discrete_lagrangian_gradient(const System& system, const Vector<S>& z0, const Vector<S>& z1,
                                       const Vector<S>& v) {
  const Vector<S> DbarV = system.discrete_potential_gradient(z0, z1);
  if (system.mass_coordinates == 0 && !system.mass_moves && !system.has_field) return -DbarV;
  return system.discrete_kinetic_gradient(z0, z1, v) - DbarV;
}

/// gamma.(Dbar g)', the derivative of gamma.Dbar g along the velocities (v0, 1) and (v1, 1) of its places; of a
/// text, d + 1 entries.
template <class S>
Vector<S> discrete_constraint_curvature(const System& system, const Vector<S>& z0, const Vector<S>& v0,
                                        const Vector<S>& z1, const Vector<S>& v1, const Vector<S>& gamma) {
  const Eigen::Index size = z0.size();
  Vector<S> places(2 * size), velocities(2 * size);
  places << z0, z1;
  velocities << place(v0, S(1.0)), place(v1, S(1.0));
  return derivative_along(
      [&](const Vector<Dual<S>>& x) {
        return system.discrete_constraint_force(Vector<Dual<S>>(x.head(size)), Vector<Dual<S>>(x.tail(size)),
                                                constant<Dual<S>>(gamma));
      },
      places, velocities);
}

}  // namespace livens::reference
