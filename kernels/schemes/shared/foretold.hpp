#pragma once
// Where Newton's method starts: what the last steps needed beside what the velocity at their nodes had
// foretold, per h^2, leads to what the next one needs.

#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// By a parabola; at the start the same always. `alternating`: by a parabola beside a part whose sign changes
/// in every step, as where nodes are off g = 0, or momenta off its tangent, to one side and the other.
template <class Scalar, int N, bool alternating>
struct Foretold {
  static constexpr int kept = alternating ? 4 : 3;
  using Vector = Vec<Scalar, N>;
  Vector needed[kept];  ///< the last one first

  LIVENS_HD Vector next() const {
    if constexpr (alternating)
      return fma(Scalar(2.0), needed[0] - needed[2], needed[3]);
    else
      return fma(Scalar(3.0), needed[0] - needed[1], needed[2]);
  }
  LIVENS_HD Foretold followed_by(const Vector& last) const {
    Foretold r;
    r.needed[0] = last;
    unroll<kept - 1>([&](auto i) { r.needed[i + 1] = needed[i]; });
    return r;
  }
  static LIVENS_HD Foretold always(const Vector& the_same) {
    Foretold r;
    unroll<kept>([&](auto i) { r.needed[i] = the_same; });
    return r;
  }
};

}  // namespace livens::inline LIVENS_ISA
