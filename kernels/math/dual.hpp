#pragma once
// Dual numbers with N partial derivatives: the check of every analytic Jacobian, and the derivative of a new
// system until someone writes it down.

#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

/// value + sum_i partial[i] eps_i, eps_i eps_j = 0. Comparisons look at the value alone.
template <int N>
struct Dual {
  double value;
  double partial[N];

  Dual() = default;
  LIVENS_HD Dual(double v) : value(v) {
    for (int i = 0; i < N; ++i) partial[i] = 0.0;
  }
  /// The variable x_i at v.
  static LIVENS_HD Dual variable(double v, int i) {
    Dual r(v);
    r.partial[i] = 1.0;
    return r;
  }
  /// f(a) with derivative slope.
  static LIVENS_HD Dual chain(double v, double slope, const Dual& a) {
    Dual r(v);
    for (int i = 0; i < N; ++i) r.partial[i] = slope * a.partial[i];
    return r;
  }
  static LIVENS_HD Dual chain(double v, double slope_a, const Dual& a, double slope_b, const Dual& b) {
    Dual r(v);
    for (int i = 0; i < N; ++i) r.partial[i] = slope_a * a.partial[i] + slope_b * b.partial[i];
    return r;
  }
  friend LIVENS_HD Dual operator+(const Dual& a, const Dual& b) {
    return chain(a.value + b.value, 1.0, a, 1.0, b);
  }
  friend LIVENS_HD Dual operator-(const Dual& a, const Dual& b) {
    return chain(a.value - b.value, 1.0, a, -1.0, b);
  }
  friend LIVENS_HD Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, b.value, a, a.value, b);
  }
  friend LIVENS_HD Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return chain(quotient, 1.0 / b.value, a, -quotient / b.value, b);
  }
  friend LIVENS_HD Dual operator-(const Dual& a) { return chain(-a.value, -1.0, a); }
  friend LIVENS_HD bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend LIVENS_HD bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend LIVENS_HD bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend LIVENS_HD bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend LIVENS_HD bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
};

template <int N>
LIVENS_HD Dual<N> fma(const Dual<N>& a, const Dual<N>& b, const Dual<N>& c) {
  return a * b + c;
}
template <int N>
LIVENS_HD Dual<N> fnma(const Dual<N>& a, const Dual<N>& b, const Dual<N>& c) {
  return c - a * b;
}
template <int N>
LIVENS_HD Dual<N> sqrt(const Dual<N>& a) {
  const double root = sqrt(a.value);
  return Dual<N>::chain(root, 0.5 / root, a);
}
template <int N>
LIVENS_HD Dual<N> abs(const Dual<N>& a) {
  return a.value < 0.0 ? -a : a;
}
template <int N>
LIVENS_HD Dual<N> select(bool mask, const Dual<N>& a, const Dual<N>& b) {
  return mask ? a : b;
}
template <int N>
LIVENS_HD Dual<N> max(const Dual<N>& a, const Dual<N>& b) {
  return a.value > b.value ? a : b;
}
template <int N>
LIVENS_HD Dual<N> sign_of(const Dual<N>& a) {
  return Dual<N>(sign_of(a.value));
}

}  // namespace livens::inline LIVENS_ISA
