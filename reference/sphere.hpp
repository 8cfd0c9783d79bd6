#pragma once
// The geodesic exponential of a sphere about the origin, gamma-convergence-constrained section 4.1 in
// tangent vectors: for xi orthogonal to r, |r| = l, t = |xi|/l,   exp_r(xi) = cos t r + (sin t / t) xi.

#include "dual.hpp"

namespace livens::reference {

/// sin(sqrt(s))/sqrt(s), smooth in s >= 0. Below s = 1 by its series, which has no root to differentiate at
/// s = 0; the first neglected term is 1/21!, 2e-20.
template <class S>
S sinc_of_root(const S& s) {
  using std::sin, std::sqrt;
  if (plain(s) > 1.0) {
    const S t = sqrt(s);
    return sin(t) / t;
  }
  S sum(1.0);
  for (int k = 9; k >= 1; --k) sum = 1.0 - s * sum / (2.0 * k * (2.0 * k + 1.0));
  return sum;
}

/// exp_r(xi) - r, without the cancellation of that difference: cos t - 1 = -t^2/2 (sin(t/2)/(t/2))^2.
template <class S>
Vector<S> sphere_increment(const Vector<S>& r, const Vector<S>& xi, double l) {
  const S s = xi.squaredNorm() / (l * l), half = sinc_of_root(S(0.25 * s));
  return (-0.5 * s * half * half) * r + sinc_of_root(s) * xi;
}

}  // namespace livens::reference
