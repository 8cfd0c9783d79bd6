#pragma once
// Vectors with inertias I that move for millions of steps; equations/reduced.md, section 3. The unit of time
// is tau = h/2^e, 1 s <= tau < 2 s, so that a product with h = 2^e tau is exact, and tau p/I stands for p:
// between what a vector moves and what that does to its momentum there is no constant whose rounding, the
// same in every step, would add up. Vectors that drift stay where they started, with the time since then
// beside them.

#include "kernels/math/exact.hpp"
#include "kernels/schemes/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

template <class Form>
struct VectorMotion {
  typename Form::Flat z;          ///< of vectors that drift: at the start
  typename Form::Flat rate;       ///< tau p/I, m
  typename Form::Scalar elapsed;  ///< in units of tau, exactly
};

template <class Form>
class MotionUnits {
 public:
  using Scalar = typename Form::Scalar;
  using Flat = typename Form::Flat;
  using State = typename Form::State;
  using Motion = VectorMotion<Form>;

  /// Stages of a composed step differ in h and hand motions on: there tau is 1 s, and products with h round.
  LIVENS_HD MotionUnits(const Form& form, const Scalar& h, bool composed = false)
      : step_(composed ? h : power_of_two_below(h)), per_step_(Scalar(1.0) / step_) {
    const Scalar tau = composed ? Scalar(1.0) : h * per_step_, per_tau = Scalar(1.0) / tau;
    for (int b = 0; b < Form::blocks; ++b) {
      rate_of_[b] = tau * form.inertia.reciprocal[b];
      momentum_of_[b] = per_tau * form.inertia.value[b];
    }
  }

  LIVENS_HD const Scalar& step() const { return step_; }          ///< h/tau, a power of two but for stages
  LIVENS_HD const Scalar& per_step() const { return per_step_; }  ///< tau/h

  LIVENS_HD Motion start(const State& s) const { return {s.z, scaled(rate_of_, s.p), Scalar(0.0)}; }
  LIVENS_HD State state(const Motion& motion) const {
    State s = without_drift(motion);
    unroll<Form::drifting>([&](auto b) {
      set_block<b.value>(s.z, fma(motion.elapsed, block<b.value>(motion.rate), block<b.value>(motion.z)));
    });
    return s;
  }
  /// The state to measure: drifting vectors stand at their start, which leaves z x p as it was, while their
  /// place of now is rounded too coarsely for it.
  LIVENS_HD State without_drift(const Motion& motion) const {
    return {motion.z, scaled(momentum_of_, motion.rate)};
  }

 private:
  static LIVENS_HD Flat scaled(const Vec<Scalar, Form::blocks>& by, const Flat& x) {
    Flat r;
    unroll<Form::blocks>([&](auto b) { set_block<b.value>(r, by[b] * block<b.value>(x)); });
    return r;
  }
  Scalar step_, per_step_;
  Vec<Scalar, Form::blocks> rate_of_, momentum_of_;
};

}  // namespace livens::inline LIVENS_ISA
