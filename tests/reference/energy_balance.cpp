// E_n - E_0 + dissipated energy, with the viscous elements of the four particles and of the linkage.

#include "runs.hpp"

namespace livens::reference {
namespace {

double largest_imbalance(const std::vector<Node>& nodes) {
  return largest(nodes,
                 [&](const Node& node) { return std::abs(node.energy - nodes[0].energy + node.dissipated); });
}

std::vector<Node> damped(const std::string& system, const Options& options, int steps) {
  Model model = general_model(system);
  model.parameters["damping"] = {0.3, 0.7};
  return run(model, options, general_state(model), steps);
}

constexpr double end = 1.0;
std::vector<Node> damped_particles(const std::string& scheme, int steps) {
  return damped("four_particle", {scheme, end / steps, 0.0}, steps);
}

// holonomic.md section 10: exact in every step; the round-off is that of the undamped energy
// (conservation.cpp).
TEST(EnergyBalance, OfEmsAndLivensIsExact) {
  for (const std::string system : {"four_particle", "double_four_bar"}) {
    for (const std::string scheme : {"ems", "livens"}) {
      const int steps = 100;
      const auto nodes = damped(system, {scheme, 0.01, 0.0}, system == "four_particle" ? steps : 20);
      const double terms = energy_terms(nodes) + nodes[0].p.norm() * nodes[0].q.norm() / 0.01;
      EXPECT_GT(nodes.back().dissipated, 0.05) << system;
      EXPECT_LT(largest_imbalance(nodes), std::sqrt(steps) * 16.0 * eps * terms) << system << " " << scheme;
    }
  }
}

// The others keep the balance to their order: halving h divides its error by 2^order, up to O(h).
TEST(EnergyBalance, OfTheOthersIsOfTheirOrder) {
  for (const std::string scheme :
       {"ggl_vi", "vi_a", "vi_b", "ggl_mp", "rattle", "del_multiplier", "del_nullspace"}) {
    const double coarse = largest_imbalance(damped_particles(scheme, 200)),
                 fine = largest_imbalance(damped_particles(scheme, 400));
    EXPECT_NEAR(std::log2(coarse / fine), published_order(scheme), 0.15) << scheme;
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
