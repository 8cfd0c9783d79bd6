#pragma once
// Vectors with inertias I that move for millions of steps; equations/reduced.md, section 3. tau p/I stands
// for p, tau the unit of time (time_unit.hpp). Vectors that drift stay where they started, but for what
// ggl_mp moves them by, with the time since then beside them.

#include "kernels/newton/scheme.hpp"
#include "kernels/schemes/time_unit.hpp"

namespace livens::inline LIVENS_ISA {

template <class Form>
struct VectorMotion {
  typename Form::Flat z;          ///< of vectors that drift: less their way since the start
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

  LIVENS_HD MotionUnits(const Form& form, const TimeUnit<Scalar>& unit)
      : step_(unit.step), per_step_(unit.per_step) {
    for (int b = 0; b < Form::blocks; ++b) {
      rate_of_[b] = unit.tau * form.inertia.reciprocal[b];
      momentum_of_[b] = unit.per_tau * form.inertia.value[b];
    }
  }

  LIVENS_HD const Scalar& step() const { return step_; }          ///< h/tau, a power of two but for stages
  LIVENS_HD const Scalar& per_step() const { return per_step_; }  ///< tau/h

  LIVENS_HD Flat rate(const Flat& p) const { return scaled(rate_of_, p); }
  LIVENS_HD Flat momentum(const Flat& rate) const { return scaled(momentum_of_, rate); }
  LIVENS_HD const Scalar& momentum_of(int b) const { return momentum_of_[b]; }  ///< I/tau of vector b

  /// tau p/I after h grad has been taken from p; what drifts feels none.
  LIVENS_HD Flat kicked(const Flat& rate, const Scalar& h, const Flat& gradient) const {
    Flat r = rate;
    unroll<Form::free + Form::unit>([&](auto i) {
      constexpr int b = Form::first_free + i.value;
      set_block<b>(r, fnma(h * rate_of_[b], Form::template at<b>(gradient), Form::template at<b>(rate)));
    });
    return r;
  }

  LIVENS_HD Motion start(const State& s) const { return {s.z, rate(s.p), Scalar(0.0)}; }
  LIVENS_HD State state(const Motion& motion) const {
    State s = without_drift(motion);
    unroll<Form::drifting>([&](auto b) {
      set_block<b.value>(s.z, fma(motion.elapsed, Form::template at<b.value>(motion.rate),
                                  Form::template at<b.value>(motion.z)));
    });
    return s;
  }
  /// What drifts goes on for a step.
  LIVENS_HD void drift(const Motion& now, Motion& next) const {
    next.elapsed = now.elapsed + step_;
    unroll<Form::drifting>([&](auto b) {
      set_block<b.value>(next.z, Form::template at<b.value>(now.z));
      set_block<b.value>(next.rate, Form::template at<b.value>(now.rate));
    });
  }
  /// The state to measure: drifting vectors stand at their start, which leaves z x p as it was, while their
  /// place of now is rounded too coarsely for it.
  LIVENS_HD State without_drift(const Motion& motion) const { return {motion.z, momentum(motion.rate)}; }

 private:
  static LIVENS_HD Flat scaled(const Vec<Scalar, Form::blocks>& by, const Flat& x) {
    Flat r;
    unroll<Form::blocks>([&](auto b) { set_block<b.value>(r, by[b] * Form::template at<b.value>(x)); });
    return r;
  }
  Scalar step_, per_step_;
  Vec<Scalar, Form::blocks> rate_of_, momentum_of_;
};

}  // namespace livens::inline LIVENS_ISA
