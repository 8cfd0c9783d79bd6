#include "expressions/mechanics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "expressions/degree.hpp"
#include "expressions/dependent_rows.hpp"
#include "expressions/derivatives.hpp"
#include "expressions/inertia_kind.hpp"
#include "expressions/random_state.hpp"
#include "expressions/second_reading.hpp"

namespace livens::expressions {
namespace {

class Builder {
 public:
  explicit Builder(const Description& description)
      : text_(description), scope_(scope_of(description)), d_(description.coordinate_count()) {}

  Mechanics build() {
    result_.facts.coordinates = d_;
    result_.damps.resize(static_cast<std::size_t>(text_.parameter_count()));
    refuse_rate_without_rows();
    following();
    kinetic();
    potential();
    result_.lagrangian = result_.graph.subtract(result_.kinetic, result_.potential);
    if (text_.rayleigh) rayleigh();
    holonomic();
    result_.initial_position = initial(text_.initial_q);
    result_.initial_velocity = initial(text_.initial_v);
    if (text_.drops_redundant) drop_redundant();
    if (!text_.nonholonomic.empty()) nonholonomic();
    momentum();
    force();
    impacts();
    refuse_loss_of_freedom();
    refuse_dependent_rows();
    find_vectors();
    return std::move(result_);
  }

 private:
  const Scope& scope() const { return scope_; }
  static Scope without_jumps(Scope s) {
    s.jumps = false;
    return s;
  }
  Scope in_time() const {
    Scope s = scope();
    s.time = true;
    return s;
  }
  Scope with_velocities() const {
    Scope s = in_time();
    s.velocities = true;
    return s;
  }

  Value read_value(const Expression& expression, const Scope& scope) {
    try {
      Value value = parse(result_.graph, scope, expression.text);
      for (const NodeId entry : value.entries) refuse_infinite(entry, expression);
      return value;
    } catch (const Slip& slip) {
      refuse(expression.place, slip, expression.text);
    }
  }
  NodeId read(const Expression& expression, const Scope& scope) {
    const Value value = read_value(expression, scope);
    if (value.is_vector) refuse(expression.place, "is a vector", "a scalar");
    return value.scalar();
  }
  /// Scalars and vectors, one entry after the other.
  Rows read_rows(const std::vector<Expression>& expressions, const Scope& scope) {
    Rows rows;
    for (const Expression& expression : expressions) {
      const Value value = read_value(expression, scope);
      for (int entry = 0; entry < static_cast<int>(value.entries.size()); ++entry) {
        if (static_cast<int>(rows.size()) == most_constraints)
          refuse(expression.place, "more than " + std::to_string(most_constraints) + " of them");
        rows.push_back(
            {value.entries[static_cast<std::size_t>(entry)], &expression, value.is_vector ? entry : -1});
      }
    }
    return rows;
  }

  /// A constant that is not finite, such as 1/0, or a root of a negative number.
  void refuse_infinite(NodeId id, const Expression& expression) const {
    const std::vector<bool> needed = reachable(result_.graph, std::span(&id, 1));
    for (NodeId part = 0; part <= id; ++part) {
      const Node& node = result_.graph[part];
      if (!needed[static_cast<std::size_t>(part)]) continue;
      const bool by_zero = node.is(Op::divide) && result_.graph.is_zero(node.b);
      if (by_zero || (node.is(Op::constant) && !std::isfinite(node.value)))
        refuse(expression.place, "has a part that is not finite, such as a division by zero");
    }
  }

  bool moves(NodeId id) const { return depends(result_.graph, id, Leaf::position); }
  bool has_time(NodeId id) const { return depends(result_.graph, id, Leaf::time); }
  void is_general_where(bool condition) { result_.facts.general = result_.facts.general || condition; }
  NodeId at_rest(NodeId id) {
    Graph& g = result_.graph;
    return substitute(g, std::span(&id, 1), Leaf::velocity, [&](int) { return g.constant(0.0); }).front();
  }
  NodeId slope(NodeId id, Leaf kind, int index) {
    return derivative(result_.graph, std::span(&id, 1), kind, index).front();
  }

  void find_vectors() {
    const VectorParts& parts = result_.vectors = vector_parts(text_, result_);
    result_.facts.vectors = {.dimension = parts.dimension,
                             .drifting = parts.drifting,
                             .free = parts.free,
                             .unit = parts.unit,
                             .frames = parts.frames,
                             .springs = static_cast<int>(parts.springs.size()),
                             .coupled = parts.coupled,
                             .coupled_metric = parts.coupled_metric,
                             .tied = parts.tied};
  }

  void refuse_rate_without_rows() const {
    if (text_.nonholonomic.empty() && text_.dissipation_rate)
      refuse(text_.dissipation_rate->place,
             "is for the schemes for nonholonomic rows; the others damp by a Rayleigh function");
  }
  /// As many rows of positions as coordinates leave isolated positions, or where they depend on time a motion
  /// that is given.
  void refuse_loss_of_freedom() const {
    const Rows &positions = result_.constraints, &rates = result_.rates;
    const int m = result_.facts.constraints, most = rates.empty() ? d_ : d_ - 1;
    if (m > most)
      refuse((rates.empty() ? positions : rates).front().text->place,
             std::to_string(m) + " constraints leave " + std::to_string(d_) + " coordinates no freedom");
  }

  /// D_v^2 of a quadratic form of the velocities, symmetric to the node.
  std::vector<NodeId> form(NodeId energy) {
    Graph& g = result_.graph;
    const std::vector<NodeId> first = gradient(g, energy, Leaf::velocity, d_);
    std::vector<NodeId> matrix(static_cast<std::size_t>(d_ * d_));
    for (int j = 0; j < d_; ++j) {
      const std::vector<NodeId> column = derivative(g, first, Leaf::velocity, j);
      for (int i = 0; i <= j; ++i)
        matrix[static_cast<std::size_t>(i * d_ + j)] = matrix[static_cast<std::size_t>(j * d_ + i)] =
            column[static_cast<std::size_t>(i)];
    }
    return matrix;
  }

  void following() {
    int entry = 0;
    for (const Parameter& p : text_.parameters) {
      if (p.follows) result_.following.emplace_back(entry, read(*p.follows, scope()));
      entry += static_cast<int>(p.defaults.size());
    }
  }

  void kinetic() {
    Graph& g = result_.graph;
    result_.kinetic = read(text_.kinetic, without_jumps(with_velocities()));
    if (!degree_in(Leaf::velocity, g, result_.kinetic).at_most(2))
      refuse(text_.kinetic.place, "is more than quadratic in the velocities",
             "such as 1/2*mass*x'^2 + field*x*y'");
    result_.mass = form(result_.kinetic);
    result_.shift = gradient(g, result_.kinetic, Leaf::velocity, d_);
    for (NodeId& entry : result_.shift) entry = at_rest(entry);
    result_.offset = at_rest(result_.kinetic);
    if (degree_in(Leaf::velocity, g, result_.kinetic).is(2)) {
      // Zeros that the rules for constants do not show.
      result_.shift.assign(static_cast<std::size_t>(d_), g.constant(0.0));
      result_.offset = g.constant(0.0);
    }
    is_general_where(
        has_time(result_.kinetic) || !g.is_zero(result_.offset) ||
        std::any_of(result_.shift.begin(), result_.shift.end(), [&](NodeId e) { return !g.is_zero(e); }));
    for (const TextCoordinate& c : text_.coordinates)
      for (int i = c.first; i < c.first + c.count; ++i)
        if (result_.graph.is_zero(result_.mass_entry(i, i)))
          refuse(text_.kinetic.place, "has no part of " + c.name + "': every coordinate needs an inertia");
    TextFacts& facts = result_.facts;
    facts.constant_mass = facts.diagonal_mass = true;
    for (int i = 0; i < d_; ++i)
      for (int j = 0; j < d_; ++j) {
        if (moves(result_.mass_entry(i, j)) || has_time(result_.mass_entry(i, j)))
          facts.constant_mass = false;
        if (i != j && !result_.graph.is_zero(result_.mass_entry(i, j))) facts.diagonal_mass = false;
      }
    const InertiaKind kind = inertia_kind(text_, result_);
    if (kind == InertiaKind::indefinite)
      refuse(text_.kinetic.place, "is negative for some velocities, with the default parameters");
    facts.singular_mass = kind == InertiaKind::singular;
    is_general_where(text_.nonholonomic.empty() && (!facts.constant_mass || facts.singular_mass));
    if (facts.singular_mass && text_.dissipation_rate)
      refuse(text_.dissipation_rate->place,
             "M has no inverse, which the schemes with a dissipation_rate need");
  }

  void potential() {
    Graph& g = result_.graph;
    result_.potential = text_.potential ? read(*text_.potential, without_jumps(in_time())) : g.constant(0.0);
    is_general_where(has_time(result_.potential));
    result_.potential_gradient = gradient(g, result_.potential, Leaf::position, d_);
    const auto& DV = result_.potential_gradient;
    result_.facts.linear_potential = std::none_of(DV.begin(), DV.end(), [&](NodeId e) { return moves(e); });
    // The sums at the top, from the last term to the first.
    std::vector<NodeId> open{result_.potential};
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      const Node& node = g[id];
      if (node.is(Op::add) || node.is(Op::subtract)) {
        open.push_back(node.b);
        open.push_back(node.a);
      } else if (node.is(Op::negate)) {
        open.push_back(node.a);
      } else {
        result_.potential_terms.push_back(id);
      }
    }
  }

  void mark_damping(NodeId id) {
    for (std::size_t k = 0; k < result_.damps.size(); ++k)
      if (depends(result_.graph, id, Leaf::parameter, static_cast<int>(k))) result_.damps[k] = true;
  }

  /// R is convex, so that v.(D_v R(v) - D_v R(0)) is a loss: tried with the default parameters.
  void refuse_driving(NodeId R, const Expression& text) {
    Graph& g = result_.graph;
    const std::vector<NodeId> slope = gradient(g, R, Leaf::velocity, d_);
    RandomState random(text_);
    const std::vector<double> parameters = default_parameters(text_), still(static_cast<std::size_t>(d_));
    for (int trial = 0; trial < 16; ++trial) {
      const std::vector<double> q = random.vector(d_), v = random.vector(d_);
      Values at;
      at.position = q;
      at.velocity = v;
      at.parameters = parameters;
      at.time = std::abs(random.vector(1).front());
      const std::vector<double> moving = evaluate(g, slope, at);
      at.velocity = still;
      const std::vector<double> resting = evaluate(g, slope, at);
      double loss = 0.0, size = 0.0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        loss += v[i] * (moving[i] - (std::isfinite(resting[i]) ? resting[i] : 0.0));
        size += std::abs(v[i] * moving[i]) + std::abs(v[i] * resting[i]);
      }
      if (loss < -1e-10 * size)
        refuse(text.place, "drives the motion for some velocities, with the default parameters",
               "a function that is convex in the velocities, whose force -D_v R only slows down");
    }
  }

  /// R is convex where its slope along a line of velocities nowhere falls: tried with the default parameters on
  /// lines along random directions and along those of single coordinates. A slope that is not known is passed
  /// over, and so is what falls by less than the bounds of the errors.
  void refuse_what_is_not_convex(const Expression& R) const {
    RandomState random(text_);
    // Of so few digits that all points lie on their line without a rounding.
    const auto few_digits = [&](double size) {
      std::vector<double> numbers = random.vector(d_);
      for (double& x : numbers) x = size * std::round(0x1p20 * x) * 0x1p-20;
      return numbers;
    };
    const std::vector<double> parameters = default_parameters(text_);
    const Scope scope = with_velocities();
    for (int trial = 0; trial < 24; ++trial) {
      const double size = std::array{1.0, 0x1p-7, 0x1p7}[static_cast<std::size_t>(trial % 3)];
      const std::vector<double> q = random.vector(d_), middle = few_digits(size);
      std::vector<double> along = few_digits(size);
      if (trial % 2 == 1) {
        along.assign(along.size(), 0.0);
        along[static_cast<std::size_t>(trial / 2 % d_)] = size;
      }
      std::vector<double> v(middle.size());
      Values at;
      at.position = q;
      at.velocity = v;
      at.parameters = parameters;
      at.time = std::abs(random.vector(1).front());
      Bounded before{0.0, std::numeric_limits<double>::infinity()};
      for (const double s : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = middle[i] + s * along[i];
        const Bounded slope = slope_by_velocity(scope, R.text, at, along);
        if (!slope.is_known()) continue;
        if (slope.value + slope.error < before.value - before.error)
          refuse(
              R.place,
              "is not convex in the velocities, with the default parameters: D_v R falls on the way to " +
                  velocities(v),
              "a function that is convex in the velocities; a force that is no such slope stands in force");
        before = slope;
      }
    }
  }
  /// "x' = 0.5, u[1]' = 2", of many the first four.
  std::string velocities(const std::vector<double>& v) const {
    constexpr int most = 4;
    std::string said;
    for (const TextCoordinate& c : text_.coordinates)
      for (int i = 0; i < c.count && c.first + i <= most; ++i) {
        if (c.first + i == most) return said + ", ...";
        const std::string number = std::to_string(v[static_cast<std::size_t>(c.first + i)]);
        said += (said.empty() ? "" : ", ") + c.name + (c.is_vector ? "[" + std::to_string(i) + "]" : "") +
                "' = " + number;
      }
    return said;
  }

  void rayleigh() {
    const Expression& R = *text_.rayleigh;
    const NodeId id = read(R, with_velocities());
    if (!depends(result_.graph, id, Leaf::velocity))
      refuse(R.place, "has no velocities", "a dissipation function such as 1/2*drag*x'^2");
    mark_damping(id);
    const bool viscous = degree_in(Leaf::velocity, result_.graph, id).is(2) && !moves(id) && !has_time(id) &&
                         std::find(result_.damps.begin(), result_.damps.end(), true) != result_.damps.end();
    refuse_driving(id, R);
    refuse_what_is_not_convex(R);
    is_general_where(!viscous || !text_.nonholonomic.empty());
    result_.dissipation = id;
    if (viscous) result_.damping = form(id);
    result_.facts.damped = true;
  }

  void holonomic() {
    const Rows rows = read_rows(text_.constraints, without_jumps(in_time()));
    result_.facts.constraints = static_cast<int>(rows.size());
    for (const auto& [g, text, entry] : rows) {
      const Expression& row = *text;
      const std::vector<NodeId> G = gradient(result_.graph, g, Leaf::position, d_);
      if (std::all_of(G.begin(), G.end(), [&](NodeId e) { return result_.graph.is_zero(e); }))
        refuse(row.place, "depends on no coordinate");
      if (!degree_in(Leaf::position, result_.graph, g).at_most(2))
        result_.facts.quadratic_constraints = false;
      for (int j = 0; j < d_; ++j)
        for (const NodeId bend : derivative(result_.graph, G, Leaf::position, j)) {
          if (moves(bend) || has_time(bend)) result_.facts.quadratic_constraints = false;
          result_.curvature.push_back(bend);
        }
      const NodeId rate = slope(g, Leaf::time, 0);
      result_.constraint_rate.push_back(rate);
      is_general_where(has_time(g));
      is_general_where(!result_.facts.quadratic_constraints &&
                       (!result_.facts.constant_mass || result_.facts.singular_mass));
      result_.constraints.push_back({g, text, entry});
      result_.constraint_jacobian.insert(result_.constraint_jacobian.end(), G.begin(), G.end());
    }
  }

  /// Rows of g that depend on others are taken out of all that is made of rows.
  void drop_redundant() {
    const std::vector<bool> is_redundant = redundant_rows(text_, result_);
    const auto d = static_cast<std::size_t>(d_);
    const auto keep = [&](auto& entries, std::size_t of_a_row) {
      auto to = entries.begin();
      for (std::size_t e = 0; e < entries.size(); ++e)
        if (!is_redundant[e / of_a_row]) *to++ = entries[e];
      entries.erase(to, entries.end());
    };
    for (std::size_t k = 0; k < is_redundant.size(); ++k)
      if (is_redundant[k]) result_.dropped.push_back(result_.constraints[k]);
    keep(result_.constraints, 1);
    keep(result_.constraint_rate, 1);
    keep(result_.constraint_jacobian, d);
    keep(result_.curvature, d * d);
    result_.facts.constraints = static_cast<int>(result_.constraints.size());
  }

  void nonholonomic() {
    Graph& g = result_.graph;
    result_.rates = read_rows(text_.nonholonomic, with_velocities());
    const int m = static_cast<int>(result_.rates.size());
    result_.facts.nonholonomic = result_.facts.chaplygin = true;
    result_.facts.velocity_rows = m;
    is_general_where(result_.facts.constraints > 0 || result_.facts.singular_mass);
    result_.facts.constraints += m;
    // Rows of any other form are solved for along A(q0)^T, which takes a constant M, or a form for any
    // mechanism.
    const auto other_form = [&] {
      is_general_where(!result_.facts.constant_mass);
      result_.facts.chaplygin = false;
    };
    for (int k = 0; k < m; ++k) {
      const Expression& row = *result_.rates[static_cast<std::size_t>(k)].text;
      const NodeId rate = result_.rates[static_cast<std::size_t>(k)].node;
      if (!degree_in(Leaf::velocity, g, rate).at_most(1))
        refuse(row.place, "is not linear in the velocities, as x' - radius*phi' is");
      if (!depends(g, rate, Leaf::velocity))
        refuse(row.place, "has no velocities", "a row of velocities; one of positions stands in constraints");
      const std::vector<NodeId> A = gradient(g, rate, Leaf::velocity, d_);
      const NodeId b =
          substitute(g, std::span(&rate, 1), Leaf::velocity, [&](int) { return g.constant(0.0); }).front();
      for (int i = 0; i < m; ++i)
        if (!g[A[static_cast<std::size_t>(i)]].is_constant(i == k ? 1.0 : 0.0)) other_form();
      for (const NodeId id : {b, rate})
        for (int i = 0; i < m; ++i)
          if (depends(g, id, Leaf::position, i)) other_form();
      is_general_where(has_time(rate));
      result_.rate_matrix.insert(result_.rate_matrix.end(), A.begin(), A.end());
      result_.rate_offset.push_back(b);
    }
    Scope of_parameters = scope();
    of_parameters.positions = false;
    result_.dissipation_rate =
        text_.dissipation_rate ? read(*text_.dissipation_rate, of_parameters) : g.constant(0.0);
    if (!text_.dissipation_rate) return;
    mark_damping(result_.dissipation_rate);
    result_.facts.damped = result_.facts.contact_damping = true;
  }
  void refuse_dependent_rows() const {
    Rows rows = result_.constraints;
    rows.insert(rows.end(), result_.rates.begin(), result_.rates.end());
    const std::optional<DependentRow> found = dependent_row(text_, result_);
    if (!found) return;
    std::string others;
    for (const int row : found->of) others += (others.empty() ? "" : ", ") + row_name(rows, row);
    const Place& place = rows[static_cast<std::size_t>(found->row)].text->place;
    const std::string name = row_name(rows, found->row);
    refuse(place,
           (name == place.key ? "" : name + ": ") +
               (others.empty() ? "has no gradient" : "depends on " + others) +
               ", at the initial state and near it: the multipliers of such rows are not determined",
           "independent rows, without this one");
  }
  /// "constraints[1]", of a vector or a joint "constraints[1], entry 2".
  static std::string row_name(const Rows& rows, int row) {
    const auto key = [&](int i) -> const std::string& {
      return rows[static_cast<std::size_t>(i)].text->place.key;
    };
    int first = row, last = row;
    while (first > 0 && key(first - 1) == key(row)) --first;
    while (last + 1 < static_cast<int>(rows.size()) && key(last + 1) == key(row)) ++last;
    return key(row) + (last > first ? ", entry " + std::to_string(row - first) : "");
  }

  void momentum() {
    Scope s = scope();
    s.momenta = true;
    result_.momentum = read_rows(text_.momentum, s);
    result_.facts.momentum_maps = static_cast<int>(result_.momentum.size());
  }

  void force() {
    if (text_.force.empty()) return;
    result_.force = entries(text_.force, with_velocities());
    result_.facts.forced = true;
    for (const NodeId entry : result_.force)
      is_general_where(moves(entry) || depends(result_.graph, entry, Leaf::velocity));
  }

  void impacts() {
    Scope of_parameters = scope();
    of_parameters.positions = false;
    for (const Impact& impact : text_.impacts) {
      const NodeId gap = read(impact.gap, without_jumps(in_time()));
      const std::vector<NodeId> N = gradient(result_.graph, gap, Leaf::position, d_);
      if (std::all_of(N.begin(), N.end(), [&](NodeId e) { return result_.graph.is_zero(e); }))
        refuse(impact.gap.place, "depends on no coordinate");
      result_.gaps.push_back(gap);
      result_.restitutions.push_back(read(impact.restitution, of_parameters));
      refuse_restitution(result_.restitutions.back(), impact.restitution);
    }
    result_.facts.impacts = static_cast<int>(text_.impacts.size());
    if (result_.facts.impacts > 0 && result_.facts.singular_mass)
      refuse(text_.impacts.front().gap.place, "M has no inverse, which an impact needs");
    is_general_where(result_.facts.impacts > 0);
  }
  void refuse_restitution(NodeId id, const Expression& text) const {
    Values at;
    const std::vector<double> parameters = default_parameters(text_);
    at.parameters = parameters;
    const double value = evaluate(result_.graph, std::vector{id}, at).front();
    if (!(value >= 0.0 && value <= 1.0))
      refuse(text.place, "is out of range with the default parameters", "from 0 to 1");
  }

  std::vector<NodeId> initial(const std::vector<PerCoordinate>& given) {
    Scope s = scope();
    s.positions = false;
    return entries(given, s);
  }
  std::vector<NodeId> entries(const std::vector<PerCoordinate>& given, const Scope& scope) {
    std::vector<NodeId> result(static_cast<std::size_t>(d_), result_.graph.constant(0.0));
    for (const PerCoordinate& one : given) {
      const TextCoordinate& coordinate = text_.coordinates[static_cast<std::size_t>(one.coordinate)];
      auto place = static_cast<std::size_t>(coordinate.first);
      if (coordinate.is_vector && !one.one_by_one) {
        const Value all = read_value(one.entries.front(), scope);
        if (!all.is_vector || static_cast<int>(all.entries.size()) != coordinate.count)
          refuse(one.entries.front().place, "",
                 "a list of " + std::to_string(coordinate.count) + " expressions, or such a vector");
        std::copy(all.entries.begin(), all.entries.end(), result.begin() + coordinate.first);
      } else {
        for (const Expression& entry : one.entries) result[place++] = read(entry, scope);
      }
    }
    return result;
  }

  const Description& text_;
  Scope scope_;
  int d_;
  Mechanics result_;
};

}  // namespace

std::vector<NodeId> nodes_of(const Rows& rows) {
  std::vector<NodeId> nodes;
  for (const Row& row : rows) nodes.push_back(row.node);
  return nodes;
}

std::vector<Scope::Name> names_of(const Description& description) {
  std::vector<Scope::Name> names;
  for (const TextCoordinate& c : description.coordinates)
    names.push_back({c.name, Leaf::position, c.first, c.count, c.is_vector});
  int first = 0;
  for (const Parameter& p : description.parameters) {
    const int count = static_cast<int>(p.defaults.size());
    names.push_back({p.name, Leaf::parameter, first, count, p.is_vector});
    first += count;
  }
  return names;
}

Scope scope_of(const Description& description) {
  Scope scope = {names_of(description), description.constants};
  scope.functions = description.functions;
  scope.abbreviations = description.abbreviations;
  return scope;
}

NodeId mean_lagrangian(Mechanics& m) {
  Graph& g = m.graph;
  const std::vector<NodeId> other = substitute(g, std::vector{m.kinetic}, Leaf::velocity,
                                               [&](int index) { return g.leaf(Leaf::end_velocity, index); });
  return g.subtract(g.multiply(g.constant(0.5), g.add(m.kinetic, other.front())), m.potential);
}

Mechanics mechanics_of(const Description& description) {
  try {
    return Builder(description).build();
  } catch (const TooLarge&) {
    refuse({description.source},
           "the expressions and their derivatives grow beyond " + std::to_string(most_nodes) + " operations");
  }
}

}  // namespace livens::expressions
