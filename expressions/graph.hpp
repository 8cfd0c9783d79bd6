#pragma once
// Expressions as a graph in which equal parts are one node. What is written stays as it is written: nothing
// is reordered or expanded, since the discrete gradient, and with it a scheme's results, follow the text.
// Only identities that keep every bit are used: 1 x, x - -y, two constants, c x for x c, and signs and powers
// of two drawn out of products, so that the derivative of 1/2 k x^2 is k x. Beside them 0 x = 0 and x + 0 =
// x, without which derivatives would never be sparse.
//
// A node's operands have smaller numbers than the node: every walk is a loop over ascending or descending
// numbers, and no text is deep enough to overflow a stack.

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "expressions/operation.hpp"
#include "expressions/table_function.hpp"

namespace livens::expressions {

/// What a leaf stands for. `end`, `end_velocity`, `end_time` are q1, v1, t1 where the others are q0, v0, t0;
/// an `argument` of a function that is being differentiated is in no expression that has been read.
enum class Leaf : std::uint8_t {
  position,
  end,
  velocity,
  end_velocity,
  momentum,
  parameter,
  time,
  end_time,
  step,
  argument,
  reaction  ///< an entry of the force or torque of a joint
};

using NodeId = int;
inline constexpr NodeId none = -1;

struct Node {
  Op op;
  Leaf leaf;         ///< of a leaf
  NodeId a, b;       ///< operands; of a leaf, a is the index of the coordinate or parameter
  double value;      ///< of a constant
  int table = none;  ///< of a function that a table gives: its place among those of the graph
  int order = 0;     ///< and which derivative of it this is

  bool is(Op other) const { return op == other; }
  bool is_constant(double c) const { return op == Op::constant && value == c; }
};

/// Thrown where an expression would grow beyond all use; the reader says where.
struct TooLarge {};
inline constexpr int most_nodes = 400000;
/// Largest size of a whole exponent, and of a half one that is taken by the root.
inline constexpr int largest_exponent = 64;

class Graph {
 public:
  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  NodeId constant(double value);
  NodeId leaf(Leaf kind, int index = 0);
  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);
  /// An operation of a table, or of a derivative of it.
  NodeId of_table(Op op, int table, int order, NodeId a, NodeId b = none);
  /// A node's operation on other operands; of one operand, b does not count.
  NodeId again(const Node& node, NodeId a, NodeId b);

  /// The place of a table, which is that of an equal pointer, if there is one.
  int place_of(const std::shared_ptr<const TableFunction>& table);
  std::span<const std::shared_ptr<const TableFunction>> tables() const { return tables_; }
  /// The value of a node's operation; `a` and `b` are those of its operands.
  double value_of(const Node& node, double a, double b) const;

  NodeId negate(NodeId a) { return unary(Op::negate, a); }
  NodeId add(NodeId a, NodeId b) { return binary(Op::add, a, b); }
  NodeId subtract(NodeId a, NodeId b) { return binary(Op::subtract, a, b); }
  NodeId multiply(NodeId a, NodeId b) { return binary(Op::multiply, a, b); }
  NodeId divide(NodeId a, NodeId b) { return binary(Op::divide, a, b); }
  /// a^n by repeated squaring.
  NodeId power(NodeId a, int n);
  /// a^e for an exponent that does not move: of a number, integers by products, halves by the root; any other
  /// as exp(e log a), for a positive a.
  NodeId raised(NodeId a, NodeId e);

  /// A node that is a power above 1, or the slope of one but for a factor, whatever operations it is made of:
  /// theirs have slopes that are not finite where the base is 0.
  struct Power {
    NodeId base, exponent;
    bool is_slope = false;  ///< its own slope is 0 where the base is, even where it has no bound nearby
  };
  /// Slopes by other nodes than the operands.
  struct Shortcut {
    NodeId a, by_a, b, by_b;
  };
  NodeId mark(NodeId id, const Power& power);
  NodeId mark(NodeId id, const Shortcut& shortcut);
  /// Nothing where the node is only what its operation says.
  const Power* power_at(NodeId id) const;
  const Shortcut* shortcut_at(NodeId id) const;

  bool is_zero(NodeId id) const { return (*this)[id].is_constant(0.0); }
  /// A leaf of this kind is in it.
  bool has(NodeId id, Leaf kind) const {
    return (kinds_[static_cast<std::size_t>(id)] >> bit(kind) & 1) != 0;
  }

 private:
  static constexpr int bit(Leaf kind) { return static_cast<int>(kind); }
  NodeId intern(const Node& node);
  bool is_scaled(const Node& node) const;  ///< a power of two times something
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  struct Equal {
    bool operator()(const Node& x, const Node& y) const;
  };
  std::vector<Node> nodes_;
  std::vector<std::uint16_t> kinds_;  ///< of the leaves in each, a bit for every kind
  std::vector<std::shared_ptr<const TableFunction>> tables_;
  std::unordered_map<NodeId, Power> powers_;
  std::unordered_map<NodeId, Shortcut> shortcuts_;
  std::unordered_map<Node, NodeId, Hash, Equal> known_;
};

/// The value of an operation that needs no table.
double apply(Op op, double a, double b);

/// Marks of all nodes that the roots need, themselves among them; none is skipped.
std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> roots);

/// By node: something of the given kinds of leaves is in it. Of one index, or of any where it is negative.
std::vector<bool> depends_on(const Graph& graph, std::span<const Leaf> kinds, int index = -1);
bool depends(const Graph& graph, NodeId root, Leaf kind, int index = -1);

/// By node: it is zero where all parameters are that are not set, and whatever the others are. What cannot be seen from
/// its operations counts as not zero.
std::vector<bool> vanishing_without(const Graph& graph, const std::vector<bool>& set);

/// The same expressions with some nodes replaced: replacement(node) is another of the graph, or none.
template <class Replacement>
std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots, Replacement replacement);
/// With the leaves of one kind replaced: replacement(index) is a node of the graph.
template <class Replacement>
std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots, Leaf kind,
                               Replacement replacement) {
  return substitute(graph, roots, [&](NodeId id) {
    const Node node = graph[id];  // a copy: the graph grows
    return node.is(Op::leaf) && node.leaf == kind ? replacement(node.a) : none;
  });
}

/// Values of the leaves, for evaluate().
struct Values {
  std::span<const double> position, end, velocity, end_velocity, momentum, parameters, reaction;
  double time = 0.0, end_time = 0.0, step = 0.0;
};
/// The roots' values. A leaf beyond its span is a mistake of the caller's.
std::vector<double> evaluate(const Graph& graph, std::span<const NodeId> roots, const Values& values);

template <class Replacement>
std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots, Replacement replacement) {
  const std::vector<bool> needed = reachable(graph, roots);
  std::vector<NodeId> image(needed.size());
  for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id) {
    const auto place = static_cast<std::size_t>(id);
    if (!needed[place]) continue;
    const Node node = graph[id];  // a copy: the graph grows
    const auto of = [&](NodeId operand) { return image[static_cast<std::size_t>(operand)]; };
    // A number may be in no operation.
    const auto of_any = [&](NodeId operand) {
      return graph[operand].is(Op::constant) ? operand : of(operand);
    };
    if (const NodeId other = replacement(id); other != none) {
      image[place] = other;
      continue;
    }
    if (operands_of(node.op) == 0)
      image[place] = id;
    else
      image[place] = graph.again(node, of(node.a), is_binary(node.op) ? of(node.b) : none);
    if (const Graph::Power* power = graph.power_at(id))
      graph.mark(image[place], Graph::Power{of(power->base), of_any(power->exponent), power->is_slope});
  }
  std::vector<NodeId> result;
  for (const NodeId root : roots) result.push_back(image[static_cast<std::size_t>(root)]);
  return result;
}

}  // namespace livens::expressions
