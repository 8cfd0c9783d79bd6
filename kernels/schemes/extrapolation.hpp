#pragma once
// Where Newton's method starts: what the last steps needed leads to what the next one needs. It is kept per
// h^2, beside what the velocity at their nodes had led to, or whole and per h.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// By a parabola; at the start the same always. `alternating`: by a straight line and what changes its sign in every
/// step, as in vi_a, whose nodes are off g = 0 to one side and the other.
template <class Scalar, int N, bool alternating>
struct Extrapolation {
  static constexpr int kept = 3;
  using Vector = Vec<Scalar, N>;
  Vector needed[kept];  ///< the last one first

  LIVENS_HD Vector next() const {
    if constexpr (alternating)
      return needed[1] + (needed[0] - needed[2]);
    else
      return fma(Scalar(3.0), needed[0] - needed[1], needed[2]);
  }
  LIVENS_HD Extrapolation followed_by(const Vector& last) const {
    Extrapolation r;
    r.needed[0] = last;
    unroll<kept - 1>([&](auto i) { r.needed[i + 1] = needed[i]; });
    return r;
  }
  /// The same where it is not the first step, from which the second is extrapolated whole.
  LIVENS_HD Extrapolation followed_by(const Vector& last, const Mask<Scalar>& first) const {
    Extrapolation r = followed_by(last);
    unroll<kept - 1>([&](auto i) { r.needed[i + 1] = select<Scalar>(first, last, r.needed[i + 1]); });
    return r;
  }
  static LIVENS_HD Extrapolation always(const Vector& the_same) {
    Extrapolation r;
    unroll<kept>([&](auto i) { r.needed[i] = the_same; });
    return r;
  }
};

}  // namespace livens::inline LIVENS_ISA
