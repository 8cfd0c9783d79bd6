#pragma once
// The discrete chain rule, docs/equations/text.md section 4: an expression evaluated on Difference<S> has its
// values at two points and the row Dbar, such that Dbar (x1 - x0) is the difference of the values.

#include <utility>

#include "reference/sphere.hpp"
#include "walk.hpp"

namespace livens::reference {

/// sinh(sqrt(s))/sqrt(s) for 0 <= s <= 1, by its series; the first neglected term is 1/21!, 2e-20.
template <class S>
S sinhc_of_root(const S& s) {
  S sum(1.0);
  for (int k = 9; k >= 1; --k) sum = 1.0 + s * sum / (2.0 * k * (2.0 * k + 1.0));
  return sum;
}

/// tanh(x)/x, with s = x^2 and cosh x = 1 + 2 sinh(x/2)^2.
template <class S>
S tanhc(const S& x) {
  using std::tanh;
  if (std::abs(plain(x)) > 1.0) return tanh(x) / x;
  const S s = x * x, half = sinhc_of_root(S(0.25 * s));
  return sinhc_of_root(s) / (1.0 + 0.5 * s * half * half);
}

/// artanh(sqrt(s))/sqrt(s) for 0 <= s <= 1/16, by its series; the first neglected term is 2^-56/29.
template <class S>
S artanhc_of_root(const S& s) {
  S sum(1.0 / 27.0);
  for (int k = 12; k >= 0; --k) sum = 1.0 / (2.0 * k + 1.0) + s * sum;
  return sum;
}

/// atan(x)/x
template <class S>
S atanc(const S& x) {
  using std::atan;
  if (std::abs(plain(x)) > 0.125) return atan(x) / x;
  const S s = x * x;
  S sum(1.0 / 17.0);  // the first neglected term is 2^-54/19
  for (int k = 7; k >= 0; --k) sum = 1.0 / (2.0 * k + 1.0) - s * sum;
  return sum;
}

template <class S>
struct Difference {
  S at0{}, at1{};
  Vector<S> row = Vector<S>(0);  // Dbar; no entries where it is zero

  Difference(double constant) : at0(constant), at1(constant) {}
  Difference(const S& at0, const S& at1, Vector<S> row = Vector<S>(0))
      : at0(at0), at1(at1), row(std::move(row)) {}

  S mean() const { return 0.5 * (at0 + at1); }

  friend Difference operator+(const Difference& a, const Difference& b) {
    return {a.at0 + b.at0, a.at1 + b.at1, sum(S(1.0), a.row, S(1.0), b.row)};
  }
  friend Difference operator-(const Difference& a, const Difference& b) {
    return {a.at0 - b.at0, a.at1 - b.at1, sum(S(1.0), a.row, S(-1.0), b.row)};
  }
  friend Difference operator-(const Difference& a) { return {-a.at0, -a.at1, -a.row}; }
  friend Difference operator*(const Difference& a, const Difference& b) {
    return {a.at0 * b.at0, a.at1 * b.at1, sum(b.mean(), a.row, a.mean(), b.row)};
  }
  friend Difference operator/(const Difference& a, const Difference& b) {
    const S by0 = 1.0 / b.at0, by1 = 1.0 / b.at1;
    const S quotient = -(by0 * by1);
    return a * Difference(by0, by1, quotient * b.row);
  }

  /// a^n for n >= 1, found by the walker in place of its own.
  friend Difference repeated_product(const Difference& a, int n) {
    S before(1.0), after(1.0), powers(1.0);  // a0^k, a1^k, and the sum of their products of degree k
    for (int k = 1; k < n; ++k) {
      before = before * a.at0;
      powers = a.at1 * powers + before;
      after = after * a.at1;
    }
    return {before * a.at0, after * a.at1, powers * a.row};
  }

  /// a^b, found by the walker in place of its own. Where neither value is 0, as exp(b log a).
  friend Difference power(const Difference& a, const Difference& b) {
    const double e = plain(b.at0), x0 = plain(a.at0), x1 = plain(a.at1);
    if ((x0 != 0.0 && x1 != 0.0) || e <= 1.0 || b.row.size() > 0) return exp(b * log(a));
    using reference::power;
    const S before = power(a.at0, b.at0), after = power(a.at1, b.at1);
    const S quotient = x0 == x1 ? S(0.0) : S((after - before) / (a.at1 - a.at0));
    return {before, after, quotient * a.row};
  }

  friend Difference sqrt(const Difference& a) {
    using std::sqrt;
    const S before = sqrt(a.at0), after = sqrt(a.at1);
    return {before, after, 1.0 / (before + after) * a.row};
  }
  friend Difference sinh(const Difference& a) {
    using std::cosh, std::sinh;
    const S before = sinh(a.at0), after = sinh(a.at1);
    return {before, after, hyperbolic_quotient(a, before, after, S(cosh(a.mean()))) * a.row};
  }
  friend Difference cosh(const Difference& a) {
    using std::cosh, std::sinh;
    const S before = cosh(a.at0), after = cosh(a.at1);
    return {before, after, hyperbolic_quotient(a, before, after, S(sinh(a.mean()))) * a.row};
  }
  friend Difference asin(const Difference& a) {
    using std::asin;
    return {asin(a.at0), asin(a.at1), arc_quotient(a) * a.row};
  }
  friend Difference acos(const Difference& a) {
    using std::acos;
    return {acos(a.at0), acos(a.at1), -arc_quotient(a) * a.row};
  }
  friend Difference atan(const Difference& a) {
    using std::atan;
    const S before = atan(a.at0), after = atan(a.at1), d = a.at1 - a.at0, scale = 1.0 + a.at0 * a.at1;
    const S quotient = plain(scale) > 0.0 ? S(atanc(S(d / scale)) / scale) : S((after - before) / d);
    return {before, after, quotient * a.row};
  }
  friend Difference lesser(const Difference& a, const Difference& b) { return 0.5 * (a + b - abs(a - b)); }
  friend Difference greater(const Difference& a, const Difference& b) { return 0.5 * (a + b + abs(a - b)); }
  friend Difference looked_up(const Table& table, const Difference& a) {
    return {table.value(a.at0), table.value(a.at1), table.quotient(a.at0, a.at1) * a.row};
  }
  friend Difference abs(const Difference& a) {
    using std::abs;
    const S before = abs(a.at0), after = abs(a.at1);
    if (plain(before) == 0.0 && plain(after) == 0.0) return {before, after, S(0.0) * a.row};
    return {before, after, (a.at0 + a.at1) / (before + after) * a.row};
  }
  friend Difference sin(const Difference& a) {
    using std::cos, std::sin;
    return {sin(a.at0), sin(a.at1), cos(a.mean()) * half_sinc(a) * a.row};
  }
  friend Difference cos(const Difference& a) {
    using std::cos, std::sin;
    return {cos(a.at0), cos(a.at1), -sin(a.mean()) * half_sinc(a) * a.row};
  }
  friend Difference tan(const Difference& a) {
    using std::cos, std::tan;
    const S d = a.at1 - a.at0, cosines = cos(a.at0) * cos(a.at1);
    return {tan(a.at0), tan(a.at1), sinc_of_root(S(d * d)) / cosines * a.row};
  }
  friend Difference exp(const Difference& a) {
    using std::exp;
    const S before = exp(a.at0), after = exp(a.at1), d = a.at1 - a.at0;
    const bool far = std::abs(plain(d)) > 2.0;
    const S quotient = far ? S((after - before) / d) : S(exp(a.mean()) * sinhc_of_root(S(0.25 * d * d)));
    return {before, after, quotient * a.row};
  }
  friend Difference log(const Difference& a) {
    using std::log;
    const S d = a.at1 - a.at0, total = a.at0 + a.at1, ratio = d / total;
    const bool far = std::abs(plain(ratio)) > 0.25;
    const S quotient = far ? S(log(a.at1 / a.at0) / d) : S(2.0 * artanhc_of_root(S(ratio * ratio)) / total);
    return {log(a.at0), log(a.at1), quotient * a.row};
  }
  friend Difference tanh(const Difference& a) {
    using std::tanh;
    const S before = tanh(a.at0), after = tanh(a.at1);
    return {before, after, (1.0 - before * after) * tanhc(S(a.at1 - a.at0)) * a.row};
  }

 private:
  /// sinc((a1 - a0)/2)
  static S half_sinc(const Difference& a) {
    const S d = a.at1 - a.at0;
    return sinc_of_root(S(0.25 * d * d));
  }
  static S hyperbolic_quotient(const Difference& a, const S& before, const S& after, const S& middle) {
    const S d = a.at1 - a.at0;
    return std::abs(plain(d)) > 2.0 ? S((after - before) / d) : S(middle * sinhc_of_root(S(0.25 * d * d)));
  }
  /// Of asin, with b the cosines of the two values.
  static S arc_quotient(const Difference& a) {
    using std::sqrt;
    const S b = sqrt((1.0 - a.at0) * (1.0 + a.at0)) + sqrt((1.0 - a.at1) * (1.0 + a.at1));
    return 2.0 * atanc(S((a.at1 - a.at0) / b)) / b;
  }
  static Vector<S> sum(const S& weight_a, const Vector<S>& a, const S& weight_b, const Vector<S>& b) {
    if (a.size() == 0) return weight_b * b;
    if (b.size() == 0) return weight_a * a;
    return weight_a * a + weight_b * b;
  }
};

}  // namespace livens::reference
