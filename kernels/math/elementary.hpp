#pragma once
// sin, cos, atan, log, exp, tanh from fma alone, so that a sample, a parameter or a force has the same bits
// on every machine. Errors stay below 2 ulp (tests/math), in single precision as well, but for tanh, and atan
// there, below 3 ulp; polynomials are Taylor's on reduced arguments, one term past the precision. What is made
// of these, asin, acos, atan2, sinh, cosh, stays below 4 ulp.

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

/// Calls visit(std::integral_constant) with first, first - step, ..., last. Always in place: unroll() is left to the
/// compiler, which makes a function of a polynomial in one that is not inlined itself.
template <int first, int step, int last, class Visit>
LIVENS_HD void count_down(Visit&& visit) {
  [&]<int... I>(std::integer_sequence<int, I...>) LIVENS_INLINED {
    (visit(std::integral_constant<int, first - step * I>{}), ...);
  }
  (std::make_integer_sequence<int, (first - last) / step + 1>{});
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

/// asin(x) and acos(x), not a number beyond 1 in size. 1 - x is exact where x is near 1, so that neither loses
/// anything at the ends: the square root halves what its argument is off by, and the arctangent passes on no
/// more than it gets.
template <class Scalar>
LIVENS_HD Scalar asin(const Scalar& x) {
  const Scalar one = Scalar(1.0);
  return atan(x / sqrt((one - x) * (one + x)));
}
template <class Scalar>
LIVENS_HD Scalar acos(const Scalar& x) {
  const Scalar one = Scalar(1.0), half = atan(sqrt((one - x) / (one + x)));
  return half + half;
}
/// The angle of the point (x, y) in (-pi, pi], 0 of the origin; a zero has no sign. The arctangent is that of
/// a quotient of at most 1, which has slopes wherever the angle has.
template <class Scalar>
LIVENS_HD Scalar atan2(const Scalar& y, const Scalar& x) {
  const Scalar zero = Scalar(0.0), height = abs(y), width = abs(x);
  const Mask<Scalar> is_steep = height > width;
  const Scalar longer = select(is_steep, height, width), shorter = select(is_steep, width, height);
  const Scalar small = select(longer == zero, zero, atan(shorter / longer));
  const Scalar acute = select(is_steep, Scalar(1.57079632679489661923) - small, small);
  // pi in two parts.
  const Scalar obtuse = (Scalar(3.14159265358979323846) - acute) +
                        Scalar(is_single<Scalar> ? -8.74227766e-8 : 1.2246467991473532e-16);
  const Scalar angle = select(x < zero, obtuse, acute);
  return select(y < zero, -angle, angle);
}

/// 2^k for whole k from -1022 to 1023: the bits of k + 1023, which end those of the sum, become the exponent.
LIVENS_HD double two_to(double k) {
  const double sum = k + (0x1.8p52 + 1023.0);
  std::uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  bits <<= 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}
/// The whole k for which x 2^-k is in [sqrt(1/2), sqrt(2)), for normal x > 0.
LIVENS_HD double exponent_of(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcdull, above_all = 1024ull << 52;
  bits = 0x4330000000000000ull | ((bits - root_of_half + above_all) >> 52);  // 2^52 + k + 1024
  double shifted;
  memcpy(&shifted, &bits, sizeof shifted);
  return shifted - (0x1p52 + 1024.0);
}
LIVENS_HD float two_to(float k) { return static_cast<float>(two_to(static_cast<double>(k))); }
LIVENS_HD float exponent_of(float x) { return static_cast<float>(exponent_of(static_cast<double>(x))); }
/// The same of several instances; of doubles in a register: lanes.hpp.
template <class Scalar>
requires(lanes_of<Scalar> > 1) LIVENS_HD Scalar two_to(Scalar k) {
  for (int i = 0; i < lanes_of<Scalar>; ++i) set_lane(k, i, two_to(lane(k, i)));
  return k;
}
template <class Scalar>
requires(lanes_of<Scalar> > 1) LIVENS_HD Scalar exponent_of(Scalar x) {
  for (int i = 0; i < lanes_of<Scalar>; ++i) set_lane(x, i, exponent_of(lane(x, i)));
  return x;
}
/// a 2^k, k twice as large as two_to() takes; exact unless the result is below the normal numbers.
template <class Scalar>
LIVENS_HD Scalar scaled_by_two_to(const Scalar& a, const Scalar& k) {
  const Scalar half = rint(Scalar(0.5) * k);
  return (a * two_to(half)) * two_to(k - half);
}

/// log(x); minus infinity of 0, and of negative numbers not a number.
template <class Scalar>
LIVENS_HD Scalar log(const Scalar& x) {
  constexpr bool single = is_single<Scalar>;
  const Scalar one = Scalar(1.0), zero = Scalar(0.0);
  // The mantissa is taken from [sqrt(1/2), sqrt(2)), so that log 1 is exact and small results keep relative
  // accuracy. What is below the normal numbers is brought up among them.
  constexpr double up = single ? 24.0 : 54.0;
  const Mask<Scalar> tiny = x < Scalar(single ? 0x1p-126 : 0x1p-1022);
  const Scalar normal = select(tiny, x * Scalar(single ? 0x1p24 : 0x1p54), x);
  const Scalar exponent = exponent_of(normal);
  const Scalar m = scaled_by_two_to(normal, -exponent), k = select(tiny, exponent - Scalar(up), exponent);
  const Scalar numerator = m - one, denominator = m + one;
  const Scalar f = numerator / denominator;
  const Scalar error = fnma(f, denominator, numerator) / denominator;  // f is short by this
  const Scalar f2 = f * f;
  constexpr int last = single ? 11 : 23;
  Scalar r = Scalar(inverse<last>);
  count_down<last - 2, 2, 3>([&](auto n) { r = fma(r, f2, Scalar(inverse<n.value>)); });
  const Scalar tail = fma(f * f2, r, error), two = Scalar(2.0);
  // log 2 in two parts.
  const Scalar first = Scalar(single ? 0x1.62e43p-1 : 6.93147180559945286227e-01);
  const Scalar second = Scalar(single ? -0x1.05c610p-29 : 2.31904681384629955842e-17);
  const Scalar result = fma(k, first, fma(k, second, two * tail) + two * f);
  const Scalar infinite = Scalar(__builtin_huge_val());
  const Scalar outside = select(x == zero, -infinite, select(x == infinite, x, Scalar(__builtin_nan(""))));
  return select((x > zero) & (x < infinite), result, outside);
}

/// exp(x); infinity and 0 where it leaves the range.
template <class Scalar>
LIVENS_HD Scalar exp(const Scalar& x) {
  constexpr bool single = is_single<Scalar>;
  // Far beyond either end all results are the same, and k stays what two_to() takes; a NaN stays.
  const Scalar limit = Scalar(single ? 110.0 : 760.0);
  const Scalar a = max(-limit, min(limit, x));
  const Scalar k = rint(a * Scalar(1.44269504088896340736));
  const Scalar first = Scalar(single ? 0x1.62e43p-1 : 6.93147180559945286227e-01);
  const Scalar second = Scalar(single ? -0x1.05c610p-29 : 2.31904681384629955842e-17);
  const Scalar r = fnma(k, second, fnma(k, first, a));
  constexpr int terms = single ? 7 : 14;
  Scalar sum = Scalar(inverse_factorial<terms>);
  count_down<terms - 1, 1, 0>([&](auto n) { sum = fma(sum, r, Scalar(inverse_factorial<n.value>)); });
  return scaled_by_two_to(sum, k);
}

/// sinh(x) for |x| <= 1.
template <class Scalar>
LIVENS_HD Scalar sinh_small(const Scalar& x) {
  constexpr int last = is_single<Scalar> ? 13 : 21;
  const Scalar x2 = x * x;
  Scalar r = Scalar(inverse_factorial<last>);
  count_down<last - 2, 2, 3>([&](auto n) { r = fma(r, x2, Scalar(inverse_factorial<n.value>)); });
  return fma(x * x2, r, x);
}
/// tanh(x): sinh/sqrt(1 + sinh^2) up to 1, and 1 - 2/(e^2x + 1) beyond, which is 1 from 22 on.
template <class Scalar>
LIVENS_HD Scalar tanh(const Scalar& x) {
  const Scalar one = Scalar(1.0), two = Scalar(2.0);
  const Scalar size = abs(x), s = sinh_small(min(one, size));
  const Scalar small = s / sqrt(fma(s, s, one));
  const Scalar large = one - two / (exp(two * min(Scalar(22.0), size)) + one);
  const Scalar result = sign_of(x) * select(size > one, large, small);
  return select(x == x, result, x);
}
/// sinh(x) and cosh(x), infinite from where exp(|x|) is.
template <class Scalar>
LIVENS_HD Scalar sinh(const Scalar& x) {
  const Scalar one = Scalar(1.0), half = Scalar(0.5), size = abs(x), e = exp(size);
  const Scalar large = half * (e - one / e);
  return select(size <= one, sinh_small(max(-one, min(one, x))), select(x < Scalar(0.0), -large, large));
}
template <class Scalar>
LIVENS_HD Scalar cosh(const Scalar& x) {
  const Scalar e = exp(abs(x));
  return Scalar(0.5) * (e + Scalar(1.0) / e);
}

}  // namespace livens::inline LIVENS_ISA
