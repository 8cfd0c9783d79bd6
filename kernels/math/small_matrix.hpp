#pragma once
// Vectors and matrices whose sizes are known to the compiler. Products are chains of fma in ascending index,
// always.

#include <utility>

#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

/// Calls body(integral_constant<0>), ..., body(integral_constant<N-1>): a loop the compiler cannot fail to
/// unroll.
template <int N, class Body>
LIVENS_HD constexpr void unroll(Body&& body) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (body(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

template <class Scalar, int N>
struct Vec {
  Scalar data[N];
  LIVENS_HD Scalar& operator[](int i) { return data[i]; }
  LIVENS_HD const Scalar& operator[](int i) const { return data[i]; }
};
/// No components, as the momentum maps of a system that has none: loops over them ask for none.
template <class Scalar>
struct Vec<Scalar, 0> {
  LIVENS_HD Scalar& operator[](int) { __builtin_unreachable(); }
  LIVENS_HD const Scalar& operator[](int) const { __builtin_unreachable(); }
};
template <class Scalar>
using Vec3 = Vec<Scalar, 3>;

template <class Scalar, int Rows, int Columns>
struct Mat {
  Scalar data[Rows * Columns > 0 ? Rows* Columns : 1];
  LIVENS_HD Scalar& operator()(int i, int j) { return data[i * Columns + j]; }
  LIVENS_HD const Scalar& operator()(int i, int j) const { return data[i * Columns + j]; }
};

template <class Scalar, int N>
LIVENS_HD Vec<Scalar, N> zero_vector() {
  Vec<Scalar, N> r;
  unroll<N>([&](auto i) { r[i] = Scalar(0.0); });
  return r;
}
/// Of a + b: where one of them carries derivatives (dual.hpp), their sum does.
template <class A, class B>
using Sum = decltype(std::declval<A>() + std::declval<B>());

template <class A, class B, int N>
LIVENS_HD Vec<Sum<A, B>, N> operator+(const Vec<A, N>& a, const Vec<B, N>& b) {
  Vec<Sum<A, B>, N> r;
  unroll<N>([&](auto i) { r[i] = a[i] + b[i]; });
  return r;
}
template <class A, class B, int N>
LIVENS_HD Vec<Sum<A, B>, N> operator-(const Vec<A, N>& a, const Vec<B, N>& b) {
  Vec<Sum<A, B>, N> r;
  unroll<N>([&](auto i) { r[i] = a[i] - b[i]; });
  return r;
}
template <class S, class A, int N>
LIVENS_HD Vec<Sum<S, A>, N> operator*(const S& s, const Vec<A, N>& a) {
  Vec<Sum<S, A>, N> r;
  unroll<N>([&](auto i) { r[i] = s * a[i]; });
  return r;
}
/// s a + b.
template <class S, class A, class B, int N>
LIVENS_HD Vec<Sum<Sum<S, A>, B>, N> fma(const S& s, const Vec<A, N>& a, const Vec<B, N>& b) {
  Vec<Sum<Sum<S, A>, B>, N> r;
  unroll<N>([&](auto i) { r[i] = fma(s, a[i], b[i]); });
  return r;
}
/// b - s a.
template <class S, class A, class B, int N>
LIVENS_HD Vec<Sum<Sum<S, A>, B>, N> fnma(const S& s, const Vec<A, N>& a, const Vec<B, N>& b) {
  Vec<Sum<Sum<S, A>, B>, N> r;
  unroll<N>([&](auto i) { r[i] = fnma(s, a[i], b[i]); });
  return r;
}
template <class Scalar, int N>
LIVENS_HD Scalar dot(const Vec<Scalar, N>& a, const Vec<Scalar, N>& b) {
  Scalar r = a[0] * b[0];
  unroll<N - 1>([&](auto i) { r = fma(a[i + 1], b[i + 1], r); });
  return r;
}
/// a.b + c where that is nearly zero: the sum begins with c. Rounded first, an a.b just below a power of two
/// would be twice as fine as one just above it, and the mean of what is rounded away would not be zero.
template <class Scalar, int N>
LIVENS_HD Scalar dot_near(const Vec<Scalar, N>& a, const Vec<Scalar, N>& b, const Scalar& c) {
  Scalar sum = c;
  unroll<N>([&](auto i) { sum = fma(a[i], b[i], sum); });
  return sum;
}
template <class Scalar>
LIVENS_HD Vec3<Scalar> cross(const Vec3<Scalar>& a, const Vec3<Scalar>& b) {
  return {
      {fma(a[1], b[2], -(a[2] * b[1])), fma(a[2], b[0], -(a[0] * b[2])), fma(a[0], b[1], -(a[1] * b[0]))}};
}
/// max |a_i|; NaN in any entry gives NaN; 0 where there is none.
template <class Scalar>
LIVENS_HD Scalar norm_inf(const Vec<Scalar, 0>&) {
  return Scalar(0.0);
}
template <class Scalar, int N>
LIVENS_HD Scalar norm_inf(const Vec<Scalar, N>& a) {
  Scalar r = abs(a[0]);
  // max keeps its second operand when the comparison fails, so a NaN that arrives second stays; one that is
  // already in r is carried by the sum below.
  Scalar poison = Scalar(0.0) * a[0];
  unroll<N - 1>([&](auto i) {
    r = max(r, abs(a[i + 1]));
    poison = fma(Scalar(0.0), a[i + 1], poison);
  });
  return r + poison;
}
template <class Scalar, int N>
LIVENS_HD Vec<Scalar, N> select(const Mask<Scalar>& mask, const Vec<Scalar, N>& a, const Vec<Scalar, N>& b) {
  Vec<Scalar, N> r;
  unroll<N>([&](auto i) { r[i] = select(mask, a[i], b[i]); });
  return r;
}
/// Components [First, First + Count) of a.
template <int First, int Count, class Scalar, int N>
LIVENS_HD Vec<Scalar, Count> part(const Vec<Scalar, N>& a) {
  Vec<Scalar, Count> r;
  unroll<Count>([&](auto i) { r[i] = a[First + i]; });
  return r;
}
template <int First, class Scalar, int N, class Other, int Count>
LIVENS_HD void set_part(Vec<Scalar, N>& a, const Vec<Other, Count>& b) {
  unroll<Count>([&](auto i) { a[First + i] = b[i]; });
}

/// An orthonormal basis e1, e2 of the plane perpendicular to the unit vector u, without branches.
/// Duff et al., Building an orthonormal basis, revisited (2017).
template <class Scalar>
LIVENS_HD void tangent_basis(const Vec3<Scalar>& u, Vec3<Scalar>& e1, Vec3<Scalar>& e2) {
  const Scalar sign = sign_of(u[2]);
  const Scalar a = Scalar(-1.0) / (sign + u[2]);
  const Scalar b = u[0] * u[1] * a;
  e1 = {{fma(sign * u[0], u[0] * a, Scalar(1.0)), sign * b, -(sign * u[0])}};
  e2 = {{b, fma(u[1], u[1] * a, sign), -u[1]}};
}

}  // namespace livens::inline LIVENS_ISA
