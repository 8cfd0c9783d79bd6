#include "text_system.hpp"

#include <algorithm>

#include "difference.hpp"
#include "reference/registry.hpp"
#include "velocity_terms.hpp"

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

/// The first d coordinates of two places, with the time where they have it, and how they enter Dbar.
template <class S>
Leaves<Difference<S>> moved(const Vector<S>& z0, const Vector<S>& z1, int d,
                            const std::vector<double>& parameters) {
  Leaves<Difference<S>> leaves{.parameters = parameters};
  for (Eigen::Index i = 0; i < z0.size(); ++i) {
    Vector<S> row = zero<S>(z0.size());
    row[i] = S(1.0);
    if (i < d) {
      leaves.q.emplace_back(z0[i], z1[i], row);
    } else {
      leaves.t = Difference<S>(z0[i], z1[i], row);
    }
  }
  return leaves;
}

/// Dbar of a scalar, as long as a place.
template <class S>
Vector<S> row_of(const Difference<S>& f, Eigen::Index size) {
  return f.row.size() > 0 ? f.row : zero<S>(size);
}

VelocityTerms terms_of(const Tree& f, int d, std::size_t parameters) {
  const auto all = [](std::size_t size, int degree, bool of_position) {
    return std::vector<VelocityTerms>(size, VelocityTerms::of(degree, of_position, false));
  };
  return walk(f, Leaves<VelocityTerms>{.q = all(d, 0, true),
                                       .v = all(d, 1, false),
                                       .parameters = std::vector<double>(parameters, 1.0),
                                       .t = VelocityTerms::of(0, false, true)})[0];
}

/// Whether it jumps somewhere, functions expanded.
bool jumps(const Tree& f) {
  using enum Operation;
  const bool here = f.operation == sign || f.operation == where || f.operation == atan2 ||
                    (f.operation == table && f.table->jumps());
  return here || std::ranges::any_of(f.arguments, [](const Expression& part) { return jumps(*part); });
}

void expect_continuous(const Tree& f, const std::string& key) {
  if (jumps(f))
    throw std::invalid_argument(key + ": where, sign, atan2 and derivatives that jump may not be used here");
}
void expect_continuous(const Expressions& all, const std::string& key) {
  for (std::size_t i = 0; i < all.size(); ++i)
    expect_continuous(*all[i], key + "[" + std::to_string(i) + "]");
}

bool any_contains(const Expressions& all, Operation leaf) {
  return std::ranges::any_of(all, [&](const Expression& f) { return contains(*f, leaf); });
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
  kinetic_ = read_scalar(text.kinetic, "kinetic", {position, velocity, time});
  if (terms_of(*kinetic_, d_, parameter_entries_).degree() > 2)
    throw std::invalid_argument("kinetic: is not at most quadratic in the velocities");
  expect_continuous(*kinetic_, "kinetic");
  potential_ = read_scalar(text.potential.empty() ? "0" : text.potential, "potential", {position, time});
  expect_continuous(*potential_, "potential");
  if (!text.rayleigh.empty()) rayleigh_ = read_scalar(text.rayleigh, "rayleigh", {position, velocity, time});
  action_damping_ =
      read_scalar(text.action_damping.empty() ? "0" : text.action_damping, "dissipation_rate", {});
  constraints_ = read(text.constraints, "constraints", {position, time});
  expect_continuous(constraints_, "constraints");
  nonholonomic_ = read(text.nonholonomic, "nonholonomic", {position, velocity, time});
  for (const Expression& row : nonholonomic_) {
    if (terms_of(*row, d_, parameter_entries_).degree() > 1)
      throw std::invalid_argument("nonholonomic: is not affine in the velocities");
  }
  momentum_ = read(text.momentum, "momentum", {position, Operation::momentum});
  if (!text.force.empty()) force_ = read(text.force, "force", {position, velocity, time});
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
  parameter_entries_ = static_cast<std::size_t>(place);
  const auto declare_function = [&](const std::string& name) {
    std::vector<Symbol> none;
    declare(none, name, false, 1, 0);
  };
  for (const TextDescription::Function& function : text.functions) declare_function(function.name);
  names_.functions = text.functions;
  for (const auto& [name, table] : text.tables) {
    declare_function(name);
    try {
      names_.tables[name] = std::make_shared<const Table>(table);
    } catch (const std::invalid_argument& refusal) {
      throw std::invalid_argument("functions." + name + ": " + refusal.what());
    }
  }
  expect_functions(names_);
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
  const VelocityTerms terms = terms_of(*kinetic_, d_, parameter_entries_);
  const auto& [c, a, M] = terms.of_degree;
  system.mass_coordinates = M.of_position ? coordinates_up_to(*kinetic_) : 0;
  system.mass_moves = M.of_time;
  system.has_field = a.present || c.present;
  system.kinetic_energy = [T = kinetic_, parameters]<class S>(const Vector<S>& q, const Vector<S>& v,
                                                              const S& t) -> S {
    return walk(*T, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t})[0];
  };
  system.potential = [V = potential_, parameters]<class S>(const Vector<S>& q, const S& t) -> S {
    return walk(*V, Leaves<S>{.q = entries(q), .parameters = parameters, .t = t})[0];
  };
  system.discrete_potential_gradient = [V = potential_, parameters, d = d_]<class S>(
                                           const Vector<S>& z0, const Vector<S>& z1) -> Vector<S> {
    return row_of(walk(*V, moved(z0, z1, d, parameters))[0], z0.size());
  };
  system.discrete_kinetic_gradient = [T = kinetic_, parameters, d = d_]<class S>(
                                         const Vector<S>& z0, const Vector<S>& z1,
                                         const Vector<S>& v) -> Vector<S> {
    Leaves<Difference<S>> leaves = moved(z0, z1, d, parameters);
    for (const S& entry : v) leaves.v.emplace_back(entry, entry);
    return row_of(walk(*T, leaves)[0], z0.size());
  };
  system.discrete_constraint_force = [g = constraints_, parameters, d = d_]<class S>(
                                         const Vector<S>& z0, const Vector<S>& z1,
                                         const Vector<S>& lambda) -> Vector<S> {
    const Leaves<Difference<S>> leaves = moved(z0, z1, d, parameters);
    Vector<S> sum = zero<S>(z0.size());
    Eigen::Index k = 0;
    for (const Expression& rows : g) {
      for (const Difference<S>& row : walk(*rows, leaves)) sum += lambda[k++] * row_of(row, z0.size());
    }
    return sum;
  };
  if (rayleigh_) {
    system.rayleigh = [R = rayleigh_, parameters]<class S>(const Vector<S>& q, const Vector<S>& v,
                                                           const S& t) -> S {
      return walk(*R, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t})[0];
    };
  }
  system.action_damping = walk(*action_damping_, constants)[0];
  system.constraint = [g = constraints_, parameters]<class S>(const Vector<S>& q, const S& t) -> Vector<S> {
    return walk_all(g, Leaves<S>{.q = entries(q), .parameters = parameters, .t = t});
  };
  if (!nonholonomic_.empty()) {
    system.velocity_constraint = [rows = nonholonomic_, parameters]<class S>(
                                     const Vector<S>& q, const Vector<S>& v, const S& t) -> Vector<S> {
      return walk_all(rows, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t});
    };
  }
  system.rows_move =
      any_contains(constraints_, Operation::time) || any_contains(nonholonomic_, Operation::time);
  if (any_contains(force_, Operation::position) || any_contains(force_, Operation::velocity)) {
    system.force = [F = force_, parameters]<class S>(const Vector<S>& q, const Vector<S>& v,
                                                     const S& t) -> Vector<S> {
      return walk_all(F, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t});
    };
  } else if (!force_.empty()) {
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
