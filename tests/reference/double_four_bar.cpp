// The linkage through its singular configuration theta = 0, where G has rank 27 (holonomic.md section 8).

#include <Eigen/QR>

#include "reference/system.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

const Model model{"double_four_bar", {}};

/// At sin theta = s, with theta' = -5.
State near_horizontal(double s) {
  const double c = std::sqrt(1.0 - s * s), rate = 5.0;
  State state{VectorXd::Zero(30), VectorXd::Zero(30)};
  for (int bar = 0; bar < 3; ++bar) {  // phi, d1, d2
    state.q.segment(6 * bar, 6) << bar + 0.5 * c, 0.5 * s, c, s, -s, c;
    state.v.segment(6 * bar, 6) << rate * VectorXd{{0.5 * s, -0.5 * c, s, -c, c, s}};
  }
  for (int bar = 3; bar < 5; ++bar) {
    state.q.segment(6 * bar, 6) << bar - 2.5 + c, s, 1, 0, 0, 1;
    state.v.segment(6 * bar, 2) << rate * s, -rate * c;
  }
  return state;
}

class Linkage : public ::testing::TestWithParam<std::string> {};

// A trajectory that steps across without hitting it with a node or a midpoint passes with every scheme, and
// stays on its branch: there is another one, on which bars 4 and 5 turn. Across, condition numbers are 1e7
// and more.
TEST_P(Linkage, CrossesTheSingularConfiguration) {
  const auto nodes = run(model, {GetParam(), 1e-3, 0.0}, near_horizontal(0.0215), 10);
  EXPECT_GT(nodes[4].q[3], 0.0);
  EXPECT_LT(nodes[5].q[3], 0.0);
  EXPECT_NEAR(nodes[10].q[3], 0.0215 - 10 * 5e-3, 1e-3) << "accelerations of 12 over 0.01 s";
  for (const Node& node : nodes) {
    EXPECT_NEAR(node.q[21], 0.0, 1e-8) << "bar 4 stays horizontal";
    EXPECT_NEAR(node.q[27], 0.0, 1e-8) << "bar 5 stays horizontal";
  }
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Linkage,
                         ::testing::Values("ggl_vi", "vi_a", "vi_b", "ems", "ggl_mp", "livens",
                                           "del_multiplier", "del_nullspace", "rattle"));

// Exactly there the schemes with G at the start of the step are singular, the midpoint schemes pass.
TEST(Linkage, StartsAtTheSingularConfigurationWithTheMidpointSchemes) {
  const State state = near_horizontal(0.0);
  EXPECT_EQ(Eigen::ColPivHouseholderQR<MatrixXd>(constraint_jacobian(make_system(model), state.q)).rank(),
            27);
  for (const std::string scheme : {"vi_a", "ems", "ggl_mp", "livens"}) {
    EXPECT_NEAR(run(model, {scheme, 1e-3, 0.0}, state, 2).back().q[3], -0.01, 1e-3) << scheme;
  }
  for (const std::string scheme : {"ggl_vi", "vi_b", "rattle", "del_multiplier"}) {
    try {
      Integrator(model, {scheme, 1e-3, 0.0}, state).advance();
      FAIL() << scheme;
    } catch (const StepFailure& failure) {
      EXPECT_EQ(failure.reason, Failure::singular_matrix) << scheme;
    }
  }
}

TEST(Linkage, GglViFailsAtALargeStep) {  // holonomic.md section 8: at h = 0.1
  EXPECT_THROW(run(model, {"ggl_vi", 0.1, 1e-12}, default_state(model), 10), StepFailure);
}

}  // namespace
}  // namespace livens::reference
