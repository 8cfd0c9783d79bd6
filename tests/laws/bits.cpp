// Identical bits: whatever the lanes and the instruction set, wherever an instance stands in whatever
// ensemble, and however a run is cut. No tolerance anywhere: records are compared with memcmp, after all NaN
// have been made one.

#include <cstdio>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Bits);

constexpr int count = 24;        // three registers of eight
constexpr int absurd = 5;        // this instance's step is far too long: it retries and fails
constexpr int not_finite = 11;   // this one's state holds a NaN
constexpr int born_failed = 17;  // this one may not start
constexpr int doubtful = 20;     // this one's step is long: Newton's method takes more iterations, or retries

/// Instances that differ in everything, with some that go wrong in the middle of a register.
std::vector<Instance> mixed(const PairKernels& pair, Damping damping) {
  Random random(10);
  auto instances = draw_many(*pair.system, random, damping, count);
  std::uniform_real_distribution<double> factor(0.5, 2.0);
  for (Instance& instance : instances) instance.h *= factor(random);
  instances[absurd].h *= 1e4;
  instances[not_finite].v[1] = std::nan("");
  instances[doubtful].h *= 8;
  return instances;
}
std::vector<std::uint8_t> statuses() {
  std::vector<std::uint8_t> status(count, 0);
  status[born_failed] = static_cast<std::uint8_t>(Status::inconsistent_initial);
  return status;
}

void expect_equal_on_all_tables(const PairKernels& pair, Damping damping, const Settings& settings) {
  const auto instances = mixed(pair, damping);
  Ensemble scalar(pair, instances, settings, statuses());
  scalar.advance(300);
  int compared = 0;
  for (std::size_t t = 1; t < tables().size(); ++t) {
    const Table& table = tables()[t];
    if (!table.usable) {
      std::printf("not run here: %s\n", table.name.c_str());
      continue;
    }
    ++compared;
    Ensemble other(*find(table, pair), instances, settings, statuses());
    other.advance(300);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(other.record(i), scalar.record(i))) << table.name << ", instance " << i;
  }
  // The ensemble is what it is meant to be: neighbours of the bad ones go on.
  EXPECT_NE(scalar.status(absurd), Status::ok);
  EXPECT_NE(scalar.status(not_finite), Status::ok);
  EXPECT_EQ(scalar.status(born_failed), Status::inconsistent_initial);
  for (const int i :
       {absurd - 1, absurd + 1, not_finite - 1, not_finite + 1, born_failed - 1, born_failed + 1})
    EXPECT_EQ(scalar.column(i, Column::steps), 300) << i;
  if (compared == 0) GTEST_SKIP() << "this processor runs none of the other instruction sets";
}

TEST_P(Bits, ScalarAndLanes) {
  expect_equal_on_all_tables(GetParam(), Damping::off, Ensemble::to_round_off());
}
TEST_P(Bits, ScalarAndLanesWithDamping) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  expect_equal_on_all_tables(GetParam(), Damping::on, Settings{1e-10, 25, 2, false});
}
TEST_P(Bits, ScalarAndLanesCompensated) {
  if (!GetParam().compensated) GTEST_SKIP() << "this form has no compensated updates";
  expect_equal_on_all_tables(GetParam(), Damping::off, Settings{0.0, 25, 2, true});
}

TEST_P(Bits, ScalarAndLanesWhereManyStepsAreRetried) {
  // Three iterations are too few now and then, so that retries happen in any lane at any time.
  const PairKernels& pair = GetParam();
  const Settings settings{1e-13, 3, 2, false};
  const auto instances = mixed(pair, Damping::off);
  Ensemble scalar(pair, instances, settings);
  scalar.advance(100);
  for (std::size_t t = 1; t < tables().size(); ++t) {
    if (!tables()[t].usable) continue;
    Ensemble other(*find(tables()[t], pair), instances, settings);
    other.advance(100);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(other.record(i), scalar.record(i))) << tables()[t].name << ", instance " << i;
  }
}

TEST_P(Bits, AloneOrInAnyPlaceOfAnyEnsemble) {
  for (const Table& table : tables()) {
    if (!table.usable) continue;
    const PairKernels& pair = *find(table, GetParam());
    auto instances = mixed(pair, Damping::off);
    Ensemble together(pair, instances);
    together.advance(100);
    std::vector<Instance> moved(instances.rbegin(), instances.rend());
    moved.insert(moved.begin(), 13, instances[absurd]);
    Ensemble elsewhere(pair, moved);
    elsewhere.advance(100);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(together.record(i), elsewhere.record(13 + count - 1 - i)))
          << table.name << ", " << i;
    for (const int i : {0, absurd, not_finite, doubtful}) {
      Ensemble alone(pair, {instances[i]});
      alone.advance(100);
      EXPECT_TRUE(same_bits(together.record(i), alone.record(0))) << table.name << ", " << i;
    }
  }
}

TEST_P(Bits, HoweverARunIsCut) {
  for (const Table& table : tables()) {
    if (!table.usable) continue;
    const PairKernels& pair = *find(table, GetParam());
    const auto instances = mixed(pair, Damping::off);
    Ensemble whole(pair, instances, Ensemble::to_round_off(), statuses());
    Ensemble cut(pair, instances, Ensemble::to_round_off(), statuses());
    whole.advance(100);
    for (const int steps : {1, 36, 1, 62}) cut.advance(steps);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(whole.record(i), cut.record(i))) << table.name << ", " << i;
  }
}

}  // namespace livens::laws
