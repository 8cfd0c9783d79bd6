#pragma once
// Spring pendulum in spherical coordinates, without gravity; the mass matrix depends on the configuration. By hand, since
// the discrete gradient of T is that of the paper; that of its text is another one.
// livens-energy-consistent, section 6.2; equations/systems.md.
//   (a) T = m/2 (r'^2 + r^2 theta'^2 + r^2 sin^2 theta phi'^2)
//   (b) V = EA/2 eps^2,  eps = (r^2 - l0^2)/(2 l0^2)
//   (c) Rayleigh function 1/2 eta r'^2

#include "kernels/math/elementary.hpp"
#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct SpringPendulumDescription {
  static constexpr double mass[] = {1.0};
  static constexpr double axial_stiffness[] = {300.0};
  static constexpr double rest_length[] = {1.0};
  static constexpr double damping[] = {0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "mass of the bob",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "axial_stiffness",
       .symbol = "EA",
       .unit = "N m",
       .meaning = "of the spring, V = EA/2 eps^2",
       .domain = Domain::non_negative,
       .defaults = axial_stiffness},
      {.name = "rest_length",
       .symbol = "l0",
       .unit = "m",
       .meaning = "of the spring",
       .domain = Domain::positive,
       .defaults = rest_length},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous element beside the spring",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr SystemInfo info = {
      .name = "spring_pendulum",
      .meaning = "a mass on a spring in spherical coordinates, M depends on q",
      .paper = "livens-energy-consistent, section 6.2",
      .layout = "r, theta, phi",
      .coordinates = 3,
      .momentum_maps = 1,
      .parameters = parameters,
      .default_scheme = "livens",
      .default_step = 0.01,
      .default_end = 1.0};
};

template <class Scalar_>
struct SpringPendulum : Described<SpringPendulumDescription>, NoConstraints<Scalar_, 3> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = SpringPendulum<Other>;
  using Position = Vec<Scalar, 3>;

  Vec<Scalar, 4> parameters;

  LIVENS_HD explicit SpringPendulum(const Vec<Scalar, 4>& parameter) : parameters(parameter) {}

  /// (a).
  LIVENS_HD DiagonalInertia<Scalar, 3, 1> inertia_of(const Position& q) const {
    const Scalar m = parameters[0], mr2 = m * q[0] * q[0], s = sin(q[1]);
    return DiagonalInertia<Scalar, 3, 1>(Vec<Scalar, 3>{{m, mr2, mr2 * s * s}});
  }
  /// Coordinates that neither T nor V depends on.
  static constexpr bool cyclic(int i) { return i == 2; }
  /// D_1 T(q, v).
  LIVENS_HD Position kinetic_gradient(const Position& q, const Position& v) const {
    const Scalar s = sin(q[1]), mr = parameters[0] * q[0], turn = v[2] * v[2];
    return {{mr * fma(v[1], v[1], s * s * turn), mr * q[0] * s * cos(q[1]) * turn, Scalar(0.0)}};
  }
  /// The spring 5 per cent longer than at rest, on the equator.
  LIVENS_HD Position initial_position() const {
    return {{Scalar(1.05) * parameters[2], Scalar(1.57079632679489661923), Scalar(0.0)}};
  }
  LIVENS_HD Position initial_velocity() const { return {{Scalar(0.0), Scalar(1.0), Scalar(1.0)}}; }

  LIVENS_HD Scalar strain(const Scalar& r) const {
    const Scalar l2 = parameters[2] * parameters[2];
    return fma(r, r, -l2) / (Scalar(2.0) * l2);
  }
  LIVENS_HD Scalar potential(const Position& q) const {
    const Scalar eps = strain(q[0]);
    return Scalar(0.5) * parameters[1] * eps * eps;
  }
  LIVENS_HD Scalar potential_scale(const Position& q) const { return potential(q); }
  LIVENS_HD Position gradient(const Position& q) const { return discrete_gradient(q, q); }
  /// Through the invariant r^2: EA (eps0 + eps1)/2 (r0 + r1)/(2 l0^2).
  LIVENS_HD Position discrete_gradient(const Position& q0, const Position& q1) const {
    const Scalar mean = Scalar(0.5) * (strain(q0[0]) + strain(q1[0]));
    const Scalar l2 = parameters[2] * parameters[2];
    return {{parameters[1] * mean * (q0[0] + q1[0]) / (Scalar(2.0) * l2), Scalar(0.0), Scalar(0.0)}};
  }
  /// C = diag(eta, 0, 0).
  static constexpr bool stiff(int i, int j) { return i == 0 && j == 0; }
  LIVENS_HD Scalar damping(int i, int j) const { return stiff(i, j) ? parameters[3] : Scalar(0.0); }

  /// p_phi.
  LIVENS_HD Vec<Scalar, 1> momentum_map(const Position&, const Position& p) const { return {{p[2]}}; }
};

}  // namespace livens::inline LIVENS_ISA
