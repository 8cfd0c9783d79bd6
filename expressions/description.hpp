#pragma once
// A system as the text has it: names, numbers and expressions as they were typed, each with its place. What
// the expressions say is the matter of mechanics.hpp.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expressions/bodies.hpp"
#include "expressions/complaint.hpp"
#include "expressions/drawing.hpp"
#include "expressions/parser.hpp"
#include "expressions/text_system.hpp"

namespace livens::expressions {

/// Coordinates, constraints, entries of parameters: the most that a text may have.
inline constexpr int most_coordinates = 256, most_constraints = 256, most_parameters = 200;
inline constexpr std::size_t most_impacts = 16;
/// Points of a table.
inline constexpr std::size_t most_points = 10000;

struct Parameter {
  std::string name, unit, meaning, symbol;
  Domain domain = Domain::real;
  std::vector<double> defaults;
  bool is_vector = false;             ///< the default is a list
  std::optional<Expression> follows;  ///< the default, where it follows from parameters before it
  Span place;
};

/// One expression for every entry of a coordinate, or one for all of them.
struct PerCoordinate {
  int coordinate;
  std::vector<Expression> entries;
  bool one_by_one;
};

/// gap(q, t) >= 0, and what is left of its rate when it closes.
struct Impact {
  Expression gap, restitution;
};

/// What a spec has that does not say it; empty where the text does not, either.
struct Standard {
  std::optional<std::string> scheme;
  std::optional<double> step, end;  ///< s
  Place place;                      ///< of the scheme
};

struct Description {
  std::string source, name, meaning, paper;
  Standard standard;
  std::vector<Constant> constants;
  std::vector<TextCoordinate> coordinates;
  std::vector<Parameter> parameters;
  Expression kinetic;  ///< without a text where bodies alone have it
  std::optional<Expression> potential, rayleigh, dissipation_rate;
  std::vector<Expression> constraints, nonholonomic, momentum;
  std::vector<Impact> impacts;
  std::vector<PerCoordinate> force, initial_q, initial_v;
  std::vector<Function> functions;
  bool drops_redundant = false;  ///< rows that depend on others are left out
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<OfBody> body_force, body_q, body_v;
  std::optional<Drawing> drawing;
  /// Names that stand for an expression, as those of joints: functions without arguments, which are no part of the
  /// text.
  std::vector<Function> abbreviations;

  int coordinate_count() const;  ///< d
  int parameter_count() const;   ///< entries of all parameters
};

/// Reads the tables of a document, bodies and joints as they are; throws RequestError.
Description describe(const toml::table& table, const std::string& source, const ColumnReader& columns = {});

/// Calls visit(expression) with every one that is not in a function.
template <class Visit>
void for_each_expression(const Description& d, Visit visit) {
  for (const Parameter& parameter : d.parameters)
    if (parameter.follows) visit(*parameter.follows);
  visit(d.kinetic);
  for (const auto* one : {&d.potential, &d.rayleigh, &d.dissipation_rate})
    if (*one) visit(**one);
  for (const auto* rows : {&d.constraints, &d.nonholonomic, &d.momentum})
    for (const Expression& row : *rows) visit(row);
  for (const Impact& impact : d.impacts) {
    visit(impact.gap);
    visit(impact.restitution);
  }
  for (const auto* all : {&d.force, &d.initial_q, &d.initial_v})
    for (const PerCoordinate& one : *all)
      for (const Expression& entry : one.entries) visit(entry);
  if (d.drawing)
    for (const Drawing::Point& point : d.drawing->points)
      for (const Expression& entry : point.at.entries) visit(entry);
}

/// Values of all parameters, one after another, as they are by default.
std::vector<double> default_parameters(const Description& description);

/// The names that an expression of the text may have, without velocities, momenta and time.
Scope scope_of(const Description& description);

/// Refuses functions and arguments that nothing uses, and functions that call themselves.
void check_functions(const Description& description);

/// A complaint for every parameter that no expression has, nor one of the others, which a spec observes.
std::vector<std::string> unused_parameters(const Description& description,
                                           std::span<const std::string> others);

/// The description as a TOML text that reads back as the same, but for abbreviations.
std::string written(const Description& description);

}  // namespace livens::expressions
