#pragma once
// Nodes as C++ over a Scalar: one statement for what is used twice or grows long, the rest nested; a product
// that is added becomes fma, and sin and cos of one angle are taken together. Nothing of a user's text is in
// it: leaves have generated names.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "expressions/graph.hpp"

namespace livens::expressions {

/// What the leaves are called inside a function.
struct LeafNames {
  const char *position = "q", *end = "q1", *velocity = "v", *end_velocity = "v1", *momentum = "p",
             *parameter = "parameters", *time = "t", *end_time = "t1", *step = "h";
  /// Template arguments for the types of their numbers, which may carry derivatives where the system has none; 0: Scalar.
  char position_number = 0, end_number = 0, velocity_number = 0, end_velocity_number = 0;
};

/// Expressions of parameters alone, which a system computes once: its members k0, k1, ...
class Members {
 public:
  /// `leaves`: parameters themselves are members, too.
  explicit Members(bool leaves = false) : leaves_(leaves) {}
  bool takes(const Node& node) const {
    return operands_of(node.op) > 0 || (leaves_ && node.is(Op::leaf) && node.leaf == Leaf::parameter);
  }
  std::string name(NodeId id);
  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  bool leaves_;
  std::map<NodeId, std::size_t> place_;
  std::vector<NodeId> nodes_;
};

struct Code {
  std::string statements;           ///< each a line, indented by four
  std::vector<std::string> values;  ///< one for each root
};

/// The type of a number made of these nodes: "Scalar", "Q", "Sum<Q, V>".
std::string number_of(const Graph& graph, std::span<const NodeId> nodes, const LeafNames& names);

/// `members`: where expressions of parameters alone go, or null: they are computed in place.
Code code_of(const Graph& graph, std::span<const NodeId> roots, const LeafNames& names, Members* members);

/// The tables of a graph as C++, with the header that they need, outside of any namespace; empty where there
/// are none.
std::string tables_of(const Graph& graph);

/// The number as a C++ literal of type double, the shortest one that reads back.
std::string literal(double value);

/// The expression on one line, for a comment; "..." in place of what would make it long.
std::string formula(const Graph& graph, NodeId root);

}  // namespace livens::expressions
