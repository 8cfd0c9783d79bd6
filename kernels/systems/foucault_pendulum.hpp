#pragma once
// Foucault pendulum, small oscillations in the plane, with Herglotz damping.
// herglotz-nonholonomic, section 4.1; equations/herglotz.md, section 3.
//   (a) L = m/2 (x'^2 + y'^2) - m g/(2 l) (x^2 + y^2) - alpha z
//   (b) A(q) = (-y, x),  b(q) = w (x^2 + y^2),  w = Omega sin(latitude):  A v + b = 0
// Every scheme of the family has its step in closed form: with J q = (-y, x) and the increment D that the
// equations give without the constraint,
//   (c) q1 = c q0 + d J q0,  c = 1 + q0.D/r^2
//   (d) d + w h (e^2 + s^2 d^2) = 0,  e = 1 + s (c - 1):  A(q_s) Dq + h b(q_s) = 0 at q_s = q0 + s Dq
// The plane of swing is the direction of q where r is largest. From one to the next it turns by
//   (e) atan((q_a x q_b)/(q_a . q_b)), half the difference of the unwrapped angles 2 atan2(y, x).

#include "kernels/math/elementary.hpp"
#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct FoucaultPendulumDescription {
  static constexpr double mass[] = {28.0};
  static constexpr double length[] = {67.0};
  static constexpr double latitude[] = {49.0 * 3.14159265358979323846 / 180.0};
  static constexpr double earth_rate[] = {7.292115e-5};
  static constexpr double gravity[] = {9.81};
  static constexpr double damping[] = {1e-4};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "mass of the bob",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "length",
       .symbol = "l",
       .unit = "m",
       .meaning = "length of the wire",
       .domain = Domain::positive,
       .defaults = length},
      {.name = "latitude",
       .symbol = "beta",
       .unit = "rad",
       .meaning = "geographical latitude",
       .domain = Domain::real,
       .defaults = latitude},
      {.name = "earth_rate",
       .symbol = "Omega",
       .unit = "rad/s",
       .meaning = "rotation of the Earth",
       .domain = Domain::real,
       .defaults = earth_rate},
      {.name = "gravity",
       .symbol = "g",
       .unit = "m/s^2",
       .meaning = "gravitational acceleration",
       .domain = Domain::positive,
       .defaults = gravity},
      {.name = "damping",
       .symbol = "alpha",
       .unit = "1/s",
       .meaning = "Herglotz damping, L = T - V - alpha z",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr ObservableInfo observables[] = {
      {"max_plane_jump", "rad", "largest turn of the plane of swing from one largest radius to the next"},
      {"plane_rotation", "rad", "turn of the plane of swing since the first largest radius"},
  };
  static constexpr SystemInfo info = {
      .name = "foucault_pendulum",
      .meaning = "Foucault pendulum with an affine nonholonomic constraint and contact damping",
      .paper = "herglotz-nonholonomic, section 4.1",
      .layout = "x, y",
      .coordinates = 2,
      .constraints = 1,
      .nonholonomic = true,
      .parameters = parameters,
      .default_scheme = "contact_2",
      .default_step = 0.1,
      .default_end = 3600.0,
      .observables = observables};
};

template <class Scalar_>
struct FoucaultPendulum : Described<FoucaultPendulumDescription>, NoMomentumMaps<Scalar_, 2> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = FoucaultPendulum<Other>;
  using Position = Vec<Scalar, 2>;

  /// M = m I2.
  struct Inertia {
    Scalar mass, reciprocal;
    LIVENS_HD Position times(const Position& v) const { return mass * v; }
    LIVENS_HD Position solve(const Position& p) const { return reciprocal * p; }
  };
  Inertia inertia;
  Scalar length, stiffness, rotation, alpha;  ///< stiffness: m g/l, N/m; rotation: w, rad/s

  LIVENS_HD explicit FoucaultPendulum(const Vec<Scalar, 6>& parameter)
      : inertia{parameter[0], Scalar(1.0) / parameter[0]},
        length(parameter[1]),
        stiffness(parameter[0] * parameter[4] / parameter[1]),
        rotation(parameter[3] * sin(parameter[2])),
        alpha(parameter[5]) {}

  /// q = (0, l/100).
  LIVENS_HD Position initial_position() const { return {{Scalar(0.0), Scalar(0.01) * length}}; }
  /// v = 0 as printed; inconsistent with (b), so that `consistency` decides what becomes of it.
  LIVENS_HD Position initial_velocity() const { return zero_vector<Scalar, 2>(); }

  LIVENS_HD Scalar potential(const Position& q) const { return Scalar(0.5) * stiffness * dot(q, q); }
  LIVENS_HD Scalar potential_scale(const Position& q) const { return potential(q); }
  LIVENS_HD Position gradient(const Position& q) const { return stiffness * q; }
  LIVENS_HD Mat<Scalar, 1, 2> constraint_matrix(const Position& q) const { return {{-q[1], q[0]}}; }
  LIVENS_HD Vec<Scalar, 1> constraint_offset(const Position& q) const { return {{rotation * dot(q, q)}}; }
  /// alpha of the Herglotz Lagrangian, 1/s.
  LIVENS_HD Scalar dissipation_rate() const { return alpha; }

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
