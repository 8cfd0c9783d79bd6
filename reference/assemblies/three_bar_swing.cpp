#include "three_bar_swing.hpp"

#include <Eigen/Geometry>
#include <tuple>

#include "../assembly/assembled_system.hpp"
#include "../parameters.hpp"

namespace livens::reference {

/// A pyramid between its joint on the ground and its pin: d3 from the one to the other, d2 = e1. Of its
/// moments about the centre of mass, a quarter of the height from the base, E1 = E2 = m a^2/20 and
/// E3 = 3 m H^2/80.
static Body pyramid(const ThreeBarSwing& given, const Vector3d& joint, const Vector3d& pin) {
  const double H = (pin - joint).norm(), m = given.rod_mass, a = given.rod_edge;
  const Vector3d d3 = (pin - joint) / H, d2 = Vector3d::UnitX();
  Body rod{.mass = m, .euler_inertia = {m * a * a / 20.0, m * a * a / 20.0, 3.0 / 80.0 * m * H * H}};
  rod.directors << d2.cross(d3), d2, d3;
  rod.position = joint + (given.base_at_ground ? 0.25 : 0.75) * H * d3;
  return rod;
}

int midspan(const ThreeBarSwing& given) { return 1 + given.elements / 2; }

Assembly three_bar_swing(const ThreeBarSwing& given) {
  if (given.elements < 2 || given.elements % 2 != 0) {
    throw std::invalid_argument("three_bar_swing: the number of elements is even and positive");
  }
  const double H = given.height, L = given.length;
  const Vector3d O{0, 0, 0}, A{0, 0, -H}, B{0, L, -H}, C{0, L + H, 0};
  const int rod_A = 0, first = 1, last = first + given.elements, rod_B = last + 1, middle = midspan(given);

  Assembly swing;
  swing.bodies.push_back(pyramid(given, O, A));
  Body node;
  node.directors << Vector3d::UnitZ(), Vector3d::UnitX(), Vector3d::UnitY();
  for (int k = 0; k <= given.elements; ++k) {
    node.position = A + k * (L / given.elements) * Vector3d::UnitY();
    swing.bodies.push_back(node);
    if (k > 0) swing.elements.push_back({first + k - 1, first + k, given.section});
  }
  swing.bodies[middle].mass = given.midspan_mass;
  swing.bodies.push_back(pyramid(given, C, B));

  for (const auto& [rod, end, joint, pin] : {std::tuple{rod_A, first, O, A}, {rod_B, last, C, B}}) {
    const Body& body = swing.bodies[rod];
    const auto in_rod = [&](const Vector3d& X) { return body.directors.transpose() * (X - body.position); };
    swing.joints.push_back({.on = {ground, joint}, .of = {rod, in_rod(joint)}, .axis = {}});
    swing.joints.push_back({.on = {rod, in_rod(pin)}, .of = {end, Vector3d::Zero()}, .axis = 1});
  }
  const double t = given.load_peaks_at;
  swing.loads.push_back({middle, Vector3d::UnitY(), {{0.0, 0.0}, {t, given.peak_load}, {2.0 * t, 0.0}}});
  swing.load_in_start = given.load_in_start;
  const double impulse = t * given.peak_load;
  swing.energy_of_loads = 0.5 * impulse * impulse / (given.section.line_mass * L + given.midspan_mass);
  swing.axes = {Vector3d::UnitY()};  // O-C, along which the load acts
  return swing;
}

Assembly three_bar_swing(Parameters& given) {
  ThreeBarSwing swing;
  const auto read = [&](const std::string& name, double& value) { value = given.value(name, value); };
  read("length", swing.length);
  read("height", swing.height);
  read("rod_mass", swing.rod_mass);
  read("rod_edge", swing.rod_edge);
  read("midspan_mass", swing.midspan_mass);
  read("peak_load", swing.peak_load);
  read("load_peaks_at", swing.load_peaks_at);
  read("load_in_start", swing.load_in_start);
  Section& section = swing.section;
  read("shear_stiffness", section.shear_stiffness);
  read("axial_stiffness", section.axial_stiffness);
  read("torsional_stiffness", section.torsional_stiffness);
  read("line_mass", section.line_mass);
  const auto EI =
      given.values("bending_stiffness", {section.bending_stiffness_1, section.bending_stiffness_2});
  const auto M = given.values("line_inertia", {section.line_inertia_1, section.line_inertia_2});
  section.bending_stiffness_1 = EI[0], section.bending_stiffness_2 = EI[1];
  section.line_inertia_1 = M[0], section.line_inertia_2 = M[1];
  return three_bar_swing(swing);
}

State at_rest(const Assembly& assembly) { return initial_state(AssembledSystem(assembly)); }

}  // namespace livens::reference
