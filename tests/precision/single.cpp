// precision = "single": a step in floats, with the same bits one instance at a time and in lanes; counts and
// sums over the steps in doubles. How near it is to the true step: tests/agreement.

#include <algorithm>

#include "tests/precision/all_tables.hpp"

namespace livens::laws {

OVER_SINGLE_PAIRS(Single);

constexpr double float_eps = std::numeric_limits<float>::epsilon();

TEST_P(Single, ScalarAndLanes) {
  expect_equal_on_all_tables(GetParam(), Damping::off, Ensemble::to_round_off(GetParam()));
}
TEST_P(Single, ScalarAndLanesToATolerance) {
  const Damping damping = GetParam().damped ? Damping::on : Damping::off;
  Settings settings = Ensemble::to_round_off(GetParam());
  settings.tolerance = 1e-3;
  expect_equal_on_all_tables(GetParam(), damping, settings);
}
TEST_P(Single, ScalarAndLanesCompensated) {
  if (!GetParam().compensated) GTEST_SKIP() << "this form has no compensated updates";
  Settings settings = Ensemble::to_round_off(GetParam());
  settings.compensated = true;
  expect_equal_on_all_tables(GetParam(), Damping::off, settings);
}
TEST_P(Single, ScalarAndLanesWithEveryVariantAndStart) {
  const auto settings = choices(GetParam());
  if (settings.size() == 1) GTEST_SKIP() << "there are no others";
  for (const Settings& chosen : settings) expect_equal_on_all_tables(GetParam(), Damping::on, chosen);
}

TEST_P(Single, IsOfSinglePrecision) {
  // The state is one of floats, and it moves: what is in the columns of the pair survives a float.
  Random random(63);
  const PairKernels& pair = GetParam();
  Ensemble ensemble(pair, {draw(*pair.system, random, Damping::off)});
  ensemble.advance(10);
  ASSERT_EQ(ensemble.status(0), Status::ok);
  const Node node = ensemble.node(0);
  for (const auto* values : {&node.q, &node.v, &node.p})
    for (const double x : *values) EXPECT_EQ(x, static_cast<double>(static_cast<float>(x)));
}

TEST_P(Single, EnergyErrorIsThatOfFloats) {
  // The bound of tests/laws/energy.cpp for schemes that are exact, with eps of floats: a step rounds some
  // twenty products of the size of the energy.
  const PairKernels& pair = GetParam();
  if (!claims(pair).exact_energy) GTEST_SKIP() << "the energy of this scheme is not exact";
  Random random(64);
  const int steps = 100;
  for (int sample = 0; sample < 4; ++sample) {
    const Instance instance = draw(*pair.system, random, Damping::off);
    Ensemble ensemble(pair, {instance});
    ensemble.advance(steps);
    ASSERT_EQ(ensemble.status(0), Status::ok);
    const bool position_alone =
        pair.scheme->name == std::string("livens") && pair.form == std::string("full");
    const double velocity = position_alone ? largest(instance.q) / (instance.h * largest(instance.v)) : 1.0;
    EXPECT_LT(ensemble.column(0, Column::max_energy_error),
              8 * float_eps * steps * std::max(1.0, velocity) * ensemble.column(0, Column::energy_scale));
  }
}

TEST_P(Single, CountsBeyondTheIntegersOfFloats) {
  const PairKernels& pair = GetParam();
  Random random(65);
  Arrays arrays(*pair.system->info, {draw(*pair.system, random, Damping::off)});
  arrays.records.assign(static_cast<std::size_t>(arrays.size()) * pair.record_width, 0.0);
  const std::vector<std::uint8_t> status(arrays.size(), 0);
  const Settings settings = Ensemble::to_round_off(pair);
  pair.system->momenta(arrays.batch(), 0, arrays.size());
  pair.start(arrays.batch(), settings, status.data(), 0, arrays.size());
  const std::int64_t many = std::int64_t{1} << 24;
  double* steps =
      arrays.records.data() + column_offset(0, pair.record_width, static_cast<int>(Column::steps));
  std::fill_n(steps, tile_size, static_cast<double>(many));  // one tile
  pair.advance(arrays.batch(), settings, many + 5, 0, arrays.size());
  EXPECT_EQ(*steps, static_cast<double>(many + 5));
}

}  // namespace livens::laws
