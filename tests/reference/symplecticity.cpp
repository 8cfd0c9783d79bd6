// dq1.dp2 - dq2.dp1 of two variations of the solution is conserved by the variational integrators and
// RATTLE, and not by the others. With p0 in place of p1 behind W in (41b), as printed, ggl_vi misses this by
// 3e-4 to 3e-2.

#include "runs.hpp"

namespace livens::reference {
namespace {

struct Form {
  double before, after, scale;
};

// The nodes 0 and 5 of runs displaced to either side; few steps, for the defect of each to add up. Central
// differences err by displacement^2 = 1e-8 times the ratio of third derivatives to first, which a hundred
// bounds for steps of a tenth of a radian.
constexpr double accuracy = 1e-6;

Form form(const std::string& system, const Options& options) {
  const Model model = general_model(system);
  const State state = general_state(model);
  constexpr double displacement = 1e-4;
  struct Variation {
    VectorXd dq0, dp0, dq1, dp1;
  };
  const auto variation = [&](double phase) {
    std::vector<std::vector<Node>> sides;
    for (const double side : {-displacement, displacement}) {
      State displaced = state;
      for (Eigen::Index i = 0; i < state.q.size(); ++i) {
        displaced.q[i] += side * std::sin(phase + 2.3 * static_cast<double>(i));
        displaced.v[i] += side * std::cos(phase + 1.7 * static_cast<double>(i));
      }
      sides.push_back(run(model, options, project(model, displaced), 5));
    }
    const auto difference = [&](const VectorXd& a, const VectorXd& b) {
      return VectorXd((b - a) / (2.0 * displacement));
    };
    return Variation{difference(sides[0].front().q, sides[1].front().q),
                     difference(sides[0].front().p, sides[1].front().p),
                     difference(sides[0].back().q, sides[1].back().q),
                     difference(sides[0].back().p, sides[1].back().p)};
  };
  const Variation a = variation(0.3), b = variation(1.9);
  return {a.dq0.dot(b.dp0) - b.dq0.dot(a.dp0), a.dq1.dot(b.dp1) - b.dq1.dot(a.dp1),
          a.dq1.norm() * b.dp1.norm() + b.dq1.norm() * a.dp1.norm()};
}

// Small enough for the top, which turns by 0.1 rad in 0.01 s, and for the linkage, which moves at 2 rad/s.
double step_of(const std::string& system) {
  return system == "heavy_top" || system == "double_four_bar" ? 0.01 : 0.05;
}

class Symplecticity : public ::testing::TestWithParam<Pair> {};

TEST_P(Symplecticity, OfOneStepOnTheConstraintManifold) {
  const auto& [system, scheme] = GetParam();
  const auto [before, after, scale] = form(system, {scheme, step_of(system), 0.0});
  EXPECT_NEAR(after, before, accuracy * scale);
  EXPECT_GT(std::abs(before), 1e-2 * scale) << "the two variations say something";
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Symplecticity,
                         ::testing::ValuesIn(pairs({"ggl_vi", "vi_a", "vi_b", "del_multiplier",
                                                    "del_nullspace", "rattle"})),
                         pair_name);

TEST(Symplecticity, HoldsForEveryAlphaAndTheta) {
  for (const std::string scheme : {"vi_a", "vi_b"}) {
    for (const double alpha : {0.4, 0.6, 1.0}) {
      for (const double theta : {0.0, 0.3}) {
        if (scheme == "vi_a" && (alpha == 1.0 || theta > 0.0)) continue;  // has no theta; singular at 1
        Options options{scheme, 0.05, 0.0};
        options.given["alpha"] = alpha;
        if (scheme == "vi_b") options.given["theta"] = theta;
        const auto [before, after, scale] = form("four_particle", options);
        EXPECT_NEAR(after, before, accuracy * scale) << scheme << " " << alpha << " " << theta;
      }
    }
  }
}

TEST(Symplecticity, IsAbsentFromTheEnergyMomentumAndMidpointSchemes) {
  for (const std::string system : {"four_particle", "double_spherical_pendulum"}) {
    for (const std::string scheme : {"ems", "ggl_mp", "livens"}) {
      const auto [before, after, scale] = form(system, {scheme, 0.05, 0.0});
      EXPECT_GT(std::abs(after - before), 10.0 * accuracy * scale) << system << " " << scheme;
    }
  }
}

}  // namespace
}  // namespace livens::reference
