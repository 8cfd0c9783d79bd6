#pragma once
// What the forms of a rigid frame (frame_body.hpp) share whose node is the frame and its angular momentum L:
// Omega = I^-1 L in the frame, p_b = E_b Omega x d_b. The unit of time is one in which h is a power of two,
// so that h^2 k where a turn is sought and h k where L is moved are the same weight: rounded apart, they work
// against each other in every step (equations/reduced.md, section 3).

#include "kernels/forms/frame/frame_body.hpp"
#include "kernels/math/exact.hpp"

namespace livens::inline LIVENS_ISA {

template <FrameSystem System_>
class FrameForm {
 public:
  using System = System_;
  using Scalar = typename System::Scalar;
  using Body = FrameBody<System>;
  using Flat = typename Body::Flat;
  using Spin = typename Body::Spin;
  static constexpr int d = System::coordinates, unknowns = 3;
  static constexpr const char* form = "reduced";
  static constexpr bool compensated = false, short_step = true;

  struct Carried {
    Flat z;
    Spin L;  ///< angular momentum, in space
    typename Body::Turned turned;
  };

  LIVENS_HD FrameForm(const System& system, const Scalar& h, const Settings& settings)
      : system_(system),
        h_(h),
        step_(power_of_two_below(h)),
        per_tau_(step_ / h),
        body_(system, h / step_),
        settings_(settings) {}

  LIVENS_HD Carried start(const NodeState<Scalar, d>& n) const {
    const auto s = system_.to_vectors(n.q, n.p);
    return {s.z, Body::angular_momentum(s), Body::not_turned()};
  }
  LIVENS_HD NodeState<Scalar, d> node(const Carried& carried) const {
    const Spin Omega = body_.mobile(Body::in_frame(carried.z, carried.L));
    return system_.from_vectors(body_.state(carried.z, Body::hat(Omega)));
  }
  LIVENS_HD Measured<Scalar, System::momentum_maps> measure(const Carried& carried, Measuring what) const {
    const Spin L = Body::in_frame(carried.z, carried.L), Omega = body_.mobile(L);
    Measured<Scalar, System::momentum_maps> measured{};
    const Scalar half = Scalar(0.5), L_Omega = dot(L, Omega);
    measured.energy = per_tau_ * fma(half, L_Omega, body_.vectors().potential(carried.z));
    measured.total_energy = measured.energy;
    measured.kinetic = per_tau_ * (half * L_Omega);
    if (what == Measuring::energies) return measured;
    if constexpr (has_own_maps<System>)
      measured.momentum = own_maps(system_, node(carried));
    else
      measured.momentum[0] = carried.L[2];
    Body::measure_turning(carried.z, per_tau_ * Omega, measured);
    return measured;
  }
  LIVENS_HD Scalar action(const Carried&) const { return not_a_number<Scalar>(); }

 protected:
  const System& system_;
  Scalar h_, step_;  ///< h in s, and in units of tau: a power of two
  Scalar per_tau_;
  Body body_;  ///< in units of tau
  const Settings& settings_;
};

}  // namespace livens::inline LIVENS_ISA
