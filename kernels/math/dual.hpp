#pragma once
// Dual numbers with N partial derivatives: the check of every analytic Jacobian, and the derivative of a
// system or a scheme whose own nobody has written down.

#include <type_traits>

#include "kernels/math/elementary.hpp"
#include "kernels/math/quotients.hpp"

namespace livens::inline LIVENS_ISA {

/// value + sum_i partial[i] eps_i, eps_i eps_j = 0. Comparisons look at the value alone.
template <int N, class Value = double>
struct Dual {
  static constexpr int partials = N;
  Value value;
  Value partial[N];

  Dual() = default;
  LIVENS_HD Dual(double v) : Dual(v, constant{}) {}
  LIVENS_HD Dual(const Value& v) requires(!std::is_same_v<Value, double>) : Dual(v, constant{}) {}
  /// The variable x_i at v.
  static LIVENS_HD Dual variable(const Value& v, int i) {
    Dual r(v);
    r.partial[i] = Value(1.0);
    return r;
  }
  /// f(a) with derivative slope.
  static LIVENS_HD Dual chain(const Value& v, const Value& slope, const Dual& a) {
    Dual r;
    r.value = v;
    for (int i = 0; i < N; ++i) r.partial[i] = slope * a.partial[i];
    return r;
  }
  friend LIVENS_HD Dual operator+(const Dual& a, const Dual& b) {
    Dual r;
    r.value = a.value + b.value;
    for (int i = 0; i < N; ++i) r.partial[i] = a.partial[i] + b.partial[i];
    return r;
  }
  friend LIVENS_HD Dual operator-(const Dual& a, const Dual& b) {
    Dual r;
    r.value = a.value - b.value;
    for (int i = 0; i < N; ++i) r.partial[i] = a.partial[i] - b.partial[i];
    return r;
  }
  friend LIVENS_HD Dual operator*(const Dual& a, const Dual& b) {
    Dual r;
    r.value = a.value * b.value;
    for (int i = 0; i < N; ++i) r.partial[i] = fma(a.value, b.partial[i], b.value * a.partial[i]);
    return r;
  }
  friend LIVENS_HD Dual operator/(const Dual& a, const Dual& b) {
    const Value reciprocal = Value(1.0) / b.value;
    Dual r;
    r.value = a.value / b.value;
    for (int i = 0; i < N; ++i) r.partial[i] = reciprocal * fnma(r.value, b.partial[i], a.partial[i]);
    return r;
  }
  // With what has no derivatives.
  friend LIVENS_HD Dual operator+(const Dual& a, const Value& b) { return with(a.value + b, a); }
  friend LIVENS_HD Dual operator+(const Value& a, const Dual& b) { return with(a + b.value, b); }
  friend LIVENS_HD Dual operator-(const Dual& a, const Value& b) { return with(a.value - b, a); }
  friend LIVENS_HD Dual operator-(const Value& a, const Dual& b) { return with(a - b.value, -b); }
  friend LIVENS_HD Dual operator*(const Dual& a, const Value& b) { return chain(a.value * b, b, a); }
  friend LIVENS_HD Dual operator*(const Value& a, const Dual& b) { return chain(a * b.value, a, b); }
  friend LIVENS_HD Dual operator/(const Dual& a, const Value& b) {
    return chain(a.value / b, Value(1.0) / b, a);
  }
  friend LIVENS_HD Dual operator-(const Dual& a) {
    Dual r;
    r.value = -a.value;
    for (int i = 0; i < N; ++i) r.partial[i] = -a.partial[i];
    return r;
  }
  friend LIVENS_HD Mask<Value> operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend LIVENS_HD Mask<Value> operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend LIVENS_HD Mask<Value> operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend LIVENS_HD Mask<Value> operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend LIVENS_HD Mask<Value> operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

 private:
  static LIVENS_HD Dual with(const Value& v, const Dual& a) {
    Dual r = a;
    r.value = v;
    return r;
  }
  struct constant {};
  LIVENS_HD Dual(const Value& v, constant) : value(v) {
    for (int i = 0; i < N; ++i) partial[i] = Value(0.0);
  }
};
template <int N, class Value>
struct MaskOf<Dual<N, Value>> {
  using type = Mask<Value>;
};
template <int N, class Value>
inline constexpr bool has_partials<Dual<N, Value>> = true;
template <int N, class Value>
inline constexpr int lanes_of<Dual<N, Value>> = lanes_of<Value>;

/// c + a b, or c - a b; one or two of them may have no derivatives.
template <bool negative, class A, class B, class C>
LIVENS_HD auto fused(const A& a, const B& b, const C& c) {
  using D = Sum<Sum<A, B>, C>;
  using Value = decltype(D::value);
  const auto value_of = [](const auto& x) -> const Value& {
    if constexpr (std::is_same_v<decltype(x), const D&>)
      return x.value;
    else
      return x;
  };
  const auto product = [](const Value& x, const Value& y, const Value& sum) {
    return negative ? fnma(x, y, sum) : fma(x, y, sum);
  };
  D r;
  r.value = product(value_of(a), value_of(b), value_of(c));
  for (int i = 0; i < D::partials; ++i) {
    Value sum = Value(0.0);
    if constexpr (std::is_same_v<C, D>) sum = c.partial[i];
    if constexpr (std::is_same_v<A, D>) sum = product(value_of(b), a.partial[i], sum);
    if constexpr (std::is_same_v<B, D>) sum = product(value_of(a), b.partial[i], sum);
    r.partial[i] = sum;
  }
  return r;
}
template <class A, class B, class C>
requires(has_partials<A> || has_partials<B> || has_partials<C>) LIVENS_HD
    auto fma(const A& a, const B& b, const C& c) {
  return fused<false>(a, b, c);
}
template <class A, class B, class C>
requires(has_partials<A> || has_partials<B> || has_partials<C>) LIVENS_HD
    auto fnma(const A& a, const B& b, const C& c) {
  return fused<true>(a, b, c);
}
/// Without a slope at 0: powers above 1 are made of roots, and have none there (equations/text.md, section 4). What
/// is a root alone has no gradient there, which is in the residual.
template <int N, class Value>
LIVENS_HD Dual<N, Value> sqrt(const Dual<N, Value>& a) {
  const Value root = sqrt(a.value), zero = Value(0.0);
  return Dual<N, Value>::chain(root, select(root == zero, zero, Value(0.5) / root), a);
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> sin(const Dual<N, Value>& a) {
  return Dual<N, Value>::chain(sin(a.value), cos(a.value), a);
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> cos(const Dual<N, Value>& a) {
  return Dual<N, Value>::chain(cos(a.value), -sin(a.value), a);
}
/// Flat where it is 0: exp(e log(base)) is a power whose base is 0 there, and log(0) has no slope.
template <int N, class Value>
LIVENS_HD Dual<N, Value> exp(const Dual<N, Value>& a) {
  const Value power = exp(a.value), zero = Value(0.0);
  Dual<N, Value> r = Dual<N, Value>::chain(power, power, a);
  for (int i = 0; i < N; ++i) r.partial[i] = select(power == zero, zero, r.partial[i]);
  return r;
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> log(const Dual<N, Value>& a) {
  return Dual<N, Value>::chain(log(a.value), Value(1.0) / a.value, a);
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> select(const Mask<Value>& mask, const Dual<N, Value>& a, const Dual<N, Value>& b) {
  Dual<N, Value> r;
  r.value = select(mask, a.value, b.value);
  for (int i = 0; i < N; ++i) r.partial[i] = select(mask, a.partial[i], b.partial[i]);
  return r;
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> abs(const Dual<N, Value>& a) {
  return select(a.value < Value(0.0), -a, a);
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> max(const Dual<N, Value>& a, const Dual<N, Value>& b) {
  return select(a.value > b.value, a, b);
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> min(const Dual<N, Value>& a, const Dual<N, Value>& b) {
  return select(a.value < b.value, a, b);
}
template <int N, class Value>
LIVENS_HD Dual<N, Value> sign_of(const Dual<N, Value>& a) {
  return Dual<N, Value>(sign_of(a.value));
}

template <int N, class Value>
LIVENS_HD SineCosine<Dual<N, Value>> sine_cosine(const Dual<N, Value>& a) {
  const SineCosine<Value> at = sine_cosine(a.value);
  return {Dual<N, Value>::chain(at.sine, at.cosine, a), Dual<N, Value>::chain(at.cosine, -at.sine, a)};
}

/// By its own slope, which is bounded where the logarithms that it is made of are not: at x = 1 and x = -1, a power
/// whose base is 0 at one end. Not a number where e changes: what is a power then is exp(e log(base)).
template <int N, class Value>
LIVENS_HD Dual<N, Value> power_quotient(const Dual<N, Value>& x, const Dual<N, Value>& e) {
  Dual<N, Value> r = Dual<N, Value>::chain(power_quotient(x.value, e.value),
                                           x.value * power_quotient_slope(x.value, e.value), x);
  const Value zero = Value(0.0), unknown = Value(__builtin_nan(""));
  for (int i = 0; i < N; ++i) r.partial[i] = r.partial[i] + select(e.partial[i] == zero, zero, unknown);
  return r;
}

}  // namespace livens::inline LIVENS_ISA
