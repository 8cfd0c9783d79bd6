#pragma once
// The common part of the tests of the reference: every pair that runs, models and states without unit values,
// and whole runs.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference/reference.hpp"

namespace livens::reference {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

struct Pair {
  std::string system, scheme;
};

inline void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.system << " " << pair.scheme; }
inline std::string pair_name(const ::testing::TestParamInfo<Pair>& info) {
  return info.param.system + "_" + info.param.scheme;
}

/// All pairs that run and whose scheme is among the wanted (empty: any), of systems that run `too`.
inline std::vector<Pair> pairs(const std::vector<std::string>& wanted = {}, const std::string& too = {}) {
  std::vector<Pair> result;
  for (const std::string& scheme : wanted.empty() ? schemes() : wanted) {
    for (const std::string& system : systems()) {
      if (applicable({system, {}}, scheme) && (too.empty() || applicable({system, {}}, too))) {
        result.push_back({system, scheme});
      }
    }
  }
  return result;
}

/// Those of them whose system is not the given one.
inline std::vector<Pair> without(const std::string& system, std::vector<Pair> pairs) {
  std::erase_if(pairs, [&](const Pair& pair) { return pair.system == system; });
  return pairs;
}

/// Parameters none of which is one or equal to another: those values hide a missing M^-1 or length.
inline Model general_model(const std::string& system) {
  static const std::map<std::string, std::map<std::string, std::vector<double>>> parameters = {
      {"four_particle",
       {{"mass", {1.3, 0.7, 2.1, 1.6}}, {"stiffness", {3.0, 8.0}}, {"length", {1.2, 0.8, 1.1, 0.9}}}},
      {"heavy_top",
       {{"density", {1300.0}},
        {"height", {0.2}},
        {"radius", {0.07}},
        {"gravity", {5.0}},
        {"nutation", {0.8}},
        {"precession_rate", {3.0}},
        {"spin_rate", {9.0}}}},
      {"double_four_bar", {{"mass", {1.7}}, {"length", {0.6}}, {"gravity", {5.0}}, {"velocity", {1.3}}}},
      {"mass_spring",
       {{"mass", {1.4, 0.6}}, {"stiffness", {2.0, 5.0}}, {"rest_length", {0.7, 1.3}}, {"width", {0.2}}}},
      {"spring_pendulum", {{"mass", {1.7}}, {"axial_stiffness", {90.0}}, {"rest_length", {0.8}}}},
      {"double_spherical_pendulum", {{"mass", {3.0, 2.0}}, {"length", {0.7, 1.4}}, {"gravity", {5.0}}}},
      {"unit_circle", {{"mass", {1.7}}, {"radius", {0.6}}}},
      // A fast earth and a short pendulum, such that the constraint and its work matter.
      {"foucault_pendulum", {{"mass", {2.0}}, {"length", {5.0}}, {"earth_rate", {0.2}}, {"damping", {0.1}}}},
      {"rolling_disk",
       {{"mass", {3.0}},
        {"radius", {0.7}},
        {"inertia_axial", {0.9}},
        {"inertia_transverse", {0.5}},
        {"gravity", {5.0}},
        {"damping", {0.6}},
        {"force", {0.3, -0.2, 0.1, 0.15, 0.25}},
        {"force_rate", {-0.2, 0.4, 0.3, -0.1, 0.35}}}}};
  return {system, parameters.at(system)};
}

/// The same with viscous elements, where there are any.
inline Model damped_model(const std::string& system) {
  static const std::map<std::string, std::vector<double>> damping = {
      {"four_particle", {0.3, 0.7}}, {"double_four_bar", {0.3, 0.7}},
      {"mass_spring", {0.3, 0.7}},   {"double_spherical_pendulum", {0.3, 0.7}},
      {"spring_pendulum", {0.4}},    {"heavy_top", {0.4}},
      {"unit_circle", {0.4}},
  };
  Model model = general_model(system);
  if (damping.contains(system)) model.parameters["damping"] = damping.at(system);
  return model;
}

/// A consistent state near the default one, without its symmetries.
inline State general_state(const Model& model) {
  State state = default_state(model);
  for (Eigen::Index i = 0; i < state.q.size(); ++i) {
    const double k = static_cast<double>(i);
    state.q[i] += 0.1 * std::sin(1.0 + 2.3 * k);
    state.v[i] += 0.2 * std::cos(0.5 + 1.7 * k);
  }
  return project(model, state);
}

/// With the standard options.
inline int published_order(const std::string& scheme) {
  static const std::set<std::string> first = {"ggl_vi", "vi_b", "contact_1", "lagrange_dalembert"};
  return first.contains(scheme) ? 1 : 2;
}

/// All nodes 0..steps.
inline std::vector<Node> run(const Model& model, const Options& options, const State& initial, int steps) {
  Integrator integrator(model, options, initial);
  std::vector<Node> nodes{integrator.node()};
  for (int n = 0; n < steps; ++n) nodes.push_back(integrator.advance());
  return nodes;
}

/// The largest of f over the nodes.
inline double largest(const std::vector<Node>& nodes, const std::function<double(const Node&)>& f) {
  double result = 0.0;
  for (const Node& node : nodes) result = std::max(result, f(node));
  return result;
}

inline double mean_iterations(const std::vector<Node>& nodes) {
  double sum = 0.0;
  for (const Node& node : nodes) sum += node.newton_iterations;
  return sum / (static_cast<double>(nodes.size()) - 1.0);
}

/// Largest change of an energy in a step.
inline double largest_step(const std::vector<Node>& nodes, double Node::*energy) {
  double result = 0.0;
  for (std::size_t n = 1; n < nodes.size(); ++n) {
    result = std::max(result, std::abs(nodes[n].*energy - nodes[n - 1].*energy));
  }
  return result;
}

/// That `value` is what the text says, to half a unit of its last digit.
inline void expect_printed(double value, const std::string& text, const std::string& what) {
  const std::size_t point = text.find('.'), exponent = text.find('e');
  const bool scaled = exponent != std::string::npos, fractional = point != std::string::npos;
  const double behind = fractional ? static_cast<double>((scaled ? exponent : text.size()) - point - 1) : 0.0;
  const double unit = std::pow(10.0, (scaled ? std::stod(text.substr(exponent + 1)) : 0.0) - behind);
  EXPECT_NEAR(value, std::stod(text), 0.5 * unit) << what << " is printed as " << text;
}

/// T + |V| at its largest: energies are sums of such terms, each rounded to eps of itself.
inline double energy_terms(const std::vector<Node>& nodes) {
  return largest(nodes, [](const Node& node) {
    const double T = 0.5 * node.p.dot(node.v);
    return T + std::abs(node.energy - T);
  });
}

}  // namespace livens::reference
