#pragma once
// What the tests of the reference share: every pair that runs, models and states without unit values, and
// whole runs.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
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

/// All pairs that run and whose scheme is among the wanted (empty: any).
inline std::vector<Pair> pairs(const std::vector<std::string>& wanted = {}) {
  std::vector<Pair> result;
  for (const std::string& scheme : wanted.empty() ? schemes() : wanted) {
    for (const std::string& system : systems()) {
      if (applicable(system, scheme)) result.push_back({system, scheme});
    }
  }
  return result;
}

/// Parameters none of which is one or equal to another: those values hide a missing M^-1 or length.
inline Model general_model(const std::string& system) {
  if (system == "four_particle") {
    return {system,
            {{"mass", {1.3, 0.7, 2.1, 1.6}}, {"stiffness", {3.0, 8.0}}, {"length", {1.2, 0.8, 1.1, 0.9}}}};
  }
  if (system == "double_spherical_pendulum") {
    return {system, {{"mass", {3.0, 2.0}}, {"length", {0.7, 1.4}}, {"gravity", {5.0}}}};
  }
  // A fast earth and a short pendulum, such that the constraint and its work matter.
  return {system, {{"mass", {2.0}}, {"length", {5.0}}, {"earth_rate", {0.2}}, {"damping", {0.1}}}};
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

/// T + |V| at its largest: energies are sums of such terms, each rounded to eps of itself.
inline double energy_terms(const std::vector<Node>& nodes) {
  return largest(nodes, [](const Node& node) {
    const double T = 0.5 * node.p.dot(node.v);
    return T + std::abs(node.energy - T);
  });
}

}  // namespace livens::reference
