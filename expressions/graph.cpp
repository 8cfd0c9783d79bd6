#include "expressions/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "kernels/math/quotients.hpp"
#include "kernels/math/tables.hpp"

namespace livens::expressions {

std::size_t Graph::Hash::operator()(const Node& node) const {
  std::uint64_t h = std::bit_cast<std::uint64_t>(node.value);
  for (const auto part : {static_cast<std::uint64_t>(node.op), static_cast<std::uint64_t>(node.leaf),
                          static_cast<std::uint64_t>(node.a + 1), static_cast<std::uint64_t>(node.b + 1),
                          static_cast<std::uint64_t>(4 * (node.table + 1) + node.order)})
    h = (h ^ part) * 0x9e3779b97f4a7c15u + (h >> 29);
  return static_cast<std::size_t>(h ^ (h >> 32));
}

bool Graph::Equal::operator()(const Node& x, const Node& y) const {
  // Bits, so that 0 and -0 stay apart.
  return x.op == y.op && x.leaf == y.leaf && x.a == y.a && x.b == y.b && x.table == y.table &&
         x.order == y.order && std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

NodeId Graph::intern(const Node& node) {
  const auto [place, is_new] = known_.try_emplace(node, size());
  if (is_new) {
    if (size() >= most_nodes) throw TooLarge{};
    nodes_.push_back(node);
    const int operands = operands_of(node.op);
    unsigned kinds = node.is(Op::leaf) ? 1u << bit(node.leaf) : 0u;
    if (operands > 0) kinds |= kinds_[static_cast<std::size_t>(node.a)];
    if (operands > 1) kinds |= kinds_[static_cast<std::size_t>(node.b)];
    kinds_.push_back(static_cast<std::uint16_t>(kinds));
  }
  return place->second;
}

NodeId Graph::constant(double value) { return intern({Op::constant, {}, none, none, value}); }
NodeId Graph::leaf(Leaf kind, int index) { return intern({Op::leaf, kind, index, none, 0.0}); }

NodeId Graph::unary(Op op, NodeId a) {
  const Node x = (*this)[a];
  if (op == Op::negate && x.is(Op::negate)) return x.a;
  if (x.is(Op::constant)) return constant(apply(op, x.value, 0.0));
  return intern({op, {}, a, none, 0.0});
}

namespace {

bool is_power_of_two(double c) {
  int exponent;
  return std::isfinite(c) && std::abs(std::frexp(c, &exponent)) == 0.5;
}

}  // namespace

bool Graph::is_scaled(const Node& node) const {
  return node.is(Op::multiply) && (*this)[node.a].is(Op::constant) && is_power_of_two((*this)[node.a].value);
}

NodeId Graph::binary(Op op, NodeId a, NodeId b) {
  const Node x = (*this)[a], y = (*this)[b];
  if (x.is(Op::constant) && y.is(Op::constant)) return constant(apply(op, x.value, y.value));
  if (op == Op::ratio && x.is_constant(0.0)) return a;
  if (op == Op::ratio && y.is(Op::constant) && y.value != 0.0) return divide(a, b);
  if (op == Op::kept && (x.is(Op::constant) || y.is_constant(0.0)))
    return x.is_constant(0.0) ? constant(0.0) : b;
  if (op == Op::ratio || op >= Op::inverse_power) return intern({op, {}, a, b, 0.0});
  const bool signed_x = x.is(Op::negate), signed_y = y.is(Op::negate);
  switch (op) {
    case Op::add:
      if (x.is_constant(0.0)) return b;
      if (y.is_constant(0.0)) return a;
      if (signed_y) return subtract(a, y.a);
      if (signed_x) return subtract(b, x.a);
      break;
    case Op::subtract:
      if (y.is_constant(0.0)) return a;
      if (x.is_constant(0.0)) return negate(b);
      if (signed_y) return add(a, y.a);
      break;
    case Op::multiply:
      if (x.is_constant(0.0) || y.is_constant(0.0)) return constant(0.0);
      if (x.is_constant(1.0)) return b;
      if (y.is_constant(1.0)) return a;
      if (x.is_constant(-1.0)) return negate(b);
      if (y.is_constant(-1.0)) return negate(a);
      if (signed_x) return negate(multiply(x.a, b));
      if (signed_y) return negate(multiply(a, y.a));
      if (y.is(Op::constant)) return multiply(b, a);
      if (x.is(Op::constant)) {
        if (is_scaled(y)) return multiply(constant(x.value * (*this)[y.a].value), y.b);
        if (is_power_of_two(x.value) && y.is(Op::multiply) && (*this)[y.a].is(Op::constant))
          return multiply(constant(x.value * (*this)[y.a].value), y.b);
        break;
      }
      if (is_scaled(x)) return multiply(x.a, multiply(x.b, b));
      if (is_scaled(y)) return multiply(y.a, multiply(a, y.b));
      break;
    default:
      if (x.is_constant(0.0)) return constant(0.0);
      if (y.is_constant(1.0)) return a;
      if (signed_x) return negate(divide(x.a, b));
      if (signed_y) return negate(divide(a, y.a));
      if (y.is(Op::constant) && is_power_of_two(y.value)) return multiply(constant(1.0 / y.value), a);
      if (x.is(Op::constant) && x.value != 1.0 && is_power_of_two(x.value))
        return multiply(a, divide(constant(1.0), b));
      if (is_scaled(x)) return multiply(x.a, divide(x.b, b));
      if (is_scaled(y)) return multiply(constant(1.0 / (*this)[y.a].value), divide(a, y.b));
  }
  return intern({op, {}, a, b, 0.0});
}

NodeId Graph::of_table(Op op, int table, int order, NodeId a, NodeId b) {
  const Node node = {op, {}, a, b, 0.0, table, order}, x = (*this)[a];
  const bool is_fixed = x.is(Op::constant) && (b == none || (*this)[b].is(Op::constant));
  return is_fixed ? constant(value_of(node, x.value, b == none ? 0.0 : (*this)[b].value)) : intern(node);
}

NodeId Graph::again(const Node& node, NodeId a, NodeId b) {
  if (is_of_table(node.op)) return of_table(node.op, node.table, node.order, a, b);
  return is_binary(node.op) ? binary(node.op, a, b) : unary(node.op, a);
}

int Graph::place_of(const std::shared_ptr<const TableFunction>& table) {
  const auto found = std::ranges::find(tables_, table);
  const auto place = static_cast<int>(found - tables_.begin());
  if (found == tables_.end()) tables_.push_back(table);
  return place;
}

namespace {

template <int order>
double value_of_table(Op op, const TableFunction& table, double a, double b) {
  if (op == Op::table) return livens::table_value<order>(table, a);
  if (op == Op::table_quotient) return livens::table_quotient<order>(table, a, b);
  return livens::table_quotient_slope<order>(table, a, b);
}

}  // namespace

double Graph::value_of(const Node& node, double a, double b) const {
  if (!is_of_table(node.op)) return apply(node.op, a, b);
  const TableFunction& table = *tables_[static_cast<std::size_t>(node.table)];
  if (node.order == 0) return value_of_table<0>(node.op, table, a, b);
  if (node.order == 1) return value_of_table<1>(node.op, table, a, b);
  return node.order == 2 ? value_of_table<2>(node.op, table, a, b) : livens::table_value<3>(table, a);
}

NodeId Graph::power(NodeId a, int n) {
  if (n < 0) return divide(constant(1.0), power(a, -n));
  NodeId result = none, square = a;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = result == none ? square : multiply(result, square);
    if (n > 1) square = multiply(square, square);
  }
  return result == none ? constant(1.0) : result;
}

NodeId Graph::raised(NodeId a, NodeId e) {
  const Node exponent = (*this)[e];
  const auto is_whole = [&](double times) {
    return exponent.is(Op::constant) && times * exponent.value == std::rint(times * exponent.value) &&
           std::abs(exponent.value) <= largest_exponent;
  };
  if (is_whole(1.0)) return power(a, static_cast<int>(exponent.value));
  if (is_whole(2.0)) return power(unary(Op::sqrt, a), static_cast<int>(2.0 * exponent.value));
  return unary(Op::exp, multiply(e, unary(Op::log, a)));
}

NodeId Graph::mark(NodeId id, const Power& power) {
  // A power that is its base, or a number, is as it is.
  if (id != power.base && !(*this)[id].is(Op::constant)) powers_.emplace(id, power);
  return id;
}
NodeId Graph::mark(NodeId id, const Shortcut& shortcut) {
  if (!(*this)[id].is(Op::constant)) shortcuts_.emplace(id, shortcut);
  return id;
}

const Graph::Power* Graph::power_at(NodeId id) const {
  const auto found = powers_.find(id);
  return found == powers_.end() ? nullptr : &found->second;
}
const Graph::Shortcut* Graph::shortcut_at(NodeId id) const {
  const auto found = shortcuts_.find(id);
  return found == shortcuts_.end() ? nullptr : &found->second;
}

double apply(Op op, double a, double b) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::ratio:
      return livens::ratio(a, b);
    case Op::power_quotient:
      return livens::power_quotient(a, b);
    case Op::power_quotient_slope:
      return livens::power_quotient_slope(a, b);
    case Op::sqrt:
      return livens::sqrt(a);
    case Op::sin:
      return livens::sin(a);
    case Op::cos:
      return livens::cos(a);
    case Op::exp:
      return livens::exp(a);
    case Op::log:
      return livens::log(a);
    case Op::tanh:
      return livens::tanh(a);
    case Op::abs:
      return livens::abs(a);
    case Op::sinc:
      return livens::sinc(a);
    case Op::sinc_slope:
      return livens::sinc_slope(a);
    case Op::sinhc:
      return livens::sinhc(a);
    case Op::sinhc_slope:
      return livens::sinhc_slope(a);
    case Op::tanhc:
      return livens::tanhc(a);
    case Op::tanhc_slope:
      return livens::tanhc_slope(a);
    case Op::atanhc:
      return livens::atanhc(a);
    case Op::atanhc_slope:
      return livens::atanhc_slope(a);
    case Op::asin:
      return livens::asin(a);
    case Op::acos:
      return livens::acos(a);
    case Op::atan:
      return livens::atan(a);
    case Op::sinh:
      return livens::sinh(a);
    case Op::cosh:
      return livens::cosh(a);
    case Op::sign:
      return livens::sign(a);
    case Op::min:
      return livens::lesser_of(a, b);
    case Op::max:
      return livens::greater_of(a, b);
    case Op::atan2:
      return livens::atan2(a, b);
    case Op::less:
      return livens::less(a, b);
    case Op::less_or_equal:
      return livens::less_or_equal(a, b);
    case Op::kept:
      return livens::kept(a, b);
    case Op::asin_quotient:
      return livens::asin_quotient(a, b);
    case Op::asin_quotient_slope:
      return livens::asin_quotient_slope(a, b);
    case Op::log_quotient:
      return livens::log_quotient(a, b);
    case Op::log_quotient_slope:
      return livens::log_quotient_slope(a, b);
    case Op::atan_quotient:
      return livens::atan_quotient(a, b);
    case Op::atan_quotient_slope:
      return livens::atan_quotient_slope(a, b);
    default:
      return 0.0;  // constants and leaves are no operations
  }
}

std::vector<bool> reachable(const Graph& graph, std::span<const NodeId> roots) {
  NodeId last = none;
  for (const NodeId root : roots) last = std::max(last, root);
  std::vector<bool> needed(static_cast<std::size_t>(last + 1));
  // Not all nodes are looked at: most roots need a few of many.
  std::vector<NodeId> open;
  const auto need = [&](NodeId id) {
    if (needed[static_cast<std::size_t>(id)]) return;
    needed[static_cast<std::size_t>(id)] = true;
    open.push_back(id);
  };
  for (const NodeId root : roots) need(root);
  while (!open.empty()) {
    const Node& node = graph[open.back()];
    open.pop_back();
    if (operands_of(node.op) > 0) need(node.a);
    if (operands_of(node.op) > 1) need(node.b);
  }
  return needed;
}

std::vector<bool> depends_on(const Graph& graph, std::span<const Leaf> kinds, int index) {
  std::vector<bool> result(static_cast<std::size_t>(graph.size()));
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    const auto of = [&](NodeId operand) { return result[static_cast<std::size_t>(operand)]; };
    bool found = false;
    if (node.is(Op::leaf))
      found =
          std::find(kinds.begin(), kinds.end(), node.leaf) != kinds.end() && (index < 0 || node.a == index);
    else if (operands_of(node.op) > 0)
      found = of(node.a) || (is_binary(node.op) && of(node.b));
    result[static_cast<std::size_t>(id)] = found;
  }
  return result;
}

bool depends(const Graph& graph, NodeId root, Leaf kind, int index) {
  if (index < 0 || !graph.has(root, kind)) return graph.has(root, kind);
  const std::vector<bool> needed = reachable(graph, std::span(&root, 1));
  for (NodeId id = 0; id <= root; ++id)
    if (needed[static_cast<std::size_t>(id)] && graph[id].is(Op::leaf) && graph[id].leaf == kind &&
        graph[id].a == index)
      return true;
  return false;
}

std::vector<bool> vanishing_without(const Graph& graph, const std::vector<bool>& set) {
  std::vector<bool> zero(static_cast<std::size_t>(graph.size()));
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    const auto is_zero = [&](NodeId operand) { return zero[static_cast<std::size_t>(operand)]; };
    const auto place = static_cast<std::size_t>(id);
    switch (node.op) {
      case Op::constant:
        zero[place] = node.value == 0.0;
        break;
      case Op::leaf:
        zero[place] = node.leaf == Leaf::parameter && !set[static_cast<std::size_t>(node.a)];
        break;
      case Op::negate:
      case Op::sqrt:
      case Op::sin:
      case Op::tanh:
      case Op::abs:
      case Op::sign:
      case Op::asin:
      case Op::atan:
      case Op::sinh:
        zero[place] = is_zero(node.a);
        break;
      case Op::multiply:
        zero[place] = is_zero(node.a) || is_zero(node.b);
        break;
      case Op::divide:
        zero[place] = is_zero(node.a) && !is_zero(node.b);
        break;
      case Op::add:
      case Op::subtract:
      case Op::min:
      case Op::max:
        zero[place] = is_zero(node.a) && is_zero(node.b);
        break;
      default:
        break;
    }
  }
  return zero;
}

std::vector<double> evaluate(const Graph& graph, std::span<const NodeId> roots, const Values& values) {
  const auto leaf_value = [&](const Node& node) {
    const auto i = static_cast<std::size_t>(node.a);
    switch (node.leaf) {
      case Leaf::position:
        return values.position[i];
      case Leaf::end:
        return values.end[i];
      case Leaf::velocity:
        return values.velocity[i];
      case Leaf::end_velocity:
        return values.end_velocity[i];
      case Leaf::momentum:
        return values.momentum[i];
      case Leaf::parameter:
        return values.parameters[i];
      case Leaf::reaction:
        return values.reaction[i];
      case Leaf::time:
        return values.time;
      case Leaf::end_time:
        return values.end_time;
      default:
        return values.step;
    }
  };
  const std::vector<bool> needed = reachable(graph, roots);
  std::vector<double> value(needed.size());
  for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id) {
    const auto place = static_cast<std::size_t>(id);
    if (!needed[place]) continue;
    const Node& node = graph[id];
    if (node.is(Op::constant))
      value[place] = node.value;
    else if (node.is(Op::leaf))
      value[place] = leaf_value(node);
    else
      value[place] = graph.value_of(node, value[static_cast<std::size_t>(node.a)],
                                    is_binary(node.op) ? value[static_cast<std::size_t>(node.b)] : 0.0);
  }
  std::vector<double> result;
  for (const NodeId root : roots) result.push_back(value[static_cast<std::size_t>(root)]);
  return result;
}

}  // namespace livens::expressions
