// The claims of livens-energy-consistent beside its figures, which python/livens/gallery holds to their
// numbers.

#include <cmath>

#include "tests/papers/studies.hpp"

namespace livens {
namespace {

// systems.md: the end state with derivative = "plain", eight digits.
TEST(SpringPendulum, EndState) {
  const auto result = run_study("spring_pendulum");
  const double expected[] = {1.02215969, 2.35597075, 1.54143495};
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(result.instances.final_q[3 + c], expected[c], 0.51e-8);
}

// holonomic.md section 5: through invariants p_phi is exact, with Gonzalez' gradient it is not.
TEST(SpringPendulum, MomentumNeedsTheInvariants) {
  const auto plain = run_study("spring_pendulum");
  const auto invariants = run_study("spring_pendulum", {{"\"plain\"", "\"invariants\""}});
  EXPECT_GT(plain.instances["max_momentum_error"][1], 1e-6);
  EXPECT_LT(invariants.instances["max_momentum_error"][1], 100 * 8 * eps / 0.01);
}

// Section 6.1: a singular mass matrix; energy and both constraints at round-off.
TEST(MassSpring, EnergyAndConstraintsAtRoundOff) {
  const auto result = run_study("mass_spring");
  ASSERT_EQ(result.failed(), 0);
  for (std::size_t i = 0; i < 256; ++i) {
    EXPECT_LT(result.instances["max_energy_error"][i],
              100 * 10 * eps * result.instances["energy_scale"][i] / 0.1);
    EXPECT_LT(result.instances["max_constraint"][i], 16 * eps * 4);
    EXPECT_LT(result.instances["max_velocity_constraint"][i], 100 * 4 * eps * 2 / 0.1);
  }
}

// holonomic.md section 7: angular momentum drifts by 1.3e-2 with the plain derivative, not with invariants.
TEST(FourParticle, LivensMomentum) {
  const auto run = [](const char* derivative) {
    return integrate(std::string("[system]\nname = \"four_particle\"\n[scheme]\nname = \"livens\"\n"
                                 "newton.tolerance = 0.0\nderivative = \"") +
                     derivative + "\"\n");
  };
  EXPECT_NEAR(run("plain").instances["max_momentum_error"][0], 1.3e-2, 0.05e-2);
  EXPECT_LT(run("invariants").instances["max_momentum_error"][0], 24 * eps * 50 * 200);
}

}  // namespace
}  // namespace livens
