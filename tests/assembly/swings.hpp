#pragma once
// Assemblies for the kernels as for the reference, and starts without symmetry.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "kernels/forms/assembly/del_multiplier_assembly.hpp"
#include "kernels/forms/assembly/del_nullspace_assembly.hpp"
#include "kernels/systems/three_bar_swing.hpp"
#include "tests/reference/assembly/assemblies.hpp"

namespace livens::assemblies {

/// The parameters of the swing, its defaults.
inline Vec<double, ThreeBarSwing<double>::parameter_count> standard_parameters() {
  Vec<double, ThreeBarSwing<double>::parameter_count> values;
  int k = 0;
  for (const ParameterInfo& parameter : ThreeBarSwingDescription::info.parameters)
    for (const double value : parameter.defaults) values[k++] = value;
  return values;
}

/// A swing with another number of elements: the description alone is another one.
template <int elements>
struct OtherSwingDescription {
  static constexpr auto shape = beam_swing<elements>();
  static constexpr SystemInfo info = {.name = "other_swing",
                                      .meaning = "",
                                      .paper = "",
                                      .layout = "",
                                      .coordinates = shape.coordinates,
                                      .constraints = shape.constraints(),
                                      .momentum_maps = 1,
                                      .parameters = ThreeBarSwingDescription::parameters,
                                      .default_scheme = "del_nullspace",
                                      .default_step = 0.0005,
                                      .default_end = 5.0,
                                      .singular_mass = true};
};
template <int elements>
struct OtherSwing : Described<OtherSwingDescription<elements>>, BeamSwing<elements, double> {
  template <class Other>
  using Over = OtherSwing;
  using Described<OtherSwingDescription<elements>>::parameter_count;
  using BeamSwing<elements, double>::BeamSwing;
};

/// reference::flail(): a rod on a ball joint, on its end a beam of three elements on an axis, on the beam's
/// end a second rod. It carries a body on a free one, and its bodies do not stand in the order in which they
/// are carried.
constexpr auto flail_shape() {
  AssemblyShape<6, 3, 1, 3, 0, 1> shape;
  for (int e = 0; e < 3; ++e) shape.element[e] = {1 + e, 2 + e, 0};
  shape.joint[0] = {4, 5, spherical};
  shape.joint[1] = {0, 1, 1};
  shape.joint[2] = {ground, 0, spherical};
  return shape;
}
struct FlailDescription {
  static constexpr auto shape = flail_shape();
  static constexpr double none[] = {0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "unused", .symbol = "", .unit = "1", .meaning = "", .domain = Domain::real, .defaults = none}};
  static constexpr SystemInfo info = {.name = "flail",
                                      .meaning = "",
                                      .paper = "",
                                      .layout = "",
                                      .coordinates = shape.coordinates,
                                      .constraints = shape.constraints(),
                                      .parameters = parameters,
                                      .default_scheme = "del_nullspace",
                                      .default_step = 0.001,
                                      .default_end = 1.0,
                                      .singular_mass = true};
};
struct Flail : Described<FlailDescription>, Assembly<flail_shape(), double>, NoMomentumMaps<double, 72> {
  template <class Other>
  using Over = Flail;

  explicit Flail(const Vec<double, 1>&) {
    const reference::Assembly parts = reference::flail();
    for (int b = 0; b < bodies; ++b) {
      const reference::Body& body = parts.bodies[b];
      const auto vector = [](const auto& x) { return Vec3<double>{{x[0], x[1], x[2]}}; };
      const auto director = [&](int i) { return vector(body.directors.col(i)); };
      set_body(b, vector(body.position), {director(0), director(1), director(2)},
               {{body.mass, body.euler_inertia[0], body.euler_inertia[1], body.euler_inertia[2]}});
    }
    const reference::Section& s = parts.elements[0].section;
    section[0] = {{{s.shear_stiffness, s.shear_stiffness, s.axial_stiffness}},
                  {{s.bending_stiffness_1, s.bending_stiffness_2, s.torsional_stiffness}},
                  s.line_mass,
                  {{s.line_inertia_1, s.line_inertia_2, 0.0}}};
    for (int j = 0; j < shape.joints; ++j) {
      const auto vector = [](const auto& x) { return Vec3<double>{{x[0], x[1], x[2]}}; };
      place[j] = {vector(parts.joints[j].on.at), vector(parts.joints[j].of.at)};
    }
    load_in_start = 1.0;
    measure_elements();
  }
  Position initial_position() const { return assembled; }
  Position initial_velocity() const { return zero_vector<double, 72>(); }
};

template <class System>
Vec<double, System::parameter_count> parameters_of() {
  if constexpr (System::parameter_count == 1)
    return {{0.0}};
  else
    return standard_parameters();
}

template <int N>
Vec<double, N> vector_of(const reference::VectorXd& x) {
  Vec<double, N> r;
  for (int i = 0; i < N; ++i) r[i] = x[i];
  return r;
}
template <int N>
double largest_difference(const Vec<double, N>& a, const reference::VectorXd& b) {
  double largest = 0.0;
  for (int i = 0; i < N; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// One instance of a scheme, step by step.
template <class Scheme>
class Stepped {
 public:
  using System = typename Scheme::System;
  static constexpr int d = System::coordinates;

  Stepped(double h, const reference::State& start)
      : system_(parameters_of<System>()), scheme_(system_, h, settings_) {
    const auto q = vector_of<d>(start.q), v = vector_of<d>(start.v);
    now_ = scheme_.start({q, momentum_of(system_, q, v), v});
  }
  const System& system() const { return system_; }
  const Scheme& scheme() const { return scheme_; }
  const typename Scheme::Carried& carried() const { return now_; }

  Status advance() {
    typename Scheme::Carried next;
    const auto report = scheme_.template step<Pivoting::refused>(now_, true, next);
    const auto status = static_cast<Status>(static_cast<int>(report.outcome.status));
    before_ = now_;
    if (status == Status::ok) now_ = next;
    return status;
  }
  /// lambda of the last step.
  auto multipliers() const { return scheme_.multipliers(before_, now_).lambda; }

 private:
  static Settings round_off() {
    Settings settings = standard_settings(Scheme::info());
    settings.tolerance = 0.0;
    return settings;
  }
  System system_;
  Settings settings_ = round_off();  // which the scheme refers to
  Scheme scheme_;
  typename Scheme::Carried now_, before_;
};

}  // namespace livens::assemblies
