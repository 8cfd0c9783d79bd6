// The true motion of systems written as text, against that of the built-in ones and as the limit of a scheme
// whose discrete gradients follow the text.

#include <array>

#include "tests/reference/text_systems.hpp"
#include "true_motion/true_motion.hpp"

namespace livens::true_motion {
namespace {

using namespace livens::reference;

Node end(const Model& model, const std::string& scheme, const State& initial) {
  const double tolerance = scheme == "reference_ode" ? 1e-12 : 1e-9;
  Integrator integrator(model, {scheme, 0.5, tolerance, 1e-2 * tolerance}, initial);
  return integrator.advance();
}

class TextMotion : public ::testing::TestWithParam<std::string> {};

// The same equations of motion in the same variables, except where the built-in ones are written out: up to
// the error of the solver, which integrators.cpp argues to be 1e4 tolerances at most.
TEST_P(TextMotion, IsTheBuiltInOne) {
  const Model model = damped_model(GetParam());
  const Model text = text_model(model);
  const State initial = general_state(model);
  for (const std::string scheme : {"reference_ode", "reference_dae"}) {
    ASSERT_EQ(true_motion::applicable(text, scheme), true_motion::applicable(model, scheme)) << scheme;
    if (!true_motion::applicable(text, scheme)) continue;
    const Node a = end(model, scheme, initial), b = end(text, scheme, initial);
    const double bound = 1e4 * (scheme == "reference_ode" ? 1e-12 : 1e-9);
    EXPECT_LT((a.q - b.q).norm(), bound * (1.0 + a.q.norm())) << scheme;
    EXPECT_LT((a.v - b.v).norm(), bound * (1.0 + a.v.norm())) << scheme;
    EXPECT_NEAR(a.dissipated, b.dissipated, bound * (1.0 + std::abs(a.dissipated))) << scheme;
    EXPECT_NEAR(a.work, b.work, bound * (1.0 + std::abs(a.work))) << scheme;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, TextMotion,
                         ::testing::Values("four_particle", "double_spherical_pendulum", "spring_pendulum",
                                           "mass_spring", "foucault_pendulum", "rolling_disk"),
                         [](const auto& info) { return info.param; });

// Loads and damping: of order 2 towards the true motion, in the work and the dissipation, too.
TEST(TextMotion, IsTheLimitOfTheSchemesWithLoads) {
  const Model model = model_of(driven_cart_pendulum(), {{"drag", {0.4}}});
  const State initial = default_state(model);
  const Node exact = end(model, "reference_ode", initial);
  for (const std::string scheme : {"ems", "livens", "ggl_mp", "del_multiplier"}) {
    const auto errors = [&](int steps) {
      const Node node = run(model, {scheme, 0.5 / steps}, initial, steps).back();
      return std::array{(node.q - exact.q).norm(), std::abs(node.work - exact.work),
                        std::abs(node.dissipated - exact.dissipated)};
    };
    const auto coarse = errors(100), fine = errors(200);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 2.0, 0.1) << scheme << " " << i;
  }
}

// M(q), by livens: of order 2 towards the true motion. At h = 0.01 the error is of some 1e-4, the terms of
// order 4 beside it smaller by h^2.
TEST(TextMotion, IsTheLimitOfLivens) {
  const Model model = text_model(general_model("spring_pendulum"));
  const State initial = general_state(model);
  const Node exact = end(model, "reference_ode", initial);
  const auto error = [&](int steps) {
    const Node node = run(model, {"livens", 0.5 / steps}, initial, steps).back();
    return (node.q - exact.q).norm();
  };
  EXPECT_NEAR(std::log2(error(50) / error(100)), 2.0, 0.05);
}

}  // namespace
}  // namespace livens::true_motion
