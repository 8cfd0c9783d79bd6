#include "expressions/degree.hpp"

#include <algorithm>
#include <span>

namespace livens::expressions {
namespace {

constexpr Degree zero = {1, 0};
constexpr bool is_zero(Degree a) { return a.low > a.high; }

Degree sum(Degree a, Degree b) {
  if (is_zero(a)) return b;
  if (is_zero(b)) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
Degree product(Degree a, Degree b) {
  if (is_zero(a) || is_zero(b)) return zero;
  return {std::min(a.low + b.low, no_polynomial.high), std::min(a.high + b.high, no_polynomial.high)};
}

}  // namespace

Degree degree_in(Leaf kind, const Graph& graph, NodeId root) {
  const std::vector<bool> needed = reachable(graph, std::span(&root, 1));
  std::vector<Degree> degree(needed.size());
  for (NodeId id = 0; id <= root; ++id) {
    const auto place = static_cast<std::size_t>(id);
    if (!needed[place]) continue;
    const Node& node = graph[id];
    const auto of = [&](NodeId operand) { return degree[static_cast<std::size_t>(operand)]; };
    Degree& result = degree[place];
    switch (node.op) {
      case Op::constant:
        result = node.value == 0.0 ? zero : Degree{0, 0};
        break;
      case Op::leaf:
        result = node.leaf == kind ? Degree{1, 1} : Degree{0, 0};
        break;
      case Op::negate:
        result = of(node.a);
        break;
      case Op::add:
      case Op::subtract:
        result = sum(of(node.a), of(node.b));
        break;
      case Op::multiply:
        result = product(of(node.a), of(node.b));
        break;
      case Op::divide:
        result = of(node.b).is(0) ? of(node.a) : no_polynomial;
        break;
      case Op::kept:
        result = of(node.a).is(0) ? of(node.b) : no_polynomial;
        break;
      default:
        result = of(node.a).is(0) && (!is_binary(node.op) || of(node.b).is(0)) ? Degree{0, 0} : no_polynomial;
    }
  }
  return degree[static_cast<std::size_t>(root)];
}

}  // namespace livens::expressions
