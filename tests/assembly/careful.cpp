// Steps that the lanes leave, to be taken with care one instance at a time (kernels/stepping/advance.hpp).
// Rod A is thrown, and the beam stops it within the step: on its way to the root Newton's method comes by
// rotations where the matrix is far from positive definite, or ends behind them. How fast it is thrown
// decides what the step takes: pivots, damping or parts.

#include "tests/agreement/models.hpp"
#include "tests/assembly/swings.hpp"
#include "tests/laws/over_pairs.hpp"

namespace livens::assemblies {
namespace {

using laws::Ensemble, laws::Instance;

constexpr double h = 0.02;

class Careful : public laws::PairTest {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Careful);  // a build may have other systems alone
INSTANTIATE_TEST_SUITE_P(Pairs, Careful, ::testing::ValuesIn(laws::assembled_pairs()),
                         [](const auto& info) { return laws::name_of(info.param); });

Instance standing(const reference::State& state, double step) {
  const auto values = standard_parameters();
  return {{std::begin(values.data), std::end(values.data)},
          {state.q.begin(), state.q.end()},
          {state.v.begin(), state.v.end()},
          step};
}

/// Rod A turns by so many radian a step, to begin with: about its own axis, e3, or about e1 with the end of
/// the beam.
enum class About { e1 = 0, e3 = 2 };
reference::State thrown(About axis, double angle) {
  const reference::Assembly swing = reference::three_bar_swing();
  const reference::Reparametrisation directions(swing);
  reference::State state = at_rest(swing);
  reference::VectorXd nu = reference::VectorXd::Zero(directions.unknowns());
  nu[static_cast<int>(axis)] = angle / h;
  state.v = directions.null_space(state.q) * nu;
  return state;
}

/// How the first step of a whole h ends: in the lanes, or with pivots and damping.
template <class Scheme, Pivoting pivoting>
Status status_of(const reference::State& state) {
  constexpr int d = Scheme::System::coordinates;
  Settings settings = standard_settings(Scheme::info());
  settings.tolerance = 0.0;
  const typename Scheme::System system(standard_parameters());
  const Scheme scheme(system, h, settings);
  const auto q = vector_of<d>(state.q), v = vector_of<d>(state.v);
  typename Scheme::Carried next;
  const auto report =
      scheme.template step<pivoting>(scheme.start({q, momentum_of(system, q, v), v}), true, next);
  return static_cast<Status>(static_cast<int>(report.outcome.status));
}
template <Pivoting pivoting>
Status status_of(const PairKernels& pair, const reference::State& state) {
  using System = ThreeBarSwing<double>;
  return pair.scheme->name == std::string("del_nullspace")
             ? status_of<DelNullspaceAssembly<System>, pivoting>(state)
             : status_of<DelMultiplierAssembly<System>, pivoting>(state);
}

/// The first throw, of such that differ by 1e-3, whose step is refused in the lanes for that reason, and
/// which comes to its end with care: as a whole or in parts. One of no entries where there is none.
reference::State first_throw(const PairKernels& pair, Status in_lanes, bool whole) {
  for (const About axis : {About::e3, About::e1})
    for (int k = 400; k < 1300; ++k) {
      const reference::State state = thrown(axis, 1e-3 * k);
      if (status_of<Pivoting::refused>(pair, state) != in_lanes) continue;
      if ((status_of<Pivoting::where_needed>(pair, state) == Status::ok) != whole) continue;
      Ensemble ensemble(pair, {standing(state, h)});
      ensemble.advance(1);
      if (ensemble.status(0) == Status::ok) return state;
    }
  return {};
}

/// Beside it, in any lane of any table, others have the bits that they have without it, and it has those that
/// it has alone.
void expect_neighbours_unmoved(const PairKernels& pair, const Instance& difficult) {
  const int at[] = {0, 3, 7, 12}, steps = 5;
  std::vector<Instance> good;
  for (unsigned seed = 1; seed <= 16; ++seed)
    good.push_back(standing(random_start(reference::three_bar_swing(), seed), 5e-4));
  std::vector<Instance> mixed = good;
  for (const int i : at) mixed[i] = difficult;
  Ensemble by_itself(laws::find_first(pair), {difficult});
  by_itself.advance(steps);
  for (const laws::Table& table : laws::tables()) {
    const PairKernels* const there = laws::find(table, pair);
    if (there == nullptr) continue;
    Ensemble without(*there, good), beside(*there, mixed);
    without.advance(steps);
    beside.advance(steps);
    for (int i = 0; i < 16; ++i) {
      const bool is_difficult = std::find(std::begin(at), std::end(at), i) != std::end(at);
      EXPECT_TRUE(laws::same_bits(beside.record(i), is_difficult ? by_itself.record(0) : without.record(i)))
          << table.name << ", instance " << i;
      if (!is_difficult) {
        EXPECT_EQ(beside.column(i, Column::steps), steps) << table.name << ", instance " << i;
      }
    }
  }
}

/// The whole step of h leads, with care, to a root that the reference finds by its own equations and LU, and
/// that no director turns by 60 degrees to.
void expect_root(const PairKernels& pair, const reference::State& state) {
  Ensemble ensemble(pair, {standing(state, h)});
  ensemble.advance(1);
  ASSERT_EQ(ensemble.status(0), Status::ok);
  EXPECT_EQ(ensemble.column(0, Column::retried_steps), 0.0) << "the step is whole";
  const reference::VectorXd u1 = laws::vector_of(ensemble.node(0).q);
  EXPECT_TRUE(reference::keeps_directors(state.q, u1));
  reference::AssemblyIntegrator reference(reference::three_bar_swing(), {pair.scheme->name, h}, state);
  const reference::AssemblyNode& node = reference.advance(u1 - state.q);
  EXPECT_LT((node.q - u1).lpNorm<Eigen::Infinity>(), 1e-12);
  expect_neighbours_unmoved(pair, standing(state, h));
}

/// The increments of the multiplier form need not be rotations until Newton's method ends. A throw that leads
/// it where pivots or damping are needed leads it further off the constraints, and they do not help.
bool runs_away(const PairKernels& pair) { return pair.scheme->name == std::string("del_multiplier"); }

TEST_P(Careful, AStepThatNeedsPivots) {
  if (runs_away(GetParam())) GTEST_SKIP() << "only parts help it";
  const reference::State state = first_throw(GetParam(), Status::singular_matrix, true);
  ASSERT_GT(state.q.size(), 0) << "no throw needs pivots and no more";
  expect_root(GetParam(), state);
}

TEST_P(Careful, AStepThatNeedsDamping) {
  if (runs_away(GetParam())) GTEST_SKIP() << "only parts help it";
  const reference::State state = first_throw(GetParam(), Status::wrong_branch, true);
  ASSERT_GT(state.q.size(), 0) << "no throw needs damping and no more";
  expect_root(GetParam(), state);
}

// In halves or quarters: the bits of as many steps of that length.
TEST_P(Careful, AStepThatSucceedsInParts) {
  const PairKernels& pair = GetParam();
  const reference::State state = first_throw(pair, Status::singular_matrix, false);
  ASSERT_GT(state.q.size(), 0) << "no throw succeeds in parts alone";
  Ensemble whole(pair, {standing(state, h)});
  whole.advance(1);
  EXPECT_EQ(whole.column(0, Column::retried_steps), 1.0);
  Settings settings = Ensemble::to_round_off(pair);
  settings.retry = 0;
  int parts = 2;
  const auto in_parts = [&] {
    Ensemble ensemble(pair, {standing(state, h / parts)}, settings);
    ensemble.advance(parts);
    return ensemble;
  };
  if (in_parts().status(0) != Status::ok) parts = 4;
  ASSERT_EQ(in_parts().status(0), Status::ok);
  EXPECT_TRUE(laws::same_bits(whole.node(0).q, in_parts().node(0).q));
  EXPECT_TRUE(laws::same_bits(whole.node(0).p, in_parts().node(0).p));
  expect_neighbours_unmoved(pair, standing(state, h));
}

}  // namespace
}  // namespace livens::assemblies
