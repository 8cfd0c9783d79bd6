#include "text_system.hpp"

#include <algorithm>
#include <cmath>

#include "difference.hpp"
#include "reference/redundant_rows.hpp"
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

bool is_kept(std::size_t row, const std::vector<bool>& dropped) { return dropped.empty() || !dropped[row]; }

/// The rows that are kept, or those that are not.
template <class S>
Vector<S> part_of(const Vector<S>& rows, const std::vector<bool>& dropped, bool kept) {
  std::vector<S> part;
  for (Eigen::Index i = 0; i < rows.size(); ++i) {
    if (is_kept(static_cast<std::size_t>(i), dropped) == kept) part.push_back(rows[i]);
  }
  return Eigen::Map<const Vector<S>>(part.data(), static_cast<Eigen::Index>(part.size()));
}

/// With a number in place of whatever consists of parameters.
Expression with_numbers(const Expression& f, const Leaves<double>& constants) {
  using enum Operation;
  if (f->operation == number) return f;
  const auto within = [&](Operation leaf) { return contains(*f, leaf); };
  if (!within(position) && !within(velocity) && !within(momentum) && !within(time)) {
    Expressions numbers;
    for (const double value : walk(*f, constants)) numbers.push_back(constant_of(value));
    return f->vector ? list_of(numbers) : numbers[0];
  }
  auto copy = std::make_shared<Tree>(*f);
  for (Expression& argument : copy->arguments) argument = with_numbers(argument, constants);
  return copy;
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

/// Those of the sum at the top, without their signs.
std::vector<Expression> terms_of_sum(const Expression& f) {
  using enum Operation;
  if (f->operation != add && f->operation != subtract && f->operation != negate) return {f};
  std::vector<Expression> terms;
  for (const Expression& part : f->arguments)
    std::ranges::copy(terms_of_sum(part), std::back_inserter(terms));
  return terms;
}

}  // namespace

TextSystem::TextSystem(const TextDescription& text)
    : parameters_(text.parameters), has_bodies_(!text.bodies.empty()) {
  using enum Operation;
  declare(text);
  const Bodies bodies(text, names_);
  names_.quantities = bodies.quantities();
  expect_functions(names_);
  kinetic_ = bodies.kinetic();
  if (!has_bodies_ || !text.kinetic.empty()) {
    const Expression own = read_scalar(text.kinetic, "kinetic", {position, velocity, time});
    kinetic_ = kinetic_ ? kinetic_ + own : own;
  }
  if (terms_of(*kinetic_, d_, parameter_entries_).degree() > 2)
    throw std::invalid_argument("kinetic: is not at most quadratic in the velocities");
  expect_continuous(*kinetic_, "kinetic");
  potential_ = read_scalar(text.potential.empty() ? "0" : text.potential, "potential", {position, time});
  expect_continuous(*potential_, "potential");
  if (!text.rayleigh.empty()) rayleigh_ = read_scalar(text.rayleigh, "rayleigh", {position, velocity, time});
  action_damping_ =
      read_scalar(text.action_damping.empty() ? "0" : text.action_damping, "dissipation_rate", {});
  constraints_ = read(text.constraints, "constraints", {position, time});
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    expect_continuous(*constraints_[i], "constraints[" + std::to_string(i) + "]");
  constraints_.insert(constraints_.begin(), bodies.constraints().begin(), bodies.constraints().end());
  nonholonomic_ = read(text.nonholonomic, "nonholonomic", {position, velocity, time});
  for (const Expression& row : nonholonomic_) {
    if (terms_of(*row, d_, parameter_entries_).degree() > 1)
      throw std::invalid_argument("nonholonomic: is not affine in the velocities");
  }
  for (const auto& [gap, restitution] : text.impacts) {
    gaps_.push_back(read_scalar(gap, "impact.gap", {position, time}));
    expect_continuous(*gaps_.back(), "impact.gap");
    restitutions_.push_back(read_scalar(restitution, "impact.restitution", {}));
  }
  momentum_ = read(text.momentum, "momentum", {position, Operation::momentum});
  Given force = read_given(text.force, "force", {position, velocity, time});
  Forces forces = bodies.forces(force, names_);
  for (const auto& [coordinate, F] : force) forces.add(coordinate, F);
  if (!forces.by_coordinate().empty()) force_ = of_coordinates(forces.by_coordinate(), "force");
  Given q = read_given(text.initial_position, "initial.q", {}),
        v = read_given(text.initial_velocity, "initial.v", {});
  bodies.start(q, v);
  position_ = of_coordinates(std::move(q), "initial.q");
  velocity_ = of_coordinates(std::move(v), "initial.v");
  decide_rows(text.drop_redundant);
}

void TextSystem::declare(const TextDescription& text) {
  std::set<std::string> taken;
  const auto declare = [&](std::vector<Symbol>& symbols, const std::string& name, bool vector, int size,
                           int place) {
    const bool named = &symbols == &names_.coordinates ? is_name_of_coordinate(name) : is_name(name);
    if (!named || is_reserved(name) || !taken.insert(name).second)
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
  const auto declare_other = [&](const std::string& name) {
    std::vector<Symbol> none;
    declare(none, name, false, 1, 0);
  };
  taken.insert({"ground", "q", "v"});
  for (const TextDescription::Body& body : text.bodies) {
    declare_other(body.name);
    const int dimension = body.planar ? 2 : 3;
    for (const std::string vector : {".x", ".d1", ".d2", ".d3"}) {
      if (body.planar && vector == ".d3") continue;
      declare(names_.coordinates, body.name + vector, true, dimension, d_);
      d_ += dimension;
    }
  }
  for (const TextDescription::Joint& joint : text.joints) declare_other(joint.name);
  for (const std::string name : {"ground", "q", "v"}) taken.erase(name);
  if (d_ == 0) throw std::invalid_argument("coordinates: there are none");
  int place = 0;
  for (const auto& [name, defaults, list, follows] : text.parameters) {
    follows_.push_back(follows.empty() ? nullptr : read_scalar(follows, "parameters." + name, {}));
    const int size = static_cast<int>(defaults.size());
    if (!list && size != 1) throw std::invalid_argument("'" + name + "' is no list and has not one default");
    declare(names_.parameters, name, list, size, place);
    place += size;
  }
  parameter_entries_ = static_cast<std::size_t>(place);
  for (const TextDescription::Function& function : text.functions) declare_other(function.name);
  names_.functions = text.functions;
  for (const auto& [name, table] : text.tables) {
    declare_other(name);
    try {
      names_.tables[name] = std::make_shared<const Table>(table);
    } catch (const std::invalid_argument& refusal) {
      throw std::invalid_argument("functions." + name + ": " + refusal.what());
    }
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

Given TextSystem::read_given(const std::vector<TextDescription::Assignment>& assignments,
                             const std::string& key, const std::set<Operation>& allowed) const {
  Given given;
  for (const auto& [name, texts] : assignments) {
    const Expression value = joined(read(texts, key + "." + name, allowed));
    const auto coordinate = std::ranges::find(names_.coordinates, name, &Symbol::name);
    if (coordinate != names_.coordinates.end() && value->size != coordinate->size) {
      throw std::invalid_argument(key + "." + name + ": has " + std::to_string(coordinate->size) +
                                  " entries");
    }
    if (!given.emplace(name, value).second)
      throw std::invalid_argument(key + ": '" + name + "' is given twice");
  }
  return given;
}

Expressions TextSystem::of_coordinates(Given given, const std::string& key) const {
  Expressions all;
  for (const auto& [name, vector, size, place] : names_.coordinates) {
    const bool is_given = given.contains(name);
    all.push_back(is_given ? given.extract(name).mapped()
                           : joined(Expressions(static_cast<std::size_t>(size), constant_of(0.0))));
  }
  if (!given.empty())
    throw std::invalid_argument(key + ": no coordinate is called '" + given.begin()->first + "'");
  return all;
}

/// Rows that depend on others are no rows of the system, or are refused.
void TextSystem::decide_rows(bool may_drop) {
  const Model model{"", {}};
  Parameters defaults(model);
  const System system = make(defaults);
  const auto rows = position_constraint_count(system);
  std::vector<bool> dependent = dependent_rows(system, may_drop && rows > 0);
  const auto first = std::ranges::find(dependent, true), of_velocities = dependent.begin() + rows,
             refused = may_drop ? std::find(of_velocities, dependent.end(), true) : first;
  if (refused != dependent.end())
    throw std::invalid_argument("row " + std::to_string(refused - dependent.begin()) +
                                " of the constraints depends on those before it");
  if (first == dependent.end()) return;
  dependent.resize(static_cast<std::size_t>(rows));
  dropped_ = dependent;
}

std::vector<double> TextSystem::values(Parameters& given) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const auto& [name, defaults, list, text] = parameters_[k];
    std::vector<double> own = defaults;
    if (follows_[k]) own = {std::nan("")};
    own = given.values(name, own);
    if (follows_[k] && std::isnan(own[0])) own = walk(*follows_[k], Leaves<double>{.parameters = values});
    std::ranges::copy(own, std::back_inserter(values));
  }
  return values;
}

System TextSystem::make(Parameters& given) const {
  const std::vector<double> parameters = values(given);
  const Leaves<double> constants{.parameters = parameters};
  // Axes are long expressions of parameters, on which rows and forces should not spend their time.
  const auto known = [&](const Expression& f) { return f && has_bodies_ ? with_numbers(f, constants) : f; };
  const auto all_known = [&](Expressions all) {
    std::ranges::transform(all, all.begin(), known);
    return all;
  };

  System system;
  system.initial = {walk_all(position_, constants), walk_all(velocity_, constants)};
  const VelocityTerms terms = terms_of(*kinetic_, d_, parameter_entries_);
  const auto& [c, a, M] = terms.of_degree;
  system.mass_coordinates = M.of_position ? coordinates_up_to(*kinetic_) : 0;
  system.mass_moves = M.of_time;
  system.has_field = a.present || c.present;
  system.kinetic_energy = [T = known(kinetic_), parameters]<class S>(const Vector<S>& q, const Vector<S>& v,
                                                                     const S& t) -> S {
    return walk(*T, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t})[0];
  };
  system.potential = [V = known(potential_), parameters]<class S>(const Vector<S>& q, const S& t) -> S {
    return walk(*V, Leaves<S>{.q = entries(q), .parameters = parameters, .t = t})[0];
  };
  system.potential_terms = [terms = terms_of_sum(known(potential_)), parameters](const VectorXd& q,
                                                                                 double t) -> VectorXd {
    VectorXd V(static_cast<Eigen::Index>(terms.size()));
    for (std::size_t k = 0; k < terms.size(); ++k)
      V[static_cast<Eigen::Index>(k)] =
          walk(*terms[k], Leaves<double>{.q = entries(q), .parameters = parameters, .t = t})[0];
    return V;
  };
  system.discrete_potential_gradient = [V = known(potential_), parameters, d = d_]<class S>(
                                           const Vector<S>& z0, const Vector<S>& z1) -> Vector<S> {
    return row_of(walk(*V, moved(z0, z1, d, parameters))[0], z0.size());
  };
  system.discrete_kinetic_gradient = [T = known(kinetic_), parameters, d = d_]<class S>(
                                         const Vector<S>& z0, const Vector<S>& z1,
                                         const Vector<S>& v) -> Vector<S> {
    Leaves<Difference<S>> leaves = moved(z0, z1, d, parameters);
    for (const S& entry : v) leaves.v.emplace_back(entry, entry);
    return row_of(walk(*T, leaves)[0], z0.size());
  };
  system.discrete_constraint_force = [g = all_known(constraints_), parameters, dropped = dropped_,
                                      d = d_]<class S>(const Vector<S>& z0, const Vector<S>& z1,
                                                       const Vector<S>& lambda) -> Vector<S> {
    const Leaves<Difference<S>> leaves = moved(z0, z1, d, parameters);
    Vector<S> sum = zero<S>(z0.size());
    std::size_t i = 0;
    Eigen::Index k = 0;
    for (const Expression& rows : g) {
      for (const Difference<S>& row : walk(*rows, leaves)) {
        if (is_kept(i++, dropped)) sum += lambda[k++] * row_of(row, z0.size());
      }
    }
    return sum;
  };
  if (rayleigh_) {
    system.rayleigh = [R = known(rayleigh_), parameters]<class S>(const Vector<S>& q, const Vector<S>& v,
                                                                  const S& t) -> S {
      return walk(*R, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t})[0];
    };
  }
  system.action_damping = walk(*action_damping_, constants)[0];
  const auto rows_of_position = [&](bool kept) {
    return [g = all_known(constraints_), parameters, dropped = dropped_, kept]<class S>(
               const Vector<S>& q, const S& t) -> Vector<S> {
      const Leaves<S> leaves{.q = entries(q), .parameters = parameters, .t = t};
      return part_of(walk_all(g, leaves), dropped, kept);
    };
  };
  system.constraint = rows_of_position(true);
  if (!dropped_.empty()) system.redundant = rows_of_position(false);
  if (!nonholonomic_.empty()) {
    system.velocity_constraint = [rows = all_known(nonholonomic_), parameters]<class S>(
                                     const Vector<S>& q, const Vector<S>& v, const S& t) -> Vector<S> {
      return walk_all(rows, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t});
    };
  }
  if (!gaps_.empty()) {
    system.gap = [gaps = all_known(gaps_), parameters]<class S>(const Vector<S>& q, const S& t) -> Vector<S> {
      return walk_all(gaps, Leaves<S>{.q = entries(q), .parameters = parameters, .t = t});
    };
    system.discrete_gap_force = [gaps = all_known(gaps_), parameters, d = d_]<class S>(
                                    const Vector<S>& z0, const Vector<S>& z1,
                                    const Vector<S>& lambda) -> Vector<S> {
      const Leaves<Difference<S>> leaves = moved(z0, z1, d, parameters);
      Vector<S> sum = zero<S>(z0.size());
      for (std::size_t k = 0; k < gaps.size(); ++k)
        sum += lambda[static_cast<Eigen::Index>(k)] * row_of(walk(*gaps[k], leaves)[0], z0.size());
      return sum;
    };
    system.restitution = walk_all(restitutions_, constants);
  }
  system.rows_move =
      any_contains(constraints_, Operation::time) || any_contains(nonholonomic_, Operation::time);
  if (any_contains(force_, Operation::position) || any_contains(force_, Operation::velocity)) {
    system.force = [F = all_known(force_), parameters]<class S>(const Vector<S>& q, const Vector<S>& v,
                                                                const S& t) -> Vector<S> {
      return walk_all(F, Leaves<S>{.q = entries(q), .v = entries(v), .parameters = parameters, .t = t});
    };
  } else if (!force_.empty()) {
    system.load = [F = all_known(force_), parameters](double t) -> VectorXd {
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
