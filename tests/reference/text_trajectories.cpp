// Whole runs of systems written as text: as the built-in ones, and of systems that exist only as text.

#include "text_systems.hpp"

namespace livens::reference {
namespace {

Options by_invariants(const std::string& scheme, double step) {
  Options options{scheme, step};
  // By invariants the built-in V, and T with a constant M, have the discrete gradients of their texts.
  if (scheme == "livens") options.given["derivative"] = "invariants";
  return options;
}

double distance(const Node& a, const Node& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

class TextTrajectories : public ::testing::TestWithParam<Pair> {};

TEST_P(TextTrajectories, AreTheBuiltInOnes) {
  const auto& [system, scheme] = GetParam();
  const int steps = system == "double_four_bar" ? 5 : 20;
  const Model model = damped_model(system);
  const Model as_text = text_model(model);
  const Options options = by_invariants(scheme, 0.01);
  const State initial = general_state(model);

  Integrator built_in(model, options, initial), text(as_text, options, initial);
  double largest = distance(built_in.node(), text.node());
  EXPECT_EQ(largest, 0.0);
  for (int n = 0; n < steps; ++n) largest = std::max(largest, distance(built_in.advance(), text.advance()));
  // A step is solved to some tens of eps times the condition of its scaled matrix, and what it errs grows
  // with the motion. Velocities are lengths divided by h.
  const double round_off = 64.0 * eps * steps * growth(model, options, initial, steps) *
                           std::max(1.0, built_in.condition()) *
                           std::max(1.0, initial.q.lpNorm<Eigen::Infinity>());
  EXPECT_LE(largest, round_off);
  EXPECT_LT(round_off, 1e-6);  // far below what another discrete gradient would change

  const Node &a = built_in.node(), &b = text.node();
  const double terms = std::abs(a.total_energy) + a.kinetic_energy + a.p.norm() * a.q.norm() + 1.0;
  EXPECT_NEAR(b.energy, a.energy, terms * round_off);
  EXPECT_NEAR(b.dissipated, a.dissipated, terms * round_off);
  EXPECT_NEAR(b.work, a.work, terms * round_off);
  EXPECT_LE((b.momentum - a.momentum).norm(), terms * round_off);
}

/// A text gives no exponential map, and the built-in spring pendulum has a discrete gradient of T of its own.
std::vector<Pair> comparable() {
  std::vector<Pair> all = without("spring_pendulum", pairs());
  std::erase_if(all, [](const Pair& pair) { return pair.scheme == "del_nullspace"; });
  return all;
}
INSTANTIATE_TEST_SUITE_P(Pairs, TextTrajectories, ::testing::ValuesIn(comparable()), pair_name);

/// Two masses in the plane by the angles of their rods from the vertical: M depends on q, m = 0.
TextDescription double_pendulum() {
  return {.name = "double_pendulum",
          .coordinates = {{"a"}, {"b"}},
          .parameters = {{"mass", {1.3, 0.8}, true}, {"length", {0.7, 1.1}, true}, {"gravity", {9.81}}},
          .kinetic =
              "1/2*mass[0]*(length[0]*a')^2 + 1/2*mass[1]*((length[0]*a')^2 + (length[1]*b')^2"
              " + 2*length[0]*length[1]*cos(a - b)*a'*b')",
          .potential = "-(mass[0] + mass[1])*gravity*length[0]*cos(a) - mass[1]*gravity*length[1]*cos(b)",
          .rayleigh = {},
          .action_damping = {},
          .constraints = {},
          .nonholonomic = {},
          .momentum = {},
          .force = {},
          .initial_position = {{"a", {"1.2"}}, {"b", {"-0.4"}}},
          .initial_velocity = {{"b", {"0.5"}}}};
}

double energy_error(const Model& model, const std::string& scheme, double step, int steps) {
  const std::vector<Node> nodes = run(model, {scheme, step}, default_state(model), steps);
  const double start = nodes[0].energy;
  return largest(
      nodes, [&](const Node& node) { return std::abs(node.energy + node.dissipated - node.work - start); });
}

// A step that is solved to round-off leaves some tens of eps of the terms of the energy, here below 100 J.
constexpr double energy_round_off(int steps) { return 64.0 * eps * 100.0 * steps; }

TEST(TextMotions, EnergyIsConservedToRoundOffByDiscreteGradients) {
  const Model cart = model_of(cart_pendulum()), damped = model_of(cart_pendulum(), {{"drag", {0.4}}}),
              angles = model_of(double_pendulum());
  EXPECT_LT(energy_error(cart, "ems", 0.01, 300), energy_round_off(300));
  EXPECT_LT(energy_error(cart, "livens", 0.01, 300), energy_round_off(300));
  EXPECT_LT(energy_error(damped, "ems", 0.01, 300), energy_round_off(300));
  EXPECT_LT(energy_error(angles, "livens", 0.01, 300), energy_round_off(300));
  const Model driven = model_of(driven_cart_pendulum(), {{"drag", {0.4}}});
  EXPECT_GT(largest(run(driven, {"ems", 0.01}, default_state(driven), 300),
                    [](const Node& node) { return std::abs(node.work); }),
            0.1);
  EXPECT_LT(energy_error(driven, "ems", 0.01, 300), energy_round_off(300));
  EXPECT_LT(energy_error(driven, "livens", 0.01, 300), energy_round_off(300));
  EXPECT_GT(energy_error(cart, "ggl_mp", 0.01, 300), 1e4 * energy_round_off(300));  // not by every scheme
}

// A mass that slides to rest, m v' = -c m v: holonomic.md, section 10.
TEST(TextMotions, DampingAloneSlowsDownAsTheEquationsSay) {
  TextDescription text;
  text.name = "sliding_mass";
  text.coordinates = {{"x"}};
  text.parameters = {{"mass", {1.7}}, {"drag", {0.9}}};
  text.kinetic = "1/2*mass*x'^2";
  text.rayleigh = "1/2*drag*x'^2";
  text.initial_velocity = {{"x", {"1.3"}}};
  const Model model = model_of(text);
  const double h = 0.4, ch = 0.9 / 1.7 * h;
  const auto left = [&](Options options) {
    options.step = h;
    const std::vector<Node> nodes = run(model, options, default_state(model), 1);
    return nodes[1].p[0] / nodes[0].p[0];
  };
  const double rounding = 16.0 * eps;
  for (const std::string scheme : {"rattle", "del_multiplier", "ems", "livens", "ggl_mp"})
    EXPECT_NEAR(left({scheme}), (2.0 - ch) / (2.0 + ch), rounding) << scheme;
  EXPECT_NEAR(left({"ggl_vi"}), 1.0 / (1.0 + ch), rounding);
  for (const auto& [scheme, alpha] : std::vector<std::pair<std::string, double>>{
           {"vi_a", 0.3}, {"vi_b", 0.0}, {"vi_b", 0.3}, {"vi_b", 1.0}}) {
    Options options{scheme};
    options.given["alpha"] = alpha;
    EXPECT_NEAR(left(options), (1.0 - alpha * ch) / (1.0 + (1.0 - alpha) * ch), rounding)
        << scheme << " " << alpha;
  }
  EXPECT_LT(energy_error(model, "rattle", h, 20), energy_round_off(20));  // where no other force acts
}

TEST(TextMotions, WithoutConstraintsEverySchemeHasItsOrder) {
  const Model model = model_of(cart_pendulum());
  const State initial = default_state(model);
  const auto end = [&](const std::string& scheme, int steps) {
    const Node node = run(model, {scheme, 0.16 / steps}, initial, steps).back();
    return node.q;
  };
  const VectorXd best = end("ems", 512);  // of order 2, 16 times finer: its own error is below 1 per cent
  for (const std::string scheme :
       {"ems", "livens", "rattle", "ggl_mp", "ggl_vi", "vi_a", "vi_b", "del_multiplier"}) {
    ASSERT_TRUE(applicable(model, scheme)) << scheme;
    const double coarse = (end(scheme, 16) - best).norm(), fine = (end(scheme, 32) - best).norm();
    EXPECT_NEAR(std::log2(coarse / fine), published_order(scheme), 0.15) << scheme;
  }
}

TEST(TextMotions, ConstraintsThatAreNotQuadratic) {
  TextDescription text = cart_pendulum();  // the rod as a length, not as its square; no longer elastic
  text.name = "rod_on_a_cart";
  text.potential = "bob*gravity*y";
  text.constraints = {"sqrt(x^2 + y^2) - rest"};
  const Model model = model_of(text);
  text.constraints = {"(x^2 + y^2 - rest^2)/2"};
  const Model squared = model_of(text);
  const State initial = project(model, default_state(model));
  // The direction of G, and of Dbar g, is all that they know.
  for (const std::string scheme : {"rattle", "del_multiplier", "ems", "livens"}) {
    const Node a = run(model, {scheme, 0.01}, initial, 50).back();
    const Node b = run(squared, {scheme, 0.01}, initial, 50).back();
    // The motion of half a second is not chaotic: 50 steps of some hundred eps.
    EXPECT_LT(distance(a, b), 50 * 1e4 * eps) << scheme;
    EXPECT_LT(a.constraint, 64.0 * eps) << scheme;
  }
}

}  // namespace
}  // namespace livens::reference
