// E_n - E_0 + dissipated energy, with viscous elements.

#include "runs.hpp"

namespace livens::reference {
namespace {

double largest_imbalance(const std::vector<Node>& nodes) {
  return largest(nodes,
                 [&](const Node& node) { return std::abs(node.energy - nodes[0].energy + node.dissipated); });
}

std::vector<Node> damped(const std::string& system, const Options& options, int steps) {
  const Model model = damped_model(system);
  return run(model, options, general_state(model), steps);
}

constexpr double end = 1.0;
std::vector<Node> damped_particles(const std::string& scheme, int steps) {
  return damped("four_particle", {scheme, end / steps, 0.0}, steps);
}

// holonomic.md section 10: exact in every step; the round-off is that of the undamped energy
// (conservation.cpp).
TEST(EnergyBalance, OfEmsAndLivensIsExact) {
  for (const std::string system : {"four_particle", "double_four_bar", "heavy_top", "mass_spring",
                                   "spring_pendulum", "double_spherical_pendulum", "unit_circle"}) {
    for (const std::string scheme : {"ems", "livens"}) {
      if (!applicable({system, {}}, scheme)) continue;
      const int steps = 100;
      const auto nodes = damped(system, {scheme, 0.01, 0.0}, system == "double_four_bar" ? 20 : steps);
      const double terms = energy_terms(nodes) + nodes[0].p.norm() * nodes[0].q.norm() / 0.01;
      EXPECT_GT(nodes.back().dissipated, 1e-3 * energy_terms(nodes)) << system;
      EXPECT_LT(largest_imbalance(nodes), std::sqrt(steps) * 16.0 * eps * terms) << system << " " << scheme;
    }
  }
}

// The others keep the balance to their order: halving h divides its error by 2^order, up to O(h).
TEST(EnergyBalance, OfTheOthersIsOfTheirOrder) {
  for (const std::string system :
       {"four_particle", "heavy_top", "double_spherical_pendulum", "unit_circle"}) {
    const double length = system == "heavy_top" ? end / 4.0 : end;  // it spins at 9 rad/s, the others swing
    for (const std::string scheme :
         {"ggl_vi", "vi_a", "vi_b", "ggl_mp", "rattle", "del_multiplier", "del_nullspace"}) {
      const auto imbalance = [&](int steps) {
        return largest_imbalance(damped(system, {scheme, length / steps, 0.0}, steps));
      };
      EXPECT_NEAR(std::log2(imbalance(200) / imbalance(400)), published_order(scheme), 0.15)
          << system << " " << scheme;
    }
  }
}

// The same motion in the limit, by a scheme whose order is two: O(h^2), for ggl_vi and vi_b O(h).
TEST(EnergyBalance, DampedMotionIsTheSameForAllSchemes) {
  for (const std::string scheme :
       {"ggl_vi", "vi_a", "vi_b", "ggl_mp", "livens", "rattle", "del_multiplier", "del_nullspace"}) {
    const auto distance = [&](int steps) {
      return (damped_particles(scheme, steps).back().q - damped_particles("ems", steps).back().q).norm();
    };
    EXPECT_NEAR(std::log2(distance(50) / distance(100)), published_order(scheme), 0.15) << scheme;
  }
}

// For alpha /= 1/2 they are of order one, and vi_a does not last: one step errs by O(h^2), without the force
// or with half of it by O(h).
TEST(EnergyBalance, OfViAAndViBHoldsForEveryAlpha) {
  for (const std::string scheme : {"vi_a", "vi_b"}) {
    for (const double alpha : {0.3, 0.8}) {
      const auto error = [&](double h) {
        Options options{scheme, h, 0.0};
        options.given["alpha"] = alpha;
        return largest_imbalance(damped("four_particle", options, 1));
      };
      EXPECT_NEAR(std::log2(error(2e-3) / error(1e-3)), 2.0, 0.1) << scheme << " " << alpha;
    }
  }
}

// A step dissipates h v.C v >= 0.
TEST(EnergyBalance, DissipationNeverDecreases) {
  for (const std::string scheme :
       {"ggl_vi", "vi_a", "vi_b", "ems", "ggl_mp", "livens", "rattle", "del_multiplier", "del_nullspace"}) {
    const auto nodes = damped_particles(scheme, 100);
    for (std::size_t n = 1; n < nodes.size(); ++n)
      EXPECT_GE(nodes[n].dissipated, nodes[n - 1].dissipated) << scheme;
  }
}

}  // namespace
}  // namespace livens::reference
