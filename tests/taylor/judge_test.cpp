// Taylor series and CVODE: two programs, two formulations, and two readers of the text.

#include "host/pairs/text_reference.hpp"
#include "tests/taylor/motion.hpp"
#include "true_motion/true_motion.hpp"

namespace livens::taylor {
namespace {

class Judged : public ::testing::TestWithParam<std::string> {};

// CVODE's error over a motion this short is argued to be 1e4 tolerances at most in tests/true_motion; what
// grows between the two grows in less than a second.
TEST_P(Judged, ByCvode) {
  const TextSystem text = example(GetParam());
  const auto read = host::read_by_reference(text);
  ASSERT_TRUE(read);
  Motion motion(text);
  motion.to(0.0);
  reference::State initial{reference::VectorXd(text.info().coordinates),
                           reference::VectorXd(text.info().coordinates)};
  std::ranges::copy(motion.q(), initial.q.begin());
  std::ranges::copy(motion.v(), initial.v.begin());
  constexpr double tolerance = 1e-12;
  true_motion::Integrator judge({text.name(), {}, read}, {"reference_ode", 0.5, tolerance, 1e-2 * tolerance},
                                initial);
  const reference::Node& node = judge.advance();
  motion.to(0.5);
  const std::vector<double> q(node.q.begin(), node.q.end()), v(node.v.begin(), node.v.end());
  const double bound = 1e4 * tolerance;
  EXPECT_LT(distance(motion.q(), q), bound * (1.0 + node.q.lpNorm<Eigen::Infinity>()));
  EXPECT_LT(distance(motion.v(), v), bound * (1.0 + node.v.lpNorm<Eigen::Infinity>()));
  EXPECT_NEAR(motion.group().dissipated(0), node.dissipated, bound * (1.0 + std::abs(node.energy)));
  EXPECT_NEAR(motion.group().work(0), node.work, bound * (1.0 + std::abs(node.energy)));
  const std::vector<double> multipliers = motion.multipliers();
  for (int k = 0; k < text.info().constraints; ++k)
    EXPECT_NEAR(
        multipliers[static_cast<std::size_t>(k)], node.lambda[k],
        bound * (1.0 + node.lambda.lpNorm<Eigen::Infinity>() * (1.0 + node.v.lpNorm<Eigen::Infinity>())));
}

INSTANTIATE_TEST_SUITE_P(Examples, Judged,
                         ::testing::Values("ball_in_wind", "bead_on_catenary", "cart_pendulum", "cart_pole",
                                           "chaplygin_sleigh", "charged_particle", "crank_by_motor",
                                           "double_four_bar", "double_pendulum_angles",
                                           "double_spherical_pendulum", "driven_cart", "driven_pivot",
                                           "four_particle", "four_pendulum", "heavy_top", "joint_friction",
                                           "mass_spring", "n_pendulum", "parametric_resonance",
                                           "penning_trap", "rolling_disk", "rotating_hoop", "slider_crank",
                                           "snakeboard", "spring_pendulum", "unit_circle"),
                         [](const auto& info) { return info.param; });

// The series of q and v reach beyond the poles of the multiplier, at r = 0: some seconds, to which that of the
// multiplier does not. By hand m w (c + 2 q.v/r^2), with w = earth_rate sin(latitude) and c the damping.
TEST(Multipliers, BehindTheirPoles) {
  const TextSystem text = example("foucault_pendulum");
  const double m = 28.0, w = 7.292115e-5 * std::sin(0.8552113334772214), c = 1e-4;
  Motion motion(text);
  for (int second = 1; second <= 40; ++second) {
    motion.to(second);
    const std::vector<double> q = motion.q(), v = motion.v();
    const double r2 = q[0] * q[0] + q[1] * q[1];
    const double rate = std::sqrt((v[0] * v[0] + v[1] * v[1]) / r2);  // of the terms that are added
    EXPECT_NEAR(motion.multipliers()[0], m * w * (c + 2.0 * (q[0] * v[0] + q[1] * v[1]) / r2),
                1e3 * eps * m * w * (c + rate))
        << second;
  }
}

}  // namespace
}  // namespace livens::taylor
