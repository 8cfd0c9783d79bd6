#include "taylor/inverse_powers.hpp"

#include <optional>

namespace livens::taylor {
namespace {

using expressions::Graph;
using expressions::Leaf;
using expressions::NodeId;
using expressions::Op;

/// factor base^(halves/2), the factor without motion, or none for 1.
struct Power {
  NodeId base, factor;
  int halves;
};

class Powers {
 public:
  Powers(Graph& graph, const std::vector<NodeId>& roots)
      : graph_(graph), moves_(expressions::depends_on(graph, of_motion)) {
    const std::vector<bool> needed = expressions::reachable(graph, roots);
    for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id)
      powers_.push_back(needed[static_cast<std::size_t>(id)] ? power_of(id)
                                                             : Power{id, expressions::none, 2});
  }

  /// The inverse power that a node is, or none.
  NodeId replacement(NodeId id) {
    // A root and a quotient cost less than s^(-1/2), and a product less than s^(3/2).
    const auto [base, factor, halves] = at(id);
    if (halves > -3 || halves % 2 == 0) return expressions::none;
    const NodeId power = graph_.binary(Op::inverse_power, base, graph_.constant(-halves));
    return factor == expressions::none ? power : graph_.multiply(factor, power);
  }

 private:
  static constexpr Leaf of_motion[] = {Leaf::position, Leaf::velocity, Leaf::time};

  const Power& at(NodeId id) const { return powers_[static_cast<std::size_t>(id)]; }
  bool moves(NodeId id) const { return moves_[static_cast<std::size_t>(id)]; }

  NodeId product(NodeId a, NodeId b) {
    return a == expressions::none ? b : b == expressions::none ? a : graph_.multiply(a, b);
  }
  NodeId quotient(NodeId a, NodeId b) {
    return b == expressions::none ? a : graph_.divide(a == expressions::none ? graph_.constant(1.0) : a, b);
  }

  Power power_of(NodeId id) {
    const expressions::Node node = graph_[id];  // a copy: the graph grows
    const Power itself{id, expressions::none, 2};
    if (!moves(id)) return itself;
    switch (node.op) {
      case Op::negate: {
        Power power = at(node.a);
        power.factor =
            power.factor == expressions::none ? graph_.constant(-1.0) : graph_.negate(power.factor);
        return power;
      }
      case Op::sqrt: {
        const Power& power = at(node.a);
        if (power.halves == 2 && power.factor == expressions::none) return {power.base, expressions::none, 1};
        return itself;
      }
      case Op::multiply: {
        if (!moves(node.a)) return {at(node.b).base, product(node.a, at(node.b).factor), at(node.b).halves};
        if (!moves(node.b)) return {at(node.a).base, product(node.b, at(node.a).factor), at(node.a).halves};
        const Power a = at(node.a), b = at(node.b);
        if (a.base != b.base) return itself;
        return {a.base, product(a.factor, b.factor), a.halves + b.halves};
      }
      case Op::divide: {
        if (!moves(node.b)) return {at(node.a).base, quotient(at(node.a).factor, node.b), at(node.a).halves};
        const Power b = at(node.b);
        if (!moves(node.a)) return {b.base, quotient(node.a, b.factor), -b.halves};
        const Power a = at(node.a);
        if (a.base != b.base) return itself;
        return {a.base, quotient(a.factor, b.factor), a.halves - b.halves};
      }
      default:
        return itself;
    }
  }

  Graph& graph_;
  std::vector<bool> moves_;
  std::vector<Power> powers_;  ///< by node
};

}  // namespace

std::vector<NodeId> with_inverse_powers(Graph& graph, const std::vector<NodeId>& roots) {
  Powers powers(graph, roots);
  return expressions::substitute(graph, roots, [&](NodeId id) { return powers.replacement(id); });
}

}  // namespace livens::taylor
