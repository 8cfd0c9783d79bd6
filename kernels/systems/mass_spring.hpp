#pragma once
// Two masses on nonlinear springs in redundant coordinates; the mass matrix is singular. By hand 1.2 times as fast as made
// of its text (`scripts/text_acceptance.py BUILD --systems mass_spring`).
// livens-energy-consistent, section 6.1; equations/systems.md.
//   (a) T = m1/2 v1^2 + m2/2 (v2 + v3)^2
//   (b) V = k1/4 (x1^2 + x1^4) + k2/4 (x2^2 + x2^4)
//   (c) g = [(q2 - x1)^2 - (l10 + w)^2]/2
//   (d) Rayleigh function 1/2 eta1 x1'^2 + 1/2 eta2 x2'^2

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct MassSpringDescription {
  static constexpr double mass[] = {1.0, 1.0};
  static constexpr double stiffness[] = {1.0, 3.0};
  static constexpr double rest_length[] = {1.0, 1.0};
  static constexpr double width[] = {0.1};
  static constexpr double damping[] = {0.0, 0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "masses",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "stiffness",
       .symbol = "k",
       .unit = "N/m",
       .meaning = "springs",
       .domain = Domain::non_negative,
       .defaults = stiffness},
      {.name = "rest_length",
       .symbol = "l0",
       .unit = "m",
       .meaning = "rest lengths of the springs; only the first one acts",
       .domain = Domain::positive,
       .defaults = rest_length},
      {.name = "width",
       .symbol = "w",
       .unit = "m",
       .meaning = "width of the first mass",
       .domain = Domain::non_negative,
       .defaults = width},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous elements beside the springs",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr SystemInfo info = {.name = "mass_spring",
                                      .meaning = "two masses on springs in redundant coordinates, M singular",
                                      .paper = "livens-energy-consistent, section 6.1",
                                      .layout = "x1, q2, x2",
                                      .coordinates = 3,
                                      .constraints = 1,
                                      .parameters = parameters,
                                      .default_scheme = "livens",
                                      .default_step = 0.1,
                                      .default_end = 10.0,
                                      .singular_mass = true};
};

template <class Scalar_>
struct MassSpring : Described<MassSpringDescription>, NoMomentumMaps<Scalar_, 3> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = MassSpring<Other>;
  using Position = Vec<Scalar, 3>;

  /// (a).
  struct Inertia {
    Scalar m1, m2;
    LIVENS_HD Position times(const Position& v) const {
      const Scalar p2 = m2 * (v[1] + v[2]);
      return {{m1 * v[0], p2, p2}};
    }
    LIVENS_HD Scalar entry(int i, int j) const {
      if (i == 0 || j == 0) return i == j ? m1 : Scalar(0.0);
      return m2;
    }
  };
  Vec<Scalar, 9> parameters;
  Inertia inertia;

  LIVENS_HD explicit MassSpring(const Vec<Scalar, 9>& parameter)
      : parameters(parameter), inertia{parameter[0], parameter[1]} {}

  LIVENS_HD Scalar distance() const { return parameters[4] + parameters[6]; }  ///< l10 + w
  LIVENS_HD Position initial_position() const {
    return {{Scalar(1.0), Scalar(1.0) + distance(), Scalar(0.0)}};
  }
  LIVENS_HD Position initial_velocity() const { return {{Scalar(0.0), Scalar(0.0), Scalar(1.0)}}; }

  LIVENS_HD Scalar potential(const Position& q) const {
    return spring_energy(parameters[2], q[0]) + spring_energy(parameters[3], q[2]);
  }
  LIVENS_HD Scalar potential_scale(const Position& q) const { return potential(q); }
  LIVENS_HD Position gradient(const Position& q) const { return discrete_gradient(q, q); }
  /// Difference quotient of each spring: k/4 (a + b)(1 + a^2 + b^2).
  LIVENS_HD Position discrete_gradient(const Position& q0, const Position& q1) const {
    const auto quotient = [](const Scalar& k, const Scalar& a, const Scalar& b) {
      return Scalar(0.25) * k * (a + b) * fma(a, a, fma(b, b, Scalar(1.0)));
    };
    return {{quotient(parameters[2], q0[0], q1[0]), Scalar(0.0), quotient(parameters[3], q0[2], q1[2])}};
  }
  /// C = diag(eta1, 0, eta2).
  static constexpr bool stiff(int i, int j) { return i == j && i != 1; }
  LIVENS_HD Scalar damping(int i, int j) const { return stiff(i, j) ? parameters[7 + i / 2] : Scalar(0.0); }

  LIVENS_HD Vec<Scalar, 1> constraints_at(const Position& q) const {
    const Scalar gap = q[1] - q[0];
    return {{Scalar(0.5) * fma(gap, gap, -(distance() * distance()))}};
  }
  static constexpr bool constrains(int, int i) { return i < 2; }
  LIVENS_HD Mat<Scalar, 1, 3> constraint_jacobian(const Position& q) const {
    const Scalar gap = q[1] - q[0];
    return {{-gap, gap, Scalar(0.0)}};
  }
  static constexpr bool curved(int, int i, int j) { return i < 2 && j < 2; }
  LIVENS_HD Scalar curvature(int, int i, int j) const {
    return Scalar(curved(0, i, j) ? (i == j ? 1.0 : -1.0) : 0.0);
  }

 private:
  static LIVENS_HD Scalar spring_energy(const Scalar& k, const Scalar& x) {
    return Scalar(0.25) * k * (x * x) * fma(x, x, Scalar(1.0));
  }
};

}  // namespace livens::inline LIVENS_ISA
