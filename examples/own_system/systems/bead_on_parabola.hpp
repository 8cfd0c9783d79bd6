#pragma once
// A bead that slides on a parabolic wire under gravity, with air drag. q = (x, y):
//   (a) T = m/2 |v|^2
//   (b) V = m g y
//   (c) g = y - kappa x^2/2
//   (d) the viscous force is -c v

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct BeadOnParabolaDescription {
  static constexpr double mass[] = {1.0};
  static constexpr double bend[] = {1.0};
  static constexpr double gravity[] = {9.81};
  static constexpr double damping[] = {0.0};
  static constexpr double width[] = {1.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "mass of the bead",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "bend",
       .symbol = "kappa",
       .unit = "1/m",
       .meaning = "curvature of the wire at its lowest point",
       .domain = Domain::non_negative,
       .defaults = bend},
      {.name = "gravity",
       .symbol = "g",
       .unit = "m/s^2",
       .meaning = "gravity, along -y",
       .domain = Domain::non_negative,
       .defaults = gravity},
      {.name = "damping",
       .symbol = "c",
       .unit = "kg/s",
       .meaning = "drag",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
      {.name = "width",
       .symbol = "x0",
       .unit = "m",
       .meaning = "where the bead is let go",
       .domain = Domain::real,
       .defaults = width},
  };
  static constexpr SystemInfo info = {.name = "bead_on_parabola",
                                      .meaning = "a bead on a parabolic wire",
                                      .paper = "an example of a system from outside",
                                      .layout = "x, y",
                                      .coordinates = 2,
                                      .constraints = 1,
                                      .parameters = parameters,
                                      .default_scheme = "ems",
                                      .default_step = 0.01,
                                      .default_end = 10.0};
};

template <class Scalar_>
struct BeadOnParabola : Described<BeadOnParabolaDescription>, NoMomentumMaps<Scalar_, 2> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = BeadOnParabola<Other>;
  using Position = Vec<Scalar, 2>;
  using Inertia = DiagonalInertia<Scalar, 1, 2>;

  Inertia inertia;
  Scalar bend, weight, drag, width;

  LIVENS_HD explicit BeadOnParabola(const Vec<Scalar, 5>& parameter)
      : inertia(part<0, 1>(parameter)),
        bend(parameter[1]),
        weight(parameter[0] * parameter[2]),
        drag(parameter[3]),
        width(parameter[4]) {}

  LIVENS_HD Position initial_position() const { return {{width, Scalar(0.5) * bend * width * width}}; }
  LIVENS_HD Position initial_velocity() const { return zero_vector<Scalar, 2>(); }

  static constexpr bool linear_potential = true;                                 ///< DV is constant
  LIVENS_HD Scalar potential(const Position& q) const { return weight * q[1]; }  // (b)
  LIVENS_HD Scalar potential_scale(const Position& q) const { return abs(potential(q)); }
  LIVENS_HD Position gradient(const Position&) const { return {{Scalar(0.0), weight}}; }
  static constexpr bool stiff(int i, int j) { return i == j; }
  LIVENS_HD Scalar damping(int i, int j) const { return i == j ? drag : Scalar(0.0); }  // (d)

  LIVENS_HD Vec<Scalar, 1> constraints_at(const Position& q) const {  // (c)
    return {{fnma(Scalar(0.5) * bend * q[0], q[0], q[1])}};
  }
  static constexpr bool constrains(int, int) { return true; }
  LIVENS_HD Mat<Scalar, 1, 2> constraint_jacobian(const Position& q) const {
    return {{-(bend * q[0]), Scalar(1.0)}};
  }
  static constexpr bool curved(int, int i, int j) { return i == 0 && j == 0; }
  LIVENS_HD Scalar curvature(int, int i, int j) const { return curved(0, i, j) ? -bend : Scalar(0.0); }
};

}  // namespace livens::inline LIVENS_ISA
