#include "expressions/derivatives.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace livens::expressions {
namespace {

/// What a node changes with, its operands as a rule, and the factors; `none` where there is no such node.
struct Slopes {
  NodeId by_a = none, by_b = none;
  NodeId a = none, b = none;
};

/// base^(e - 1), for an e above 1; `whole` is base^e.
NodeId less_by_one(Graph& g, NodeId whole, NodeId base, NodeId e) {
  const Node exponent = g[e];
  const NodeId less = g.subtract(e, g.constant(1.0));
  if (!exponent.is(Op::constant)) return g.mark(g.raised(base, less), Graph::Power{base, less, true});
  if (exponent.value == std::rint(exponent.value)) return g.power(base, static_cast<int>(exponent.value) - 1);
  if (exponent.value > 2.0) return g.mark(g.raised(base, less), Graph::Power{base, less});
  // A node of its own: a root that the text has by itself keeps its own slope.
  return g.mark(g.binary(Op::ratio, whole, base), Graph::Power{base, less, true});
}

Slopes slopes_of_power(Graph& g, NodeId id, const Graph::Power& power) {
  const NodeId less =
      power.is_slope ? g.binary(Op::ratio, id, power.base) : less_by_one(g, id, power.base, power.exponent);
  return {g.multiply(power.exponent, less), none, power.base, none};
}

/// sqrt(1 - a^2), which loses nothing where a is near an end.
NodeId cosine_of_asin(Graph& g, NodeId a) {
  const NodeId one = g.constant(1.0);
  return g.unary(Op::sqrt, g.multiply(g.subtract(one, a), g.add(one, a)));
}

/// [f(b) - f(a)]/(b - a) is the same with a and b exchanged; `slope` is its derivative by b.
Slopes slopes_of_quotient(Graph& g, const Node& n, Op slope) {
  Node by = n;
  by.op = slope;
  return {g.again(by, n.b, n.a), g.again(by, n.a, n.b)};
}

/// Half the slope of |a - b|: where the two are equal min and max have the mean of both slopes.
NodeId half_of_lead(Graph& g, NodeId a, NodeId b) {
  return g.multiply(g.constant(0.5), g.unary(Op::sign, g.subtract(a, b)));
}
/// Those of (a + b)/2 + |a - b|/2, or of the difference, from half the slope of |a - b|.
Slopes slopes_of_extreme(Graph& g, Op op, NodeId half_lead) {
  const NodeId half = g.constant(0.5), less = g.subtract(half, half_lead), more = g.add(half, half_lead);
  if (op == Op::max) return {more, less};
  return {less, more};
}

/// The exact slopes of what an operation is.
Slopes slopes_of_operation(Graph& g, NodeId id) {
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
    case Op::ratio:
      return {g.divide(one, n.b), g.negate(g.binary(Op::ratio, id, n.b))};
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
      return {g.unary(Op::sign, n.a)};
    case Op::asin:
      return {g.divide(one, cosine_of_asin(g, n.a))};
    case Op::acos:
      return {g.divide(g.constant(-1.0), cosine_of_asin(g, n.a))};
    case Op::atan:
      return {g.divide(one, g.add(one, g.multiply(n.a, n.a)))};
    case Op::sinh:
      return {g.unary(Op::cosh, n.a)};
    case Op::cosh:
      return {g.unary(Op::sinh, n.a)};
    case Op::min:
    case Op::max:
      return slopes_of_extreme(g, n.op, half_of_lead(g, n.a, n.b));
    case Op::atan2: {
      const NodeId square = g.add(g.multiply(n.a, n.a), g.multiply(n.b, n.b));
      return {g.divide(n.b, square), g.negate(g.divide(n.a, square))};
    }
    case Op::sign:
    case Op::less:
    case Op::less_or_equal:
      return {g.constant(0.0), g.constant(0.0)};  // steps
    case Op::table:
      if (n.order == 3) return {g.constant(0.0)};
      return {g.of_table(Op::table, n.table, n.order + 1, n.a)};
    case Op::power_quotient:
      return {g.constant(0.0), g.constant(0.0)};  // is in nodes whose slopes do not ask for it
    case Op::asin_quotient:
      return slopes_of_quotient(g, n, Op::asin_quotient_slope);
    case Op::atan_quotient:
      return slopes_of_quotient(g, n, Op::atan_quotient_slope);
    case Op::log_quotient:
      return slopes_of_quotient(g, n, Op::log_quotient_slope);
    case Op::table_quotient:
      return slopes_of_quotient(g, n, Op::table_quotient_slope);
    case Op::sinc:
      return {g.multiply(n.a, g.unary(Op::sinc_slope, n.a))};
    case Op::sinhc:
      return {g.multiply(n.a, g.unary(Op::sinhc_slope, n.a))};
    case Op::tanhc:
      return {g.multiply(n.a, g.unary(Op::tanhc_slope, n.a))};
    case Op::atanhc:
      return {g.multiply(n.a, g.unary(Op::atanhc_slope, n.a))};
    default:
      throw std::logic_error("the slope of a difference quotient has no slope of its own here");
  }
}

Slopes slopes(Graph& g, NodeId id) {
  if (const Graph::Power* power = g.power_at(id)) return slopes_of_power(g, id, Graph::Power(*power));
  if (const Graph::Shortcut* known = g.shortcut_at(id)) return {known->by_a, known->by_b, known->a, known->b};
  Slopes result = slopes_of_operation(g, id);
  const Node n = g[id];
  if (operands_of(n.op) > 0) result.a = n.a;
  if (is_binary(n.op)) result.b = n.b;
  return result;
}

constexpr const char* jumps = "what jumps has no discrete gradient";

/// The difference quotients of node `id` between itself and its image at q1.
class Quotients {
 public:
  Quotients(Graph& graph, NodeId root, bool in_time) : g_(graph) {
    // Every node of V at q1: the substitution walks the nodes in their order, once.
    const std::vector<bool> needed = reachable(graph, std::span(&root, 1));
    std::vector<NodeId> all;
    for (NodeId id = 0; id <= root; ++id)
      if (needed[static_cast<std::size_t>(id)]) all.push_back(id);
    std::vector<NodeId> ends =
        substitute(graph, all, Leaf::position, [&](int i) { return graph.leaf(Leaf::end, i); });
    if (in_time) ends = substitute(graph, ends, Leaf::time, [&](int) { return graph.leaf(Leaf::end_time); });
    end_.resize(needed.size(), none);
    for (std::size_t k = 0; k < all.size(); ++k) end_[static_cast<std::size_t>(all[k])] = ends[k];
  }

  Slopes operator()(NodeId id) {
    if (const Graph::Power* power = g_.power_at(id)) return of_power(Graph::Power(*power));
    Slopes result = of_operation(id);
    const Node n = g_[id];
    if (operands_of(n.op) > 0) result.a = n.a;
    if (is_binary(n.op)) result.b = n.b;
    return result;
  }

 private:
  Slopes of_operation(NodeId id) {
    const Node n = g_[id];
    const NodeId one = g_.constant(1.0);
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
        return {quotient_of_abs(n.a, id, end(n.a), end(id))};
      case Op::sin:
        return {g_.multiply(g_.unary(Op::cos, mean(n.a)), g_.unary(Op::sinc, half_change(n.a)))};
      case Op::cos:
        return {g_.negate(g_.multiply(g_.unary(Op::sin, mean(n.a)), g_.unary(Op::sinc, half_change(n.a))))};
      case Op::exp:
        return {g_.multiply(g_.unary(Op::exp, mean(n.a)), g_.unary(Op::sinhc, half_change(n.a)))};
      case Op::log:
        return {g_.binary(Op::log_quotient, n.a, end(n.a))};
      case Op::tanh:
        return {g_.multiply(g_.unary(Op::tanhc, change(n.a)), g_.subtract(one, g_.multiply(id, end(id))))};
      case Op::sinh:
        return {g_.multiply(g_.unary(Op::cosh, mean(n.a)), g_.unary(Op::sinhc, half_change(n.a)))};
      case Op::cosh:
        return {g_.multiply(g_.unary(Op::sinh, mean(n.a)), g_.unary(Op::sinhc, half_change(n.a)))};
      case Op::asin:
        return {g_.binary(Op::asin_quotient, n.a, end(n.a))};
      case Op::acos:
        return {g_.negate(g_.binary(Op::asin_quotient, n.a, end(n.a)))};
      case Op::atan:
        return {g_.binary(Op::atan_quotient, n.a, end(n.a))};
      case Op::table:
        if (n.order == 3) throw std::logic_error(jumps);
        return {g_.of_table(Op::table_quotient, n.table, n.order, n.a, end(n.a))};
      case Op::min:
      case Op::max:  // (e)
        return slopes_of_extreme(g_, n.op, half_quotient_of_distance(n.a, n.b));
      case Op::atan2:
      case Op::sign:
      case Op::kept:
        throw std::logic_error(jumps);
      default:
        return slopes_of_operation(g_, id);  // the linear ones
    }
  }

  /// (a0 + a1)/(|a0| + |a1|), whose slopes are 0 as well where both are.
  NodeId quotient_of_abs(NodeId a0, NodeId size0, NodeId a1, NodeId size1) {
    const NodeId A = g_.add(a0, a1), B = g_.add(size0, size1), quotient = g_.binary(Op::ratio, A, B);
    const auto by = [&](NodeId value) {
      const NodeId change = g_.subtract(B, g_.multiply(A, g_.unary(Op::sign, value)));
      return g_.binary(Op::ratio, g_.binary(Op::ratio, change, B), B);
    };
    return g_.mark(quotient, Graph::Shortcut{a0, by(a0), a1, by(a1)});
  }

  /// Half the quotient of |a - b|, whose ends are nodes of their own.
  NodeId half_quotient_of_distance(NodeId a, NodeId b) {
    const NodeId lead = g_.subtract(a, b), at_end = g_.subtract(end(a), end(b));
    return g_.multiply(g_.constant(0.5),
                       quotient_of_abs(lead, g_.unary(Op::abs, lead), at_end, g_.unary(Op::abs, at_end)));
  }

  /// Of a^e, (d): a whole e by the sum of the products of the values at both ends; else m^(e - 1) times
  /// power_quotient(d/s) with the mean m, the change d, the sum s. Their own slopes are put together by hand,
  /// where d/s has none at s = 0:
  ///   by a1:  m^(e - 2)/2 [(e - 1) Q(x) + Q'(x) a0/m],    by a0:  m^(e - 2)/2 [(e - 1) Q(x) - Q'(x) a1/m]
  Slopes of_power(const Graph::Power& power) {
    const NodeId a0 = power.base, a1 = end(a0), e = power.exponent;
    if (g_[e].is(Op::constant) && g_[e].value == std::rint(g_[e].value)) {
      NodeId products = g_.constant(1.0), before = products;
      for (int k = 1; k < static_cast<int>(g_[e].value); ++k) {
        before = g_.multiply(before, a0);
        products = g_.add(g_.multiply(a1, products), before);
      }
      return {products, none, a0, none};
    }
    const NodeId m = mean(a0), x = g_.binary(Op::ratio, change(a0), sum(a0));
    const NodeId Q = g_.binary(Op::power_quotient, x, e);
    const NodeId less = less_by_one(g_, g_.raised(m, e), m, e);
    const NodeId quotient = g_.multiply(less, Q);
    const NodeId factor = g_.multiply(g_.constant(0.5), g_.binary(Op::ratio, less, m));
    const NodeId steep = g_.multiply(x, g_.binary(Op::power_quotient_slope, x, e));
    const NodeId same = g_.multiply(g_.subtract(e, g_.constant(1.0)), Q);
    const auto by = [&](NodeId other) { return g_.multiply(steep, g_.binary(Op::ratio, other, m)); };
    g_.mark(quotient, Graph::Shortcut{a0, g_.multiply(factor, g_.subtract(same, by(a1))), a1,
                                      g_.multiply(factor, g_.add(same, by(a0)))});
    return {quotient, none, a0, none};
  }

  NodeId end(NodeId id) const { return end_[static_cast<std::size_t>(id)]; }
  NodeId sum(NodeId id) { return g_.add(id, end(id)); }
  NodeId mean(NodeId id) { return end(id) == id ? id : g_.multiply(g_.constant(0.5), sum(id)); }
  NodeId change(NodeId id) { return g_.subtract(end(id), id); }
  NodeId half_change(NodeId id) { return g_.multiply(g_.constant(0.5), change(id)); }

  Graph& g_;
  std::vector<NodeId> end_;
};

/// From the root to the leaves: what a change of each node is worth to the root.
std::vector<NodeId> sweep_down(Graph& g, NodeId root, Leaf kind, int count, bool in_time,
                               const std::function<Slopes(NodeId)>& slopes_of) {
  const std::vector<bool> moves = depends_on(g, std::array{kind, in_time ? Leaf::time : kind});
  std::vector<NodeId> worth(static_cast<std::size_t>(root + 1), none);
  std::vector<NodeId> result(static_cast<std::size_t>(count + in_time), g.constant(0.0));
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
      if (n.leaf == Leaf::time && in_time) result.back() = by;
      continue;
    }
    const Slopes slope = slopes_of(id);
    // A quotient's first slope is a reciprocal that nobody else may need: divide instead.
    if (n.is(Op::divide) && slope.a == n.a && moves[static_cast<std::size_t>(n.a)] &&
        g[slope.by_a].is(Op::divide) && g[g[slope.by_a].a].is_constant(1.0)) {
      NodeId& sum = worth[static_cast<std::size_t>(n.a)];
      const NodeId part = g.divide(by, g[slope.by_a].b);
      sum = sum == none ? part : g.add(sum, part);
    } else {
      pass(slope.a, by, slope.by_a);
    }
    pass(slope.b, by, slope.by_b);
  }
  return result;
}

}  // namespace

namespace {

/// A condition in a part that moves with leaves of this kind. The slopes of what is not chosen may not be
/// finite, and no factor of 0 makes that good.
bool has_moving_condition(const Graph& graph, NodeId root, Leaf kind) {
  const std::vector<bool> moves = depends_on(graph, std::array{kind}),
                          needed = reachable(graph, std::span(&root, 1));
  for (NodeId id = 0; id <= root; ++id)
    if (needed[static_cast<std::size_t>(id)] && moves[static_cast<std::size_t>(id)] && graph[id].is(Op::kept))
      return true;
  return false;
}

}  // namespace

std::vector<NodeId> gradient(Graph& graph, NodeId root, Leaf kind, int count) {
  if (has_moving_condition(graph, root, kind)) {
    std::vector<NodeId> result;
    for (int i = 0; i < count; ++i) result.push_back(derivative(graph, std::span(&root, 1), kind, i).front());
    return result;
  }
  return sweep_down(graph, root, kind, count, false, [&](NodeId id) { return slopes(graph, id); });
}

std::vector<NodeId> discrete_gradient(Graph& graph, NodeId root, int count) {
  Quotients quotients(graph, root, false);
  return sweep_down(graph, root, Leaf::position, count, false, [&](NodeId id) { return quotients(id); });
}

std::vector<NodeId> discrete_gradient_in_time(Graph& graph, NodeId root, int count) {
  Quotients quotients(graph, root, true);
  return sweep_down(graph, root, Leaf::position, count, true, [&](NodeId id) { return quotients(id); });
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
    if (graph.power_at(id) || graph.shortcut_at(id)) {
      const Slopes slope = slopes(graph, id);
      tangent[place] = graph.multiply(slope.by_a, of(slope.a));
      if (slope.b != none)
        tangent[place] = graph.add(tangent[place], graph.multiply(slope.by_b, of(slope.b)));
      continue;
    }
    if (n.is(Op::divide) && graph.is_zero(by_b)) {
      tangent[place] = graph.divide(by_a, n.b);
      continue;
    }
    if (n.is(Op::subtract)) {
      tangent[place] = graph.subtract(by_a, by_b);
      continue;
    }
    if (n.is(Op::kept)) {
      tangent[place] = graph.binary(Op::kept, n.a, by_b);
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
