// An instance that fails keeps its last good state, says why and where, and moves no bit of its neighbours; a
// step that fails whole and succeeds in parts is counted and carries on.

#include <optional>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Failure);

/// Too few iterations for long steps, so that every scheme with a Newton iteration has steps that fail; the
/// closed forms fail where their equation has no real root.
Settings hurried(const PairKernels& pair, int retry) {
  Settings settings = standard_settings(*pair.scheme);
  settings.tolerance = 1e-12;
  settings.max_iterations = 4;
  settings.retry = retry;
  return settings;
}

/// A run of `steps` good steps at step h after which the step h fails.
struct Case {
  Instance instance;
  int good_steps;
};

/// Looks for a random instance whose step fails after at least `least` good ones, with the given number of
/// halvings.
std::optional<Case> failing_case(const PairKernels& pair, int retry, int least) {
  Random random(11);
  const auto drawn = draw_many(*pair.system, random, Damping::off, tile_size);
  for (double factor = 1.0; factor < 1e5; factor *= 1.5) {
    auto instances = drawn;
    for (Instance& instance : instances) instance.h *= factor;
    Ensemble ensemble(pair, instances, hurried(pair, retry));
    ensemble.advance(200);
    for (int i = 0; i < tile_size; ++i) {
      const int good = static_cast<int>(ensemble.column(i, Column::steps));
      if (ensemble.status(i) != Status::ok && good >= least) return Case{instances[i], good};
    }
  }
  return {};
}

/// Rotations without springs or joints: there may be no step that Newton's method does not solve. An explicit
/// step on the pendulum, with the constraint at its start, has no root that might not be real.
bool may_never_fail(const PairKernels& pair) {
  const std::string system = pair.system->info->name, scheme = pair.scheme->name;
  const bool explicit_step = system == "foucault_pendulum" && scheme != "contact_2";
  return system == "unit_circle" || system == "heavy_top" || explicit_step;
}

TEST_P(Failure, KeepsTheLastGoodStateAndTheReason) {
  const PairKernels& pair = GetParam();
  const auto found = failing_case(pair, 0, 2);
  if (!found && may_never_fail(pair)) GTEST_SKIP() << "no step fails";
  ASSERT_TRUE(found) << "no failing step found";
  Ensemble until(pair, {found->instance}, hurried(pair, 0)),
      beyond(pair, {found->instance}, hurried(pair, 0));
  until.advance(found->good_steps);
  beyond.advance(found->good_steps + 50);
  ASSERT_EQ(until.status(0), Status::ok);
  EXPECT_NE(beyond.status(0), Status::ok);
  EXPECT_EQ(beyond.column(0, Column::failed_step), found->good_steps);
  EXPECT_EQ(until.column(0, Column::failed_step), -1);
  EXPECT_EQ(beyond.column(0, Column::steps), found->good_steps);
  EXPECT_GE(beyond.column(0, Column::newton_iterations), until.column(0, Column::newton_iterations));
  // Everything else is as at the last good node.
  auto a = until.record(0), b = beyond.record(0);
  for (const Column c : {Column::status, Column::failed_step, Column::newton_iterations})
    a[static_cast<int>(c)] = b[static_cast<int>(c)];
  EXPECT_TRUE(same_bits(a, b));
  // And stays so.
  const auto frozen = beyond.record(0);
  beyond.advance(20);
  EXPECT_TRUE(same_bits(beyond.record(0), frozen));
}

TEST_P(Failure, MovesNoBitOfItsNeighbours) {
  const auto found = failing_case(GetParam(), 0, 2);
  if (!found && may_never_fail(GetParam())) GTEST_SKIP() << "no step fails";
  ASSERT_TRUE(found);
  Random random(12);
  const auto good = draw_many(*GetParam().system, random, Damping::off, 16);
  auto mixed = good;
  for (const int i : {0, 3, 7, 12}) mixed[i] = found->instance;
  for (const Table& table : tables()) {
    const PairKernels* const there = find(table, GetParam());
    if (there == nullptr) continue;
    const PairKernels& pair = *there;
    Ensemble alone(pair, good, hurried(pair, 0)), beside(pair, mixed, hurried(pair, 0));
    alone.advance(300);
    beside.advance(300);
    for (int i = 0; i < 16; ++i) {
      if (i == 0 || i == 3 || i == 7 || i == 12) {
        EXPECT_NE(beside.status(i), Status::ok);
      } else {
        EXPECT_TRUE(same_bits(alone.record(i), beside.record(i))) << table.name << ", instance " << i;
      }
    }
  }
}

TEST_P(Failure, AStepThatSucceedsInPartsIsTwoHalfSteps) {
  const PairKernels& pair = GetParam();
  Random random(13);
  const auto drawn = draw_many(*pair.system, random, Damping::off, tile_size);
  int found = 0;
  for (double factor = 2.0; factor < 1e4; factor *= 1.1) {
    auto whole = drawn, half = drawn;
    for (Instance& instance : whole) instance.h *= factor;
    for (Instance& instance : half) instance.h *= 0.5 * factor;
    Ensemble fails(pair, whole, hurried(pair, 0)), in_parts(pair, half, hurried(pair, 0)),
        retries(pair, whole, hurried(pair, 1));
    fails.advance(1);
    in_parts.advance(2);
    retries.advance(1);
    for (int i = 0; i < tile_size; ++i) {
      if (fails.status(i) == Status::ok || in_parts.status(i) != Status::ok) continue;
      ++found;
      EXPECT_EQ(retries.status(i), Status::ok);
      EXPECT_EQ(retries.column(i, Column::retried_steps), 1);
      EXPECT_EQ(retries.column(i, Column::steps), 1);
      EXPECT_EQ(retries.column(i, Column::failed_step), -1);
      EXPECT_EQ(in_parts.column(i, Column::retried_steps), 0);
      const Node a = retries.node(i), b = in_parts.node(i);
      EXPECT_TRUE(same_bits(a.q, b.q));
      EXPECT_TRUE(same_bits(a.p, b.p));
      EXPECT_EQ(retries.column(i, Column::dissipated_energy), in_parts.column(i, Column::dissipated_energy));
      // The iterations of the failed attempt are counted with those of its parts.
      EXPECT_EQ(retries.column(i, Column::newton_iterations),
                fails.column(i, Column::newton_iterations) + in_parts.column(i, Column::newton_iterations));
    }
  }
  if (found == 0 && may_never_fail(pair)) GTEST_SKIP() << "no step fails";
  EXPECT_GT(found, 0) << "no step fails whole and succeeds in two halves";
}

TEST_P(Failure, WithoutRetryTheSameStepFails) {
  const auto found = failing_case(GetParam(), 2, 0);
  if (!found && may_never_fail(GetParam())) GTEST_SKIP() << "no step fails";
  ASSERT_TRUE(found) << "two halvings save every step";
  Ensemble ensemble(GetParam(), {found->instance}, hurried(GetParam(), 0));
  ensemble.advance(200);
  EXPECT_NE(ensemble.status(0), Status::ok);
  EXPECT_LE(ensemble.column(0, Column::steps), found->good_steps);
}

TEST_P(Failure, AStateThatIsNotANumberNeverRuns) {
  const PairKernels& pair = GetParam();
  Random random(14);
  auto instances = draw_many(*pair.system, random, Damping::off, 3);
  instances[1].q[0] = std::nan("");
  Arrays arrays(*pair.system->info, instances);
  std::vector<std::uint8_t> status(arrays.size());
  pair.system->make_consistent(arrays.batch(), Consistency::keep, status.data(), 0, arrays.size());
  EXPECT_EQ(status[1], static_cast<std::uint8_t>(Status::not_finite));
  EXPECT_EQ(status[0], 0);
  EXPECT_EQ(status[2], 0);
  // Told so or not, the instance does not take a step and the others do.
  for (const auto& told : {status, std::vector<std::uint8_t>{}}) {
    Ensemble ensemble(pair, instances, Ensemble::to_round_off(pair), told);
    ensemble.advance(10);
    EXPECT_NE(ensemble.status(1), Status::ok);
    EXPECT_EQ(ensemble.column(1, Column::failed_step), 0);
    EXPECT_EQ(ensemble.column(1, Column::steps), 0);
    for (const int i : {0, 2}) EXPECT_EQ(ensemble.column(i, Column::steps), 10);
  }
}

TEST_P(Failure, ValuesOutsideTheirDomainAreRefused) {
  const PairKernels& pair = GetParam();
  Random random(15);
  auto instances = draw_many(*pair.system, random, Damping::off, 4);
  instances[0].parameters[0] = -1.0;  // a mass
  instances[1].h = 0.0;
  instances[2].parameters[0] = INFINITY;
  Arrays arrays(*pair.system->info, instances);
  std::vector<std::uint8_t> status(arrays.size());
  pair.system->make_consistent(arrays.batch(), Consistency::project, status.data(), 0, arrays.size());
  EXPECT_EQ(status[0], static_cast<std::uint8_t>(Status::invalid_parameter));
  EXPECT_EQ(status[1], static_cast<std::uint8_t>(Status::invalid_parameter));
  EXPECT_EQ(status[2], static_cast<std::uint8_t>(Status::not_finite));
  EXPECT_EQ(status[3], 0);
}

}  // namespace livens::laws
