#pragma once
// Difference quotients of elementary functions without 0/0: what a discrete gradient is made of
// (expressions/discrete_gradient.hpp). With m = (a + b)/2 and d = a - b:
//   (a) [sin a - sin b]/d = cos m sinc(d/2),    [cos a - cos b]/d = -sin m sinc(d/2)
//   (b) [exp a - exp b]/d = exp m sinhc(d/2)
//   (c) [tanh a - tanh b]/d = tanhc(d) (1 - tanh a tanh b)
//   (d) [log a - log b]/d = atanhc(d/(2 m))/m, up to a = 3 b or b = 3 a; beyond log(a/b)/d, since d/(2 m) comes
//       as near to 1 as rounding goes
//   (e) [a^e - b^e]/d = m^(e-1) power_quotient(d/(2 m), e), a and b not negative
//   (f) [sinh a - sinh b]/d = cosh m sinhc(d/2),    [cosh a - cosh b]/d = sinh m sinhc(d/2)
//   (g) [asin a - asin b]/d = 2 atan(z)/d,    z = d/(sqrt(1 - a^2) + sqrt(1 - b^2));    acos: the negative
//   (h) [atan a - atan b]/d = atan(z)/d,    z = d/(1 + a b), where that is at least 1/2
// sinc x = sin(x)/x, and so on: even functions that are 1 at 0. Each with its slope, the derivative over x,
// which is even as well and without 0/0, too. Near 0 both are Taylor's series, one term past the precision;
// beyond, their definitions. Functions stay below 4 ulp, slopes below 128, having cancelled up to five bits
// where the series ends (tests/math).

#include "kernels/math/choices.hpp"
#include "kernels/math/elementary.hpp"

namespace livens::inline LIVENS_ISA {

/// sum_k c(k) x2^k, k = 0..Terms, each a std::integral_constant.
template <int Terms, class Scalar, class Coefficient>
LIVENS_HD Scalar series(const Scalar& x2, Coefficient c) {
  Scalar r = Scalar(c(std::integral_constant<int, Terms>{}));
  count_down<Terms - 1, 1, 0>([&](auto k) { r = fma(r, x2, Scalar(c(k))); });
  return r;
}
/// `near` up to |x| = Limit, where `far()` is not evaluated unless an instance is beyond.
template <class Scalar, class Far>
LIVENS_HD Scalar beyond(double limit, const Scalar& x, const Scalar& near, Far far) {
  const Mask<Scalar> is_far = !(abs(x) <= Scalar(limit));
  if (!any(is_far)) return near;
  return select(is_far, far(), near);
}

template <class Scalar>
LIVENS_HD Scalar sinc(const Scalar& x) {
  const auto c = [](auto k) { return (k % 2 == 0 ? 1.0 : -1.0) * inverse_factorial<2 * k + 1>; };
  return beyond(1.0, x, series<9>(x * x, c), [&] { return sin(x) / x; });
}
/// [cos x - sinc x]/x^2.
template <class Scalar>
LIVENS_HD Scalar sinc_slope(const Scalar& x) {
  const auto c = [](auto k) { return (k % 2 == 0 ? -2.0 : 2.0) * (k + 1) * inverse_factorial<2 * k + 3>; };
  return beyond(1.0, x, series<9>(x * x, c), [&] { return (cos(x) - sin(x) / x) / (x * x); });
}

template <class Scalar>
LIVENS_HD Scalar sinhc(const Scalar& x) {
  const auto c = [](auto k) { return inverse_factorial<2 * k + 1>; };
  return beyond(1.0, x, series<9>(x * x, c), [&] {
    const Scalar size = abs(x), e = exp(size);
    return (e - Scalar(1.0) / e) / (size + size);
  });
}
/// [cosh x - sinhc x]/x^2.
template <class Scalar>
LIVENS_HD Scalar sinhc_slope(const Scalar& x) {
  const auto c = [](auto k) { return 2.0 * (k + 1) * inverse_factorial<2 * k + 3>; };
  return beyond(1.0, x, series<9>(x * x, c), [&] {
    const Scalar size = abs(x), e = exp(size), half = Scalar(0.5) * e, other = Scalar(0.5) / e;
    return ((half + other) - (half - other) / size) / (x * x);
  });
}

/// From sinh and cosh, neither of which loses anything.
template <class Scalar>
LIVENS_HD Scalar tanhc(const Scalar& x) {
  const Scalar one = Scalar(1.0), sinh = sinh_small(max(-one, min(one, x)));
  const auto c = [](auto k) { return inverse_factorial<2 * k + 1>; };
  const Scalar near = series<9>(x * x, c) / sqrt(fma(sinh, sinh, one));
  return beyond(1.0, x, near, [&] { return tanh(x) / x; });
}
/// [1/cosh^2 x - tanhc x]/x^2; near 0, sinhc_slope/cosh - tanhc^2.
template <class Scalar>
LIVENS_HD Scalar tanhc_slope(const Scalar& x) {
  const Scalar one = Scalar(1.0), sinh = sinh_small(max(-one, min(one, x))), t = tanhc(x);
  const auto c = [](auto k) { return 2.0 * (k + 1) * inverse_factorial<2 * k + 3>; };
  const Scalar near = fnma(t, t, series<9>(x * x, c) / sqrt(fma(sinh, sinh, one)));
  return beyond(1.0, x, near, [&] {
    const Scalar tangent = tanh(x);
    return (fnma(tangent, tangent, one) - t) / (x * x);
  });
}

/// |x| < 1.
template <class Scalar>
LIVENS_HD Scalar atanhc(const Scalar& x) {
  const auto c = [](auto k) { return inverse<2 * k + 1>; };
  return beyond(0.25, x, series<13>(x * x, c), [&] {
    const Scalar one = Scalar(1.0);
    return log((one + x) / (one - x)) / (x + x);
  });
}
/// [1/(1 - x^2) - atanhc x]/x^2.
template <class Scalar>
LIVENS_HD Scalar atanhc_slope(const Scalar& x) {
  const auto c = [](auto k) {
    constexpr double quotient = (2.0 * k + 2.0) / (2 * k + 3);
    return quotient;
  };
  return beyond(0.25, x, series<13>(x * x, c), [&] {
    const Scalar one = Scalar(1.0), x2 = x * x;
    return (one / (one - x2) - atanhc(x)) / x2;
  });
}

/// |x| up to infinity.
template <class Scalar>
LIVENS_HD Scalar atanc(const Scalar& x) {
  const auto c = [](auto k) { return (k % 2 == 0 ? 1.0 : -1.0) * inverse<2 * k + 1>; };
  return beyond(0.25, x, series<13>(x * x, c), [&] { return atan(x) / x; });
}
/// [1/(1 + x^2) - atanc x]/x^2.
template <class Scalar>
LIVENS_HD Scalar atanc_slope(const Scalar& x) {
  const auto c = [](auto k) {
    constexpr double quotient = (k % 2 == 0 ? -1.0 : 1.0) * (2.0 * k + 2.0) / (2 * k + 3);
    return quotient;
  };
  return beyond(0.25, x, series<13>(x * x, c), [&] {
    const Scalar one = Scalar(1.0), x2 = x * x;
    return (one / (one + x2) - atanc(x)) / x2;
  });
}

/// a/b, and 0 where both are 0.
template <class Scalar>
LIVENS_HD Scalar ratio(const Scalar& a, const Scalar& b) {
  return select(abs(a) + abs(b) == Scalar(0.0), Scalar(0.0), a / b);
}

/// [(1 + x)^e - (1 - x)^e]/(2 x) for |x| <= 1, e at x = 0. Up to 1/2 by the hyperbolic sine of
/// e artanh x = (log(1 + x) - log(1 - x)) e/2, which cancels nothing; beyond by the definition, whose first
/// power is three times the second at least, to the power e.
template <class Scalar>
LIVENS_HD Scalar power_quotient(const Scalar& x, const Scalar& e) {
  const Scalar one = Scalar(1.0), half = Scalar(0.5);
  const Scalar turned = max(-half, min(half, x)), a = atanhc(turned);
  const Scalar near = exp(half * e * log((one - turned) * (one + turned))) * (e * a) * sinhc(e * turned * a);
  return beyond(0.5, x, near, [&] { return (exp(e * log(one + x)) - exp(e * log(one - x))) / (x + x); });
}
/// The derivative of that by x, over x. Near 0 from those of the factors: the logarithm of the first has the
/// slope -e/(1 - x^2), and e artanh x the derivative e/(1 - x^2).
template <class Scalar>
LIVENS_HD Scalar power_quotient_slope(const Scalar& x, const Scalar& e) {
  const Scalar one = Scalar(1.0), half = Scalar(0.5);
  const Scalar turned = max(-half, min(half, x)), a = atanhc(turned), z = e * turned * a;
  const Scalar steep = e / ((one - turned) * (one + turned));
  const Scalar near = power_quotient(turned, e) *
                      (a * e * steep * sinhc_slope(z) / sinhc(z) - steep + atanhc_slope(turned) / a);
  return beyond(0.5, x, near, [&] {
    const Scalar less = e - one;
    const Scalar powers = exp(less * log(one + x)) + exp(less * log(one - x));
    return (half * e * powers - power_quotient(x, e)) / (x * x);
  });
}

/// (d)
template <class Scalar>
LIVENS_HD Scalar log_quotient(const Scalar& a, const Scalar& b) {
  const Scalar two = Scalar(2.0), sum = a + b, z = (b - a) / sum;
  return beyond(0.5, z, two * (atanhc(z) / sum), [&] { return log(b / a) / (b - a); });
}
/// The derivative of that by b; that by a is the same with the two exchanged.
template <class Scalar>
LIVENS_HD Scalar log_quotient_slope(const Scalar& a, const Scalar& b) {
  const Scalar one = Scalar(1.0), two = Scalar(2.0), sum = a + b, z = (b - a) / sum;
  const Scalar near = two * fma(z * (one - z), atanhc_slope(z), -atanhc(z)) / (sum * sum);
  return beyond(0.5, z, near, [&] { return (one / b - log_quotient(a, b)) / (b - a); });
}

/// (g): the angle is twice the one between the chord and the radius in the middle, whose tangent is z.
/// Infinite where both are the same end.
template <class Scalar>
LIVENS_HD Scalar asin_quotient(const Scalar& a, const Scalar& b) {
  const Scalar one = Scalar(1.0), two = Scalar(2.0);
  const Scalar sum = sqrt((one - a) * (one + a)) + sqrt((one - b) * (one + b)), z = ratio(b - a, sum);
  return beyond(0.25, z, two * atanc(z) / sum, [&] { return two * atan(z) / (b - a); });
}
/// The derivative of that by b; that by a is the same with the two exchanged.
template <class Scalar>
LIVENS_HD Scalar asin_quotient_slope(const Scalar& a, const Scalar& b) {
  const Scalar one = Scalar(1.0), two = Scalar(2.0), cosine = sqrt((one - b) * (one + b));
  const Scalar sum = sqrt((one - a) * (one + a)) + cosine, z = ratio(b - a, sum), steep = b / cosine;
  const Scalar near = two * (z * atanc_slope(z) * fma(z, steep, one) + atanc(z) * steep) / (sum * sum);
  return beyond(0.25, z, near, [&] { return (one / cosine - asin_quotient(a, b)) / (b - a); });
}

/// (h). Where 1 + a b is less than 1/2 the two are on different sides of 0 and 1.4 apart at least: nothing
/// cancels in the quotient itself.
template <class Scalar>
LIVENS_HD Scalar atan_quotient(const Scalar& a, const Scalar& b) {
  const Scalar half = Scalar(0.5), product = fma(a, b, Scalar(1.0));
  const Mask<Scalar> is_far = !(product >= half);
  const Scalar near = atanc((b - a) / max(half, product)) / max(half, product);
  if (!any(is_far)) return near;
  return select(is_far, (atan(b) - atan(a)) / (b - a), near);
}
template <class Scalar>
LIVENS_HD Scalar atan_quotient_slope(const Scalar& a, const Scalar& b) {
  const Scalar one = Scalar(1.0), half = Scalar(0.5), product = fma(a, b, one), w = max(half, product);
  const Mask<Scalar> is_far = !(product >= half);
  const Scalar z = (b - a) / w;
  const Scalar near = fnma(a, atanc(z), z * atanc_slope(z) * (fma(a, a, one) / w)) / (w * w);
  if (!any(is_far)) return near;
  return select(is_far, (one / fma(b, b, one) - atan_quotient(a, b)) / (b - a), near);
}

}  // namespace livens::inline LIVENS_ISA
