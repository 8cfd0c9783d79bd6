#include "expressions/reactions.hpp"

#include <algorithm>

#include "expressions/derivatives.hpp"
#include "expressions/without_bodies.hpp"

namespace livens::expressions {
namespace {

class Reactions {
 public:
  Reactions(Mechanics& mechanics, const Description& typed, const Scope& scope)
      : m_(mechanics), typed_(typed), scope_(scope), coordinates_(without_bodies(typed).coordinates) {}

  NodeId entry(int index) {
    const Joint& joint = typed_.joints[static_cast<std::size_t>(index / reactions_of_a_joint)];
    const int i = index % reactions_of_a_joint;
    const bool second = joint.between[1] != ground;
    const Body& body = typed_.bodies[static_cast<std::size_t>(joint.between[second ? 1 : 0])];
    const NodeId on_body =
        i < 3 ? force(joint, place_of(body.name + ".x") + i) : torque(joint, body, second, i - 3);
    return second ? on_body : m_.graph.negate(on_body);
  }

 private:
  int place_of(const std::string& name) const {
    return std::ranges::find(coordinates_, name, &TextCoordinate::name)->first;
  }
  /// -G^T lambda of the joint's rows.
  NodeId force(const Joint& joint, int coordinate) {
    Graph& g = m_.graph;
    NodeId sum = g.constant(0.0);
    const std::string key = joint.place.key, below = key + ".";
    for (std::size_t k = 0; k < m_.constraints.size(); ++k) {
      const std::string& of = m_.constraints[k].text->place.key;
      if (of != key && !of.starts_with(below)) continue;
      const NodeId G = m_.constraint_jacobian[k * static_cast<std::size_t>(m_.facts.coordinates) +
                                              static_cast<std::size_t>(coordinate)];
      sum = g.subtract(sum, g.multiply(G, MotionAtNode::multiplier(g, static_cast<int>(k))));
    }
    return sum;
  }
  /// About the joint's point on its second body.
  NodeId torque(const Joint& joint, const Body& body, bool second, int i) {
    Graph& g = m_.graph;
    const int n = body.size(), x = place_of(body.name + ".x");
    NodeId sum = g.constant(0.0);
    const auto add = [&](NodeId a, NodeId b, bool plus) {
      const NodeId product = g.multiply(a, b);
      sum = plus ? g.add(sum, product) : g.subtract(sum, product);
    };
    /// Adds an entry of arm x force.
    const auto turn = [&](const auto& arm, const auto& force, bool plus) {
      const int j = n == 2 ? 0 : (i + 1) % 3, k = n == 2 ? 1 : (i + 2) % 3;
      add(arm(j), force(k), plus);
      add(arm(k), force(j), !plus);
    };
    for (int c = 1; c <= n; ++c) {
      const int d = place_of(body.name + ".d" + std::to_string(c));
      turn([&](int at) { return g.leaf(Leaf::position, d + at); },
           [&](int at) { return force(joint, d + at); }, true);
    }
    std::vector<NodeId> s;
    for (const Expression& entry : joint.at[1].entries)
      for (const NodeId one : parse_once(g, scope_, entry.text).entries) s.push_back(one);
    const auto arm = [&](int at) {
      NodeId of = second ? g.constant(0.0) : s[static_cast<std::size_t>(at)];
      if (!second) return g.subtract(of, g.leaf(Leaf::position, x + at));
      for (int c = 1; c <= n; ++c)
        of = g.add(of,
                   g.multiply(s[static_cast<std::size_t>(c - 1)],
                              g.leaf(Leaf::position, place_of(body.name + ".d" + std::to_string(c)) + at)));
      return of;
    };
    turn(
        arm, [&](int at) { return force(joint, x + at); }, false);
    return sum;
  }

  Mechanics& m_;
  const Description& typed_;
  const Scope& scope_;
  std::vector<TextCoordinate> coordinates_;
};

}  // namespace

MotionAtNode motion_at_node(Mechanics& m) {
  Graph& g = m.graph;
  const int d = m.facts.coordinates, rows = m.facts.constraints;
  const auto n = static_cast<std::size_t>(d + rows);
  /// Along the motion, but for accelerations.
  const auto rate_of = [&](const std::vector<NodeId>& nodes) {
    std::vector<NodeId> rate = derivative(g, nodes, Leaf::time, 0);
    for (int j = 0; j < d; ++j) {
      const std::vector<NodeId> slope = derivative(g, nodes, Leaf::position, j);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        rate[i] = g.add(rate[i], g.multiply(slope[i], g.leaf(Leaf::velocity, j)));
    }
    return rate;
  };
  MotionAtNode motion{rows, std::vector<NodeId>(n * n, g.constant(0.0)), {}};
  const std::vector<NodeId> carried = rate_of(gradient(g, m.lagrangian, Leaf::velocity, d)),
                            driven = gradient(g, m.lagrangian, Leaf::position, d);
  std::vector<NodeId> lost;
  if (m.dissipation != none) lost = gradient(g, m.dissipation, Leaf::velocity, d);
  for (std::size_t i = 0; i < static_cast<std::size_t>(d); ++i) {
    NodeId force = g.subtract(driven[i], carried[i]);
    if (!m.force.empty()) force = g.add(force, m.force[i]);
    if (!lost.empty()) force = g.subtract(force, lost[i]);
    motion.right.push_back(force);
    for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j)
      motion.matrix[i * n + j] = m.mass_entry(static_cast<int>(i), static_cast<int>(j));
  }
  std::vector<NodeId> G = m.constraint_jacobian, rates;
  G.insert(G.end(), m.rate_matrix.begin(), m.rate_matrix.end());
  for (std::size_t k = 0; k < m.constraints.size(); ++k) {
    NodeId rate = m.constraint_rate[k];
    for (int j = 0; j < d; ++j)
      rate = g.add(rate, g.multiply(G[k * static_cast<std::size_t>(d) + static_cast<std::size_t>(j)],
                                    g.leaf(Leaf::velocity, j)));
    rates.push_back(rate);
  }
  for (const Row& row : m.rates) rates.push_back(row.node);
  for (const NodeId rate : rate_of(rates)) motion.right.push_back(g.negate(rate));
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows); ++k)
    for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j)
      motion.matrix[(static_cast<std::size_t>(d) + k) * n + j] =
          motion.matrix[j * n + static_cast<std::size_t>(d) + k] = G[k * static_cast<std::size_t>(d) + j];
  return motion;
}

NodeId reaction(Mechanics& mechanics, const Description& typed, const Scope& scope, int index) {
  return Reactions(mechanics, typed, scope).entry(index);
}

}  // namespace livens::expressions
