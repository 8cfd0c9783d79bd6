// Steps that are composed of stages: the order, the way back, and what is kept exactly. Steps count, fail and
// are measured as wholes.

#include <map>

#include "tests/laws/over_pairs.hpp"

namespace livens::laws {

OVER_PAIRS(Compositions);

int highest_order(const PairKernels& pair, const Settings& settings) {
  return pair.scheme->composable(settings, pair.system->capabilities.has(Capability::regular_mass)).highest;
}

/// To round-off; with variant = "symmetric" where a scheme is composed only so.
Settings composed(const PairKernels& pair, int order) {
  for (Settings settings : choices(pair)) {
    settings.order = static_cast<std::uint8_t>(order);
    if (highest_order(pair, settings) > 0) return settings;
  }
  Settings settings = Ensemble::to_round_off(pair);
  settings.order = static_cast<std::uint8_t>(order);
  return settings;
}

bool is_composed(const PairKernels& pair) { return highest_order(pair, composed(pair, 4)) > 0; }

/// Orders 6 and 8 where a step is cheap: nothing in them depends on the system. The pendulum on the turning
/// earth swings through a place without a solution too soon for an error of order 8 to be more than
/// round-off.
std::vector<int> orders_tried(const PairKernels& pair) {
  const std::string system = pair.system->info->name;
  const bool next_term_is_large = pair.scheme->name == std::string("ggl_mp");
  if (system == "foucault_pendulum") return {4, 6};
  const bool any = highest_order(pair, composed(pair, 4)) == 8;
  if (any && !next_term_is_large && (system == "unit_circle" || system == "double_spherical_pendulum"))
    return {4, 6, 8};
  return {4};
}

/// q and v at the end, v without what is normal to the constraints there: `livens` makes the momentum of a
/// mean, whose normal part is off by O(h^2) and changes its sign with each step, whatever else converges how.
/// Nothing where the steps are too long for the instance.
std::vector<double> end_state(const PairKernels& pair, Instance instance, const Settings& settings,
                              double end, int steps) {
  instance.h = end / steps;
  Ensemble ensemble(pair, {instance}, settings);
  ensemble.advance(steps);
  if (ensemble.status(0) != Status::ok) return {};
  const Node node = ensemble.node(0);
  const SystemInfo& info = *pair.system->info;
  instance.q = node.q;
  instance.v = node.v;
  Arrays arrays(info, {instance});
  std::vector<std::uint8_t> status(arrays.size());
  if (!info.singular_mass)
    pair.system->make_consistent(arrays.batch(), Consistency::project, status.data(), 0, arrays.size());
  std::vector<double> state(arrays.q.begin(), arrays.q.begin() + info.coordinates);
  state.insert(state.end(), arrays.v.begin(), arrays.v.begin() + info.coordinates);
  return state;
}

void expect_order(const PairKernels& pair, int order, Damping damping) {
  Random random(21);
  // Errors of order 8 are round-off after few halvings: the seventh instance has its slope before.
  const int drawn = order == 8 ? 7 : 1;
  const Instance instance = draw_many(*pair.system, random, damping, drawn).back();
  const Settings settings = composed(pair, order),
                 exact_settings = composed(pair, highest_order(pair, settings));
  // The linkage's own step is so short that errors would be round-off, those of pendulum and disk are long.
  const SystemInfo& info = *pair.system->info;
  const double longer = info.name == std::string("double_four_bar") ? 10.0 : info.nonholonomic ? 0.6 : 1.0;
  const double end = 10.0 * (order - 2) * info.default_step * longer;
  const int finest = 64;
  const auto exact = end_state(pair, instance, exact_settings, end, 2 * finest);
  ASSERT_FALSE(exact.empty());
  // Rounding q moves v by eps q/h in every stage, at random; an error ten times their sum has a slope to
  // 0.15.
  const double round_off = 10 * eps * std::sqrt(2.0 * finest * most_stages) *
                           std::max(largest(exact), largest(instance.q) * 2.0 * finest / end);
  // The finest pair of runs, one with twice the steps of the other, whose errors say something.
  double slope = 0.0, fine = 0.0;
  std::map<int, double> errors;
  for (const int steps : {3, 4, 6, 8, 12, 16, 24, 32, 48, finest}) {
    const auto state = end_state(pair, instance, settings, end, steps);
    if (state.empty()) continue;
    fine = errors[steps] = distance(state, exact);
    if (fine < round_off) break;
    if (errors.contains(steps / 2)) slope = std::log2(errors[steps / 2] / fine);
  }
  EXPECT_NEAR(slope, order, 0.15) << "the last error is " << fine << ", round-off " << round_off;
}

TEST_P(Compositions, HaveTheirOrder) {
  const PairKernels& pair = GetParam();
  if (!is_composed(pair)) GTEST_SKIP() << "not composed";
  for (const int order : orders_tried(pair)) expect_order(pair, order, Damping::off);
}
TEST_P(Compositions, HaveTheirOrderWithDamping) {
  const PairKernels& pair = GetParam();
  if (!pair.damped) GTEST_SKIP() << "this form has no damping";
  if (!is_composed(pair)) GTEST_SKIP() << "not composed";
  expect_order(pair, 4, Damping::on);
}

/// What a step with these stages leaves of the start, relative: |q| and |v|.
double left_over(const PairKernels& pair, const Instance& instance, const Composition& composition) {
  Ensemble ensemble(pair, {instance}, composed(pair, 4));
  ensemble.compose(composition);
  const Node start = ensemble.node(0);
  ensemble.advance(1);
  EXPECT_EQ(ensemble.status(0), Status::ok);
  const Node end = ensemble.node(0);
  return distance(start.q, end.q) / std::max(largest(start.q), instance.h * largest(start.v)) +
         distance(start.v, end.v) / std::max(largest(start.v), largest(start.q) / instance.h);
}

// A scheme that is composed is its own adjoint. One of first order is not: it does not come back.
TEST_P(Compositions, ComeBackTheWayTheyWent) {
  const PairKernels& pair = GetParam();
  Random random(22);
  const Instance instance = draw(*pair.system, random, pair.damped ? Damping::on : Damping::off);
  Composition there_and_back{.order = 4, .stages = 2, .factors = {1.0, -1.0}};
  // A stage is as exact as its Newton matrix lets it be, whose condition is some 1e3, on the top 1e6
  // (tests/agreement).
  const double condition = pair.system->info->name == std::string("heavy_top") ? 1e6 : 1e3;
  const double bound = 64 * eps * condition;
  if (!is_composed(pair) && pair.scheme->order == 1) {
    EXPECT_GT(left_over(pair, instance, there_and_back), bound);
  }
  if (!is_composed(pair)) return;
  EXPECT_LT(left_over(pair, instance, there_and_back), 2 * bound);
  Composition four = composition_of(4);
  for (int s = 0; s < 5; ++s) four.factors[9 - s] = -four.factors[s];
  four.stages = 10;
  EXPECT_LT(left_over(pair, instance, four), four.stages * bound);
}

// What every stage keeps the composition keeps; the bounds are those of the laws of single steps, a stage for
// a step, and the shortest stage in place of h.
TEST_P(Compositions, KeepWhatTheirStagesKeep) {
  const PairKernels& pair = GetParam();
  if (!is_composed(pair)) GTEST_SKIP() << "not composed";
  Random random(23);
  Instance instance = draw(*pair.system, random, Damping::off);
  const int steps = 32, stages = 5 * steps;
  Ensemble ensemble(pair, {instance}, composed(pair, 4));
  ensemble.advance(steps);
  ASSERT_EQ(ensemble.status(0), Status::ok);
  EXPECT_EQ(ensemble.column(0, Column::steps), steps);
  const double q = std::max(1.0, largest(instance.q)), v = largest(instance.v), h = 0.4 * instance.h;
  const Claims claimed = claims(pair);
  const double rounding = 64 * eps * stages, per_h = v + q / h;
  if (claimed.exact_energy) {
    EXPECT_LT(ensemble.column(0, Column::max_energy_error),
              8 * eps * stages * std::max(1.0, q / (h * v)) * ensemble.column(0, Column::energy_scale));
  }
  if (claimed.momentum) {
    const double p = largest(ensemble.node(0).p);
    EXPECT_LE(ensemble.column(0, Column::max_momentum_error), rounding * q * p * std::max(1.0, q / (h * v)));
  }
  if (claimed.position_constraint) {
    EXPECT_LE(ensemble.column(0, Column::max_constraint), rounding * q * q);
  }
  if (claimed.velocity_constraint) {
    EXPECT_LE(ensemble.column(0, Column::max_velocity_constraint), rounding * q * per_h);
  }
}

// The projected discrete Legendre transform is consistent, that of a step ahead is not.
TEST_P(Compositions, HaveConsistentVelocitiesWhereStepsLookAhead) {
  const PairKernels& pair = GetParam();
  if (std::string(pair.scheme->name).find("del_") != 0) GTEST_SKIP() << "no step looks ahead";
  Random random(24);
  const Instance instance = draw(*pair.system, random, Damping::off);
  Ensemble ensemble(pair, {instance}, composed(pair, 4));
  ensemble.advance(20);
  const double q = std::max(1.0, largest(instance.q)), v = largest(instance.v);
  EXPECT_LT(ensemble.column(0, Column::max_velocity_constraint), 64 * eps * q * (v + q / instance.h) * 1e3);
}

// Wherever a run is cut, whatever the lanes, and if an instance beside it fails in one of its stages.
TEST_P(Compositions, HaveTheSameBitsEverywhere) {
  const PairKernels& pair = GetParam();
  if (!is_composed(pair)) GTEST_SKIP() << "not composed";
  Random random(25);
  auto instances = draw_many(*pair.system, random, pair.damped ? Damping::on : Damping::off, 9);
  instances[4].h *= 200.0;  // fails, or is retried
  for (const int order : {4, highest_order(pair, composed(pair, 4))}) {
    Settings settings = composed(pair, order);
    settings.max_iterations = 12;
    std::optional<Ensemble> first;
    for (const Table& table : tables()) {
      const PairKernels* same = find(table, pair);
      if (!same) continue;
      Ensemble ensemble(*same, instances, settings);
      for (const int steps : {1, 4, 3}) ensemble.advance(steps);
      if (!first) {
        first.emplace(*same, instances, settings);
        first->advance(8);
      }
      for (int i = 0; i < 9; ++i)
        EXPECT_TRUE(same_bits(first->record(i), ensemble.record(i)))
            << table.name << ", order " << order << ", instance " << i;
    }
  }
}

// A step that fails in a stage has not been taken.
TEST_P(Compositions, FailAsWholeSteps) {
  const PairKernels& pair = GetParam();
  if (!is_composed(pair)) GTEST_SKIP() << "not composed";
  Settings hurried = composed(pair, 4);
  hurried.tolerance = 1e-12;
  hurried.max_iterations = 4;
  hurried.retry = 0;
  Random random(26);
  auto instances = draw_many(*pair.system, random, Damping::off, tile_size);
  for (double factor = 1.0; factor < 1e4; factor *= 1.7) {
    for (Instance& instance : instances) instance.h *= 1.7;
    Ensemble beyond(pair, instances, hurried);
    beyond.advance(60);
    for (int i = 0; i < tile_size; ++i) {
      const int good = static_cast<int>(beyond.column(i, Column::steps));
      if (beyond.status(i) == Status::ok || good < 1) continue;
      Ensemble until(pair, {instances[i]}, hurried);
      until.advance(good);
      ASSERT_EQ(until.status(0), Status::ok);
      EXPECT_EQ(beyond.column(i, Column::failed_step), good);
      EXPECT_TRUE(same_bits(until.node(0).q, beyond.node(i).q));
      EXPECT_TRUE(same_bits(until.node(0).p, beyond.node(i).p));
      return;
    }
  }
  GTEST_SKIP() << "no step fails";
}

// 20 steps of 17 stages over 1 s from the pendulum's own state: what 340 single steps, put together by hand,
// have come to. The energy is kept as in any step.
TEST(ComposedSteps, MakeAnEnergyMomentumSchemeOfOrderEight) {
  for (const PairKernels& pair : pairs()) {
    const SystemInfo& info = *pair.system->info;
    if (info.name != std::string("double_spherical_pendulum") || pair.scheme->name != std::string("ems"))
      continue;
    Instance instance;
    for (const ParameterInfo& parameter : info.parameters)
      instance.parameters.insert(instance.parameters.end(), parameter.defaults.begin(),
                                 parameter.defaults.end());
    instance.q.assign(info.coordinates, 0.0);
    instance.v = instance.q;
    instance.h = 1.0 / 20;
    Arrays arrays(info, {instance});
    pair.system->initial_states(arrays.batch(), 0, arrays.size());
    instance.q.assign(arrays.q.begin(), arrays.q.begin() + info.coordinates);
    instance.v.assign(arrays.v.begin(), arrays.v.begin() + info.coordinates);
    Ensemble coarse(pair, {instance}, composed(pair, 8));
    coarse.advance(20);
    instance.h = 1.0 / 100;
    Ensemble fine(pair, {instance}, composed(pair, 8));
    fine.advance(100);
    EXPECT_LT(distance(coarse.node(0).q, fine.node(0).q), 2.15e-9);
    EXPECT_LT(coarse.column(0, Column::max_energy_error),
              8 * eps * 340 * coarse.column(0, Column::energy_scale));
  }
}

}  // namespace livens::laws
