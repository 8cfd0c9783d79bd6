#pragma once
// A system as the text has it: names, numbers and expressions as they were typed, each with its place. What
// the expressions say is the matter of mechanics.hpp.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "expressions/complaint.hpp"
#include "expressions/parser.hpp"
#include "expressions/text_system.hpp"

namespace livens::expressions {

/// Coordinates, constraints, entries of parameters: the most that a text may have.
inline constexpr int most_coordinates = 60, most_constraints = 60, most_parameters = 200;
/// Points of a table.
inline constexpr std::size_t most_points = 10000;

struct Parameter {
  std::string name, unit, meaning;
  Domain domain = Domain::real;
  std::vector<double> defaults;
  bool is_vector = false;  ///< the default is a list
  Span place;
};

/// One expression for every entry of a coordinate, or one for all of them.
struct PerCoordinate {
  int coordinate;
  std::vector<Expression> entries;
  bool one_by_one;
};

struct Description {
  std::string source, name;
  std::vector<Constant> constants;
  std::vector<TextCoordinate> coordinates;
  std::vector<Parameter> parameters;
  Expression kinetic;
  std::optional<Expression> potential, rayleigh, dissipation_rate;
  std::vector<Expression> constraints, nonholonomic, momentum;
  std::vector<PerCoordinate> force, initial_q, initial_v;
  std::vector<Function> functions;

  int coordinate_count() const;  ///< d
  int parameter_count() const;   ///< entries of all parameters
};

/// Reads the tables of a document; throws RequestError.
Description describe(const toml::table& table, const std::string& source, const ColumnReader& columns = {});

/// Calls visit(expression) with every one that is not in a function.
template <class Visit>
void for_each_expression(const Description& d, Visit visit) {
  visit(d.kinetic);
  for (const auto* one : {&d.potential, &d.rayleigh, &d.dissipation_rate})
    if (*one) visit(**one);
  for (const auto* rows : {&d.constraints, &d.nonholonomic, &d.momentum})
    for (const Expression& row : *rows) visit(row);
  for (const auto* all : {&d.force, &d.initial_q, &d.initial_v})
    for (const PerCoordinate& one : *all)
      for (const Expression& entry : one.entries) visit(entry);
}

/// Refuses functions and arguments that nothing uses, and functions that call themselves.
void check_functions(const Description& description);

/// The description as a TOML text that reads back as the same.
std::string written(const Description& description);

}  // namespace livens::expressions
