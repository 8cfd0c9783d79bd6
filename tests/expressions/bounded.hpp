#pragma once
// Values of a graph together with a bound of their error: every operation is off by half a unit of the last
// place (functions by four, tests/math), and passes on what its operands are off by, to first order.

#include <algorithm>
#include <cmath>
#include <vector>

#include "expressions/graph.hpp"

namespace livens::expressions {

struct Bounded {
  double value = 0.0, error = 0.0;
};

/// |f'(a)| of a function of one operand.
inline double steepness(Op op, double a, double f) {
  switch (op) {
    case Op::negate:
    case Op::abs:
      return 1.0;
    case Op::sign:
      return 0.0;
    case Op::asin:
    case Op::acos:
      return 1.0 / std::sqrt((1.0 - a) * (1.0 + a));
    case Op::atan:
      return 1.0;
    case Op::sinh:
      return std::cosh(a);
    case Op::cosh:
      return std::abs(std::sinh(a));
    case Op::sqrt:
      return 0.5 / f;
    case Op::sin:
    case Op::cos:
      return 1.0;
    case Op::exp:
      return f;
    case Op::log:
      return 1.0 / std::abs(a);
    case Op::tanh:
      return 1.0;
    case Op::sinc:
      return 0.5;
    case Op::sinhc:
      return std::cosh(a);
    case Op::tanhc:
      return 0.5;
    case Op::atanhc:
      return 2.0 / ((1.0 - a * a) * (1.0 - a * a));
    default:
      return 4.0;  // slopes: even functions whose derivatives stay below 1 in size where the tests are
  }
}

inline std::vector<Bounded> bounded(const Graph& graph, std::span<const NodeId> roots, const Values& values) {
  constexpr double unit = 0x1p-53;
  const std::vector<bool> needed = reachable(graph, roots);
  std::vector<Bounded> of(needed.size());
  for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    const Node& node = graph[id];
    Bounded& r = of[static_cast<std::size_t>(id)];
    if (operands_of(node.op) == 0) {
      r = {evaluate(graph, std::span(&id, 1), values).front(), 0.0};
      continue;
    }
    const Bounded a = of[static_cast<std::size_t>(node.a)],
                  b = is_binary(node.op) ? of[static_cast<std::size_t>(node.b)] : Bounded{};
    r.value = graph.value_of(node, a.value, b.value);
    double passed;
    if (node.is(Op::add) || node.is(Op::subtract))
      passed = a.error + b.error;
    else if (node.is(Op::multiply))
      passed = std::abs(a.value) * b.error + std::abs(b.value) * a.error;
    else if (node.is(Op::divide) || node.is(Op::ratio))
      passed = (a.error + std::abs(r.value) * b.error) / std::abs(b.value);
    else if (node.is(Op::min) || node.is(Op::max))
      passed = std::max(a.error, b.error);
    else if (node.is(Op::asin_quotient) || node.is(Op::asin_quotient_slope))
      passed = 8.0 * (a.error + b.error);  // of arguments below 1/2
    else if (is_binary(node.op))
      passed = 2.0 * (a.error + b.error);
    else
      passed = steepness(node.op, a.value, r.value) * a.error;
    const bool exact = node.is(Op::negate) || node.is(Op::abs) || node.is(Op::sign);
    const double places = exact ? 0.0 : node.op <= Op::sqrt ? 1.0 : node.op <= Op::cosh ? 4.0 : 128.0;
    r.error = passed + places * unit * std::abs(r.value);
  }
  std::vector<Bounded> result;
  for (const NodeId root : roots) result.push_back(of[static_cast<std::size_t>(root)]);
  return result;
}

}  // namespace livens::expressions
