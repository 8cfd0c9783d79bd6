#pragma once
// Behind the class of the text: steps in closed form, and the plane of swing. herglotz-nonholonomic, section 4.1;
// equations/herglotz.md, section 3. Every scheme of the family has its step in closed form: with J q = (-y, x) and the
// increment D that the equations give without the constraint,
//   (c) q1 = c q0 + d J q0,  c = 1 + q0.D/r^2
//   (d) d + w h (e^2 + s^2 d^2) = 0,  e = 1 + s (c - 1):  A(q_s) Dq + h b(q_s) = 0 at q_s = q0 + s Dq
// The plane of swing is the direction of q where r is largest. From one to the next it turns by
//   (e) atan((q_a x q_b)/(q_a . q_b)), half the difference of the unwrapped angles 2 atan2(y, x).

#include "kernels/math/elementary.hpp"

namespace livens::inline LIVENS_ISA {

struct FoucaultPendulumDescription {
  static constexpr ObservableInfo observables[] = {
      {"max_plane_jump", "rad", "largest turn of the plane of swing from one largest radius to the next"},
      {"plane_rotation", "rad", "turn of the plane of swing since the first largest radius"},
  };
  static constexpr SystemInfo info = [] {
    SystemInfo info = FoucaultPendulumTextDescription::info;
    info.observables = observables;
    return info;
  }();
};

template <class Scalar_>
struct FoucaultPendulum : FoucaultPendulumText<Scalar_> {
  using Text = FoucaultPendulumText<Scalar_>;
  using typename Text::Position, typename Text::Scalar;
  template <class Other>
  using Over = FoucaultPendulum<Other>;
  static const SystemInfo& info() { return FoucaultPendulumDescription::info; }
  Scalar rotation;  ///< w, rad/s

  LIVENS_HD explicit FoucaultPendulum(const Vec<Scalar, 6>& parameter)
      : Text(parameter), rotation(parameter[3] * sin(parameter[2])) {}

  /// The increment on the constraint; there is none where the root of (d) is not real, near the origin.
  struct ConstrainedIncrement {
    Position value;
    Mask<Scalar> exists;
  };
  LIVENS_HD ConstrainedIncrement constrained_increment(const Position& q, const Position& unconstrained,
                                                       const Scalar& s, const Scalar& h) const {
    const Scalar c_less_1 = dot(q, unconstrained) / dot(q, q);
    const Scalar e = fma(s, c_less_1, Scalar(1.0)), wh = rotation * h;
    const Scalar u = Scalar(2.0) * s * wh * e;
    const Scalar root2 = fnma(u, u, Scalar(1.0));
    const Scalar d = -(Scalar(2.0) * wh * e * e) / (Scalar(1.0) + sqrt(root2));  // (d)
    const Position Jq = {{-q[1], q[0]}};
    const Mask<Scalar> exists = (root2 >= Scalar(0.0)) & finite(d);
    return {fma(d, Jq, c_less_1 * q), exists};  // (c)
  }

  struct Watch {
    static constexpr int observables = 2;
    Scalar max_plane_jump, plane_rotation;
    Position plane;   ///< q at the last largest radius; zero before the first
    Scalar outwards;  ///< 1 while the radius grows, else 0
  };
  /// The watch at the start. The motion before it is unknown: a radius that falls at once was a largest one.
  LIVENS_HD Watch watch(const Position&) const {
    return {Scalar(0.0), Scalar(0.0), zero_vector<Scalar, 2>(), Scalar(1.0)};
  }
  LIVENS_HD Watch watched(const Watch& before, const Position& q0, const Position& q1, const Scalar&,
                          const Scalar&) const {
    Watch now = before;
    const Mask<Scalar> grows = dot(q1, q1) > dot(q0, q0);
    const Mask<Scalar> largest = (before.outwards > Scalar(0.0)) & !grows;
    now.outwards = select(grows, Scalar(1.0), Scalar(0.0));
    if (!any(largest)) return now;
    const Position& a = before.plane;
    const Scalar turn = atan(fma(a[0], q0[1], -(a[1] * q0[0])) / dot(a, q0));  // (e)
    const Scalar jump = select(largest & (dot(a, a) > Scalar(0.0)), turn, Scalar(0.0));
    now.max_plane_jump = max(before.max_plane_jump, abs(jump));
    now.plane_rotation = before.plane_rotation + jump;
    now.plane = select<Scalar>(largest, q0, a);
    return now;
  }
};

}  // namespace livens::inline LIVENS_ISA
