// The motions written out against the equations of motion that follow from the system's description.

#include "tests/reference/runs.hpp"
#include "true_motion/motion.hpp"

namespace livens::true_motion {
namespace {

using namespace livens::reference;

/// d/dt (q, v) by the written motion, y' carried to (q, v) by central differences along the flow: with
/// dt = eps^(1/3) they err by eps^(2/3) of the third derivatives.
VectorXd numerical_rate(const Motion& motion, const State& state, double t) {
  const double dt = std::cbrt(eps);
  const VectorXd y = motion.variables(state);
  VectorXd dy(y.size());
  motion.derivative(t, y.data(), dy.data());
  const State ahead = motion.state(y + dt * dy), behind = motion.state(y - dt * dy);
  VectorXd rate(2 * state.q.size());
  rate << ahead.q - behind.q, ahead.v - behind.v;
  return rate / (2.0 * dt);
}

class WrittenMotion : public ::testing::TestWithParam<std::string> {};

TEST_P(WrittenMotion, IsThatOfTheDescription) {
  const Model model = damped_model(GetParam());
  const System system = make_system(model);
  const State state = general_state(model);
  const double t = 0.7;
  const auto motion = written_motion(GetParam(), system, state);
  ASSERT_TRUE(motion);
  VectorXd expected(2 * state.q.size());
  expected << state.v, equations_of_motion(system, state, t).acceleration;
  // Third derivatives of motions with rates and accelerations below 10: at most 1e3 of these.
  EXPECT_LT((numerical_rate(*motion, state, t) - expected).norm(),
            1e3 * std::pow(eps, 2.0 / 3.0) * expected.norm());

  // Power dissipated and work: the same numbers by the automatic motion.
  const auto automatic = automatic_motion(system);
  VectorXd dy(motion->size()), dy_automatic(automatic->size());
  motion->derivative(t, motion->variables(state).data(), dy.data());
  automatic->derivative(t, automatic->variables(state).data(), dy_automatic.data());
  const double terms = state.v.squaredNorm() + state.v.norm();
  EXPECT_LT((dy.tail(2) - dy_automatic.tail(2)).norm(), 1e4 * eps * terms);
}

TEST_P(WrittenMotion, HasTheEquationsWithMultipliersOfTheDescription) {
  const Model model = damped_model(GetParam());
  const System system = make_system(model);
  const State state = general_state(model);
  const LinearMotion written = equations_with_multipliers(GetParam(), system)(state, 0.7),
                     expected = linear_motion(system, state, 0.7);
  // Some ten operations on numbers below the largest entries squared.
  const auto rounding = [](double largest) { return 64.0 * eps * (1.0 + largest) * (1.0 + largest); };
  EXPECT_LT((written.M - expected.M).norm(), rounding(expected.M.norm()));
  EXPECT_LT((written.A - expected.A).norm(), rounding(expected.A.norm()));
  EXPECT_LT((written.force - expected.force).norm(), rounding(expected.force.norm()));
  EXPECT_LT((written.rate - expected.rate).norm(), rounding(expected.rate.norm()));
}

TEST_P(WrittenMotion, KeepsTheState) {
  const Model model = damped_model(GetParam());
  const State state = general_state(model);
  const auto motion = written_motion(GetParam(), make_system(model), state);
  const State back = motion->state(motion->variables(state));
  EXPECT_EQ(back.q, state.q);
  EXPECT_LT((back.v - state.v).norm(), 64.0 * eps * (1.0 + state.v.norm()));
}

INSTANTIATE_TEST_SUITE_P(All, WrittenMotion,
                         ::testing::Values("double_spherical_pendulum", "foucault_pendulum", "rolling_disk"));

// Equations reduced with the constraint do not hold without it: then the automatic motion is taken.
TEST(WrittenMotions, AreNotForInconsistentStates) {
  for (const std::string system : {"foucault_pendulum", "rolling_disk"}) {
    const Model model = general_model(system);
    State state = general_state(model);
    state.v[0] += 1e-6;
    EXPECT_FALSE(written_motion(system, make_system(model), state)) << system;
  }
}

}  // namespace
}  // namespace livens::true_motion
