#include "expressions/derivatives.hpp"

#include <array>
#include <functional>

namespace livens::expressions {
namespace {

/// The factors that go with a change of the operands; none where an operand has no part in it.
struct Slopes {
  NodeId by_a = none, by_b = none;
};

/// The exact slopes of node `id`.
Slopes slopes(Graph& g, NodeId id) {
  const Node n = g[id];
  const NodeId one = g.constant(1.0), two = g.constant(2.0);
  switch (n.op) {
    case Op::negate:
      return {g.constant(-1.0)};
    case Op::add:
      return {one, one};
    case Op::subtract:
      return {one, g.constant(-1.0)};
    case Op::multiply:
      if (n.a == n.b) return {g.multiply(two, n.a)};
      return {n.b, n.a};
    case Op::divide:
      return {g.divide(one, n.b), g.negate(g.divide(id, n.b))};
    case Op::sqrt:
      return {g.divide(g.constant(0.5), id)};
    case Op::sin:
      return {g.unary(Op::cos, n.a)};
    case Op::cos:
      return {g.negate(g.unary(Op::sin, n.a))};
    case Op::exp:
      return {id};
    case Op::log:
      return {g.divide(one, n.a)};
    case Op::tanh:
      return {g.subtract(one, g.multiply(id, id))};
    case Op::abs:
      return {g.divide(n.a, id)};
    case Op::sinc:
      return {g.multiply(n.a, g.unary(Op::sinc_slope, n.a))};
    case Op::sinhc:
      return {g.multiply(n.a, g.unary(Op::sinhc_slope, n.a))};
    case Op::tanhc:
      return {g.multiply(n.a, g.unary(Op::tanhc_slope, n.a))};
    case Op::atanhc:
      return {g.multiply(n.a, g.unary(Op::atanhc_slope, n.a))};
    default:
      return {};  // leaves; the slopes of slopes are never asked for
  }
}

/// The difference quotients of node `id` between itself and its image at q1.
class Quotients {
 public:
  Quotients(Graph& graph, NodeId root) : g_(graph) {
    // Every node of V at q1: the substitution walks the nodes in their order, once.
    std::vector<NodeId> all(static_cast<std::size_t>(root + 1));
    for (NodeId id = 0; id <= root; ++id) all[static_cast<std::size_t>(id)] = id;
    end_ = substitute(graph, all, Leaf::position, [&](int i) { return graph.leaf(Leaf::end, i); });
  }

  Slopes operator()(NodeId id) {
    const Node n = g_[id];
    const NodeId one = g_.constant(1.0), two = g_.constant(2.0);
    switch (n.op) {
      case Op::multiply:  // (a)
        if (n.a == n.b) return {sum(n.a)};
        return {mean(n.b), mean(n.a)};
      case Op::divide:  // (b)
        if (end(n.b) == n.b) return {g_.divide(one, n.b)};
        return {g_.multiply(g_.constant(0.5), g_.add(g_.divide(one, n.b), g_.divide(one, end(n.b)))),
                g_.negate(g_.divide(mean(n.a), g_.multiply(n.b, end(n.b))))};
      case Op::sqrt:  // (c)
        return {g_.divide(one, sum(id))};
      case Op::abs:
        return {g_.divide(sum(n.a), sum(id))};
      case Op::sin:
        return {g_.multiply(g_.unary(Op::cos, mean(n.a)), g_.unary(Op::sinc, half_change(n.a)))};
      case Op::cos:
        return {g_.negate(g_.multiply(g_.unary(Op::sin, mean(n.a)), g_.unary(Op::sinc, half_change(n.a))))};
      case Op::exp:
        return {g_.multiply(g_.unary(Op::exp, mean(n.a)), g_.unary(Op::sinhc, half_change(n.a)))};
      case Op::log:
        return {
            g_.divide(g_.multiply(two, g_.unary(Op::atanhc, g_.divide(change(n.a), sum(n.a)))), sum(n.a))};
      case Op::tanh:
        return {g_.multiply(g_.unary(Op::tanhc, change(n.a)), g_.subtract(one, g_.multiply(id, end(id))))};
      default:
        return slopes(g_, id);  // the linear ones
    }
  }

 private:
  NodeId end(NodeId id) const { return end_[static_cast<std::size_t>(id)]; }
  NodeId sum(NodeId id) { return g_.add(id, end(id)); }
  NodeId mean(NodeId id) { return end(id) == id ? id : g_.multiply(g_.constant(0.5), sum(id)); }
  NodeId change(NodeId id) { return g_.subtract(end(id), id); }
  NodeId half_change(NodeId id) { return g_.multiply(g_.constant(0.5), change(id)); }

  Graph& g_;
  std::vector<NodeId> end_;
};

/// From the root to the leaves: what a change of each node is worth to the root.
std::vector<NodeId> sweep_down(Graph& g, NodeId root, Leaf kind, int count,
                               const std::function<Slopes(NodeId)>& slopes_of) {
  const std::vector<bool> moves = depends_on(g, std::array{kind});
  std::vector<NodeId> worth(static_cast<std::size_t>(root + 1), none);
  std::vector<NodeId> result(static_cast<std::size_t>(count), g.constant(0.0));
  worth[static_cast<std::size_t>(root)] = g.constant(1.0);
  const auto pass = [&](NodeId operand, NodeId by, NodeId slope) {
    if (slope == none || !moves[static_cast<std::size_t>(operand)]) return;
    NodeId& sum = worth[static_cast<std::size_t>(operand)];
    const NodeId part = g.multiply(by, slope);
    sum = sum == none ? part : g.add(sum, part);
  };
  for (NodeId id = root; id >= 0; --id) {
    const NodeId by = worth[static_cast<std::size_t>(id)];
    if (by == none || !moves[static_cast<std::size_t>(id)]) continue;
    const Node n = g[id];
    if (n.is(Op::leaf)) {
      if (n.leaf == kind && n.a < count) result[static_cast<std::size_t>(n.a)] = by;
      continue;
    }
    const Slopes slope = slopes_of(id);
    // A quotient's first slope is a reciprocal that nobody else may need: divide instead.
    if (n.is(Op::divide) && moves[static_cast<std::size_t>(n.a)] && g[slope.by_a].is(Op::divide) &&
        g[g[slope.by_a].a].is_constant(1.0)) {
      NodeId& sum = worth[static_cast<std::size_t>(n.a)];
      const NodeId part = g.divide(by, g[slope.by_a].b);
      sum = sum == none ? part : g.add(sum, part);
    } else if (operands_of(n.op) > 0) {
      pass(n.a, by, slope.by_a);
    }
    if (is_binary(n.op)) pass(n.b, by, slope.by_b);
  }
  return result;
}

}  // namespace

std::vector<NodeId> gradient(Graph& graph, NodeId root, Leaf kind, int count) {
  return sweep_down(graph, root, kind, count, [&](NodeId id) { return slopes(graph, id); });
}

std::vector<NodeId> discrete_gradient(Graph& graph, NodeId root, int count) {
  Quotients quotients(graph, root);
  return sweep_down(graph, root, Leaf::position, count, [&](NodeId id) { return quotients(id); });
}

std::vector<NodeId> derivative(Graph& graph, std::span<const NodeId> roots, Leaf kind, int index) {
  const std::vector<bool> needed = reachable(graph, roots);
  const NodeId zero = graph.constant(0.0), one = graph.constant(1.0);
  std::vector<NodeId> tangent(needed.size(), zero);
  const auto of = [&](NodeId operand) { return tangent[static_cast<std::size_t>(operand)]; };
  for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id) {
    const auto place = static_cast<std::size_t>(id);
    if (!needed[place]) continue;
    const Node n = graph[id];
    if (n.is(Op::leaf)) {
      if (n.leaf == kind && n.a == index) tangent[place] = one;
      continue;
    }
    const NodeId by_a = operands_of(n.op) > 0 ? of(n.a) : zero, by_b = is_binary(n.op) ? of(n.b) : zero;
    if (graph.is_zero(by_a) && graph.is_zero(by_b)) continue;
    if (n.is(Op::divide) && graph.is_zero(by_b)) {
      tangent[place] = graph.divide(by_a, n.b);
      continue;
    }
    if (n.is(Op::subtract)) {
      tangent[place] = graph.subtract(by_a, by_b);
      continue;
    }
    const Slopes slope = slopes(graph, id);
    NodeId sum = graph.multiply(slope.by_a, by_a);
    if (slope.by_b != none) sum = graph.add(sum, graph.multiply(slope.by_b, by_b));
    tangent[place] = sum;
  }
  std::vector<NodeId> result;
  for (const NodeId root : roots) result.push_back(of(root));
  return result;
}

}  // namespace livens::expressions
