#pragma once
// Increments of the rotation exp(skew(w)) in space and of that by an angle in the plane, with t = |w|:
//   x+ - x = sin t/t  w x x + (1 - cos t)/t^2  w x (w x x),   (1 - cos t)/t^2 = 1/2 (sin(t/2)/(t/2))^2
// The difference x+ - x itself is never taken, it would cancel.

#include "sphere.hpp"

namespace livens::reference {

template <class S>
Vector<S> cross(const Vector<S>& a, const Vector<S>& b) {
  return Vector<S>{{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

template <class S>
Vector<S> rotation_increment(const Vector<S>& w, const Vector<S>& x) {
  const S s = w.squaredNorm(), half = sinc_of_root(S(0.25 * s));
  const Vector<S> wx = cross(w, x);
  return sinc_of_root(s) * wx + (0.5 * half * half) * cross(w, wx);
}

template <class S>
Vector<S> plane_rotation_increment(const S& angle, const Vector<S>& x) {
  using std::sin;
  const S half = sin(0.5 * angle), cosine_less_one = -2.0 * half * half, sine = sin(angle);
  return Vector<S>{{cosine_less_one * x[0] - sine * x[1], sine * x[0] + cosine_less_one * x[1]}};
}

}  // namespace livens::reference
