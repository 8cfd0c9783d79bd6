#pragma once
// The derivative of a discrete gradient's power by its exponent (kernels/math/quotients.hpp, (e)). Where
// nothing is differentiated by a parameter an exponent has no partials, and kernels/math/dual.hpp does without.

#include "kernels/math/dual.hpp"

namespace livens::inline LIVENS_ISA {

/// That of power_quotient(x, e) by e, [(1 + x)^e log(1 + x) - (1 - x)^e log(1 - x)]/(2 x); near 0 from those of
/// its factors.
template <class Scalar>
LIVENS_HD Scalar power_quotient_by_exponent(const Scalar& x, const Scalar& e) {
  const Scalar one = Scalar(1.0), half = Scalar(0.5), zero = Scalar(0.0);
  const Scalar turned = max(-half, min(half, x)), a = atanhc(turned), z = e * turned * a,
               logarithm = half * log((one - turned) * (one + turned)), both = exp(e * logarithm) * a;
  const Scalar near = both * (e * logarithm * sinhc(z) + fma(z * z, sinhc_slope(z), sinhc(z)));
  return beyond(0.5, x, near, [&] {
    const auto end = [&](const Scalar& base) {
      return select(base == zero, zero, exp(e * log(base)) * log(base));
    };
    return (end(one + x) - end(one - x)) / (x + x);
  });
}

/// By both.
template <int N, class Value>
LIVENS_HD Dual<N, Value> power_quotient_of_both(const Dual<N, Value>& x, const Dual<N, Value>& e) {
  Dual<N, Value> r = Dual<N, Value>::chain(power_quotient(x.value, e.value),
                                           x.value * power_quotient_slope(x.value, e.value), x);
  const Value by_exponent = power_quotient_by_exponent(x.value, e.value), zero = Value(0.0);
  // Without partials of e as it was, whatever the other slope is.
  for (int i = 0; i < N; ++i)
    r.partial[i] = r.partial[i] + select(e.partial[i] == zero, zero, by_exponent * e.partial[i]);
  return r;
}

/// More special than the one of any number of partials.
template <class Value>
LIVENS_HD Dual<1, Value> power_quotient(const Dual<1, Value>& x, const Dual<1, Value>& e) {
  return power_quotient_of_both(x, e);
}
template <class Value>
LIVENS_HD Dual<2, Value> power_quotient(const Dual<2, Value>& x, const Dual<2, Value>& e) {
  return power_quotient_of_both(x, e);
}
}  // namespace livens::inline LIVENS_ISA
