#include "taylor/equations.hpp"

#include <algorithm>

#include "expressions/derivatives.hpp"
#include "taylor/inverse_powers.hpp"

namespace livens::taylor {

using expressions::Mechanics;
using expressions::Scope;
using Places = std::vector<NodeId>;

/// What the two tapes compute.
struct Equations::Nodes {
  Graph graph;
  Places drift;
  /// A node or, with -1, what it is the negative of; 0 for zero.
  struct Signed {
    NodeId node;
    double sign;
  };
  std::vector<Signed> force, mass, constraint;
  /// Part of row r of the product of a matrix and v: a factor that moves, and what it is multiplied by.
  struct Term {
    int row;
    NodeId factor, rate;
  };
  std::vector<Term> mass_terms, constraint_terms;
  NodeId dissipation, power;
  NodeId kinetic, kinetic_energy, potential;
  Places potential_terms, constraints, violation, rates, momentum, maps, observed, stops;

  Nodes(const Mechanics& text, const std::vector<bool>& zeros, const Scope& scope,
        const std::vector<std::string>& observed_texts, const std::vector<std::string>& stop_texts);

  Places of_motion() const {
    Places all{dissipation, power};
    all.insert(all.end(), drift.begin(), drift.end());
    for (const auto* part : {&force, &mass, &constraint})
      for (const Signed& entry : *part) all.push_back(entry.node);
    for (const auto* terms : {&mass_terms, &constraint_terms})
      for (const Term& term : *terms) all.push_back(term.rate);
    return all;
  }
  Places of_measures() const {
    Places all{kinetic, kinetic_energy, potential};
    for (const Places* part : {&potential_terms, &constraints, &rates, &momentum, &maps, &observed, &stops})
      all.insert(all.end(), part->begin(), part->end());
    return all;
  }

 private:
  std::vector<Signed> without_signs(const Places& places) const;
  std::vector<Term> terms_of(const std::vector<Signed>& matrix, int rows, int columns);
};

std::vector<Equations::Nodes::Signed> Equations::Nodes::without_signs(const Places& places) const {
  std::vector<Signed> entries;
  for (const NodeId id : places) {
    const expressions::Node& node = graph[id];
    if (graph.is_zero(id))
      entries.push_back({id, 0.0});
    else if (node.is(Op::negate))
      entries.push_back({node.a, -1.0});
    else
      entries.push_back({id, 1.0});
  }
  return entries;
}

/// Columns with the same factor share a product: e v1 - e v2 is e (v1 - v2).
std::vector<Equations::Nodes::Term> Equations::Nodes::terms_of(const std::vector<Signed>& matrix, int rows,
                                                               int columns) {
  constexpr Leaf of_motion[] = {Leaf::position, Leaf::velocity, Leaf::time};
  const std::vector<bool> moves = expressions::depends_on(graph, of_motion);
  std::vector<Term> terms;
  for (int r = 0; r < rows; ++r) {
    const auto begin = static_cast<std::ptrdiff_t>(terms.size());
    for (int i = 0; i < columns; ++i) {
      const Signed& entry = matrix[static_cast<std::size_t>(r * columns + i)];
      if (entry.sign == 0.0 || !moves[static_cast<std::size_t>(entry.node)]) continue;
      const NodeId velocity = graph.leaf(Leaf::velocity, i);
      const NodeId change = entry.sign > 0.0 ? velocity : graph.negate(velocity);
      const auto known = std::ranges::find(terms.begin() + begin, terms.end(), entry.node, &Term::factor);
      if (known == terms.end())
        terms.push_back({r, entry.node, change});
      else
        known->rate = graph.add(known->rate, change);
    }
  }
  return terms;
}

Equations::Nodes::Nodes(const Mechanics& text, const std::vector<bool>& zeros, const Scope& scope,
                        const std::vector<std::string>& observed_texts,
                        const std::vector<std::string>& stop_texts)
    : graph(text.graph),
      kinetic(text.kinetic),
      kinetic_energy(text.kinetic),
      potential(text.potential),
      potential_terms(text.potential_terms) {
  Graph& g = graph;
  const int d = text.facts.coordinates, m = text.facts.constraints;
  const int positions = m - text.facts.velocity_rows;
  Places rate_matrix = text.constraint_jacobian;
  rate_matrix.insert(rate_matrix.end(), text.rate_matrix.begin(), text.rate_matrix.end());
  const auto for_series = [&](const Places& roots) {
    const Places without_zeros = expressions::substitute(g, roots, Leaf::parameter, [&](int k) {
      return !zeros.empty() && zeros[static_cast<std::size_t>(k)] ? g.constant(0.0)
                                                                  : g.leaf(Leaf::parameter, k);
    });
    return with_inverse_powers(g, without_zeros);
  };
  mass = without_signs(for_series(text.mass));
  constraint = without_signs(for_series(rate_matrix));
  mass_terms = terms_of(mass, d, d);
  constraint_terms = terms_of(constraint, m, d);
  const auto velocity = [&](int i) { return g.leaf(Leaf::velocity, i); };
  const auto at = [](const Places& places, int i) { return places[static_cast<std::size_t>(i)]; };
  momentum = expressions::gradient(g, kinetic, Leaf::velocity, d);
  const Places slope = expressions::gradient(g, kinetic, Leaf::position, d);
  const NodeId zero = g.constant(0.0), two = g.constant(2.0);
  const NodeId rate = text.dissipation_rate == expressions::none ? zero : text.dissipation_rate;
  const Places friction = text.dissipation == expressions::none
                              ? Places(static_cast<std::size_t>(d), zero)
                              : expressions::gradient(g, text.dissipation, Leaf::velocity, d);
  const Places shift_rate = expressions::derivative(g, text.shift, Leaf::time, 0);
  power = zero;
  NodeId of_momentum = zero, of_friction = zero;
  Places forces;
  for (int i = 0; i < d; ++i) {
    const NodeId load = text.force.empty() ? zero : at(text.force, i);
    NodeId sum = g.add(g.subtract(load, at(text.potential_gradient, i)), at(slope, i));
    sum = g.subtract(g.subtract(sum, at(friction, i)), g.multiply(rate, at(momentum, i)));
    const Places shift_slope = expressions::gradient(g, at(text.shift, i), Leaf::position, d);
    for (int j = 0; j < d; ++j) sum = g.subtract(sum, g.multiply(at(shift_slope, j), velocity(j)));
    forces.push_back(g.subtract(sum, at(shift_rate, i)));
    power = g.add(power, g.multiply(load, velocity(i)));
    of_momentum = g.add(of_momentum, g.multiply(at(momentum, i), velocity(i)));
    of_friction = g.add(of_friction, g.multiply(at(friction, i), velocity(i)));
  }
  if (text.facts.general) {
    dissipation = g.add(g.multiply(rate, of_momentum), of_friction);
    const NodeId of_time = expressions::derivative(g, std::span(&text.lagrangian, 1), Leaf::time, 0).front();
    power = g.subtract(power, of_time);
    kinetic = g.subtract(of_momentum, kinetic);  // E - V
  } else {
    dissipation = g.multiply(two, g.multiply(rate, kinetic));
    if (text.dissipation != expressions::none)
      dissipation = g.add(dissipation, g.multiply(two, text.dissipation));
  }
  constraints = violation = expressions::nodes_of(text.constraints);
  force = without_signs(for_series(forces));
  const bool drifts = std::ranges::any_of(text.constraint_rate, [&](NodeId b) { return !g.is_zero(b); });
  Places offsets = text.rate_offset;
  if (drifts || text.facts.velocity_rows > 0)
    offsets.insert(offsets.begin(), text.constraint_rate.begin(), text.constraint_rate.end());
  // A step onto g = 0 is along the rows of velocities.
  if (positions > 0) violation.resize(static_cast<std::size_t>(m), zero);
  drift = for_series(offsets);
  const Places powers = for_series({dissipation, power});
  dissipation = powers[0];
  power = powers[1];
  for (int k = 0; k < positions; ++k) {
    NodeId sum = at(text.constraint_rate, k);
    for (int i = 0; i < d; ++i) sum = g.add(sum, g.multiply(at(rate_matrix, k * d + i), velocity(i)));
    rates.push_back(sum);
  }
  for (const expressions::Row& row : text.rates) rates.push_back(row.node);
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

int row_unless_zero(const Tape& tape, const Graph& graph, NodeId id) {
  return graph.is_zero(id) ? no_row : tape.row_of(id);
}

template <class Signed>
std::vector<Entry> entries_of(const Tape& tape, const std::vector<Signed>& matrix, int columns) {
  std::vector<Entry> entries;
  for (int e = 0; e < static_cast<int>(matrix.size()); ++e)
    if (const auto& [node, sign] = matrix[static_cast<std::size_t>(e)]; sign != 0.0)
      entries.push_back({e / columns, e % columns, tape.row_of(node), sign});
  return entries;
}

LeafRows leaf_rows(const StateRows& state, int parameters) {
  return {state.position(), state.velocity(), state.count(), state.count() + 1,
          state.count() + 1 + parameters};
}

}  // namespace

Equations::Equations(const Mechanics& mechanics, int parameters, const Scope& scope,
                     const std::vector<std::string>& observed, const std::vector<std::string>& stops,
                     const std::vector<bool>& zeros)
    : Equations(mechanics, parameters, Nodes(mechanics, zeros, scope, observed, stops)) {}

Equations::Equations(const Mechanics& mechanics, int parameters, Nodes nodes)
    : state{mechanics.facts.coordinates, mechanics.facts.constraints},
      parameters(parameters),
      motion(nodes.graph, nodes.of_motion(), leaf_rows(state, parameters), nodes.violation),
      force(entries_of(motion, nodes.force, 1)),
      mass(entries_of(motion, nodes.mass, state.d)),
      constraint(entries_of(motion, nodes.constraint, state.d)),
      drift(rows_of(motion, nodes.drift)),
      dissipation(row_unless_zero(motion, nodes.graph, nodes.dissipation)),
      power(row_unless_zero(motion, nodes.graph, nodes.power)),
      violation(rows_of(motion, nodes.violation)),
      measured(nodes.graph, nodes.of_measures(), leaf_rows(state, parameters)),
      kinetic(measured.row_of(nodes.kinetic)),
      potential(measured.row_of(nodes.potential)),
      kinetic_energy(measured.row_of(nodes.kinetic_energy)),
      potential_terms(rows_of(measured, nodes.potential_terms)),
      constraints(rows_of(measured, nodes.constraints)),
      rates(rows_of(measured, nodes.rates)),
      momentum(rows_of(measured, nodes.momentum)),
      maps(rows_of(measured, nodes.maps)),
      observed(rows_of(measured, nodes.observed)),
      stops(rows_of(measured, nodes.stops)) {
  add_products(nodes);
  find_pattern();
}

void Equations::add_products(const Nodes& nodes) {
  // A rate that is a negative is a row of its own on the tape, which costs less than its product would.
  const auto add_changes = [&](const std::vector<Nodes::Term>& terms, int row) {
    for (const auto& term : terms)
      if (term.row == row) changes_.add({motion.row_of(term.factor), motion.row_of(term.rate)}, 1.0);
    changes_.shares.end_group();
  };
  for (int i = 0; i < state.d; ++i) add_changes(nodes.mass_terms, i);
  for (int c = 0; c < state.m; ++c) add_changes(nodes.constraint_terms, c);
  for (int i = 0; i < state.d; ++i) {
    for (int c = 0; c < state.m; ++c)
      if (const auto& [node, sign] = nodes.constraint[static_cast<std::size_t>(c * state.d + i)];
          motion.moves(node))
        reactions_.add({motion.row_of(node), state.multiplier() + c}, sign);
    reactions_.shares.end_group();
  }
  for (int c = 0; c < state.m; ++c) reactions_.shares.end_group();
}

/// What diagonal pivots fill.
void Equations::find_pattern() {
  const int n = state.d + state.m;
  std::vector<std::vector<bool>> is_filled(static_cast<std::size_t>(n),
                                           std::vector<bool>(static_cast<std::size_t>(n)));
  const auto at = [&](int i, int j) {
    return is_filled[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  const auto fill = [&](int i, int j) { at(i, j) = at(j, i) = true; };
  for (const Entry& e : mass) fill(e.row, e.column);
  for (const Entry& e : constraint) fill(state.d + e.row, e.column);
  for (int c = 0; c < n; ++c) {
    for (int i = c + 1; i < n; ++i)
      if (at(i, c)) below_.of.push_back(i);
    for (std::size_t i = static_cast<std::size_t>(below_.begin.back()); i < below_.of.size(); ++i)
      for (std::size_t j = static_cast<std::size_t>(below_.begin.back()); j < i; ++j)
        fill(below_.of[i], below_.of[j]);
    below_.end_group();
    for (int j = 0; j < c; ++j)
      if (at(c, j)) left_.of.push_back(j);
    left_.end_group();
  }
}

void Equations::Convolutions::add(const Product& product, double sign) {
  const auto is_it = [&](const Product& other) { return other.a == product.a && other.b == product.b; };
  const auto known = std::ranges::find_if(all, is_it);
  shares.of.push_back({static_cast<int>(known - all.begin()), sign});
  if (known == all.end()) all.push_back(product);
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
          .violation = list_of(violation),
          .mass = list_of(mass),
          .constraint = list_of(constraint),
          .changes = changes_.products(),
          .reactions = reactions_.products(),
          .force = list_of(force),
          .drift = list_of(drift),
          .dissipation = dissipation,
          .power = power,
          .pattern = {below_.groups(), left_.groups()}};
}

}  // namespace livens::taylor
