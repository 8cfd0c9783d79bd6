#pragma once
// The GGL energy-momentum scheme (ems.hpp) for a rigid frame in its own coordinates, with the letters of
// frame_body.hpp; equations/reduced.md, section 1. Omega1, L1 are in the frame at node 1, all else in that at
// node 0. Unknown is w, K = (I - w/2 x)^-1 = (I + C)/2, c = e3:
//   (a) L1 = C^T (L0 - h (K k) x c),   Omega1 = I^-1 L1
//       (the rest of H_GGL does not change under rotations, so its discrete gradient exerts no torque)
//   (b) w - h/2 (Omega0 + Omega1) + h/4 I^-1 (E w x (Omega0 - Omega1)) = 0
// (b) is N_m^T (2 M Dq/h - p0 - p1) = 0, which eliminates gamma, times s h/2 I^-1 K^T.

#include "kernels/forms/frame/frame_form.hpp"
#include "kernels/schemes/ems.hpp"

namespace livens::inline LIVENS_ISA {

template <FrameSystem System_>
class EmsFrame : public FrameForm<System_> {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  template <class Other>
  using Over = EmsFrame<typename System::template Over<Other>>;
  using Base = FrameForm<System>;
  using typename Base::Body, typename Base::Carried, typename Base::Spin;
  static constexpr bool damped = false;
  static constexpr const SchemeInfo& info() { return EmsDescription::info; }

  using Base::Base, Base::node;
  LIVENS_HD Multipliers<Scalar, System::constraints> multipliers(const Carried& before,
                                                                 const Carried& after) const {
    return ems_multipliers(system_, h_, node(before), node(after));
  }

  class Problem {
   public:
    static constexpr int unknowns = 3;
    static constexpr bool exact_energy = true;
    using Matrix = DenseMatrix<Scalar, 3>;

    LIVENS_HD Problem(const EmsFrame& scheme, const Carried& now)
        : system_(scheme.system_),
          body_(scheme.body_),
          weight_((scheme.step_ * scheme.step_) * body_.vectors().weight),
          L0_(scheme.step_ * Body::in_frame(now.z, now.L)),
          c_(Body::vertical(now.z)),
          moved0_(body_.mobile(L0_)) {}

    LIVENS_HD const System& system() const { return system_; }
    struct Evaluation {
      Spin residual;
      CayleyTurn<Scalar> turn;
      Spin fallen;  ///< h^2 K k
      Spin before;  ///< h (L0 - h (K k) x c), which C^T turns to h L1
      Spin change;  ///< h (Omega0 - Omega1)
    };

    LIVENS_HD Evaluation evaluate(const Spin& w) const {
      const Scalar half = Scalar(0.5);
      Evaluation at;
      at.turn = CayleyTurn<Scalar>(w);
      at.fallen = fma(half, times(at.turn.increment, weight_), weight_);
      at.before = L0_ - cross(at.fallen, c_);
      const Spin moved1 = body_.mobile(at.before + transposed_times(at.turn.increment, at.before));  // (a)
      at.change = moved0_ - moved1;
      at.residual = fma(Scalar(0.25), body_.paired(w, at.change), fnma(half, moved0_ + moved1, w));  // (b)
      return at;
    }

    /// With dK = K [dw x] K/2.
    LIVENS_HD void jacobian(const Spin& w, const Evaluation& at, Matrix& J) const {
      const Scalar half = Scalar(0.5), quarter = Scalar(0.25);
      Matrix3<Scalar> K_T;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          K_T(i, j) =
              i == j ? fma(half, at.turn.increment(i, i), Scalar(1.0)) : half * at.turn.increment(j, i);
      const Spin half_vertical = half * (c_ + transposed_times(at.turn.increment, c_));
      const auto turning = times_hat(K_T, times(K_T, at.before)), falling = times_hat(K_T, at.fallen);
      const auto by_w = body_.paired_slope(quarter * at.change);
      unroll<3>([&](auto j) {
        const Spin d_moved1 =
            body_.mobile(column<j.value>(turning) + cross(column<j.value>(falling), half_vertical));
        const Spin by_moved1 = fma(quarter, body_.paired(w, d_moved1), half * d_moved1);
        unroll<3>([&](auto i) {
          if constexpr (i.value == j.value)
            J.at(i, j) = Scalar(1.0) - by_moved1[i];
          else
            J.at(i, j) = by_w(i, j) - by_moved1[i];
        });
      });
    }

    /// w to h^2.
    LIVENS_HD Spin first() const {
      return moved0_ + Scalar(0.5) * (body_.gyroscopic(moved0_) - body_.mobile(cross(weight_, c_)));
    }

   private:
    friend class EmsFrame;
    const System& system_;
    const Body& body_;
    Spin weight_, L0_;  ///< h^2 k, h L0
    Spin c_, moved0_;   ///< e3, h Omega0
  };

  template <Pivoting pivoting>
  LIVENS_HD StepReport<Scalar> step(const Carried& now, Mask<Scalar> active, Carried& next) const {
    const Problem problem(*this, now);
    const Spin leap = body_.leap(now.turned.w, now.z, step_);
    Spin w = body_.guess(now.turned, leap, h_, problem.first());
    const Outcome<Scalar> outcome = newton<pivoting>(problem, w, settings_, active);
    const CayleyTurn<Scalar> turn(w);
    const Spin k = body_.vectors().weight, fallen = fma(Scalar(0.5), times(turn.increment, k), k);
    next.turned = Body::turned_by(now.turned, leap, w, h_);
    next.z = Body::turned(now.z, turn);
    next.L = Body::kicked(now.L, step_, Body::in_space(now.z, fallen));
    return {outcome, Scalar(0.0), Scalar(0.0)};
  }

 private:
  using Base::body_, Base::h_, Base::settings_, Base::step_, Base::system_;
};

}  // namespace livens::inline LIVENS_ISA
