#pragma once
// The built-in systems written as text, with the parameters of general_model() as defaults.

#include <numbers>

#include "reference/text/description.hpp"
#include "runs.hpp"

namespace livens::reference {

namespace texts {

inline std::string dot(const std::string& a, const std::string& b) { return "dot(" + a + ", " + b + ")"; }
inline std::string square(const std::string& a) { return dot(a, a); }

inline void four_particle(TextDescription& text) {
  text.coordinates = {{"q1", 3}, {"q2", 3}, {"q3", 3}, {"q4", 3}};
  text.kinetic =
      "1/2*mass[0]*dot(q1', q1') + 1/2*mass[1]*dot(q2', q2') + 1/2*mass[2]*dot(q3', q3')"
      " + 1/2*mass[3]*norm(q4')^2";
  text.potential =
      "1/2*stiffness[0]*(norm(q3 - q1)^2 - length[2]^2)^2"
      " + 1/2*stiffness[1]*(dot(q4 - q2, q4 - q2) - length[3]^2)^2";
  text.rayleigh = "1/2*damping[0]*dot(q3' - q1', q3' - q1') + 1/2*damping[1]*norm(q4' - q2')^2";
  text.constraints = {"1/2*(norm(q2 - q1)^2/length[0]^2 - 1)", "1/2*(norm(q4 - q3)^2/length[1]^2 - 1)"};
  text.momentum = {"cross(q1, p(q1)) + cross(q2, p(q2)) + cross(q3, p(q3)) + cross(q4, p(q4))"};
  text.initial_position = {
      {"q2", {"length[0]", "0", "0"}}, {"q3", {"0", "1", "0"}}, {"q4", {"length[1]", "1", "0"}}};
  text.initial_velocity = {{"q4", {"0", "3/mass[3]", "2/mass[3]"}}};
}

inline void heavy_top(TextDescription& text) {
  const std::string m = "(density*pi*radius^2*height/3)", l = "(3/4*height)";
  const std::string J1 = "(3/80*" + m + "*(4*radius^2 + height^2))", J3 = "(3/10*" + m + "*radius^2)";
  const std::string wy = "(-spin_rate*sin(nutation))", wz = "(precession_rate + spin_rate*cos(nutation))";
  text.coordinates = {{"phi", 3}, {"d1", 3}, {"d2", 3}, {"d3", 3}};
  text.kinetic = "1/2*" + m + "*norm(phi')^2 + 1/4*" + J3 + "*(norm(d1')^2 + norm(d2')^2) + 1/2*(" + J1 +
                 " - " + J3 + "/2)*norm(d3')^2";
  text.potential = m + "*gravity*phi[2]";
  text.rayleigh = "1/2*damping*(height^2*norm(d3')^2 + 1/2*radius^2*(dot(d1', d1') + dot(d2', d2')))";
  text.constraints = {"1/2*(norm(d1)^2 - 1)", "1/2*(norm(d2)^2 - 1)", "1/2*(norm(d3)^2 - 1)", "dot(d1, d2)",
                      "dot(d1, d3)",          "dot(d2, d3)",          "phi - " + l + "*d3"};
  text.momentum = {"(cross(phi, p(phi)) + cross(d1, p(d1)) + cross(d2, p(d2)) + cross(d3, p(d3)))[2]"};
  const std::string s = "sin(nutation)", c = "cos(nutation)";
  text.initial_position = {{"phi", {"0", "-" + l + "*" + s, l + "*" + c}},
                           {"d1", {"1", "0", "0"}},
                           {"d2", {"0", c, s}},
                           {"d3", {"0", "-" + s, c}}};
  text.initial_velocity = {{"phi", {l + "*(" + wy + "*" + c + " + " + wz + "*" + s + ")", "0", "0"}},
                           {"d1", {"0", wz, "-" + wy}},
                           {"d2", {wy + "*" + s + " - " + wz + "*" + c, "0", "0"}},
                           {"d3", {wy + "*" + c + " + " + wz + "*" + s, "0", "0"}}};
}

inline void double_four_bar(TextDescription& text) {
  using Entries = std::vector<std::string>;
  const auto of = [](const std::string& vector, int body) { return vector + std::to_string(body); };
  const auto end = [&](int body, const std::string& side, const std::string& prime = "") {
    return "(" + of("phi", body) + prime + " " + side + " length/2*" + of("d1_", body) + prime + ")";
  };
  for (int body = 1; body <= 5; ++body) {
    const std::string plus = body == 1 ? "" : " + ", phi = of("phi", body), d1 = of("d1_", body),
                      d2 = of("d2_", body);
    for (const std::string& vector : {phi, d1, d2}) text.coordinates.push_back({vector, 2});
    text.kinetic += plus + "1/2*mass*" + square(phi + "'") + " + 1/48*mass*length^2*(" + square(d1 + "'") +
                    " + " + square(d2 + "'") + ")";
    text.potential += plus + "mass*gravity*" + phi + "[1]";
    for (const auto& g : {"1/2*(" + square(d1) + " - 1)", "1/2*(" + square(d2) + " - 1)", dot(d1, d2)}) {
      text.constraints.push_back(g);
    }
    const bool bar = body <= 3;
    const std::string at = std::to_string(bar ? body - 1.0 : body - 3.5) + "*length";
    text.initial_position.push_back({phi, {at, bar ? "length/2" : "length"}});
    text.initial_position.push_back({d1, bar ? Entries{"0", "1"} : Entries{"1", "0"}});
    text.initial_position.push_back({d2, bar ? Entries{"-1", "0"} : Entries{"0", "1"}});
    text.initial_velocity.push_back({phi, {bar ? "velocity/2" : "velocity", "0"}});
    if (bar) text.initial_velocity.push_back({d1, {"velocity/length", "0"}});
    if (bar) text.initial_velocity.push_back({d2, {"0", "velocity/length"}});
  }
  // The ground joints of the bars 2 and 3 need a vector that no name stands for: by components.
  text.constraints.push_back(end(1, "-"));
  for (const int bar : {2, 3}) {
    text.constraints.push_back(end(bar, "-") + "[0] - " + std::to_string(bar - 1) + "*length");
    text.constraints.push_back(end(bar, "-") + "[1]");
  }
  text.constraints.push_back(end(1, "+") + " - " + end(4, "-"));
  text.constraints.push_back(end(2, "+") + " - " + end(4, "+"));
  text.constraints.push_back(end(2, "+") + " - " + end(5, "-"));
  text.constraints.push_back(end(3, "+") + " - " + end(5, "+"));
  text.rayleigh =
      "1/2*damping[0]*" + square(end(4, "+", "'")) + " + 1/2*damping[1]*" + square(end(5, "+", "'"));
}

inline void mass_spring(TextDescription& text) {
  text.coordinates = {{"x1"}, {"q2"}, {"x2"}};
  text.kinetic = "1/2*mass[0]*x1'^2 + 1/2*mass[1]*(q2' + x2')^2";
  text.potential = "1/4*stiffness[0]*(x1^2 + x1^4) + 1/4*stiffness[1]*(x2^2 + x2^4)";
  text.rayleigh = "1/2*(damping[0]*x1'^2 + damping[1]*x2'^2)";
  text.constraints = {"((q2 - x1)^2 - (rest_length[0] + width)^2)/2"};
  text.initial_position = {{"x1", {"1"}}, {"q2", {"1 + rest_length[0] + width"}}};
  text.initial_velocity = {{"x2", {"1"}}};
}

inline void spring_pendulum(TextDescription& text) {
  text.coordinates = {{"r"}, {"theta"}, {"phi"}};
  text.kinetic = "mass/2*(r'^2 + (r*theta')^2 + (r*sin(theta)*phi')^2)";
  text.potential = "axial_stiffness/2*((r^2 - rest_length^2)/(2*rest_length^2))^2";
  text.rayleigh = "damping/2*r'^2";
  text.momentum = {"p(phi)"};
  text.initial_position = {{"r", {"1.05*rest_length"}}, {"theta", {"pi/2"}}};
  text.initial_velocity = {{"theta", {"1"}}, {"phi", {"1"}}};
}

inline void double_spherical_pendulum(TextDescription& text) {
  text.coordinates = {{"u1", 3}, {"u2", 3}};
  text.kinetic = "1/2*mass[0]*dot(u1', u1') + 1/2*mass[1]*norm(u1' + u2')^2";
  text.potential = "mass[0]*gravity*u1[2] + mass[1]*gravity*(u1 + u2)[2]";
  text.rayleigh = "1/2*damping[0]*dot(u1', u1') + 1/2*damping[1]*norm(u1' + u2')^2";
  text.constraints = {"(dot(u1, u1) - length[0]^2)/2", "(dot(u2, u2) - length[1]^2)/2"};
  text.momentum = {"cross(u1, p(u1))[2] + cross(u2, p(u2))[2]"};
  text.initial_position = {{"u1", {"length[0]", "0", "0"}}, {"u2", {"length[1]", "0", "0"}}};
  text.initial_velocity = {{"u1", {"0", "1", "0"}}, {"u2", {"0", "0", "1"}}};
}

inline void unit_circle(TextDescription& text) {
  text.coordinates = {{"u", 2}};
  text.kinetic = "1/2*mass*dot(u', u')";
  text.rayleigh = "1/2*damping*dot(u', u')";
  text.constraints = {"(dot(u, u) - radius^2)/2"};
  text.momentum = {"u[0]*p(u)[1] - u[1]*p(u)[0]"};
  text.initial_position = {{"u", {"radius", "0"}}};
  text.initial_velocity = {{"u", {"0", "1"}}};
}

inline void foucault_pendulum(TextDescription& text) {
  text.coordinates = {{"x"}, {"y"}};
  text.kinetic = "1/2*mass*(x'^2 + y'^2)";
  text.potential = "1/2*mass*gravity/length*(x^2 + y^2)";
  text.nonholonomic = {"-y*x' + x*y' + earth_rate*sin(latitude)*(x^2 + y^2)"};
  text.action_damping = "damping";
  text.initial_position = {{"y", {"length/100"}}};
}

inline void rolling_disk(TextDescription& text) {
  text.coordinates = {{"X"}, {"Y"}, {"theta"}, {"phi"}, {"psi"}};
  text.kinetic =
      "1/2*mass*(X'^2 + Y'^2 + (radius*sin(theta)*theta')^2) + 1/2*(inertia_axial*(psi' - "
      "phi'*sin(theta))^2"
      " + inertia_transverse*(theta'^2 + (phi'*cos(theta))^2))";
  text.potential = "mass*gravity*radius*cos(theta)";
  text.nonholonomic = {"X' - (radius*(psi' - sin(theta)*phi')*cos(phi) - radius*cos(theta)*theta'*sin(phi))",
                       "Y' - (radius*(psi' - sin(theta)*phi')*sin(phi) + radius*cos(theta)*theta'*cos(phi))"};
  text.action_damping = "damping";
  for (std::size_t i = 0; i < text.coordinates.size(); ++i) {
    const std::string k = "[" + std::to_string(i) + "]";
    text.force.push_back({text.coordinates[i].name, {"force" + k + " + force_rate" + k + "*t"}});
  }
  text.initial_position = {{"theta", {"pi/36"}}};
  text.initial_velocity = {{"X", {"2*pi*radius"}}, {"psi", {"2*pi"}}};
}

}  // namespace texts

/// Called <system>_as_text.
inline TextDescription as_text(const std::string& system) {
  static const std::map<std::string, void (*)(TextDescription&)> written = {
      {"four_particle", texts::four_particle},
      {"heavy_top", texts::heavy_top},
      {"double_four_bar", texts::double_four_bar},
      {"mass_spring", texts::mass_spring},
      {"spring_pendulum", texts::spring_pendulum},
      {"double_spherical_pendulum", texts::double_spherical_pendulum},
      {"unit_circle", texts::unit_circle},
      {"foucault_pendulum", texts::foucault_pendulum},
      {"rolling_disk", texts::rolling_disk},
  };
  // What general_model() leaves to the built-in defaults.
  static const std::map<std::string, std::map<std::string, std::vector<double>>> left_out = {
      {"four_particle", {{"damping", {0.0, 0.0}}}},
      {"heavy_top", {{"damping", {0.0}}}},
      {"double_four_bar", {{"damping", {0.0, 0.0}}}},
      {"mass_spring", {{"damping", {0.0, 0.0}}}},
      {"spring_pendulum", {{"damping", {0.0}}}},
      {"double_spherical_pendulum", {{"damping", {0.0, 0.0}}}},
      {"unit_circle", {{"damping", {0.0}}}},
      {"foucault_pendulum", {{"gravity", {9.81}}, {"latitude", {49.0 * std::numbers::pi / 180.0}}}}};
  TextDescription text;
  text.name = system + "_as_text";
  auto parameters = general_model(system).parameters;
  if (left_out.contains(system)) parameters.insert(left_out.at(system).begin(), left_out.at(system).end());
  for (const auto& [name, values] : parameters) text.parameters.push_back({name, values, values.size() > 1});
  written.at(system)(text);
  return text;
}

inline Model model_of(const TextDescription& text,
                      const std::map<std::string, std::vector<double>>& parameters = {}) {
  return {text.name, parameters, read_text(text)};
}

/// The same instance of the system as text.
inline Model text_model(const Model& model) { return model_of(as_text(model.system), model.parameters); }

/// An elastic pendulum on a cart that rolls on a washboard: no constraints.
inline TextDescription cart_pendulum() {
  TextDescription text;
  text.name = "cart_pendulum";
  text.coordinates = {{"s"}, {"x"}, {"y"}};
  text.parameters = {{"cart", {2.0}}, {"bob", {0.7}},   {"gravity", {9.81}}, {"stiffness", {80.0}},
                     {"rest", {0.9}}, {"depth", {0.4}}, {"drag", {0.0}}};
  text.kinetic = "1/2*cart*s'^2 + 1/2*bob*((s' + x')^2 + y'^2)";
  text.potential = "bob*gravity*y + 1/2*stiffness*(sqrt(x^2 + y^2) - rest)^2 + depth*cos(3*s)";
  text.rayleigh = "1/2*drag*(s'^2 + x'^2 + y'^2)";
  text.initial_position = {{"s", {"0.1"}}, {"x", {"0.9*rest"}}, {"y", {"-rest/2"}}};
  text.initial_velocity = {{"s", {"0.5"}}};
  return text;
}

/// The same with a force on the cart.
inline TextDescription driven_cart_pendulum() {
  TextDescription text = cart_pendulum();
  text.name = "driven_cart_pendulum";
  text.parameters.push_back({"amplitude", {3.0}});
  text.parameters.push_back({"omega", {2.5}});
  text.force = {{"s", {"amplitude*sin(omega*t)"}}};
  return text;
}

}  // namespace livens::reference
