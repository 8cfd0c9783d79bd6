#pragma once
// ggl-structure-preserving-integrators (22): the Gonzalez discrete gradient, with z = (x+y)/2,
//   Dbar f(x,y) = Df(z) + [ f(y) - f(x) - Df(z).(y-x) ] / |y-x|^2 (y-x),
// printed with |y-x| in the denominator, but Dbar f(x,y).(y-x) = f(y) - f(x), (23), needs the square. And
// (24), G-equivariant, for f(x) = ft(pi(x)) with invariants pi of degree two at most:
//   DbarG f(x,y) = Dpi(z)^T Dbar ft(pi(x), pi(y)).

#include "derivatives.hpp"

namespace livens::reference {

template <class S, class Function>
Vector<S> discrete_gradient(const Function& f, const Vector<S>& x, const Vector<S>& y) {
  using std::abs;
  const Vector<S> z = 0.5 * (x + y), dx = y - x;
  const Vector<S> Df = gradient(f, z);
  const S fx = f(x), fy = f(y), defect = fy - fx - Df.dot(dx);
  // A defect below the rounding of its own terms carries no information: for ft of degree <= 2 it is zero
  // in exact arithmetic, and dividing its noise by a small |dx|^2 would turn round-off into an error. 64:
  // some tens of operations behind every term.
  double terms = abs(plain(fx)) + abs(plain(fy));
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    terms += abs(plain(Df[i])) * (abs(plain(x[i])) + abs(plain(y[i])));
  }
  if (abs(plain(defect)) <= 64.0 * std::numeric_limits<double>::epsilon() * terms) return Df;
  return Df + (defect / dx.squaredNorm()) * dx;
}

template <class S, class Function, class Invariants>
Vector<S> equivariant_discrete_gradient(const Function& ft, const Invariants& pi, const Vector<S>& x,
                                        const Vector<S>& y) {
  const Vector<S> z = 0.5 * (x + y);
  const Vector<S> weights = discrete_gradient(ft, Vector<S>(pi(x)), Vector<S>(pi(y)));
  return gradient([&](const auto& q) { return pi(q).dot(constant(weights)); }, z);
}

}  // namespace livens::reference
