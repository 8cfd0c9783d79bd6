// Derivatives against differences, and the discrete gradient's two defining properties, on expressions made
// at random of every operation there is.

#include "expressions/derivatives.hpp"

#include <gtest/gtest.h>

#include <random>

#include "expressions/parser.hpp"
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
    switch (pick(19)) {
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
      case 12:
        return g_.unary(Op::asin, g_.multiply(g_.constant(0.5), g_.unary(Op::sin, a)));
      case 13:
        return g_.unary(Op::acos, g_.multiply(g_.constant(0.5), g_.unary(Op::tanh, a)));
      case 14:
        return g_.unary(Op::atan, a);
      case 15:
        return g_.unary(Op::sinh, g_.unary(Op::sin, a));
      case 16:
        return g_.unary(Op::cosh, g_.unary(Op::cos, a));
      case 17: {
        const NodeId b = (*this)(depth - 1);
        return g_.binary(pick(2) == 0 ? Op::min : Op::max, a, g_.add(b, g_.constant(0.25)));
      }
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

/// V of q0, q1, q2 (u is all three) as a text, with the parameters k and l.
struct OfText {
  Graph g;
  std::vector<NodeId> DV, DDV, Dbar, DDbar;  ///< by q0 and q1 the first two, D Dbar by the end
  NodeId V;

  explicit OfText(const std::string& text) {
    const Scope scope = {{{"x", Leaf::position, 0, 1, false},
                          {"y", Leaf::position, 1, 1, false},
                          {"u", Leaf::position, 0, 3, true},
                          {"k", Leaf::parameter, 0, 1, false},
                          {"l", Leaf::parameter, 1, 1, false}},
                         {}};
    V = parse(g, scope, text).scalar();
    DV = gradient(g, V, Leaf::position, d);
    Dbar = discrete_gradient(g, V, d);
    for (int j = 0; j < d; ++j) {
      for (const NodeId id : derivative(g, DV, Leaf::position, j)) DDV.push_back(id);
      for (const NodeId id : derivative(g, Dbar, Leaf::end, j)) DDbar.push_back(id);
    }
  }
  std::vector<double> at(const std::vector<NodeId>& roots, const std::vector<double>& q0,
                         const std::vector<double>& q1) const {
    const std::vector<double> parameters = {2.25, 1.5};
    Values values;
    values.position = q0;
    values.end = q1;
    values.parameters = parameters;
    return evaluate(g, roots, values);
  }
};

TEST(Powers, AreZeroWithTheirSlopesWhereTheBaseIs) {
  const std::vector<double> zero = {0.0, 0.0, 0.0}, negative = {-0.0, 0.0, -0.0};
  for (const char* text : {"x^2.5",
                           "x^(5/2)",
                           "x^(3/2)",
                           "x^1.5",
                           "x^k",
                           "x^l",
                           "x^1.3",
                           "x^2.7",
                           "x^64.5",
                           "sqrt(x)^3",
                           "sqrt(x)^5",
                           "sqrt(x)^4.5",
                           "norm(u)^3",
                           "norm(u)^4",
                           "norm(u)^2.5",
                           "norm(u)^7",
                           "abs(x)^3",
                           "abs(x)^2.5",
                           "((abs(x) - x)/2)^(5/2)",
                           "((abs(x) + x)/2)^(3/2)",
                           "abs(x)^k",
                           "k*abs(x*y)^l",
                           "(x^2 + y^2)^(3/2)"}) {
    const OfText one(text);
    for (const auto& at : {zero, negative}) {
      for (const auto* roots : {&one.DV, &one.DDV, &one.Dbar, &one.DDbar})
        for (const double entry : one.at(*roots, at, at)) EXPECT_EQ(entry, 0.0) << text;
      EXPECT_EQ(one.at({one.V}, at, at).front(), 0.0) << text;
    }
  }
  // Where a base is zero for a whole region: a floor that is not touched.
  const OfText floor("k*((abs(y) - y)/2)^(5/2)");
  for (const auto* roots : {&floor.DV, &floor.DDV, &floor.Dbar, &floor.DDbar})
    for (const double entry : floor.at(*roots, {0.3, 0.5, 0.1}, {0.2, 0.25, 0.3})) EXPECT_EQ(entry, 0.0);
}

// What kinks alone but not as a factor that comes twice: all derivatives are those of the smooth expression that
// it is, at the kink too. A few roundings of values below 10, of quotients with them divided by 0.01 at least.
TEST(Kinks, ThatAreSquaredAreNone) {
  for (const auto& [text, smooth] : {std::pair{"abs(x)^2", "x^2"},
                                     {"(abs(x)/k)^2", "(x/k)^2"},
                                     {"(-l*abs(x)/k)^4", "(l*x/k)^4"},
                                     {"(l*abs(x)*abs(y)/k)^2", "(l*x*y/k)^2"},
                                     {"abs(x*abs(y))^2", "(x*y)^2"},
                                     {"abs(x)*abs(x)", "x^2"},
                                     {"-abs(x)/k*(l*abs(x))", "-l/k*x^2"},
                                     {"norm(u)*norm(u)", "dot(u, u)"},
                                     {"k*norm(u)/l*norm(u)", "k/l*dot(u, u)"},
                                     {"norm(u)*x*norm(u)", "x*dot(u, u)"},
                                     {"(norm(u)*u*norm(u))[1]", "y*dot(u, u)"},
                                     {"sqrt(x^2)^2", "x^2"},
                                     {"sqrt(x^2)*sqrt(x^2)", "x^2"},
                                     {"(abs(x)*norm(u))^2", "x^2*dot(u, u)"},
                                     {"norm(u)*abs(y)*norm(u)*abs(y)", "y^2*dot(u, u)"},
                                     {"norm(u)*norm(u)*norm(u)*norm(u)", "dot(u, u)^2"}}) {
    const OfText one(text), other(smooth);
    for (const auto& [q0, q1] : {std::pair<std::vector<double>, std::vector<double>>{{0, 0, 0}, {0, 0, 0}},
                                 {{-0.0, 0, 0}, {0, 0, 0}},
                                 {{0, 0, 0}, {0.3, -0.2, 0.1}},
                                 {{0.2, 0.4, -0.1}, {0, 0, 0}},
                                 {{0, 0.5, 0}, {0, -0.5, 0.2}},
                                 {{-0.3, 0.5, 0.7}, {0.6, -0.5, 0.2}}}) {
      const auto expect_same = [&, q = q0, end = q1](const std::vector<NodeId>& ours,
                                                     const std::vector<NodeId>& theirs, double unit) {
        const std::vector<double> a = one.at(ours, q, end), b = other.at(theirs, q, end);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 64.0 * unit * 0x1p-52) << text;
      };
      expect_same({one.V}, {other.V}, 1.0);
      expect_same(one.DV, other.DV, 10.0);
      expect_same(one.DDV, other.DDV, 10.0);
      expect_same(one.Dbar, other.Dbar, 10.0);
      expect_same(one.DDbar, other.DDbar, 100.0);
    }
  }
  // A kink that is left has slopes; and the second derivatives that are bounded are numbers.
  for (const char* text :
       {"(max(x, 0)/k)^2", "min(x, y)^2", "max(x, y)*max(x, y)", "abs(x)^3/k", "x*abs(x)"}) {
    const OfText one(text);
    for (const auto* roots : {&one.DV, &one.DDV, &one.Dbar, &one.DDbar})
      for (const double entry : one.at(*roots, {0, 0, 0}, {0, 0, 0}))
        EXPECT_TRUE(std::isfinite(entry)) << text;
  }
}

TEST(Powers, ThatHaveNoSlopeAtZeroHaveNone) {
  for (const char* text : {"x^0.5", "sqrt(x)", "x^(1/3)", "sqrt(x) + x^1.5", "x^1.5 + x^0.5", "norm(u)"})
    EXPECT_FALSE(std::isfinite(OfText(text).at(OfText(text).DV, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0})[0]))
        << text;
}

TEST(Powers, HaveTheSlopesAndQuotientsOfPowers) {
  // V = x^e, its base from x0 to x1, and zero at either end.
  for (const auto& [text, e] : {std::pair{"x^2.5", 2.5},
                                {"x^1.5", 1.5},
                                {"x^1.3", 1.3},
                                {"x^k", 2.25},
                                {"x^l", 1.5},
                                {"x^7.5", 7.5},
                                {"sqrt(x)^5", 2.5},
                                {"sqrt(x)^6", 3.0},
                                {"x^40.5", 40.5}}) {
    const OfText one(text);
    for (const auto& [x0, x1] : {std::pair{0.5, 0.5},
                                 {0.5, 0.5000001},
                                 {0.5, 0.75},
                                 {0.5, 0.1},
                                 {0.5, 0.01},
                                 {0.0, 0.5},
                                 {0.5, 0.0},
                                 {1e-30, 1e-12},
                                 {0.3, 1.2}}) {
      const std::vector<double> q0 = {x0, 0.0, 0.0}, q1 = {x1, 0.0, 0.0};
      const auto slope = [&](long double x) { return e * std::pow(x, e - 1.0L); };
      const long double a = x0, b = x1;
      const bool is_short = std::abs(b - a) < 1e-5L * a;
      const long double quotient =
          is_short ? slope(0.5L * (a + b))
                   : (std::pow(b, static_cast<long double>(e)) - std::pow(a, static_cast<long double>(e))) /
                         (b - a);
      // A function of the kernels is good to four units in the last place, and exp passes on e times those of
      // its argument; in the middle of a short step (e h/x)^2/24 of the quotient is left out here.
      const double places = (16.0 + 64.0 * e) * 0x1p-53, largest = std::max(x0, x1);
      EXPECT_NEAR(one.at(one.DV, q0, q1)[0], slope(a), places * slope(a)) << text << " at " << x0;
      EXPECT_NEAR(
          one.at(one.Dbar, q0, q1)[0], quotient,
          (places + (is_short ? e * e * (b - a) * (b - a) / (12.0L * a * a) : 0.0L)) * std::abs(quotient))
          << text << " from " << x0 << " to " << x1;
      if (!is_short) {
        const long double steep = (slope(b) - quotient) / (b - a);
        EXPECT_NEAR(one.at(one.DDbar, q0, q1)[0], steep,
                    1e3 * places * std::pow(largest, e - 2.0) + 1e-12 * std::abs(steep))
            << text << " from " << x0 << " to " << x1;
      }
    }
  }
}

}  // namespace
}  // namespace livens::expressions
