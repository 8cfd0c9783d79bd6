#include "taylor/equations.hpp"

#include "expressions/derivatives.hpp"

namespace livens::taylor {

using expressions::Mechanics;
using expressions::Scope;
using Places = std::vector<NodeId>;

/// What the two tapes compute.
struct Equations::Nodes {
  Graph graph;
  Places force, drift, mass, constraint;
  NodeId dissipation, power;
  NodeId kinetic, potential;
  Places potential_terms, constraints, rates, momentum, maps, observed, stops;

  Nodes(const Mechanics& text, const Scope& scope, const std::vector<std::string>& observed_texts,
        const std::vector<std::string>& stop_texts);

  Places of_motion() const {
    Places all{dissipation, power};
    for (const Places* part : {&force, &drift, &mass, &constraint})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }
  Places of_measures() const {
    Places all{kinetic, potential};
    for (const Places* part : {&potential_terms, &constraints, &rates, &momentum, &maps, &observed, &stops})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }
};

Equations::Nodes::Nodes(const Mechanics& text, const Scope& scope,
                        const std::vector<std::string>& observed_texts,
                        const std::vector<std::string>& stop_texts)
    : graph(text.graph),
      mass(text.mass),
      constraint(text.facts.nonholonomic ? text.rate_matrix : text.constraint_jacobian),
      kinetic(text.kinetic),
      potential(text.potential),
      potential_terms(text.potential_terms) {
  Graph& g = graph;
  const int d = text.facts.coordinates, m = text.facts.constraints;
  const auto velocity = [&](int i) { return g.leaf(Leaf::velocity, i); };
  const auto at = [](const Places& places, int i) { return places[static_cast<std::size_t>(i)]; };
  momentum = expressions::gradient(g, kinetic, Leaf::velocity, d);
  const Places slope = expressions::gradient(g, kinetic, Leaf::position, d);
  const NodeId zero = g.constant(0.0), two = g.constant(2.0);
  const NodeId rate = text.dissipation_rate == expressions::none ? zero : text.dissipation_rate;
  const Places friction = text.dissipation == expressions::none
                              ? Places(static_cast<std::size_t>(d), zero)
                              : expressions::gradient(g, text.dissipation, Leaf::velocity, d);
  power = zero;
  for (int i = 0; i < d; ++i) {
    const NodeId load = text.force.empty() ? zero : at(text.force, i);
    NodeId sum = g.add(g.subtract(load, at(text.potential_gradient, i)), at(slope, i));
    sum = g.subtract(g.subtract(sum, at(friction, i)), g.multiply(rate, at(momentum, i)));
    force.push_back(sum);
    power = g.add(power, g.multiply(load, velocity(i)));
  }
  dissipation = g.multiply(two, g.multiply(rate, kinetic));
  if (text.dissipation != expressions::none)
    dissipation = g.add(dissipation, g.multiply(two, text.dissipation));
  constraints = expressions::nodes_of(text.constraints);
  rates = expressions::nodes_of(text.rates);
  drift = text.rate_offset;
  if (!text.facts.nonholonomic)
    for (int k = 0; k < m; ++k) {
      NodeId sum = zero;
      for (int i = 0; i < d; ++i) sum = g.add(sum, g.multiply(at(constraint, k * d + i), velocity(i)));
      rates.push_back(sum);
    }
  // p is D_v T wherever it stands.
  const auto in_velocities = [&](const Places& roots) {
    return expressions::substitute(g, roots, Leaf::momentum, [&](int i) { return at(momentum, i); });
  };
  const auto read = [&](const std::vector<std::string>& expressions_of) {
    Places places;
    for (const std::string& expression : expressions_of)
      places.push_back(expressions::parse(g, scope, expression).scalar());
    return in_velocities(places);
  };
  maps = in_velocities(expressions::nodes_of(text.momentum));
  observed = read(observed_texts);
  stops = read(stop_texts);
}

namespace {

std::vector<int> rows_of(const Tape& tape, const Places& places) {
  std::vector<int> rows;
  for (const NodeId id : places) rows.push_back(tape.row_of(id));
  return rows;
}

std::vector<Entry> entries_of(const Graph& graph, const Tape& tape, const Places& matrix, int columns) {
  std::vector<Entry> entries;
  for (int e = 0; e < static_cast<int>(matrix.size()); ++e)
    if (const NodeId id = matrix[static_cast<std::size_t>(e)]; !graph.is_zero(id))
      entries.push_back({e / columns, e % columns, tape.row_of(id), tape.moves(id)});
  return entries;
}

LeafRows leaf_rows(const StateRows& state, int parameters) {
  return {state.position(), state.velocity(), state.count(), state.count() + 1,
          state.count() + 1 + parameters};
}

}  // namespace

Equations::Equations(const Mechanics& mechanics, int parameters, const Scope& scope,
                     const std::vector<std::string>& observed, const std::vector<std::string>& stops)
    : Equations(mechanics, parameters, Nodes(mechanics, scope, observed, stops)) {}

Equations::Equations(const Mechanics& mechanics, int parameters, Nodes nodes)
    : state{mechanics.facts.coordinates, mechanics.facts.constraints},
      parameters(parameters),
      holonomic(!mechanics.facts.nonholonomic),
      motion(nodes.graph, nodes.of_motion(), leaf_rows(state, parameters)),
      mass(entries_of(nodes.graph, motion, nodes.mass, state.d)),
      constraint(entries_of(nodes.graph, motion, nodes.constraint, state.d)),
      force(rows_of(motion, nodes.force)),
      drift(rows_of(motion, nodes.drift)),
      dissipation(motion.row_of(nodes.dissipation)),
      power(motion.row_of(nodes.power)),
      measured(nodes.graph, nodes.of_measures(), leaf_rows(state, parameters)),
      kinetic(measured.row_of(nodes.kinetic)),
      potential(measured.row_of(nodes.potential)),
      potential_terms(rows_of(measured, nodes.potential_terms)),
      constraints(rows_of(measured, nodes.constraints)),
      rates(rows_of(measured, nodes.rates)),
      momentum(rows_of(measured, nodes.momentum)),
      maps(rows_of(measured, nodes.maps)),
      observed(rows_of(measured, nodes.observed)),
      stops(rows_of(measured, nodes.stops)) {}

}  // namespace livens::taylor
