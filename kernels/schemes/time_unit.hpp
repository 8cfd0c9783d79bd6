#pragma once
// The unit of time of what moves for millions of steps; equations/reduced.md, section 3. It is tau = h/2^e,
// 1 s <= tau < 2 s, so that a product with h = 2^e tau is exact, and tau p stands for p: between what moves a
// coordinate and what that does to its momentum there is no constant whose rounding, the same in every step,
// would add up.

#include "kernels/description/interface.hpp"
#include "kernels/math/exact.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar>
struct TimeUnit {
  Scalar h, per_h;
  Scalar step, per_step;  ///< h/tau, a power of two but for stages; tau/h
  Scalar tau, per_tau;    ///< in s, 1/s

  /// Stages of a composed step differ in h and hand motions on: there tau is 1 s, and products with h round.
  LIVENS_HD TimeUnit(const Scalar& of, const Settings& settings)
      : h(of),
        per_h(Scalar(1.0) / of),
        step(settings.order > 0 ? of : power_of_two_below(of)),
        per_step(Scalar(1.0) / step) {
    tau = settings.order > 0 ? Scalar(1.0) : h * per_step;
    per_tau = Scalar(1.0) / tau;
  }
};

}  // namespace livens::inline LIVENS_ISA
