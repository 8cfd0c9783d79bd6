#pragma once
// From the words of an expression to nodes of the graph.
//   expression  = term { (+|-) term }          term = sign { (*|/) sign }
//   sign        = { - | + } power              power = item [ ^ sign ]
//   item        = ( number | name | function ( expression, ... ) | ( expression ) ) { [ index ] | ' }
// A value is a scalar or a small vector; dot, cross and norm take vectors.

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

/// The names that an expression may use, and which of the states' parts.
struct Scope {
  struct Name {
    std::string name;
    Leaf leaf;         ///< position or parameter
    int first, count;  ///< leaves (leaf, first), ...
    bool is_vector;    ///< is taken by components
  };
  std::vector<Name> names;
  bool positions = true, velocities = false, momenta = false, time = false;
};

/// Deepest nesting of brackets, exponents and calls.
inline constexpr int deepest_nesting = 200;

/// Words that have a meaning of their own: no coordinate or parameter is called so.
bool is_reserved(std::string_view name);

/// The value of a text. Throws Mistake, and TooLarge.
Value parse(Graph& graph, const Scope& scope, std::string_view text);

}  // namespace livens::expressions
