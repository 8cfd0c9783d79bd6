#pragma once
// Sums and products with their rounding errors, and products that have none, for updates that run for
// millions of steps. Ogita, Rump, Oishi, Accurate sum and dot product (2005); equations/reduced.md,
// section 3.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// a + b = sum + error exactly (two-sum).
template <class Scalar>
struct Exact {
  Scalar value, error;
};
template <class Scalar>
LIVENS_HD Exact<Scalar> two_sum(const Scalar& a, const Scalar& b) {
  const Scalar s = a + b;
  const Scalar t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
template <class Scalar>
LIVENS_HD Exact<Scalar> two_product(const Scalar& a, const Scalar& b) {
  const Scalar p = a * b;
  return {p, fma(a, b, -p)};
}

/// 2^e with 2^e <= |a| < 2^(e + 1). Rump, Ultimately fast accurate summation (2009), algorithm 3.5.
template <class Scalar>
LIVENS_HD Scalar power_of_two_below(const Scalar& a) {
  constexpr double half_ulp = is_single<Scalar> ? 0x1p-24 : 0x1p-53;  // of one, on the side below it
  const Scalar q = Scalar(0.5 / half_ulp + 1.0) * a;
  return abs(q - Scalar(1.0 - half_ulp) * q);
}

/// a . b + c, accurate to a few eps of the result's own size plus eps^2 of the terms.
template <class Scalar, int N>
LIVENS_HD Scalar accurate_dot(const Vec<Scalar, N>& a, const Vec<Scalar, N>& b, const Scalar& c) {
  Scalar sum = c;
  Scalar error = Scalar(0.0);
  unroll<N>([&](auto i) {
    const auto product = two_product(a[i], b[i]);
    const auto next = two_sum(sum, product.value);
    sum = next.value;
    error = error + (next.error + product.error);
  });
  return sum + error;
}

/// sum += increment, with the low-order part kept in `low` when it is asked for.
template <class Scalar, int N>
LIVENS_HD void accumulate(Vec<Scalar, N>& sum, Vec<Scalar, N>& low, const Vec<Scalar, N>& increment,
                          bool compensated) {
  if (!compensated) {
    sum = sum + increment;
    return;
  }
  unroll<N>([&](auto i) {
    const auto next = two_sum(sum[i], increment[i] + low[i]);
    sum[i] = next.value;
    low[i] = next.error;
  });
}

}  // namespace livens::inline LIVENS_ISA
