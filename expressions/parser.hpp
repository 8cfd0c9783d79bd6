#pragma once
// From the words of an expression to nodes of the graph.
//   expression  = term { (+|-) term }          term = sign { (*|/) sign }
//   sign        = { - | + } power              power = item [ ^ sign ]
//   item        = ( number | name | function [ ' ] ( expression, ... ) | ( expression ) | [ expression, ... ] )
//                 { [ index ] | ' }
//   index       = expression of numbers, constants and indices alone
// A value is a scalar or a small vector; dot, cross and norm take vectors. sum(i, 0, 2, e) and list(i, 0, 2,
// e) read e for every i; where(a < b, c, d) has a comparison, which stands nowhere else. A function of the
// text is read anew wherever it is called, with its arguments in place of their names.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/complaint.hpp"
#include "expressions/graph.hpp"

namespace livens::expressions {

struct Value {
  std::vector<NodeId> entries;
  bool is_vector = false;
  NodeId scalar() const { return entries.front(); }
};

/// A whole number by its name.
struct Constant {
  std::string name;
  int value;
};

/// A function that a text defines, of scalars: by expressions, or by a table of one scalar.
struct Function {
  std::string name;
  Place place;
  std::vector<std::string> arguments;
  std::vector<Expression> is;
  bool one_by_one = false;  ///< a list: a vector of these entries
  std::shared_ptr<const TableFunction> table;
};

/// The names that an expression may use, and which of the states' parts.
struct Scope {
  struct Name {
    std::string name;
    Leaf leaf;         ///< position or parameter
    int first, count;  ///< leaves (leaf, first), ...
    bool is_vector;    ///< is taken by components
  };
  std::vector<Name> names;
  std::vector<Constant> constants;
  bool positions = true, velocities = false, momenta = false, time = false;
  std::vector<Function> functions = {};
  bool jumps = true;                         ///< sign, where and atan2 have a place
  std::vector<Function> abbreviations = {};  ///< names that stand for an expression, without arguments
};

/// Deepest nesting of brackets, exponents and calls.
inline constexpr int deepest_nesting = 200;
/// Most terms that the sums and lists of an expression may have together, those within others counted every
/// time; largest constant.
inline constexpr int most_terms = 10000, largest_constant = 1000;

/// What is said of a whole exponent that is larger than largest_exponent.
inline constexpr const char* whole_exponent_too_large = "a whole exponent is at most 64 in absolute value";

/// Words that have a meaning of their own: no coordinate or parameter is called so.
bool is_reserved(std::string_view name);

/// The value of a text. Throws Slip, and TooLarge. Every text is read twice, in two ways that must agree
/// (second_reading.hpp); parse_once() is one of them.
Value parse(Graph& graph, const Scope& scope, std::string_view text);
Value parse_once(Graph& graph, const Scope& scope, std::string_view text);
/// A whole number written with numbers and constants, as the number of a coordinate's entries. Throws
/// Slip.
int parse_count(const std::vector<Constant>& constants, std::string_view text);

}  // namespace livens::expressions
