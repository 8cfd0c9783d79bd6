// Derivatives against differences, and the discrete gradient's two defining properties, on expressions made
// at random of every operation there is.

#include "expressions/derivatives.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/expressions/bounded.hpp"

namespace livens::expressions {
namespace {

constexpr int d = 3;

/// A random expression of q0, q1, q2 and two parameters, differentiable wherever it is evaluated.
class RandomExpression {
 public:
  RandomExpression(Graph& graph, unsigned seed) : g_(graph), random_(seed) {}

  NodeId operator()(int depth) {
    if (depth == 0) return leaf();
    const NodeId a = (*this)(depth - 1), one = g_.constant(1.0);
    const auto positive = [&](NodeId x) { return g_.add(one, g_.multiply(x, x)); };
    switch (pick(13)) {
      case 0:
        return g_.add(a, (*this)(depth - 1));
      case 1:
        return g_.subtract(a, (*this)(depth - 1));
      case 2:
        return g_.multiply(a, (*this)(depth - 1));
      case 3:
        return g_.divide(a, positive((*this)(depth - 1)));
      case 4:
        return g_.unary(Op::sqrt, positive(a));
      case 5:
        return g_.unary(Op::sin, a);
      case 6:
        return g_.unary(Op::cos, a);
      case 7:
        return g_.unary(Op::exp, g_.unary(Op::sin, a));
      case 8:
        return g_.unary(Op::log, positive(a));
      case 9:
        return g_.unary(Op::tanh, a);
      case 10:
        return g_.unary(Op::abs, positive(a));
      case 11:
        return g_.power(a, 3);
      default:
        return g_.negate(g_.multiply(g_.constant(0.3), a));
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  NodeId leaf() {
    return pick(4) == 0 ? g_.leaf(Leaf::parameter, pick(2)) : g_.leaf(Leaf::position, pick(d));
  }
  Graph& g_;
  std::mt19937 random_;
};

struct Point {
  std::vector<double> q0 = {0.31, -0.62, 0.84}, q1, parameters = {0.7, 1.3};
  Values values() const {
    Values v;
    v.position = q0;
    v.end = q1;
    v.parameters = parameters;
    return v;
  }
};
Point at_distance(double distance) {
  Point point;
  for (int i = 0; i < d; ++i)
    point.q1.push_back(point.q0[static_cast<std::size_t>(i)] + distance * (i == 1 ? -0.6 : 0.8));
  return point;
}
std::vector<Bounded> at(const Graph& graph, const std::vector<NodeId>& roots, std::vector<double> q) {
  Point point;
  point.q0 = std::move(q);
  return bounded(graph, roots, point.values());
}

constexpr int expressions = 400, depth = 5;
/// Very large values would make every bound meaningless, and with it the test.
bool is_moderate(const Bounded& b) { return std::abs(b.value) < 1e3; }

TEST(Derivatives, AreTheLimitOfDifferences) {
  // Central differences D(h): their error is the expression's, twice over 2 h, and h^2/6 f''', which is
  // [D(2 h) - D(h)]/3 to the next order. Three times that leaves room for the next order.
  constexpr double h = 1e-5;
  int tried = 0;
  for (unsigned seed = 0; seed < expressions; ++seed) {
    Graph g;
    const NodeId V = RandomExpression(g, seed)(depth);
    const std::vector<NodeId> DV = gradient(g, V, Leaf::position, d);
    std::vector<NodeId> of = DV;
    of.push_back(V);
    for (int j = 0; j < d; ++j) {
      const std::vector<NodeId> derivatives = derivative(g, of, Leaf::position, j);
      const Point base;
      const auto moved = [&](double by) {
        auto q = base.q0;
        q[static_cast<std::size_t>(j)] += by;
        return at(g, of, q);
      };
      const auto above = moved(h), below = moved(-h), far_above = moved(2.0 * h), far_below = moved(-2.0 * h);
      const auto exact = at(g, derivatives, base.q0);
      for (std::size_t k = 0; k < of.size(); ++k) {
        if (!is_moderate(above[k]) || !is_moderate(exact[k])) continue;
        const double difference = (above[k].value - below[k].value) / (2.0 * h),
                     wide = (far_above[k].value - far_below[k].value) / (4.0 * h);
        const double bound = exact[k].error + (above[k].error + below[k].error) / (2.0 * h) +
                             std::abs(wide - difference) + 1e-9;
        EXPECT_NEAR(difference, exact[k].value, bound) << "seed " << seed << ", entry " << k << ", by " << j;
        ++tried;
      }
      // Down and up give one gradient.
      const Bounded swept = at(g, {DV[static_cast<std::size_t>(j)]}, base.q0).front(), forward = exact.back();
      if (is_moderate(swept)) {
        EXPECT_NEAR(swept.value, forward.value, swept.error + forward.error) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(tried, 3 * expressions);
}

TEST(DiscreteGradient, AlongTheStepIsTheChange) {
  int tried = 0;
  for (unsigned seed = 0; seed < expressions; ++seed)
    for (const double distance : {2.0, 0.1, 1e-4, 1e-8, 1e-14}) {
      Graph g;
      const NodeId V0 = RandomExpression(g, seed)(depth);
      const NodeId V1 = substitute(g, std::span(&V0, 1), Leaf::position, [&](int i) {
                          return g.leaf(Leaf::end, i);
                        }).front();
      std::vector<NodeId> roots = discrete_gradient(g, V0, d);
      roots.push_back(V0);
      roots.push_back(V1);
      const Point point = at_distance(distance);
      const auto value = bounded(g, roots, point.values());
      if (!std::all_of(value.begin(), value.end(), is_moderate)) continue;
      long double along = 0.0;
      double bound = value[d].error + value[d + 1].error;
      for (std::size_t i = 0; i < d; ++i) {
        const long double change = static_cast<long double>(point.q1[i]) - point.q0[i];
        along += static_cast<long double>(value[i].value) * change;
        bound += value[i].error * std::abs(static_cast<double>(change));
      }
      const double change =
          static_cast<double>(static_cast<long double>(value[d + 1].value) - value[d].value);
      EXPECT_NEAR(static_cast<double>(along), change, bound) << "seed " << seed << ", |dq| = " << distance;
      ++tried;
    }
  EXPECT_GT(tried, 4 * expressions);
}

TEST(DiscreteGradient, OfAShortStepIsTheGradientInTheMiddle) {
  // Dbar V - DV(q_m) = O(|dq|^2): nothing beside round-off, where Gonzalez' quotient has lost all digits.
  for (unsigned seed = 0; seed < expressions; ++seed) {
    Graph g;
    const NodeId V = RandomExpression(g, seed)(depth);
    const std::vector<NodeId> DV = gradient(g, V, Leaf::position, d), Dbar = discrete_gradient(g, V, d);
    for (const double distance : {0.0, 1e-14, 1e-10}) {
      const Point point = at_distance(distance);
      std::vector<double> middle;
      for (std::size_t i = 0; i < d; ++i) middle.push_back(0.5 * (point.q0[i] + point.q1[i]));
      const auto discrete = bounded(g, Dbar, point.values()), exact = at(g, DV, middle);
      for (std::size_t i = 0; i < d; ++i) {
        if (!is_moderate(discrete[i]) || !is_moderate(exact[i])) continue;
        EXPECT_NEAR(discrete[i].value, exact[i].value,
                    discrete[i].error + exact[i].error + 1e6 * distance * distance)
            << "seed " << seed << ", |dq| = " << distance;
      }
    }
  }
}

TEST(DiscreteGradient, FindsTheClosedFormOfASpring) {
  // 1/2 k (r - l)^2: k ((r0 + r1)/2 - l) (q0 + q1)/(r0 + r1).
  Graph g;
  const auto x = [&](int i) { return g.leaf(Leaf::position, i); };
  const NodeId k = g.leaf(Leaf::parameter, 0), l = g.leaf(Leaf::parameter, 1);
  const NodeId r = g.unary(Op::sqrt, g.add(g.multiply(x(0), x(0)), g.multiply(x(1), x(1))));
  const NodeId s = g.subtract(r, l);
  const NodeId V = g.multiply(g.multiply(g.constant(0.5), k), g.multiply(s, s));
  const std::vector<NodeId> Dbar = discrete_gradient(g, V, 2);
  const Point point = at_distance(0.5);
  const auto value = evaluate(g, Dbar, point.values());
  const double r0 = std::hypot(point.q0[0], point.q0[1]), r1 = std::hypot(point.q1[0], point.q1[1]);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(value[i], 0.7 * (0.5 * (r0 + r1) - 1.3) * (point.q0[i] + point.q1[i]) / (r0 + r1), 1e-15);
}

TEST(DiscreteGradient, IsAsSparseAsTheHessian) {
  Graph g;
  const auto x = [&](int i) { return g.leaf(Leaf::position, i); };
  const NodeId V = g.add(g.unary(Op::cos, x(0)), g.unary(Op::exp, g.multiply(x(1), x(2))));
  const std::vector<NodeId> Dbar = discrete_gradient(g, V, d);
  for (int j = 0; j < d; ++j) {
    const std::vector<NodeId> column = derivative(g, Dbar, Leaf::end, j);
    for (int i = 0; i < d; ++i)
      EXPECT_EQ(g.is_zero(column[static_cast<std::size_t>(i)]), (i == 0) != (j == 0)) << i << j;
  }
}

}  // namespace
}  // namespace livens::expressions
