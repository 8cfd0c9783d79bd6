#pragma once
// An expression as a tree, docs/equations/text.md sections 1 and 2.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "description.hpp"
#include "table.hpp"

namespace livens::reference {

enum class Operation {
  number,
  parameter,
  position,
  velocity,
  momentum,
  time,
  argument,  // of a function whose derivative is being made, and of nothing that is walked
  negate,
  add,
  subtract,
  multiply,
  divide,
  whole_power,  // a^n with the whole number n = place
  power,
  component,
  list,
  dot,
  cross,
  norm,
  sqrt,
  sin,
  cos,
  tan,
  exp,
  log,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  abs,
  sign,
  atan2,
  min,
  max,
  where,  // of the two sides of a comparison and the two values
  table,
};

enum class Comparison { less, at_most, greater, at_least };

/// One operation; its value has `size` entries, and one that is no vector has a single one.
struct Tree {
  Operation operation;
  std::vector<std::shared_ptr<const Tree>> arguments;
  bool vector = false;
  int size = 1;
  double number = 0.0;
  int place = 0;         // of the first entry in q, v, p or the parameters; the component; the whole exponent
  int depth = 1;         // of the tree from here on
  bool numeric = false;  // written with numbers alone
  Comparison comparison = Comparison::less;
  std::shared_ptr<const Table> table = nullptr;
};
using Expression = std::shared_ptr<const Tree>;

/// A name that an expression may use: its place among all coordinates, or all parameters.
struct Symbol {
  std::string name;
  bool vector;
  int size, place;
};

struct Names {
  std::vector<Symbol> coordinates, parameters;
  std::map<std::string, int> constants = {};
  std::vector<Symbol> velocities = {}, momenta = {};  // beside x' and p(x): names of their own
  std::vector<TextDescription::Function> functions = {};
  std::map<std::string, std::shared_ptr<const Table>> tables = {};
  std::map<std::string, Expression> quantities = {};  // of joints: scalars, for what they are
};

/// True for a name of the language's own: a function, where, sum, list, p, t, pi.
bool is_reserved(const std::string& name);
/// True for a letter or underscore followed by letters, digits and underscores.
bool is_name(const std::string& name);
/// True for one or two of these with a dot between them.
bool is_name_of_coordinate(const std::string& name);

/// Parameters may always be used, of the other leaves those that are `allowed`. Throws std::invalid_argument
/// with `key` and the column, counted from 1, for anything that is not in the language.
Expression parse(const std::string& text, const std::string& key, const Names& names,
                 const std::set<Operation>& allowed);

/// Throws std::invalid_argument for functions that are no functions of the language: an unknown name in one, one
/// that calls itself.
void expect_functions(const Names& names);

/// The derivative by the leaf `argument`, with `at` in its place. The tree is one of numbers, parameters and
/// that leaf.
Expression derivative_at(const Expression& tree, const Expression& at);

/// Whether a leaf, or another operation, of that kind appears.
bool contains(const Tree& tree, Operation operation);

/// Throws std::invalid_argument, with `key`, for what jumps somewhere, functions expanded.
void expect_continuous(const Tree& tree, const std::string& key);

}  // namespace livens::reference
