#pragma once
// Two rigid rods carry a flexible beam. gamma-convergence-constrained, section 4.2; what the paper does not
// print stands in docs/equations/assembly.md, section 5. e2 is along the beam, e3 up; no gravity. At rest and
// undeformed at first.
//   (a) O = (0, 0, 0), A = (0, 0, -H), B = (0, L, -H), C = (0, L + H, 0)
//       bodies: rod O-A, nodes A to B, rod C-B
//   (b) rods are pyramids that stand on the ground: d3 from there to the beam, d2 = e1, d1 = d2 x d3, mass m,
//       edge a, height H' = |A - O|, |B - C|, centre of mass at H'/4, E1 = E2 = m a^2/20, E3 = 3 m H'^2/80
//   (c) nodes d1 = e3, d2 = e1, d3 = e2, a mass at midspan
//   (d) O and C spherical, A and B with the axis d2
//   (e) load on the mass along e2, from 0 to its peak and back to 0 in the same time

#include "kernels/systems/assembly/projection.hpp"

namespace livens::inline LIVENS_ISA {

/// The swing of (a) to (e) with a beam of so many elements, even for the node at midspan.
template <int elements>
constexpr auto beam_swing() {
  static_assert(elements > 0 && elements % 2 == 0);
  constexpr int rod_a = 0, node_a = 1, node_b = 1 + elements, rod_b = 2 + elements;
  AssemblyShape<elements + 3, elements, 1, 4, 1, 3> shape;
  for (int e = 0; e < elements; ++e) shape.element[e] = {node_a + e, node_a + e + 1, 0};
  shape.joint[0] = {ground, rod_a, spherical};
  shape.joint[1] = {rod_a, node_a, 1};
  shape.joint[2] = {ground, rod_b, spherical};
  shape.joint[3] = {rod_b, node_b, 1};
  shape.loaded[0] = node_a + elements / 2;
  return shape;
}

struct ThreeBarSwingDescription {
  static constexpr double length[] = {0.72};
  static constexpr double height[] = {0.36};
  static constexpr double rod_mass[] = {0.01};
  static constexpr double rod_edge[] = {0.02};
  static constexpr double midspan_mass[] = {5.0};
  static constexpr double peak_load[] = {10000.0};
  static constexpr double load_peaks_at[] = {0.125};
  static constexpr double load_in_start[] = {1.0};
  static constexpr double shear_stiffness[] = {175480.7692};
  static constexpr double axial_stiffness[] = {547500.0};
  static constexpr double bending_stiffness[] = {114.0625, 10.265625};
  static constexpr double torsional_stiffness[] = {13.7401};
  static constexpr double line_mass[] = {7500.0};
  static constexpr double line_inertia[] = {1.5625, 0.140625};
  static constexpr ParameterInfo parameters[] = {
      {.name = "length",
       .symbol = "L",
       .unit = "m",
       .meaning = "length of the beam",
       .domain = Domain::positive,
       .defaults = length},
      {.name = "height",
       .symbol = "H",
       .unit = "m",
       .meaning = "height of the ground above the beam",
       .domain = Domain::positive,
       .defaults = height},
      {.name = "rod_mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "mass of either rod",
       .domain = Domain::positive,
       .defaults = rod_mass},
      {.name = "rod_edge",
       .symbol = "a",
       .unit = "m",
       .meaning = "edge of a rod's square base",
       .domain = Domain::positive,
       .defaults = rod_edge},
      {.name = "midspan_mass",
       .symbol = "m_s",
       .unit = "kg",
       .meaning = "mass on the beam at midspan",
       .domain = Domain::non_negative,
       .defaults = midspan_mass},
      {.name = "peak_load",
       .symbol = "F",
       .unit = "N",
       .meaning = "largest load on that mass along the beam",
       .domain = Domain::real,
       .defaults = peak_load},
      {.name = "load_peaks_at",
       .symbol = "t_F",
       .unit = "s",
       .meaning = "when it is largest; it rises from t = 0 and is gone after twice that time",
       .domain = Domain::positive,
       .defaults = load_peaks_at},
      {.name = "load_in_start",
       .symbol = "s_F",
       .unit = "1",
       .meaning = "share of the load's half step in the first step's equation; 0 as it is printed",
       .domain = Domain::non_negative,
       .defaults = load_in_start},
      {.name = "shear_stiffness",
       .symbol = "GA",
       .unit = "N",
       .meaning = "of the beam's section",
       .domain = Domain::positive,
       .defaults = shear_stiffness},
      {.name = "axial_stiffness",
       .symbol = "EA",
       .unit = "N",
       .meaning = "of the beam's section",
       .domain = Domain::positive,
       .defaults = axial_stiffness},
      {.name = "bending_stiffness",
       .symbol = "EI",
       .unit = "N m^2",
       .meaning = "of the beam's section, about d1 and d2; the motion in the plane bends about d2",
       .domain = Domain::positive,
       .defaults = bending_stiffness},
      {.name = "torsional_stiffness",
       .symbol = "GJ",
       .unit = "N m^2",
       .meaning = "of the beam's section",
       .domain = Domain::positive,
       .defaults = torsional_stiffness},
      {.name = "line_mass",
       .symbol = "A rho",
       .unit = "kg/m",
       .meaning = "mass of the beam per length",
       .domain = Domain::positive,
       .defaults = line_mass},
      {.name = "line_inertia",
       .symbol = "M",
       .unit = "kg m",
       .meaning = "inertia of the directors d1 and d2 of the beam per length",
       .domain = Domain::positive,
       .defaults = line_inertia},
  };
  static constexpr ObservableInfo observables[] = {
      {"max_discrete_speed", "SI", "largest |u_{n+1} - u_n|/h over all coordinates, Table 2 of the paper"},
  };
  static constexpr auto shape = beam_swing<10>();
  static constexpr SystemInfo info = {.name = "three_bar_swing",
                                      .meaning = "a flexible beam between two rigid rods, of 10 elements",
                                      .paper = "gamma-convergence-constrained, section 4.2",
                                      .layout = "rod A, nodes 0 to 10, rod B, each phi, d1, d2, d3 in R^3",
                                      .coordinates = shape.coordinates,
                                      .constraints = shape.constraints(),
                                      .momentum_maps = 1,
                                      .parameters = parameters,
                                      .default_scheme = "del_nullspace",
                                      .default_step = 0.0005,
                                      .default_end = 5.0,
                                      .singular_mass = true,
                                      .observables = observables,
                                      .to_round_off = true};
};

/// The swing with any number of elements: what is a system of its own adds a description.
template <int elements, class Scalar_>
struct BeamSwing : Assembly<beam_swing<elements>(), Scalar_> {
  using Scalar = Scalar_;
  using Base = Assembly<beam_swing<elements>(), Scalar>;
  using typename Base::Position;
  using Vector = Vec3<Scalar>;
  static constexpr int parameter_count = livens::parameter_count(ThreeBarSwingDescription::info);

  Scalar pulse_energy;  ///< J

  LIVENS_HD explicit BeamSwing(const Vec<Scalar, parameter_count>& parameter) {
    const Scalar o = Scalar(0.0), one = Scalar(1.0);
    const Scalar L = parameter[0], H = parameter[1];
    const Vector e1 = {{one, o, o}}, e2 = {{o, one, o}}, e3 = {{o, o, one}};
    const Vector O = {{o, o, o}}, A = {{o, o, -H}}, B = {{o, L, -H}}, C = {{o, L + H, o}};
    set_rod(0, parameter, O, A);
    set_rod(1, parameter, C, B);
    for (int node = 0; node <= elements; ++node) {
      const Vector phi = fma(Scalar(1.0 * node) * (L * Scalar(1.0 / elements)), e2, A);
      this->set_body(1 + node, phi, {e3, e1, e2}, {{o, o, o, o}});
    }
    this->own_mass[1 + elements / 2][0] = parameter[4];
    const Vector force = {{parameter[8], parameter[8], parameter[9]}};
    const Vector moment = {{parameter[10], parameter[11], parameter[12]}};
    this->section[0] = {force, moment, parameter[13], {{parameter[14], parameter[15], o}}};
    const Scalar peak = parameter[6];
    this->loads[0] = {e2, {{o, peak, Scalar(2.0) * peak}}, {{o, parameter[5], o}}};
    this->load_in_start = parameter[7];
    const Scalar impulse = peak * parameter[5];
    pulse_energy = impulse * impulse / (Scalar(2.0) * fma(parameter[13], L, parameter[4]));
    this->measure_elements();
  }

  /// At rest and undeformed there is no energy to compare others with, but what the load's impulse gives the
  /// beam.
  LIVENS_HD Scalar potential_scale(const Position& q) const { return pulse_energy + this->potential(q); }

  LIVENS_HD const Position& initial_position() const { return this->assembled; }
  LIVENS_HD Position initial_velocity() const { return zero_vector<Scalar, Base::d>(); }

  /// Angular momentum about the line O-C, which the load is along.
  LIVENS_HD Vec<Scalar, 1> momentum_map(const Position& q, const Position& p) const {
    Scalar L2 = Scalar(0.0);
    for (int k = 0; k < Base::d; k += 3) L2 = fma(q[k + 2], p[k], fnma(q[k], p[k + 2], L2));
    return {{L2}};
  }

  struct Watch {
    static constexpr int observables = 1;
    Scalar max_discrete_speed;
  };
  LIVENS_HD Watch watch(const Position&) const { return {Scalar(0.0)}; }
  LIVENS_HD Watch watched(const Watch& before, const Position& q0, const Position& q1, const Scalar&,
                          const Scalar& h) const {
    Scalar square = Scalar(0.0);
    for (int i = 0; i < Base::d; ++i) square = fma(q1[i] - q0[i], q1[i] - q0[i], square);
    return {max(sqrt(square) / h, before.max_discrete_speed)};
  }

 private:
  /// (b), and its joints on the ground and at the beam.
  LIVENS_HD void set_rod(int side, const Vec<Scalar, parameter_count>& parameter, const Vector& foot,
                         const Vector& pin) {
    const Scalar o = Scalar(0.0), m = parameter[2], a = parameter[3];
    const Vector along = pin - foot, e1 = {{Scalar(1.0), o, o}};
    const Scalar height = sqrt(dot(along, along)), quarter = Scalar(0.25) * height;
    const Vector d3 = (Scalar(1.0) / height) * along;
    const Scalar E = m * a * a * Scalar(1.0 / 20.0);
    this->set_body(side == 0 ? 0 : elements + 2, fma(quarter, d3, foot), {cross(e1, d3), e1, d3},
                   {{m, E, E, Scalar(3.0 / 80.0) * m * height * height}});
    this->place[2 * side] = {foot, {{o, o, -quarter}}};
    this->place[2 * side + 1] = {{{o, o, height - quarter}}, {{o, o, o}}};
  }
};

template <class Scalar_>
struct ThreeBarSwing : Described<ThreeBarSwingDescription>, BeamSwing<10, Scalar_> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = ThreeBarSwing<Other>;
  using Described<ThreeBarSwingDescription>::parameter_count;
  using BeamSwing<10, Scalar>::BeamSwing;
};

}  // namespace livens::inline LIVENS_ISA
