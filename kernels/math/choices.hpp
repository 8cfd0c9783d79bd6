#pragma once
// What a text chooses by: min, max, sign and where(c, a, b), a condition being 1 or 0. What is not a number
// stays so, as far as it is chosen.

#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar>
LIVENS_HD Scalar lesser_of(const Scalar& a, const Scalar& b) {
  return select(a == a, min(a, b), a);
}
template <class Scalar>
LIVENS_HD Scalar greater_of(const Scalar& a, const Scalar& b) {
  return select(a == a, max(a, b), a);
}

/// 1, -1 or 0.
template <class Scalar>
LIVENS_HD Scalar sign(const Scalar& a) {
  const Scalar zero = Scalar(0.0), one = Scalar(1.0);
  return select(a > zero, one, select(a < zero, -one, a * zero));
}

/// The conditions a < b and a <= b.
template <class Scalar>
LIVENS_HD Scalar less(const Scalar& a, const Scalar& b) {
  return select(a < b, Scalar(1.0), Scalar(0.0));
}
template <class Scalar>
LIVENS_HD Scalar less_or_equal(const Scalar& a, const Scalar& b) {
  return select(a <= b, Scalar(1.0), Scalar(0.0));
}
/// a where the condition holds, else 0, whatever a is there.
template <class Scalar>
LIVENS_HD Scalar kept(const Scalar& condition, const Scalar& a) {
  return select(condition > Scalar(0.0), a, Scalar(0.0));
}

}  // namespace livens::inline LIVENS_ISA
