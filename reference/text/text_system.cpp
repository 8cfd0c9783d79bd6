#include "text_system.hpp"

#include <algorithm>

#include "difference.hpp"
#include "reference/registry.hpp"

namespace livens::reference {
namespace {

using Expressions = std::vector<Expression>;

template <class R>
std::vector<R> entries(const Vector<R>& x) {
  return {x.begin(), x.end()};
}

/// The values of the expressions, one after the other.
template <class S>
Vector<S> walk_all(const Expressions& expressions, const Leaves<S>& leaves) {
  std::vector<S> values;
  for (const Expression& expression : expressions) {
    for (const S& entry : walk(*expression, leaves)) values.push_back(entry);
  }
  return Eigen::Map<const Vector<S>>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The coordinates at two points, and how they enter Dbar.
template <class S>
std::vector<Difference<S>> moved(const Vector<S>& q0, const Vector<S>& q1) {
  std::vector<Difference<S>> q;
  for (Eigen::Index i = 0; i < q0.size(); ++i) {
    Vector<S> row = Vector<S>::Constant(q0.size(), S(0.0));
    row[i] = S(1.0);
    q.emplace_back(q0[i], q1[i], row);
  }
  return q;
}

/// Dbar of a scalar expression.
template <class S>
Vector<S> discrete_gradient(const Tree& f, const Leaves<Difference<S>>& leaves) {
  const Vector<S> row = walk(f, leaves)[0].row;
  return row.size() > 0 ? row : Vector<S>::Constant(static_cast<Eigen::Index>(leaves.q.size()), S(0.0));
}

void expect_quadratic_form(const Tree& f, const std::string& key) {
  const auto [lowest, highest] = degree(f, Operation::velocity);
  if (lowest != 2 || highest != 2) {
    throw std::invalid_argument(key + ": is not a quadratic form of the velocities");
  }
}

/// One more than the last of the coordinates that appear, 0 without one.
int coordinates_up_to(const Tree& f) {
  int last = f.operation == Operation::position ? f.place + f.size : 0;
  for (const Expression& argument : f.arguments) last = std::max(last, coordinates_up_to(*argument));
  return last;
}

}  // namespace

TextSystem::TextSystem(const TextDescription& text) : parameters_(text.parameters) {
  using enum Operation;
  declare(text);
  kinetic_ = read_scalar(text.kinetic, "kinetic", {position, velocity});
  expect_quadratic_form(*kinetic_, "kinetic");
  potential_ = read_scalar(text.potential.empty() ? "0" : text.potential, "potential", {position});
  if (!text.rayleigh.empty()) {
    rayleigh_ = read_scalar(text.rayleigh, "rayleigh", {position, velocity});
    expect_quadratic_form(*rayleigh_, "rayleigh");
  }
  action_damping_ =
      read_scalar(text.action_damping.empty() ? "0" : text.action_damping, "dissipation_rate", {});
  constraints_ = read(text.constraints, "constraints", {position});
  nonholonomic_ = read(text.nonholonomic, "nonholonomic", {position, velocity});
  for (const Expression& row : nonholonomic_) {
    if (degree(*row, velocity).highest > 1)
      throw std::invalid_argument("nonholonomic: is not affine in the velocities");
  }
  if (!constraints_.empty() && !nonholonomic_.empty()) {
    throw std::invalid_argument("nonholonomic: a system with constraints has no such rows");
  }
  momentum_ = read(text.momentum, "momentum", {position, Operation::momentum});
  if (!text.force.empty()) force_ = read(text.force, "force", {time});
  position_ = read(text.initial_position, "initial.q", {});
  velocity_ = read(text.initial_velocity, "initial.v", {});
}

void TextSystem::declare(const TextDescription& text) {
  std::set<std::string> taken;
  const auto declare = [&](std::vector<Symbol>& symbols, const std::string& name, bool vector, int size,
                           int place) {
    if (!is_name(name) || is_reserved(name) || !taken.insert(name).second)
      throw std::invalid_argument("'" + name +
                                  "' names no coordinate and no parameter: it is reserved, taken or no name");
    if (size < 1) throw std::invalid_argument("'" + name + "' has no entries");
    symbols.push_back({name, vector, size, place});
  };
  for (const auto& [name, value] : text.constants) {
    std::vector<Symbol> none;
    declare(none, name, false, 1, 0);
    names_.constants[name] = value;
  }
  for (const auto& [name, count, vector] : text.coordinates) {
    declare(names_.coordinates, name, vector || count > 1, count, d_);
    d_ += count;
  }
  if (d_ == 0) throw std::invalid_argument("coordinates: there are none");
  int place = 0;
  for (const auto& [name, defaults, list] : text.parameters) {
    const int size = static_cast<int>(defaults.size());
    if (!list && size != 1) throw std::invalid_argument("'" + name + "' is no list and has not one default");
    declare(names_.parameters, name, list, size, place);
    place += size;
  }
}

Expressions TextSystem::read(const std::vector<std::string>& texts, const std::string& key,
                             const std::set<Operation>& allowed) const {
  Expressions expressions;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    expressions.push_back(parse(texts[i], key + "[" + std::to_string(i) + "]", names_, allowed));
  }
  return expressions;
}

Expression TextSystem::read_scalar(const std::string& text, const std::string& key,
                                   const std::set<Operation>& allowed) const {
  const Expression expression = parse(text, key, names_, allowed);
  if (expression->vector) throw std::invalid_argument(key + ": is a vector");
  return expression;
}

Expressions TextSystem::read(const std::vector<TextDescription::Assignment>& assignments,
                             const std::string& key, const std::set<Operation>& allowed) const {
  std::map<std::string, Expressions> of;
  for (const auto& [coordinate, texts] : assignments) {
    if (!of.emplace(coordinate, read(texts, key + "." + coordinate, allowed)).second)
      throw std::invalid_argument(key + ": '" + coordinate + "' is given twice");
  }
  Expressions all;
  for (const Symbol& symbol : names_.coordinates) {
    Expressions given = of.contains(symbol.name) ? of.extract(symbol.name).mapped()
                                                 : Expressions(symbol.size, parse("0", key, names_, {}));
    int size = 0;
    for (const Expression& expression : given) size += expression->size;
    if (size != symbol.size) {
      throw std::invalid_argument(key + "." + symbol.name + ": has " + std::to_string(symbol.size) +
                                  " entries");
    }
    std::ranges::move(given, std::back_inserter(all));
  }
  if (!of.empty()) throw std::invalid_argument(key + ": no coordinate is called '" + of.begin()->first + "'");
  return all;
}

System TextSystem::make(Parameters& given) const {
  std::vector<double> parameters;
  for (const auto& [name, defaults, list] : parameters_) {
    std::ranges::copy(given.values(name, defaults), std::back_inserter(parameters));
  }
  const Leaves<double> constants{.parameters = parameters};

  System system;
  system.initial = {walk_all(position_, constants), walk_all(velocity_, constants)};
  system.mass_coordinates = coordinates_up_to(*kinetic_);
  system.kinetic_energy = [T = kinetic_, parameters]<class S>(const Vector<S>& q, const Vector<S>& v) -> S {
    return walk(*T, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters})[0];
  };
  system.potential = [V = potential_, parameters]<class S>(const Vector<S>& q) -> S {
    return walk(*V, Leaves<S>{.q = entries(q), .parameters = parameters})[0];
  };
  system.discrete_potential_gradient = [V = potential_, parameters]<class S>(
                                           const Vector<S>& q0, const Vector<S>& q1) -> Vector<S> {
    return discrete_gradient<S>(*V, {.q = moved(q0, q1), .parameters = parameters});
  };
  system.discrete_kinetic_gradient = [T = kinetic_, parameters]<class S>(const Vector<S>& q0,
                                                                         const Vector<S>& q1,
                                                                         const Vector<S>& v) -> Vector<S> {
    std::vector<Difference<S>> fixed;
    for (const S& entry : v) fixed.emplace_back(entry, entry);
    return discrete_gradient<S>(*T, {.q = moved(q0, q1), .v = fixed, .parameters = parameters});
  };
  if (rayleigh_) {
    system.rayleigh = [R = rayleigh_, parameters]<class S>(const Vector<S>& q, const Vector<S>& v) -> S {
      return walk(*R, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters})[0];
    };
  }
  system.action_damping = walk(*action_damping_, constants)[0];
  system.constraint = [g = constraints_, parameters]<class S>(const Vector<S>& q) -> Vector<S> {
    return walk_all(g, Leaves<S>{.q = entries(q), .parameters = parameters});
  };
  system.constraint_is_quadratic = std::ranges::all_of(
      constraints_, [](const Expression& g) { return degree(*g, Operation::position).highest <= 2; });
  if (!nonholonomic_.empty()) {
    system.velocity_constraint = [rows = nonholonomic_, parameters]<class S>(
                                     const Vector<S>& q, const Vector<S>& v) -> Vector<S> {
      return walk_all(rows, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters});
    };
  }
  if (!force_.empty()) {
    system.load = [F = force_, parameters](double t) -> VectorXd {
      return walk_all(F, Leaves<double>{.parameters = parameters, .t = t});
    };
  }
  if (!momentum_.empty()) {
    system.momentum = [J = momentum_, parameters](const VectorXd& q, const VectorXd& p) -> VectorXd {
      return walk_all(J, Leaves<double>{.q = entries(q), .p = entries(p), .parameters = parameters});
    };
  }
  return system;
}

std::shared_ptr<const TextSystem> read_text(const TextDescription& text) {
  return std::make_shared<const TextSystem>(text);
}

}  // namespace livens::reference
