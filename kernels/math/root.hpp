#pragma once
// Where a function of one number, such as the length of a step, changes its sign.

#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

/// A place in (a, b] at which `value` is zero to round-off, from f(a) and f(b) of different signs: the Illinois
/// rule, and a bisection wherever three of its steps have not halved the bracket. Not a number where `value`
/// is not. Lengths are told apart to the last places of the longest one, b. A function that is zero at a = 0 but
/// for its rounding has the other sign after 2^-40 of it, and no shorter length is tried.
template <class Function>
LIVENS_HD_COLD double root_between(const Function& value, double a, double fa, double b, double fb) {
  const double last_place = 0x1p-52 * b, shortest = 0x1p-40 * b;
  double weight_a = fa, weight_b = fb, width = b - a;
  int side = 0;  // the end that was moved last
  for (int step = 1; b - a > last_place && fb != 0.0; ++step) {
    const double first = a > 0.0 ? a + 0.5 * last_place : shortest;
    if (!(first < b)) break;
    const bool halve = step % 3 == 0 && b - a > 0.5 * width;
    if (step % 3 == 0) width = b - a;
    const double secant = b - (b - a) * (weight_b / (weight_b - weight_a));
    const double c = min(max(halve ? 0.5 * (a + b) : secant, first), b - 0.5 * last_place);
    if (!(c > a && c < b)) break;
    const double fc = value(c);
    if (!finite(fc)) return fc - fc;
    const bool like_a = (fc > 0.0) == (fa > 0.0) && fc != 0.0;
    if (like_a) {
      a = c;
      fa = weight_a = fc;
      if (side < 0) weight_b = 0.5 * weight_b;
    } else {
      b = c;
      fb = weight_b = fc;
      if (side > 0) weight_a = 0.5 * weight_a;
    }
    side = like_a ? -1 : 1;
  }
  return abs(fa) < abs(fb) && a > 0.0 ? a : b;
}

}  // namespace livens::inline LIVENS_ISA
