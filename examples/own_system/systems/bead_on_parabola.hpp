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
      {"mass", "m", "kg", "mass of the bead", Domain::positive, 1, mass},
      {"bend", "kappa", "1/m", "curvature of the wire at its lowest point", Domain::non_negative, 1, bend},
      {"gravity", "g", "m/s^2", "gravity, along -y", Domain::non_negative, 1, gravity},
      {"damping", "c", "kg/s", "drag", Domain::non_negative, 1, damping},
      {"width", "x0", "m", "where the bead is let go", Domain::real, 1, width},
  };
  static constexpr SystemInfo info = {"bead_on_parabola",
                                      "a bead on a parabolic wire",
                                      "an example of a system from outside",
                                      "x, y",
                                      2,
                                      1,
                                      0,
                                      false,
                                      parameters,
                                      "ems",
                                      0.01,
                                      10.0};
};

template <class Scalar_>
struct BeadOnParabola {
  using Scalar = Scalar_;
  template <class Other>
  using Over = BeadOnParabola<Other>;
  static constexpr int coordinates = 2, constraints = 1, momentum_maps = 0, parameter_count = 5;
  static constexpr bool linear_potential = true;
  using Position = Vec<Scalar, 2>;
  using Inertia = DiagonalInertia<Scalar, 1, 2>;
  static const SystemInfo& info() { return BeadOnParabolaDescription::info; }

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
  LIVENS_HD Vec<Scalar, 0> momentum_map(const Position&, const Position&) const { return {}; }
};

}  // namespace livens::inline LIVENS_ISA
