// The recurrence of every operation against closed forms, and the same bits of every instruction set.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "kernels/backends/registry.hpp"
#include "taylor/inverse_powers.hpp"
#include "taylor/recurrences.hpp"
#include "taylor/tape.hpp"

namespace livens::taylor {
namespace {

constexpr int order = 20;
constexpr double eps = 0x1p-52;

/// Coefficients 0..order of an expression of one coordinate, x = x_0 + x_1 t + ..., in every lane its own x.
class Series {
 public:
  /// `expression` builds it from the coordinate.
  explicit Series(const std::function<NodeId(Graph&, NodeId)>& expression)
      : Series([&](Graph& g, NodeId x) { return std::vector{expression(g, x)}; }, 0) {}
  /// Of several expressions on one tape, the one at this place.
  Series(const std::function<std::vector<NodeId>(Graph&, NodeId)>& expressions, std::size_t which) {
    const std::vector<NodeId> roots = expressions(graph_, graph_.leaf(Leaf::position));
    const NodeId root = roots[which];
    tape_ = std::make_unique<Tape>(graph_, roots, LeafRows{0, 1, 2, 3, 4});
    rows_.resize(static_cast<std::size_t>(tape_->rows() * length * lanes));
    root_ = tape_->row_of(root);
    for (const Tape::Number& number : tape_->numbers())
      for (int lane = 0; lane < lanes; ++lane) at(number.row, 0, lane) = number.value;
  }

  void set_x(int k, int lane, double value) { at(0, k, lane) = value; }
  void run(const char* instruction_set = "plain") {
    const Recurrences& by = *recurrences(instruction_set);
    for (const Stage stage : {Stage::constant, Stage::position})
      for (int k = 0; k <= (stage == Stage::constant ? 0 : order); ++k) {
        const auto instructions = tape_->instructions(stage);
        by.run({instructions.data(), instructions.data() + instructions.size()}, k, rows_.data(), length);
      }
  }
  double operator()(int k, int lane = 0) { return at(root_, k, lane); }
  std::span<const Instruction> instructions() const { return tape_->instructions(Stage::position); }

 private:
  static constexpr int length = order + 2;  // and a place more
  double& at(int row, int k, int lane) {
    return rows_[static_cast<std::size_t>((row * length + k) * lanes + lane)];
  }

  Graph graph_;
  std::unique_ptr<Tape> tape_;
  std::vector<double> rows_;
  int root_;
};

/// x = x_0 + x_1 t. A coefficient is a sum of at most `order` terms, each of which has passed some ten
/// operations on the way from order to order; where all terms have one sign, that is its relative error.
void expect(const std::function<NodeId(Graph&, NodeId)>& expression, double x0, double x1,
            const std::function<double(int)>& exact) {
  Series series(expression);
  for (int lane = 0; lane < lanes; ++lane) {
    series.set_x(0, lane, x0);
    series.set_x(1, lane, x1);
  }
  series.run();
  for (int k = 0; k <= order; ++k)
    EXPECT_NEAR(series(k), exact(k), 10.0 * (k + 1) * eps * std::abs(exact(k))) << k;
}

double over_factorial(double value, int k) {
  for (int j = 2; j <= k; ++j) value /= j;
  return value;
}
/// Of (1 + x)^a.
double binomial(double a, int k) {
  double value = 1.0;
  for (int j = 0; j < k; ++j) value *= (a - j) / (j + 1);
  return value;
}

TEST(Recurrences, AreThoseOfTheExponential) {
  expect([](Graph& g, NodeId x) { return g.unary(Op::exp, x); }, 0.5, 2.0,
         [](int k) { return over_factorial(std::exp(0.5) * std::pow(2.0, k), k); });
}

TEST(Recurrences, AreThoseOfTheLogarithm) {
  expect([](Graph& g, NodeId x) { return g.unary(Op::log, x); }, 2.0, 1.0,
         [](int k) { return k == 0 ? std::log(2.0) : -std::pow(-0.5, k) / k; });
}

TEST(Recurrences, AreThoseOfSineAndCosine) {
  constexpr double x = 0.7, w = 1.5;
  const auto turned = [&](double phase) {
    return
        [=](int k) { return over_factorial(std::sin(x + phase + k * std::acos(0.0)) * std::pow(w, k), k); };
  };
  expect([](Graph& g, NodeId a) { return g.unary(Op::sin, a); }, x, w, turned(0.0));
  expect([](Graph& g, NodeId a) { return g.unary(Op::cos, a); }, x, w, turned(std::acos(0.0)));
}

TEST(Recurrences, AreThoseOfHyperbolicSineAndCosine) {
  constexpr double x = 0.7, w = 1.5;
  const auto turned = [&](int phase) {
    return [=](int k) {
      return over_factorial(((k + phase) % 2 == 0 ? std::sinh(x) : std::cosh(x)) * std::pow(w, k), k);
    };
  };
  expect([](Graph& g, NodeId a) { return g.unary(Op::sinh, a); }, x, w, turned(0));
  expect([](Graph& g, NodeId a) { return g.unary(Op::cosh, a); }, x, w, turned(1));
}

TEST(Recurrences, AreThoseOfInverseFunctions) {
  // At 0 the sizes are known: those of asin have one sign, those of atan alternate, none is cancelled.
  expect([](Graph& g, NodeId a) { return g.unary(Op::atan, a); }, 0.0, 1.0,
         [](int k) { return k % 2 == 0 ? 0.0 : (k % 4 == 1 ? 1.0 : -1.0) / k; });
  const auto arcsine = [](int k) { return k % 2 == 0 ? 0.0 : std::abs(binomial(-0.5, (k - 1) / 2)) / k; };
  expect([](Graph& g, NodeId a) { return g.unary(Op::asin, a); }, 0.0, 1.0, arcsine);
  expect([](Graph& g, NodeId a) { return g.unary(Op::acos, a); }, 0.0, 1.0,
         [&](int k) { return k == 0 ? std::acos(0.0) : -arcsine(k); });
}

TEST(Recurrences, AreThoseOfWhatIsChosen) {
  const auto line = [](double at_0, double slope) {
    return [=](int k) { return k == 0 ? at_0 : k == 1 ? slope : 0.0; };
  };
  const auto square = [](Graph& g, NodeId x) { return g.multiply(x, x); };
  expect([&](Graph& g, NodeId x) { return g.binary(Op::min, x, square(g, x)); }, 2.0, 3.0, line(2.0, 3.0));
  expect([&](Graph& g, NodeId x) { return g.binary(Op::max, x, square(g, x)); }, 0.5, 3.0, line(0.5, 3.0));
  expect(
      [&](Graph& g, NodeId x) {
        const NodeId holds = g.binary(Op::less, x, g.constant(1.0));
        return g.add(g.binary(Op::kept, holds, x),
                     g.binary(Op::kept, g.subtract(g.constant(1.0), holds), g.unary(Op::sqrt, g.negate(x))));
      },
      0.5, 3.0, line(0.5, 3.0));
  expect([](Graph& g, NodeId x) { return g.unary(Op::sign, x); }, -2.0, 3.0, line(-1.0, 0.0));
}

TEST(Recurrences, AreNoneOfTablesAndAnglesOfPoints) {
  Graph g;
  const auto table = std::make_shared<const expressions::TableFunction>(
      std::vector{0.0, 1.0}, std::vector{1.0, 2.0}, expressions::Between::cubic, expressions::Beyond::hold,
      false);
  const NodeId x = g.leaf(Leaf::position), y = g.leaf(Leaf::position, 1);
  for (const NodeId root : {g.binary(Op::atan2, x, y), g.of_table(Op::table, g.place_of(table), 0, x)})
    EXPECT_THROW(Tape(g, std::span(&root, 1), LeafRows{0, 1, 2, 3, 4}), NoSeries);
}

TEST(Recurrences, AreThoseOfTheRoot) {
  expect([](Graph& g, NodeId x) { return g.unary(Op::sqrt, x); }, 4.0, 4.0,
         [](int k) { return 2.0 * binomial(0.5, k); });
}

TEST(Recurrences, AreThoseOfTheQuotient) {
  expect([](Graph& g, NodeId x) { return g.divide(g.constant(1.0), x); }, 2.0, -1.0,
         [](int k) { return std::pow(0.5, k + 1); });
  expect([](Graph& g, NodeId x) { return g.divide(x, g.add(x, g.constant(1.0))); }, 0.0, -1.0,
         [](int k) { return k == 0 ? 0.0 : -1.0; });
}

TEST(Recurrences, AreThoseOfProducts) {
  expect([](Graph& g, NodeId x) { return g.power(x, 7); }, 1.0, 1.0,
         [](int k) { return k <= 7 ? binomial(7.0, k) : 0.0; });
  // Of different factors: exp(x) exp(2 x).
  expect(
      [](Graph& g, NodeId x) {
        return g.multiply(g.unary(Op::exp, x), g.unary(Op::exp, g.multiply(g.constant(2.0), x)));
      },
      0.1, 1.0, [](int k) { return over_factorial(std::exp(0.3) * std::pow(3.0, k), k); });
}

TEST(Recurrences, AreThoseOfTheMagnitude) {
  expect([](Graph& g, NodeId x) { return g.unary(Op::abs, x); }, -3.0, 1.0,
         [](int k) { return k == 0   ? 3.0
                            : k == 1 ? -1.0
                                     : 0.0; });
}

// tanh has no coefficients that are easy to write: (e^2x - 1)/(e^2x + 1) has the same. Between signs that
// alternate the largest term bounds the rounding: |t_k| <= (2/pi)^(k + 1) 2, at the pole of pi/2.
TEST(Recurrences, AreThoseOfTheHyperbolicTangent) {
  const auto tanh = [](Graph& g, NodeId x) { return g.unary(Op::tanh, x); };
  const auto quotient = [](Graph& g, NodeId x) {
    const NodeId e = g.unary(Op::exp, g.multiply(g.constant(2.0), x)), one = g.constant(1.0);
    return g.divide(g.subtract(e, one), g.add(e, one));
  };
  Series a(tanh), b(quotient);
  for (Series* series : {&a, &b}) {
    for (int lane = 0; lane < lanes; ++lane) {
      series->set_x(0, lane, 0.4);
      series->set_x(1, lane, 1.0);
    }
    series->run();
  }
  EXPECT_NEAR(a(0), std::tanh(0.4), 4.0 * eps);
  EXPECT_NEAR(a(1), 1.0 - std::tanh(0.4) * std::tanh(0.4), 8.0 * eps);
  for (int k = 0; k <= order; ++k) EXPECT_NEAR(a(k), b(k), 100.0 * (k + 1) * eps) << k;
}

/// An expression of every operation, finite for x in (0, 1).
NodeId everything(Graph& g, NodeId x) {
  NodeId sum = g.constant(0.25);
  for (const Op op : {Op::sqrt, Op::sin, Op::cos, Op::exp, Op::log, Op::tanh, Op::abs, Op::negate, Op::sign,
                      Op::asin, Op::acos, Op::atan, Op::sinh, Op::cosh}) {
    const NodeId f = g.unary(op, x);
    sum = g.subtract(g.add(g.multiply(sum, f), x), g.divide(f, g.add(x, g.constant(1.0))));
  }
  sum = g.multiply(sum, g.binary(Op::inverse_power, g.add(x, g.constant(1.0)), g.constant(5.0)));
  return sum;
}

NodeId inverse_power(Graph& g, NodeId root) { return with_inverse_powers(g, {root}).front(); }

TEST(Recurrences, AreThoseOfInversePowers) {
  // Of x = (1 - t)^2, the powers (1 - t)^-n.
  for (const int n : {3, 5, 7}) {
    Series series([&](Graph& g, NodeId x) {
      return inverse_power(g, g.divide(g.constant(2.0), g.multiply(g.power(x, n / 2), g.unary(Op::sqrt, x))));
    });
    EXPECT_EQ(series.instructions().size(), 2u) << n;  // the power, and twice that
    for (int lane = 0; lane < lanes; ++lane)
      for (int k = 0; k <= 2; ++k) series.set_x(k, lane, k == 1 ? -2.0 : 1.0);
    series.run();
    for (int k = 0; k <= order; ++k) {
      const double exact = 2.0 * std::abs(binomial(-n, k));
      // The two terms have different signs: an error in one coefficient grows like k in those behind it.
      EXPECT_NEAR(series(k), exact, 10.0 * (k + 1) * (k + 1) * eps * exact) << n << " " << k;
    }
  }
}

TEST(Recurrences, FindInversePowersHoweverTheyAreWritten) {
  using Writing = std::function<NodeId(Graph&, NodeId x, NodeId root, NodeId c)>;
  const auto operation = [](const Writing& write) {
    Graph g;
    const NodeId x = g.leaf(Leaf::position),
                 found = inverse_power(g, write(g, x, g.unary(Op::sqrt, x), g.leaf(Leaf::parameter)));
    NodeId id = found;
    while (g[id].is(Op::multiply) || g[id].is(Op::negate)) id = g[id].is(Op::negate) ? g[id].a : g[id].b;
    return g[id];
  };
  for (const Writing& write : std::initializer_list<Writing>{
           [](Graph&g, NodeId x, NodeId r, NodeId c) { return g.divide(c, g.multiply(x, r)); },
           [](Graph&g, NodeId x, NodeId r, NodeId c) { return g.divide(g.divide(c, r), x); },
           [](Graph&g, NodeId, NodeId r, NodeId c) {
             return g.multiply(g.divide(g.divide(c, r), r), g.divide(g.constant(0.5), r));
           },
           [](Graph&g, NodeId x, NodeId r, NodeId c) {
             return g.negate(g.multiply(c, g.divide(r, g.multiply(x, x))));
           },
           [](Graph&g, NodeId, NodeId r, NodeId) { return g.divide(g.constant(1.0), g.power(r, 3)); }})
    EXPECT_EQ(operation(write).op, Op::inverse_power);
  // What costs less as it is, or is no such power.
  for (const Writing& write : std::initializer_list<Writing>{
           [](Graph&g, NodeId, NodeId r, NodeId c) { return g.divide(c, r); },
           [](Graph&g, NodeId x, NodeId r, NodeId) { return g.multiply(x, r); },
           [](Graph&g, NodeId x, NodeId, NodeId c) { return g.divide(c, g.multiply(x, x)); },
           [](Graph&g, NodeId x, NodeId r, NodeId c) { return g.divide(c, g.multiply(g.add(x, c), r)); },
           [](Graph&g, NodeId x, NodeId, NodeId c) {
             return g.divide(c, g.multiply(x, g.unary(Op::sqrt, g.multiply(c, x))));
           }})
    EXPECT_NE(operation(write).op, Op::inverse_power);
}

TEST(Recurrences, OfInversePowersAreNoNumbersWhereTheRootIsNone) {
  Series series([](Graph& g, NodeId x) {
    return inverse_power(g, g.divide(g.constant(1.0), g.multiply(x, g.unary(Op::sqrt, x))));
  });
  for (int lane = 0; lane < lanes; ++lane) series.set_x(0, lane, lane % 2 == 0 ? -1.0 : 0.0);
  series.run();
  for (const int lane : {0, 1})
    for (int k = 0; k <= order; ++k) EXPECT_FALSE(std::isfinite(series(k, lane))) << lane << " " << k;
}

/// Sums, products, quotients, roots and powers of each other, many of one kind.
std::vector<NodeId> many(Graph& g, NodeId x) {
  std::mt19937 random(7);
  std::vector<NodeId> all{g.add(x, g.constant(1.0)), g.multiply(x, x), g.leaf(Leaf::parameter)};
  const auto any = [&] { return all[random() % all.size()]; };
  while (all.size() < 120) {
    const NodeId a = g.add(g.constant(0.5), g.multiply(any(), g.constant(1.0 / 64))), b = any();
    switch (random() % 6) {
      case 0:
        all.push_back(g.subtract(b, a));
        break;
      case 1:
        all.push_back(g.multiply(b, g.leaf(Leaf::parameter)));
        break;
      case 2:
        all.push_back(g.divide(b, a));
        break;
      case 3:
        all.push_back(g.unary(Op::sqrt, a));
        break;
      case 4:
        all.push_back(g.binary(Op::inverse_power, a, g.constant(3.0)));
        break;
      default:
        all.push_back(g.multiply(a, b));
    }
  }
  return all;
}

TEST(Recurrences, DoNotDependOnWhatGoesBesideThem) {
  Graph graph;
  const std::size_t count = many(graph, graph.leaf(Leaf::position)).size();
  int together = 0;
  for (std::size_t which = 0; which < count; ++which) {
    Series among_all(many, which), alone([&](Graph&g, NodeId x) { return many(g, x)[which]; });
    for (Series* series : {&among_all, &alone}) {
      for (int lane = 0; lane < lanes; ++lane)
        for (int k = 0; k <= order; ++k) series->set_x(k, lane, 1.0 / (1.0 + k + lane));
      series->run();
    }
    for (int k = 0; k <= order; ++k) EXPECT_EQ(among_all(k), alone(k)) << which << " " << k;
    if (which > 0) continue;
    for (const Instruction& i : among_all.instructions()) together += i.alike > 1;
  }
  EXPECT_GT(together, 10);
}

TEST(Recurrences, HaveTheSameBitsInAllInstructionSets) {
  std::mt19937_64 random(1);
  Series plain(everything), other(everything);
  for (int lane = 0; lane < lanes; ++lane)
    for (int k = 0; k <= order; ++k) {
      const double value = std::uniform_real_distribution(0.1, 0.9)(random);
      plain.set_x(k, lane, value);
      other.set_x(k, lane, value);
    }
  plain.run();
  for (const auto& [isa, name] : {std::pair{Isa::avx2, "avx2"}, {Isa::avx512, "avx512"}}) {
    if (!usable(isa) || !recurrences(name)) continue;
    other.run(name);
    for (int lane = 0; lane < lanes; ++lane)
      for (int k = 0; k <= order; ++k) EXPECT_EQ(plain(k, lane), other(k, lane)) << name << " " << k;
  }
}

}  // namespace
}  // namespace livens::taylor
