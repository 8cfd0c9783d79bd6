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

template <class Items>
List<typename Items::value_type> list_of(const Items& items) {
  return {items.data(), items.data() + items.size()};
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
      motion(nodes.graph, nodes.of_motion(), leaf_rows(state, parameters), nodes.constraints),
      mass(entries_of(nodes.graph, motion, nodes.mass, state.d)),
      constraint(entries_of(nodes.graph, motion, nodes.constraint, state.d)),
      force(rows_of(motion, nodes.force)),
      drift(rows_of(motion, nodes.drift)),
      dissipation(motion.row_of(nodes.dissipation)),
      power(motion.row_of(nodes.power)),
      violation(rows_of(motion, nodes.constraints)),
      measured(nodes.graph, nodes.of_measures(), leaf_rows(state, parameters)),
      kinetic(measured.row_of(nodes.kinetic)),
      potential(measured.row_of(nodes.potential)),
      potential_terms(rows_of(measured, nodes.potential_terms)),
      constraints(rows_of(measured, nodes.constraints)),
      rates(rows_of(measured, nodes.rates)),
      momentum(rows_of(measured, nodes.momentum)),
      maps(rows_of(measured, nodes.maps)),
      observed(rows_of(measured, nodes.observed)),
      stops(rows_of(measured, nodes.stops)) {
  for (const Entry& e : mass)
    if (e.moves) changes.push_back({e.place, state.velocity() + e.column, e.row});
  for (const Entry& e : constraint) {
    if (!e.moves) continue;
    changes.push_back({e.place, state.velocity() + e.column, state.d + e.row});
    reactions.push_back({e.place, state.multiplier() + e.row, e.column});
  }
  in_order_ = filled(true);
  in_any_order_ = filled(false);
}

/// What diagonal pivots fill, or everything.
Equations::Filled Equations::filled(bool in_order) const {
  const int n = state.d + state.m;
  std::vector<std::vector<bool>> is_filled(static_cast<std::size_t>(n),
                                           std::vector<bool>(static_cast<std::size_t>(n), !in_order));
  const auto at = [&](int i, int j) {
    return is_filled[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  const auto fill = [&](int i, int j) { at(i, j) = at(j, i) = true; };
  for (const Entry& e : mass) fill(e.row, e.column);
  for (const Entry& e : constraint) fill(state.d + e.row, e.column);
  Filled result{{0}, {}};
  for (int c = 0; c < n; ++c) {
    const std::size_t first = result.rows.size();
    for (int i = c + 1; i < n; ++i)
      if (at(i, c)) result.rows.push_back(i);
    result.begin.push_back(static_cast<int>(result.rows.size()));
    for (std::size_t i = first; i < result.rows.size(); ++i)
      for (std::size_t j = first; j < i; ++j) fill(result.rows[i], result.rows[j]);
  }
  return result;
}

Plan Equations::plan() const {
  return {.d = state.d,
          .m = state.m,
          .position = state.position(),
          .velocity = state.velocity(),
          .multiplier = state.multiplier(),
          .dissipated = state.dissipated(),
          .work = state.work(),
          .of_position = list_of(motion.instructions(Stage::position)),
          .of_velocity = list_of(motion.instructions(Stage::velocity)),
          .of_violation = list_of(motion.instructions(Stage::value)),
          .violation = violation.empty() ? nullptr : violation.data(),
          .mass = list_of(mass),
          .constraint = list_of(constraint),
          .changes = list_of(changes),
          .reactions = list_of(reactions),
          .force = force.data(),
          .drift = drift.empty() ? nullptr : drift.data(),
          .dissipation = dissipation,
          .power = power,
          .in_order = in_order_.pattern(),
          .in_any_order = in_any_order_.pattern()};
}

}  // namespace livens::taylor
