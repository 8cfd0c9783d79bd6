// Steps written out for a plan give the bits of those that walk it.

#include "motion.hpp"
#include "taylor/built_in_series.hpp"
#include "taylor/fixed_plan.hpp"

namespace livens::taylor {
namespace {

struct BuiltIn {
  const char* name;
  double end;  ///< s
};

class WrittenOut : public ::testing::TestWithParam<BuiltIn> {};

/// Lanes have motions of their own, so that they come to their ends one after the other.
TEST_P(WrittenOut, StepsHaveTheBitsOfThePlan) {
  if (std::string(" " LIVENS_SYSTEMS " ").find(" " + std::string(GetParam().name) + " ") == std::string::npos)
    GTEST_SKIP() << "not built";
  const TextSystem text = example(GetParam().name);
  const std::vector<double> parameters = default_parameters(text);
  const std::string plan = fixed_plan(Motion(text).equations().plan());
  for (const auto& [isa, name] : {std::pair{Isa::avx512, "avx512"}, {Isa::avx2, "avx2"}}) {
    const FixedSeries* fixed = built_in_series(name, plan);
    if (!usable(isa) || !recurrences(name)) continue;
    if (!fixed && std::string(name) != widest_instruction_set()) continue;  // it is compiled on first use
    ASSERT_NE(fixed, nullptr) << name;
    for (const double tolerance : {1e-15, 1e-8, 1e-3}) {
      Motion walked(text, tolerance, "plain"), written_out(text, tolerance, name, fixed);
      std::vector<double> q = text.initial_position(parameters), v = text.initial_velocity(parameters);
      for (int lane = 0; lane < lanes; ++lane) {
        for (double& rate : v) rate *= 1.0 + 0.02 * lane;
        walked.set(lane, parameters, q, v);
        written_out.set(lane, parameters, q, v);
      }
      walked.to(GetParam().end);
      written_out.to(GetParam().end);
      EXPECT_GT(walked.steps(), 1);
      for (int lane = 0; lane < lanes; ++lane) {
        EXPECT_EQ(walked.q(lane), written_out.q(lane)) << name << ", " << tolerance << ", lane " << lane;
        EXPECT_EQ(walked.v(lane), written_out.v(lane)) << name << ", " << tolerance << ", lane " << lane;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, WrittenOut,
                         ::testing::Values(BuiltIn{"double_spherical_pendulum", 3.0},
                                           BuiltIn{"four_particle", 3.0}, BuiltIn{"heavy_top", 0.1},
                                           BuiltIn{"foucault_pendulum", 20.0}, BuiltIn{"mass_spring", 10.0},
                                           BuiltIn{"rolling_disk", 1.0}, BuiltIn{"spring_pendulum", 3.0},
                                           BuiltIn{"unit_circle", 10.0}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(WrittenOut, IsNotWhatIsTooLarge) {
  const Motion motion(example("double_four_bar"));
  const Plan plan = motion.equations().plan();
  EXPECT_FALSE(worth_writing_out(plan));
  EXPECT_EQ(built_in_series(widest_instruction_set(), fixed_plan(plan)), nullptr);
}

/// Damping brings terms that the steps of an undamped system do not have.
TEST(WrittenOut, IsAnotherPlanWithOtherTerms) {
  const TextSystem text = example("double_spherical_pendulum");
  const std::vector<double> parameters = default_parameters(text);
  const auto plan_with = [&](const std::vector<bool>& zeros) {
    return fixed_plan(
        Equations(text.mechanics(), static_cast<int>(parameters.size()), {}, {}, {}, zeros).plan());
  };
  EXPECT_EQ(plan_with(zeros_of(parameters)), plan_with(zeros_of(parameters)));
  EXPECT_NE(plan_with(zeros_of(parameters)), plan_with({}));
}

}  // namespace
}  // namespace livens::taylor
