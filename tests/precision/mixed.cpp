// precision = "mixed": the Newton matrix is solved in single precision, residual and state are in double. The
// solution is that of double precision, for at most one iteration more.

#include "tests/precision/all_tables.hpp"

namespace livens::laws {

std::vector<PairKernels> mixed_pairs() {
  return widest_of(&Table::pairs, [](const PairKernels& pair) {
    return pair.advance_mixed != nullptr && !pair.system->capabilities.has(Capability::assembly);
  });
}
OVER_PAIRS_IN(Mixed, mixed_pairs());

Settings mixed_settings(const PairKernels& pair, double tolerance) {
  Settings settings = Ensemble::to_round_off(pair);
  settings.tolerance = tolerance;
  settings.precision = Precision::mixed;
  return settings;
}

TEST_P(Mixed, ScalarAndLanesToRoundOff) {
  expect_equal_on_all_tables(GetParam(), Damping::off, mixed_settings(GetParam(), 0.0));
}
TEST_P(Mixed, ScalarAndLanesToATolerance) {
  const Damping damping = GetParam().damped ? Damping::on : Damping::off;
  expect_equal_on_all_tables(GetParam(), damping, mixed_settings(GetParam(), 1e-10));
}

TEST_P(Mixed, IsTheSolutionOfDoublePrecision) {
  Random random(61);
  const PairKernels& pair = GetParam();
  const auto instances = draw_many(*pair.system, random, Damping::off, 8);
  Ensemble exact(pair, instances), mixed(pair, instances, mixed_settings(pair, 0.0));
  exact.advance(100);
  mixed.advance(100);
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(exact.status(i), Status::ok);
    ASSERT_EQ(mixed.status(i), Status::ok);
    const Node x = mixed.node(i), y = exact.node(i);
    if (pair.unknowns == 0) {
      EXPECT_TRUE(same_bits(x.q, y.q)) << "nothing is solved";
    }
    // Both end within a rounding of the solution, as two forms of one scheme do: the bounds of
    // tests/laws/forms.cpp.
    const double q = std::max(1.0, largest(y.q)), p = largest(y.p);
    const double momentum = std::max(1.0, q / (instances[i].h * largest(y.v)));
    EXPECT_LT(distance(x.q, y.q), 1e-12 * q);
    EXPECT_LT(distance(x.p, y.p), 1e-12 * p * momentum);
  }
}

/// A contraction c alone comes from an update of one to the stop at 1e-18 in 18/log10(1/c) iterations: three
/// with c = 1e-6, a condition of ten or twenty, where double takes two or three. Of these the last one to
/// round-off may have no matrix of its own in double precision, and then is not counted.
TEST_P(Mixed, TakesOneIterationMoreAtMost) {
  Random random(62);
  const PairKernels& pair = GetParam();
  const auto instances = draw_many(*pair.system, random, Damping::off, 8);
  for (const double tolerance : {1e-10, 0.0}) {
    Settings settings = mixed_settings(pair, tolerance);
    Ensemble mixed(pair, instances, settings);
    settings.precision = Precision::full;
    Ensemble exact(pair, instances, settings);
    exact.advance(100);
    mixed.advance(100);
    const int more = pair.unknowns == 0 ? 0 : tolerance > 0.0 ? 1 : 2;
    // A scheme that looks ahead solves a step more than it makes.
    for (int i = 0; i < 8; ++i)
      EXPECT_LE(mixed.column(i, Column::newton_iterations),
                exact.column(i, Column::newton_iterations) + 101 * more)
          << tolerance;
  }
}

}  // namespace livens::laws
