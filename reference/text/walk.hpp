#pragma once
// The value of an expression, by walking its tree. R is a scalar of the reference, Difference<S> for discrete
// gradients, or VelocityTerms: what the operations mean is R's own business.

#include <cmath>
#include <stdexcept>

#include "expression.hpp"
#include "reference/dual.hpp"
#include "table.hpp"

namespace livens::reference {

template <class R>
struct Leaves {
  std::vector<R> q = {}, v = {}, p = {};  // where an expression may use them
  std::vector<double> parameters = {};
  R t = R(0.0);
};

/// A scalar with a value at one point.
template <class R>
concept Pointwise = requires(const R& a) {
  plain(a);
};

/// a^n for n >= 1.
template <class R>
R repeated_product(const R& a, int n) {
  R result = a;
  for (int k = 1; k < n; ++k) result = result * a;
  return result;
}

/// a^b for a number b above 1: 0 where a is, with all its slopes.
template <class R>
R power(const R& a, const R& b) {
  using std::exp, std::log;
  return plain(a) == 0.0 && plain(b) > 1.0 ? R(0.0) : R(exp(b * log(a)));
}

/// min and max; where both are equal, the mean of their slopes.
template <class R>
R lesser(const R& a, const R& b) {
  if (plain(a) == plain(b)) return 0.5 * (a + b);
  return plain(b) < plain(a) ? b : a;
}
template <class R>
R greater(const R& a, const R& b) {
  if (plain(a) == plain(b)) return 0.5 * (a + b);
  return plain(b) < plain(a) ? a : b;
}

template <class R>
R looked_up(const Table& table, const R& a) {
  return table.value(a);
}

inline bool holds(Comparison comparison, double a, double b) {
  switch (comparison) {
    case Comparison::less:
      return a < b;
    case Comparison::at_most:
      return a <= b;
    case Comparison::greater:
      return a > b;
    default:
      return a >= b;
  }
}

template <class R>
R dot_product(const std::vector<R>& a, const std::vector<R>& b) {
  R sum = a[0] * b[0];
  for (std::size_t i = 1; i < a.size(); ++i) sum = sum + a[i] * b[i];
  return sum;
}

template <class R>
std::vector<R> walk_where(const Tree& tree, const Leaves<R>& leaves);

/// As many entries as the node says.
template <class R>
std::vector<R> walk(const Tree& tree, const Leaves<R>& leaves) {
  using std::asin, std::acos, std::atan, std::atan2, std::sinh, std::cosh;
  using std::sqrt, std::sin, std::cos, std::tan, std::exp, std::log, std::tanh, std::abs;
  const auto part = [&](const auto& all) {
    return std::vector<R>(all.begin() + tree.place, all.begin() + tree.place + tree.size);
  };
  switch (tree.operation) {
    case Operation::number:
      return {R(tree.number)};
    case Operation::parameter:
      return part(leaves.parameters);
    case Operation::position:
      return part(leaves.q);
    case Operation::velocity:
      return part(leaves.v);
    case Operation::momentum:
      return part(leaves.p);
    case Operation::time:
      return {leaves.t};
    case Operation::where:
      return walk_where(tree, leaves);
    default:
      break;
  }

  const Expression &first = tree.arguments.front(), &last = tree.arguments.back();
  const std::vector<R> a = walk(*first, leaves), b = last == first ? a : walk(*last, leaves);
  std::vector<R> result;
  const auto entrywise = [&](const auto& operation) {  // of a scalar the one entry stands for all
    for (int i = 0; i < tree.size; ++i) {
      const std::size_t ia = a.size() > 1 ? i : 0, ib = b.size() > 1 ? i : 0;
      result.push_back(operation(a[ia], b[ib]));
    }
    return result;
  };
  switch (tree.operation) {
    case Operation::negate:
      for (const R& entry : a) result.push_back(-entry);
      return result;
    case Operation::add:
      return entrywise([](const R& x, const R& y) { return x + y; });
    case Operation::subtract:
      return entrywise([](const R& x, const R& y) { return x - y; });
    case Operation::multiply:
      return entrywise([](const R& x, const R& y) { return x * y; });
    case Operation::divide:
      return entrywise([](const R& x, const R& y) { return x / y; });
    case Operation::whole_power:
      if (tree.place == 0) return {R(1.0)};
      if (tree.place < 0) return {R(1.0) / repeated_product(a[0], -tree.place)};
      return {repeated_product(a[0], tree.place)};
    case Operation::power:
      return {power(a[0], b[0])};
    case Operation::component:
      return {a[tree.place]};
    case Operation::list:
      for (const Expression& entry : tree.arguments) result.push_back(walk(*entry, leaves)[0]);
      return result;
    case Operation::dot:
      return {dot_product(a, b)};
    case Operation::cross:
      return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    case Operation::norm:
      return {sqrt(dot_product(a, a))};
    case Operation::sqrt:
      return {sqrt(a[0])};
    case Operation::sin:
      return {sin(a[0])};
    case Operation::cos:
      return {cos(a[0])};
    case Operation::tan:
      return {tan(a[0])};
    case Operation::exp:
      return {exp(a[0])};
    case Operation::log:
      return {log(a[0])};
    case Operation::tanh:
      return {tanh(a[0])};
    case Operation::asin:
      return {asin(a[0])};
    case Operation::acos:
      return {acos(a[0])};
    case Operation::atan:
      return {atan(a[0])};
    case Operation::sinh:
      return {sinh(a[0])};
    case Operation::cosh:
      return {cosh(a[0])};
    case Operation::abs:
      return {abs(a[0])};
    case Operation::min:
      return {lesser(a[0], b[0])};
    case Operation::max:
      return {greater(a[0], b[0])};
    case Operation::table:
      return {looked_up(*tree.table, a[0])};
    case Operation::sign:
      if constexpr (Pointwise<R>) return {R((plain(a[0]) > 0.0) - (plain(a[0]) < 0.0))};
      if constexpr (requires { sign(a[0]); }) return {sign(a[0])};
      break;
    case Operation::atan2:
      if constexpr (requires { atan2(a[0], b[0]); }) return {atan2(a[0], b[0])};
      break;
    default:
      break;
  }
  throw std::logic_error("an operation without a meaning");
}

/// Of the two values the other may be no number.
template <class R>
std::vector<R> walk_where(const Tree& tree, const Leaves<R>& leaves) {
  const auto argument = [&](std::size_t i) { return walk(*tree.arguments[i], leaves); };
  if constexpr (Pointwise<R>) {
    const bool first = holds(tree.comparison, plain(argument(0)[0]), plain(argument(1)[0]));
    return argument(first ? 2 : 3);
  } else if constexpr (requires(const R& a) { either(a, a, a, a); }) {
    std::vector<R> result;
    for (int i = 0; i < tree.size; ++i)
      result.push_back(either(argument(0)[0], argument(1)[0], argument(2)[i], argument(3)[i]));
    return result;
  } else {
    throw std::logic_error("an operation without a meaning");
  }
}

}  // namespace livens::reference
