#pragma once
// Foucault pendulum, small oscillations in the plane, with Herglotz damping.
// herglotz-nonholonomic, section 4.1; equations/herglotz.md, section 3.
//   (a) L = m/2 (x'^2 + y'^2) - m g/(2 l) (x^2 + y^2) - alpha z
//   (b) A(q) = (-y, x),  b(q) = w (x^2 + y^2),  w = Omega sin(latitude):  A v + b = 0

#include "kernels/math/elementary.hpp"
#include "kernels/systems/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct FoucaultPendulumDescription {
  static constexpr double mass[] = {28.0};
  static constexpr double length[] = {67.0};
  static constexpr double latitude[] = {49.0 * 3.14159265358979323846 / 180.0};
  static constexpr double earth_rate[] = {7.292115e-5};
  static constexpr double gravity[] = {9.81};
  static constexpr double damping[] = {1e-4};
  static constexpr ParameterInfo parameters[] = {
      {"mass", "m", "kg", "mass of the bob", Domain::positive, 1, mass},
      {"length", "l", "m", "length of the wire", Domain::positive, 1, length},
      {"latitude", "beta", "rad", "geographical latitude", Domain::real, 1, latitude},
      {"earth_rate", "Omega", "rad/s", "rotation of the Earth", Domain::real, 1, earth_rate},
      {"gravity", "g", "m/s^2", "gravitational acceleration", Domain::positive, 1, gravity},
      {"damping", "alpha", "1/s", "Herglotz damping, L = T - V - alpha z", Domain::non_negative, 1, damping},
  };
  static constexpr SystemInfo info = {
      "foucault_pendulum",
      "Foucault pendulum with an affine nonholonomic constraint and contact damping",
      "herglotz-nonholonomic, section 4.1",
      "x, y",
      2,
      1,
      0,
      true,
      parameters,
      "contact_2",
      0.1,
      3600.0};
};

template <class Scalar_>
struct FoucaultPendulum {
  using Scalar = Scalar_;
  template <class Other>
  using Over = FoucaultPendulum<Other>;
  static constexpr int coordinates = 2, constraints = 1, momentum_maps = 0, parameter_count = 6;
  using Position = Vec<Scalar, 2>;
  static const SystemInfo& info() { return FoucaultPendulumDescription::info; }

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
  /// A(q), one row.
  LIVENS_HD Position constraint_row(const Position& q) const { return {{-q[1], q[0]}}; }
  /// b(q).
  LIVENS_HD Scalar constraint_offset(const Position& q) const { return rotation * dot(q, q); }
  /// alpha of the Herglotz Lagrangian, 1/s.
  LIVENS_HD Scalar dissipation_rate() const { return alpha; }
  LIVENS_HD Vec<Scalar, 0> momentum_map(const Position&, const Position&) const { return {}; }

  /// The step from q that the unconstrained equations predict as `free_increment`, corrected along A(q)^T so
  /// that A(q_m) Dq/h + b(q_m) = 0 holds at the midpoint: Dq = free_increment - multiplier A(q)^T.
  struct ConstrainedStep {
    Position increment;
    Scalar multiplier;      ///< h^2 lambda / m
    Mask<Scalar> solvable;  ///< false where no real solution exists, near the origin
  };
  /// herglotz.md, section 3: q1 = c q + d J q, c = q.p/r^2, u = w h (1 + c)/2, d = -(w h/2)(1 + c)^2/(1 +
  /// sqrt(1 - u^2)).
  LIVENS_HD ConstrainedStep constrained_step(const Position& q, const Position& free_increment,
                                             const Scalar& h) const {
    const Position Jq = constraint_row(q);
    const Scalar inverse_r2 = Scalar(1.0) / dot(q, q);
    const Scalar c_less_1 = dot(q, free_increment) * inverse_r2;
    const Scalar c_plus_1 = c_less_1 + Scalar(2.0);
    const Scalar u = Scalar(0.5) * rotation * h * c_plus_1;
    const Scalar root2 = fnma(u, u, Scalar(1.0));
    const Scalar d = -(u * c_plus_1) / (Scalar(1.0) + sqrt(root2));
    return {fma(d, Jq, c_less_1 * q), dot(Jq, free_increment) * inverse_r2 - d, root2 >= Scalar(0.0)};
  }
};

}  // namespace livens::inline LIVENS_ISA
