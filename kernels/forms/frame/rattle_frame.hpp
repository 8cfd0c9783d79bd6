#pragma once
// RATTLE (rattle.hpp) for a rigid frame in its own coordinates, with the letters of frame_body.hpp;
// equations/reduced.md, section 1. c_b is the drag on d_b, and I' belongs to E_b + h c_b/2 as I does to E_b.
// Unknown is w, the turn from node 0 to node 1. Of (a) and (c) of RATTLE sum_b d_b x takes the multipliers
// away, at node 0 and at node 1:
//   (a) Lm = L0 - h/2 sum_b k_b d_b x e3 at node 0, in space
//   (b) I' w + w x (I' w)/2 - s h Lm = 0,   which is h Lm = sum_b (E_b + h c_b/2) d_b x d_b1 in the frame
//   (c) L1 = Lm - sum_b c_b d_b x d_b1 - h/2 sum_b k_b d_b1 x e3,   d_b x d_b1 as in (b)
// The discrete Euler equations of Moser and Veselov 1991. Without drag no rounding touches the vertical L.

#include "kernels/forms/frame/frame_form.hpp"
#include "kernels/schemes/rattle.hpp"

namespace livens::inline LIVENS_ISA {

template <FrameSystem System_>
class RattleFrame : public FrameForm<System_> {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = RattleFrame<typename System::template Over<Other>>;
  using Base = FrameForm<System>;
  using typename Base::Body, typename Base::Carried, typename Base::Spin;
  static constexpr bool damped = System::damped && System::Vectors::dragged;
  static constexpr const SchemeInfo& info() { return RattleDescription::info; }

  using Base::node;

  LIVENS_HD RattleFrame(const System& system, const Scalar& h, const Settings& settings)
      : Base(system, h, settings), positive_(true) {
    const Scalar half = Scalar(0.5);
    Spin heavier;  // E + h c/2, over tau
    for (int b = 0; b < 3; ++b) {
      drag_[b] = damped ? body_.vectors().drag(b, b) : Scalar(0.0);
      heavier[b] = fma(half * step_, drag_[b], body_.E(b));
      positive_ = positive_ & (h_ * heavier[b] > Scalar(0.0));  // in units of tau, which has the sign of h
    }
    unroll<3>([&](auto i) {
      constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
      per_moment_[i] = Scalar(1.0) / (heavier[j] + heavier[k]);
      half_skew_[i] = half * (heavier[k] - heavier[j]) * per_moment_[i];
    });
  }

  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried& after) const {
    return rattle_multipliers(system_, h_, node(before), node(after));
  }

  class Problem {
   public:
    static constexpr int unknowns = 3;
    using Matrix = DenseMatrix<Scalar, 3>;

    LIVENS_HD Problem(const RattleFrame& scheme, const Carried& now)
        : scheme_(scheme), kicked_(scheme.kicked(now.L, now.z)) {
      const Spin L = Body::in_frame(now.z, kicked_);
      unroll<3>([&](auto i) { moved_[i] = scheme.step_ * (scheme.per_moment_[i] * L[i]); });
    }

    LIVENS_HD const System& system() const { return scheme_.system_; }
    struct Evaluation {
      Spin residual;
    };
    LIVENS_HD Evaluation evaluate(const Spin& w) const {
      const Scalar s = fma(Scalar(0.25), dot(w, w), Scalar(1.0));
      Evaluation at;
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        at.residual[i] = fnma(s, moved_[i], fnma(scheme_.half_skew_[i] * w[j], w[k], w[i]));  // (b)
      });
      return at;
    }
    LIVENS_HD void jacobian(const Spin& w, const Evaluation&, Matrix& J) const {
      const Spin half_w = Scalar(0.5) * w;
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        J.at(i, i) = fnma(half_w[i], moved_[i], Scalar(1.0));
        J.at(i, j) = -fma(half_w[j], moved_[i], scheme_.half_skew_[i] * w[k]);
        J.at(i, k) = -fma(half_w[k], moved_[i], scheme_.half_skew_[i] * w[j]);
      });
    }
    /// w to h^2.
    LIVENS_HD Spin first() const {
      Spin w;
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        w[i] = fma(scheme_.half_skew_[i] * moved_[j], moved_[k], moved_[i]);
      });
      return w;
    }

   private:
    friend class RattleFrame;
    const RattleFrame& scheme_;
    Spin kicked_;  ///< Lm
    Spin moved_;   ///< h I'^-1 Lm
  };

  /// True for a turn w that may be off the branch from h = 0: up to |w|^2 = 1/2 the Jacobian is the identity
  /// less a matrix whose norm is at most |w|/sqrt(2) + |w|^2 (1 + |w|/sqrt(12))/(2 s) < 0.8.
  LIVENS_HD Mask<Scalar> is_doubtful(const Spin& w) const { return dot(w, w) > Scalar(0.5); }

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Spin leap = body_.leap(now.turned.w, now.z, step_);
    Spin w = body_.guess(now.turned, leap, h_, problem.first());
    Outcome<Scalar> outcome = newton<pivoting>(problem, w, settings_, active);
    Body::refuse_wrong_branch(*this, problem, w, active, outcome);
    const CayleyTurn<Scalar> turn(w);
    next.turned = Body::turned_by(now.turned, leap, w, h_);
    next.z = Body::turned(now.z, turn);
    Spin L = problem.kicked_;
    Scalar dissipated = Scalar(0.0);
    if constexpr (damped) {
      outcome.status = select(active & !positive_, code<Scalar>(Status::singular_matrix), outcome.status);
      const auto& c = drag_;
      Spin slowed;
      unroll<3>([&](auto i) {
        constexpr int j = (i.value + 1) % 3, k = (i.value + 2) % 3;
        const Scalar across = Scalar(0.5) * (c[j] - c[k]) * w[j];
        slowed[i] = turn.per_s * fma(c[j] + c[k], w[i], across * w[k]);
        dissipated = fnma(c[i], turn.increment(i, i), dissipated);  // |d1 - d0|^2 = -2 increment
      });
      L = L - Body::in_space(now.z, slowed);
      dissipated = (Scalar(2.0) / h_) * dissipated;
    }
    next.L = kicked(L, next.z);  // (c)
    return {outcome, dissipated, Scalar(0.0)};
  }

 private:
  using Base::body_, Base::h_, Base::settings_, Base::step_, Base::system_;

  /// L after half a step under the weight.
  LIVENS_HD Spin kicked(const Spin& L, const typename Base::Flat& z) const {
    return Body::kicked(L, Scalar(0.5) * step_, Body::in_space(z, body_.vectors().weight));  // (a)
  }

  Spin drag_;                    ///< c, N m s
  Spin per_moment_, half_skew_;  ///< 1/I'_i in units of tau; half of (E'_k - E'_j)/I'_i
  Mask<Scalar> positive_;        ///< all E' are: but in a stage that is too negative
};

}  // namespace livens::inline LIVENS_ISA
