// Order of convergence of positions and velocities, by self-comparison on three step sizes, and the common
// limit of all schemes.

#include "reference/equations_of_motion.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

struct Span {
  double end;
  int steps;
};

// The top turns by 0.01 rad in a step; near upright as it starts the linkage moves at 2 rad/s.
Span span_of(const std::string& system) {
  if (system == "heavy_top") return {0.05, 50};
  if (system == "double_four_bar") return {0.01, 10};
  return {0.5, 100};
}

// ggl_vi and vi_b differ from symmetric schemes only by the place of the forces; the circle has none.
int expected_order(const Pair& pair) {
  return pair.system == "unit_circle" ? 2 : published_order(pair.scheme);
}

class Order : public ::testing::TestWithParam<Pair> {};

// With e(h) = x_h - x_{h/2} at a fixed time, log2 |e(h)|/|e(h/2)| = p + O(h): at these steps within 0.1 of p.
TEST_P(Order, IsThatOfThePaper) {
  const Model model = general_model(GetParam().system);
  const State initial = general_state(model);
  const Span span = span_of(model.system);
  const auto end = [&](int refinement) {
    const int steps = refinement * span.steps;
    const Node node = run(model, {GetParam().scheme, span.end / steps, 0.0}, initial, steps).back();
    VectorXd x(node.q.size() + node.v.size());
    x << node.q, node.v;
    return x;
  };
  const VectorXd x1 = end(1), x2 = end(2), x4 = end(4);
  EXPECT_NEAR(std::log2((x1 - x2).norm() / (x2 - x4).norm()), expected_order(GetParam()), 0.1);
}

INSTANTIATE_TEST_SUITE_P(AllPairs, Order, ::testing::ValuesIn(pairs()), pair_name);

class Limit : public ::testing::TestWithParam<Pair> {};

// All schemes of a system approach the same motion: the difference to ems is O(h^2), for those of order one
// O(h); less where they share the leading term, as livens does for linear potentials.
TEST_P(Limit, IsThatOfEms) {
  const Model model = general_model(GetParam().system);
  const State initial = general_state(model);
  const Span span = span_of(model.system);
  const auto distance = [&](int refinement) {
    const int steps = refinement * span.steps;
    const Options options{GetParam().scheme, span.end / steps, 0.0}, ems{"ems", span.end / steps, 0.0};
    return (run(model, options, initial, steps).back().q - run(model, ems, initial, steps).back().q).norm();
  };
  const int order = expected_order(GetParam());
  const double coarse = distance(1), fine = distance(2);
  if (fine < 1e-12) return;  // on the circle ggl_mp and livens are ems
  EXPECT_GT(std::log2(coarse / fine), order - 0.1);
}

INSTANTIATE_TEST_SUITE_P(Holonomic, Limit,
                         ::testing::ValuesIn(pairs({"ggl_vi", "vi_a", "vi_b", "ggl_mp", "livens",
                                                    "del_multiplier", "del_nullspace", "rattle"},
                                                   "ems")),
                         pair_name);

class Multiplier : public ::testing::TestWithParam<Pair> {};

// That of the differential equation, with the other sign in (14) of del_multiplier and del_nullspace. Those
// of the first steps approach it with O(h), in the very first also where it stands for half a step. vi_b has
// the forces of a step behind its multiplier: the first one knows none of them. (On the circle they approach
// it faster.)
TEST_P(Multiplier, ApproachesThatOfTheDifferentialEquation) {
  const auto& [name, scheme] = GetParam();
  const Model model = general_model(name);
  const State start = general_state(model);
  const VectorXd lambda = equations_of_motion(make_system(model), start).lambda;
  const double sign = scheme.starts_with("del_") ? -1.0 : 1.0;
  for (const int n : {1, 2}) {
    if (scheme == "vi_b" && n == 1) continue;
    const auto error = [&](double h) {
      return (run(model, {scheme, h, 0.0}, start, n).back().lambda - sign * lambda).norm();
    };
    EXPECT_NEAR(error(2e-3) / error(1e-3), 2.0, 0.1) << "node " << n;
    EXPECT_LT(error(1e-3), 0.1 * lambda.norm()) << "node " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Holonomic, Multiplier,
    ::testing::ValuesIn(without("unit_circle", pairs({"ggl_vi", "vi_a", "vi_b", "ems", "ggl_mp", "livens",
                                                      "del_multiplier", "del_nullspace", "rattle"},
                                                     "ems"))),
    pair_name);

}  // namespace
}  // namespace livens::reference
