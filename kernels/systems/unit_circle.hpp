#pragma once
// A point mass on a circle, without forces: the smallest system with a constraint, and one whose discrete
// Euler-Lagrange equations have a spurious root. gamma-convergence-constrained, example 3.1;
// equations/multibody.md, section 4.
//   (a) T = m/2 |v|^2,  V = 0
//   (b) g = (|u|^2 - R^2)/2
//   (c) Rayleigh function 1/2 eta |u'|^2

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct UnitCircleDescription {
  static constexpr double mass[] = {1.0};
  static constexpr double radius[] = {1.0};
  static constexpr double damping[] = {0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "mass of the point",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "radius",
       .symbol = "R",
       .unit = "m",
       .meaning = "radius of the circle",
       .domain = Domain::positive,
       .defaults = radius},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous drag along the circle",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr SystemInfo info = {.name = "unit_circle",
                                      .meaning = "a point mass on a circle",
                                      .paper = "gamma-convergence-constrained, example 3.1",
                                      .layout = "u in R^2",
                                      .coordinates = 2,
                                      .constraints = 1,
                                      .momentum_maps = 1,
                                      .parameters = parameters,
                                      .default_scheme = "del_multiplier",
                                      .default_step = 0.1,
                                      .default_end = 10.0};
};

template <class Scalar_>
struct UnitCircle : Described<UnitCircleDescription>, LinearPotential {
  using Scalar = Scalar_;
  template <class Other>
  using Over = UnitCircle<Other>;
  using Position = Vec<Scalar, 2>;

  using Inertia = DiagonalInertia<Scalar, 1, 2>;
  Inertia inertia;
  Scalar radius, viscosity;

  LIVENS_HD explicit UnitCircle(const Vec<Scalar, 3>& parameter)
      : inertia(part<0, 1>(parameter)), radius(parameter[1]), viscosity(parameter[2]) {}

  /// u = (R, 0).
  LIVENS_HD Position initial_position() const { return {{radius, Scalar(0.0)}}; }
  LIVENS_HD Position initial_velocity() const { return {{Scalar(0.0), Scalar(1.0)}}; }

  LIVENS_HD Scalar potential(const Position&) const { return Scalar(0.0); }
  LIVENS_HD Scalar potential_scale(const Position&) const { return Scalar(0.0); }
  LIVENS_HD Position gradient(const Position&) const { return zero_vector<Scalar, 2>(); }
  /// C = eta I.
  static constexpr bool stiff(int i, int j) { return i == j; }
  LIVENS_HD Scalar damping(int i, int j) const { return stiff(i, j) ? viscosity : Scalar(0.0); }

  LIVENS_HD Vec<Scalar, 1> constraints_at(const Position& q) const {
    return {{Scalar(0.5) * dot_near(q, q, -(radius * radius))}};
  }
  static constexpr bool constrains(int, int) { return true; }
  LIVENS_HD Mat<Scalar, 1, 2> constraint_jacobian(const Position& q) const { return {{q[0], q[1]}}; }
  static constexpr bool curved(int, int i, int j) { return i == j; }
  LIVENS_HD Scalar curvature(int, int i, int j) const { return Scalar(i == j ? 1.0 : 0.0); }

  /// Angular momentum.
  LIVENS_HD Vec<Scalar, 1> momentum_map(const Position& q, const Position& p) const {
    return {{fma(q[0], p[1], -(q[1] * p[0]))}};
  }

  using Vectors = VectorForm<Scalar, DiagonalInertia,
                             VectorShape{.dimension = 2, .unit = 1, .dragged = true, .momentum_maps = 1}>;

  LIVENS_HD Vectors vector_form() const {
    Vectors f;
    f.inertia = Inertia(Vec<Scalar, 1>{{inertia.value[0] * radius * radius}});
    f.drag = {{viscosity * radius * radius}};
    f.constraint_scale = {{radius * radius}};
    return f;
  }
  LIVENS_HD Inertia coordinate_metric() const { return Inertia(Vec<Scalar, 1>{{radius * radius}}); }
  LIVENS_HD typename Vectors::State to_vectors(const Position& q, const Position& p) const {
    return {(Scalar(1.0) / radius) * q, radius * p};
  }
  LIVENS_HD NodeState<Scalar, 2> from_vectors(const typename Vectors::State& s) const {
    const Position p = (Scalar(1.0) / radius) * s.p;
    return {radius * s.z, p, inertia.solve(p)};
  }
};

}  // namespace livens::inline LIVENS_ISA
