#pragma once
// sin, cos, atan, log, exp from fma alone, so that a sample or a parameter has the same bits on every
// machine. Errors stay below 2 ulp (tests/math), in single precision as well, but for atan, below 3 ulp
// there; polynomials are Taylor's on reduced arguments, one term past the precision.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// 1 / n!. The arguments below are constants of an unrolled loop and the values immediate constants: in a
/// loop over an int, nvcc leaves the factorial and its division in the kernel.
template <int n>
inline constexpr double inverse_factorial = 1.0 / [] {
  double r = 1.0;
  for (int i = 2; i <= n; ++i) r *= i;
  return r;
}();
template <int n>
inline constexpr double inverse = 1.0 / n;

/// Calls visit(std::integral_constant) with first, first - step, ..., last.
template <int first, int step, int last, class Visit>
LIVENS_HD void count_down(Visit&& visit) {
  unroll<(first - last) / step + 1>(
      [&](auto i) { visit(std::integral_constant<int, first - step * i.value>{}); });
}

/// sin(x) and cos(x) for |x| <= pi/4.
template <class Scalar>
LIVENS_HD Scalar sin_small(const Scalar& x) {
  constexpr int last = is_single<Scalar> ? 11 : 17;
  const Scalar x2 = x * x;
  Scalar r = Scalar(inverse_factorial<last>);
  count_down<last - 2, 2, 3>([&](auto n) { r = fma(-r, x2, Scalar(inverse_factorial<n.value>)); });
  return fnma(x * x2, r, x);
}
template <class Scalar>
LIVENS_HD Scalar cos_small(const Scalar& x) {
  constexpr int last = is_single<Scalar> ? 12 : 18;
  const Scalar x2 = x * x;
  Scalar r = Scalar(inverse_factorial<last>);
  count_down<last - 2, 2, 4>([&](auto n) { r = fma(-r, x2, Scalar(inverse_factorial<n.value>)); });
  const Scalar half = Scalar(0.5) * x2;
  const Scalar w = Scalar(1.0) - half;
  return w + (((Scalar(1.0) - w) - half) + x2 * x2 * r);
}

/// cos(x + quadrant pi/2) for |x| <= pi/4, quadrant a whole number.
template <class Scalar>
LIVENS_HD Scalar cos_in_quadrant(const Scalar& x, const Scalar& quadrant) {
  const Scalar c = cos_small(x), s = sin_small(x);
  const Scalar turn = quadrant - Scalar(4.0) * rint(Scalar(0.25) * quadrant);  // -2 .. 2
  return select(turn == Scalar(0.0), c, select(turn == Scalar(1.0), -s, select(turn == Scalar(-1.0), s, -c)));
}

/// x - k pi/2 for k near 2 x/pi, |x| below 1e5: pi/2 is subtracted in three parts (Cody and Waite), since the
/// numbers nearest to its multiples cancel two of them. The first difference is exact, a multiple of the last
/// place of pi/2 and below one.
template <class Scalar>
LIVENS_HD Scalar less_quadrants(const Scalar& x, const Scalar& k) {
  constexpr bool single = is_single<Scalar>;
  const Scalar first = Scalar(single ? 0x1.921fb6p+0 : 1.57079632679489655800e+00);
  const Scalar second = Scalar(single ? -0x1.777a5cp-25 : 6.12323399573676603587e-17);
  const Scalar third = Scalar(single ? -0x1.ee59dap-50 : -1.4973849048591698e-33);
  const Scalar r = fnma(k, first, x);
  return fnma(k, third, fnma(k, second, r));
}
/// cos(x), sin(x) for |x| below 1e5.
template <class Scalar>
LIVENS_HD Scalar cos(const Scalar& x) {
  const Scalar k = rint(x * Scalar(0.63661977236758134308));
  return cos_in_quadrant(less_quadrants(x, k), k);
}
template <class Scalar>
LIVENS_HD Scalar sin(const Scalar& x) {
  const Scalar k = rint(x * Scalar(0.63661977236758134308));
  return cos_in_quadrant(less_quadrants(x, k), k - Scalar(1.0));
}
/// sin(x) and cos(x) as above, to the bit, for little more than one of them.
template <class Scalar>
struct SineCosine {
  Scalar sine, cosine;
};
template <class Scalar>
LIVENS_HD SineCosine<Scalar> sine_cosine(const Scalar& x) {
  const Scalar k = rint(x * Scalar(0.63661977236758134308)), one = Scalar(1.0);
  const Scalar r = less_quadrants(x, k), s = sin_small(r), c = cos_small(r);
  const Scalar turn = k - Scalar(4.0) * rint(Scalar(0.25) * k);  // -2 .. 2
  const Mask<Scalar> odd = abs(turn) == one;
  const Scalar sine = select(odd, c, s), cosine = select(odd, s, c);
  return {select((turn < Scalar(0.0)) | (turn > one), -sine, sine),
          select((turn > Scalar(0.0)) | (turn < -one), -cosine, cosine)};
}
/// cos(2 pi u) for 0 <= u <= 1; the reduction is exact.
template <class Scalar>
LIVENS_HD Scalar cos_two_pi(const Scalar& u) {
  const Scalar k = rint(Scalar(4.0) * u);
  const Scalar r = fnma(Scalar(0.25), k, u);
  return cos_in_quadrant(Scalar(6.28318530717958647693) * r, k);
}

/// atan(x) of any x, infinite ones included. atan a = pi/4 + atan((a - 1)/(a + 1)) brings a = min(|x|, 1/|x|)
/// below tan(pi/8).
template <class Scalar>
LIVENS_HD Scalar atan(const Scalar& x) {
  const Scalar size = abs(x), one = Scalar(1.0);
  const Mask<Scalar> steep = size > one;
  const Scalar a = select(steep, one / size, size);
  const Mask<Scalar> turned = a > Scalar(0.41421356237309504880);
  const Scalar y = select(turned, (a - one) / (a + one), a), y2 = y * y;
  constexpr int last = is_single<Scalar> ? 19 : 45;
  Scalar r = Scalar(inverse<last>);
  count_down<last - 2, 2, 3>([&](auto n) { r = fma(-r, y2, Scalar(inverse<n.value>)); });
  const Scalar small = fnma(y * y2, r, y);
  const Scalar angle = select(turned, Scalar(0.78539816339744830962) + small, small);
  return sign_of(x) * select(steep, Scalar(1.57079632679489661923) - angle, angle);
}

/// log(x) for normal x > 0, one instance.
LIVENS_HD double log(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  // The mantissa is taken from [sqrt(1/2), sqrt(2)), so that log 1 is exact and small results keep relative
  // accuracy.
  const std::uint64_t offset = bits - 0x3fe6a09e667f3bcdull;
  const double k = static_cast<double>(static_cast<std::int64_t>(offset) >> 52);
  bits -= offset & 0xfff0000000000000ull;
  double m;
  memcpy(&m, &bits, sizeof m);
  const double numerator = m - 1.0, denominator = m + 1.0;
  const double f = numerator / denominator;
  const double error = fnma(f, denominator, numerator) / denominator;  // f is short by this
  const double f2 = f * f;
  double r = inverse<23>;
  count_down<21, 2, 3>([&](auto n) { r = fma(r, f2, inverse<n.value>); });
  const double tail = fma(f * f2, r, error);
  return fma(k, 6.93147180559945286227e-01, fma(k, 2.31904681384629955842e-17, 2.0 * tail) + 2.0 * f);
}

/// exp(x) for |x| below 700, one instance.
LIVENS_HD double exp(double x) {
  const double k = rint(x * 1.44269504088896340736);
  double r = fnma(k, 6.93147180559945286227e-01, x);
  r = fnma(k, 2.31904681384629955842e-17, r);
  double sum = inverse_factorial<14>;
  count_down<13, 1, 0>([&](auto n) { sum = fma(sum, r, inverse_factorial<n.value>); });
  const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(k) + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return sum * power;
}

}  // namespace livens::inline LIVENS_ISA
