#pragma once
// Unit vectors in space, each in axes e1, e2, u of its own, u the vector where a step starts. In them its
// Cayley step (equations/reduced.md, section 1) has, with m = u + a,
//   u + Du = (rho a, 1 - rho |a|^2),  rho = 2/(1 + |a|^2),  2 u + Du = rho m
// and what the others push it with is turned into them by nine products of axes, once a step.

#include "kernels/systems/shared/vector_form.hpp"

namespace livens::inline LIVENS_ISA {

/// The Cayley step about a, |a| = tan(angle/2), in the axes of the vector that it turns.
template <class Scalar>
struct Turn {
  Vec<Scalar, 2> a;
  Scalar rho, per_rho, lag;  ///< lag: rho |a|^2

  Turn() = default;
  LIVENS_HD Turn(const Scalar& a1, const Scalar& a2) : a{{a1, a2}} {
    const Scalar square = dot(a, a);
    per_rho = fma(Scalar(0.5), square, Scalar(0.5));
    rho = Scalar(1.0) / per_rho;
    lag = rho * square;
  }
  LIVENS_HD Vec3<Scalar> middle() const { return {{a[0], a[1], Scalar(1.0)}}; }  ///< m
  LIVENS_HD Vec3<Scalar> end() const { return {{rho * a[0], rho * a[1], Scalar(1.0) - lag}}; }
  /// Du = 2 a - lag m: what rounds rho, hardly another from step to step, rounds a correction
  /// (equations/reduced.md, section 3).
  LIVENS_HD Vec3<Scalar> increment() const { return short_of(Scalar(2.0) * a, Scalar(0.0)); }
  /// (x, z) - lag m.
  LIVENS_HD Vec3<Scalar> short_of(const Vec<Scalar, 2>& x, const Scalar& z) const {
    return {{fnma(lag, a[0], x[0]), fnma(lag, a[1], x[1]), z - lag}};
  }
  /// dDu/da_j = rho (e_j - rho a_j m).
  template <int J>
  LIVENS_HD Vec3<Scalar> tangent() const {
    Vec3<Scalar> t = (-(rho * rho) * a[J]) * middle();
    t[J] = t[J] + rho;
    return t;
  }
};

template <class Form>
class UnitAxes {
 public:
  using Scalar = typename Form::Scalar;
  static constexpr int count = Form::unit;

  LIVENS_HD explicit UnitAxes(const typename Form::Flat& z) {
    unroll<count>([&](auto b) {
      tangent_basis(block<b.value>(z), axis_[3 * b], axis_[3 * b + 1]);
      axis_[3 * b + 2] = block<b.value>(z);
      unroll<b.value>([&](auto a) {
        unroll<3>([&](auto i) {
          unroll<3>([&](auto j) { product_[pair(a, b)](i, j) = dot(axis_[3 * a + i], axis_[3 * b + j]); });
        });
      });
    });
  }
  /// y of space in the axes of vector B, in the first two of them, and back from there.
  template <int B>
  LIVENS_HD Vec3<Scalar> local(const Vec3<Scalar>& y) const {
    return {{dot(axis_[3 * B], y), dot(axis_[3 * B + 1], y), dot(axis_[3 * B + 2], y)}};
  }
  template <int B>
  LIVENS_HD Vec<Scalar, 2> tangential(const Vec3<Scalar>& y) const {
    return {{dot(axis_[3 * B], y), dot(axis_[3 * B + 1], y)}};
  }
  template <int B>
  LIVENS_HD Vec3<Scalar> in_space(const Vec3<Scalar>& y) const {
    return fma(y[2], axis_[3 * B + 2], in_space<B>(part<0, 2>(y)));
  }
  template <int B>
  LIVENS_HD Vec3<Scalar> in_space(const Vec<Scalar, 2>& y) const {
    return fma(y[0], axis_[3 * B], y[1] * axis_[3 * B + 1]);
  }
  /// The last axis of space in those of vector B.
  template <int B>
  LIVENS_HD Vec3<Scalar> upward() const {
    return {{axis_[3 * B][2], axis_[3 * B + 1][2], axis_[3 * B + 2][2]}};
  }
  /// What vector A sees of y in the axes of vector B; that added to r.
  template <int A, int B>
  LIVENS_HD Vec3<Scalar> seen(const Vec3<Scalar>& y) const {
    if constexpr (A == B)
      return y;
    else
      return seen<A, B>(part<0, 2>(y), y[2] * axis_seen<A, B, 2>());
  }
  template <int A, int B>
  LIVENS_HD Vec3<Scalar> seen(const Vec3<Scalar>& y, const Vec3<Scalar>& r) const {
    if constexpr (A == B)
      return y + r;
    else
      return seen<A, B>(part<0, 2>(y), fma(y[2], axis_seen<A, B, 2>(), r));
  }
  /// The same of axis J of another vector B.
  template <int A, int B, int J>
  LIVENS_HD Vec3<Scalar> axis_seen() const {
    return {{product<A, B>(0, J), product<A, B>(1, J), product<A, B>(2, J)}};
  }

 private:
  template <int A, int B>
  LIVENS_HD Vec3<Scalar> seen(const Vec<Scalar, 2>& y, const Vec3<Scalar>& r) const {
    return fma(y[0], axis_seen<A, B, 0>(), fma(y[1], axis_seen<A, B, 1>(), r));
  }
  static constexpr int pairs = count * (count - 1) / 2;
  static constexpr int pair(int a, int b) { return b * (b - 1) / 2 + a; }  ///< a < b
  template <int A, int B>
  LIVENS_HD const Scalar& product(int i, int j) const {
    if constexpr (A < B)
      return product_[pair(A, B)](i, j);
    else
      return product_[pair(B, A)](j, i);
  }
  Vec3<Scalar> axis_[3 * count];
  Mat<Scalar, 3, 3> product_[pairs > 0 ? pairs : 1];
};

}  // namespace livens::inline LIVENS_ISA
