// Identical bits: whatever the lanes and the instruction set, wherever an instance stands in whatever
// ensemble, and however a run is cut. No tolerance anywhere: records are compared with memcmp, after all NaN
// have been made one.

#include "tests/laws/bad_neighbours.hpp"

namespace livens::laws {

OVER_PAIRS(Bits);

constexpr int count = 24;        // three registers of eight
constexpr int born_failed = 17;  // this one may not start

std::vector<std::uint8_t> statuses() {
  std::vector<std::uint8_t> status(count, 0);
  status[born_failed] = static_cast<std::uint8_t>(Status::inconsistent_initial);
  return status;
}

/// Long runs, but where one instance at a time takes a hundred unknowns a step.
int run_length(const PairKernels& pair, int steps) { return pair.unknowns > 40 ? steps / 10 : steps; }

/// The records of an ensemble after some steps, for every table, against those of the first that has the pair.
void expect_equal_on_all_tables(const PairKernels& pair, const std::vector<Instance>& instances,
                                const Settings& settings, const std::vector<std::uint8_t>& status,
                                int most_steps) {
  const int steps = run_length(pair, most_steps);
  if (tables().size() < 2) GTEST_SKIP() << "this processor runs only one instruction set";
  Ensemble first(find_first(pair), instances, settings, status);
  first.advance(steps);
  for (const Table& table : tables()) {
    const PairKernels* const there = find(table, pair);
    if (there == nullptr) continue;
    Ensemble other(*there, instances, settings, status);
    other.advance(steps);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(other.record(i), first.record(i))) << table.name << ", instance " << i;
  }
}

void expect_equal_bits(const PairKernels& pair, Damping damping, const Settings& settings) {
  const auto instances = beside_bad_ones(pair, damping, count);
  expect_equal_on_all_tables(pair, instances, settings, statuses(), 300);
  // The ensemble is what it is meant to be: neighbours of the bad ones go on.
  Ensemble ensemble(pair, instances, settings, statuses());
  const int steps = run_length(pair, 300);
  ensemble.advance(steps);
  EXPECT_NE(ensemble.status(not_finite), Status::ok);
  EXPECT_EQ(ensemble.status(born_failed), Status::inconsistent_initial);
  for (const int i :
       {absurd - 1, absurd + 1, not_finite - 1, not_finite + 1, born_failed - 1, born_failed + 1})
    EXPECT_EQ(ensemble.column(i, Column::steps), steps) << i;
}

TEST_P(Bits, ScalarAndLanes) {
  expect_equal_bits(GetParam(), Damping::off, Ensemble::to_round_off(GetParam()));
}
// output.extremes = false: steps that measure energies alone.
TEST_P(Bits, NothingElseShowsOfLargestViolationsThatAreNotKept) {
  constexpr Column not_kept[] = {Column::max_constraint, Column::max_velocity_constraint,
                                 Column::max_momentum_error};
  const PairKernels& pair = GetParam();
  const auto instances = beside_bad_ones(pair, Damping::off, count);
  Settings kept = Ensemble::to_round_off(pair), left_out = kept;
  left_out.largest_violations = false;
  expect_equal_on_all_tables(pair, instances, left_out, statuses(), 100);
  Ensemble with(pair, instances, kept, statuses()), without(pair, instances, left_out, statuses());
  std::vector<std::vector<double>> start;
  for (int i = 0; i < count; ++i) start.push_back(without.record(i));
  for (const int steps : {1, 17, 2}) {
    with.advance(steps);
    without.advance(steps);
    for (int i = 0; i < count; ++i) {
      std::vector<double> expected = with.record(i);
      for (const Column column : not_kept)
        expected[static_cast<std::size_t>(column)] = start[i][static_cast<std::size_t>(column)];
      EXPECT_TRUE(same_bits(without.record(i), expected)) << "instance " << i;
    }
  }
}
TEST_P(Bits, ScalarAndLanesWithDamping) {
  if (!GetParam().damped) GTEST_SKIP() << "this form has no damping";
  Settings settings = Ensemble::to_round_off(GetParam());
  settings.tolerance = 1e-10;
  expect_equal_bits(GetParam(), Damping::on, settings);
}
TEST_P(Bits, ScalarAndLanesCompensated) {
  if (!GetParam().compensated) GTEST_SKIP() << "this form has no compensated updates";
  Settings settings = Ensemble::to_round_off(GetParam());
  settings.compensated = true;
  expect_equal_bits(GetParam(), Damping::off, settings);
}

TEST_P(Bits, ScalarAndLanesWithEveryVariantAndStart) {
  const auto settings = choices(GetParam());
  if (settings.size() == 1) GTEST_SKIP() << "there are no others";
  for (const Settings& chosen : settings)
    expect_equal_on_all_tables(GetParam(), beside_bad_ones(GetParam(), Damping::on, count), chosen, {}, 100);
}

TEST_P(Bits, ScalarAndLanesWhereManyStepsAreRetried) {
  // Three iterations are too few now and then, so that retries happen in any lane at any time.
  Settings settings = Ensemble::to_round_off(GetParam());
  settings.tolerance = 1e-13;
  settings.max_iterations = 3;
  expect_equal_on_all_tables(GetParam(), beside_bad_ones(GetParam(), Damping::off, count), settings, {}, 100);
}

TEST_P(Bits, AloneOrInAnyPlaceOfAnyEnsemble) {
  for (const Table& table : tables()) {
    const PairKernels* const there = find(table, GetParam());
    if (there == nullptr) continue;
    const PairKernels& pair = *there;
    auto instances = beside_bad_ones(pair, Damping::off, count);
    Ensemble together(pair, instances);
    together.advance(run_length(pair, 100));
    std::vector<Instance> moved(instances.rbegin(), instances.rend());
    moved.insert(moved.begin(), 13, instances[absurd]);
    Ensemble elsewhere(pair, moved);
    elsewhere.advance(run_length(pair, 100));
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(together.record(i), elsewhere.record(13 + count - 1 - i)))
          << table.name << ", " << i;
    for (const int i : {0, absurd, not_finite, doubtful}) {
      Ensemble alone(pair, {instances[i]});
      alone.advance(run_length(pair, 100));
      EXPECT_TRUE(same_bits(together.record(i), alone.record(0))) << table.name << ", " << i;
    }
  }
}

TEST_P(Bits, HoweverARunIsCut) {
  for (const Table& table : tables()) {
    const PairKernels* const there = find(table, GetParam());
    if (there == nullptr) continue;
    const PairKernels& pair = *there;
    const auto instances = beside_bad_ones(pair, Damping::off, count);
    Ensemble whole(pair, instances, Ensemble::to_round_off(pair), statuses());
    Ensemble cut(pair, instances, Ensemble::to_round_off(pair), statuses());
    whole.advance(20);
    for (const int steps : {1, 8, 1, 10}) cut.advance(steps);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(same_bits(whole.record(i), cut.record(i))) << table.name << ", " << i;
  }
}

}  // namespace livens::laws
