// The claims of gamma-convergence-constrained: two forms of one scheme, and the root that must not be taken.

#include <fmt/format.h>
#include <cmath>

#include "tests/papers/studies.hpp"

namespace livens {
namespace {

ensembles::Result double_pendulum(const char* scheme, double h) {
  return integrate(
      fmt::format("[system]\nname = \"double_spherical_pendulum\"\n[scheme]\nname = \"{}\"\n"
                  "step = {}\nend = 10.0\nnewton.tolerance = 0.0\n[output]\nevery = 1\n"
                  "trajectories = 1\n",
                  scheme, h));
}

/// Largest |u_{i+1} - u_i|/h over the run, of Table 1.
double largest_rate(const ensembles::Result& result, double h) {
  double largest = 0.0;
  for (std::size_t k = 1; k < result.time.size(); ++k) {
    double sum = 0.0;
    for (int c = 0; c < 6; ++c) {
      const double d = entry(result, result.trajectories.q, 0, k, 6, c) -
                       entry(result, result.trajectories.q, 0, k - 1, 6, c);
      sum += d * d;
    }
    largest = std::max(largest, std::sqrt(sum) / h);
  }
  return largest;
}

// multibody.md section 5: the forms agree to 2e-12, in what Table 1 shows, too: what the printed form says of
// a step, max_discrete_speed, is what the nodes say.
TEST(DoubleSphericalPendulum, MultipliersAndNullSpaceAreOneScheme) {
  for (const double h : {0.1, 0.01}) {
    const auto multiplier = double_pendulum("del_multiplier", h),
               null_space = double_pendulum("del_nullspace", h);
    ASSERT_EQ(multiplier.failed() + null_space.failed(), 0);
    const double rate = largest_rate(null_space, h), rounding = 1e-12 * rate + 10 * 2.2e-16 * 2 / h;
    EXPECT_NEAR(largest_rate(multiplier, h), rate, rounding);
    for (const auto* run : {&multiplier, &null_space})
      EXPECT_NEAR(run->instances["max_discrete_speed"][0], rate, rounding);
    for (int c = 0; c < 6; ++c)
      EXPECT_NEAR(multiplier.instances.final_q[c], null_space.instances.final_q[c], 2e-12) << h;
  }
}

// Example 3.1: the angle of a physical step is the same in every step, and u.u' stays positive. No instance,
// however fast, ends on the spurious root u_{i+1} = -u_{i-1}: it goes on physically or is marked.
TEST(UnitCircle, NeverOnTheSpuriousRoot) {
  for (const char* scheme : {"del_multiplier", "del_nullspace"}) {
    const auto result = run_study("unit_circle", {{"\"del_multiplier\"", std::string("\"") + scheme + "\""},
                                                  {"end  = 10.0", "end = 10.0\nretry = 0"},
                                                  {"every = 10", "every = 1"},
                                                  {"trajectories = 4", "trajectories = 60"}});
    std::int64_t marked = 0, slow = 0;
    const std::size_t K = result.time.size();
    for (std::size_t r = 0; r < 60; ++r) {
      marked += result.instances.status[r] == static_cast<std::uint8_t>(Status::wrong_branch);
      slow += result.instances.status[r] == 0;
      for (std::size_t k = 1; k < K; ++k) {
        const auto u = [&](std::size_t at, int c) {
          return entry(result, result.trajectories.q, r, at, 2, c);
        };
        if (std::isnan(u(k, 0))) break;
        EXPECT_GT(u(k, 0) * u(k - 1, 0) + u(k, 1) * u(k - 1, 1), 0.0) << scheme << ", instance " << r;
      }
    }
    EXPECT_GE(slow, 20) << scheme;  // h v up to sin(pi/2) can be followed
    EXPECT_EQ(slow + marked + (result.failed() - marked), 60);
    EXPECT_GT(result.failed(), 20) << scheme;  // faster ones cannot
  }
}

}  // namespace
}  // namespace livens
