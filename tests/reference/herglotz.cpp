// The nonholonomic schemes in every variant: orders, starts, measurements, energy balance.

#include <Eigen/LU>

#include "reference/equations_of_motion.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

struct Case {
  std::string system, name;
  Options options;  // without the step
  int order;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.system << " " << c.name; }

/// No variant: the standard one.
Options options_of(const std::string& scheme, const std::string& variant,
                   const std::string& start = "legendre") {
  Options options{scheme};
  options.given["start"] = start;
  if (!variant.empty()) options.given["variant"] = variant;
  return options;
}

// herglotz.md sections 2 and 6.
std::vector<Case> cases(const std::string& start) {
  std::vector<Case> result;
  for (const std::string system : {"foucault_pendulum", "rolling_disk"}) {
    const bool naive = start == "naive";
    const auto add = [&](const std::string& name, const std::string& scheme, const std::string& variant,
                         int order) {
      result.push_back({system, name, options_of(scheme, variant, start), naive ? 1 : order});
    };
    add("contact_1_endpoint", "contact_1", "endpoint", 1);
    add("contact_1_left_z", "contact_1", "left_z", 1);
    add("contact_2", "contact_2", "", 2);
    add("lagrange_dalembert_endpoint", "lagrange_dalembert", "endpoint", 1);
    add("lagrange_dalembert_symmetric", "lagrange_dalembert", "symmetric", 2);
  }
  return result;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return info.param.system + "_" + info.param.name;
}

std::vector<Node> integrate(const Case& c, const Model& model, double end, int steps) {
  Options options = c.options;
  options.step = end / steps;
  return run(model, options, general_state(model), steps);
}
std::vector<Node> integrate(const Case& c, double end, int steps) {
  return integrate(c, general_model(c.system), end, steps);
}

/// (q, v) at the end, or another figure of the last node, against steps: log2 |e(h)|/|e(h/2)| = p + O(h)
/// with e(h) = x_h - x_{h/2}.
template <class Figure>
double observed_order(const Case& c, double end, int steps, const Figure& figure) {
  const VectorXd x1 = figure(integrate(c, end, steps)), x2 = figure(integrate(c, end, 2 * steps)),
                 x4 = figure(integrate(c, end, 4 * steps));
  return std::log2((x1 - x2).norm() / (x2 - x4).norm());
}

VectorXd position_and_velocity(const std::vector<Node>& nodes) {
  VectorXd x(2 * nodes.back().q.size());
  x << nodes.back().q, nodes.back().v;
  return x;
}

class NonholonomicOrder : public ::testing::TestWithParam<Case> {};

// From the discrete Legendre transform as herglotz.md says, from q1 = q0 + h v0 of order one, whatever the
// scheme.
TEST_P(NonholonomicOrder, OfPositionsAndVelocities) {
  EXPECT_NEAR(observed_order(GetParam(), 0.5, 200, position_and_velocity), GetParam().order, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Legendre, NonholonomicOrder, ::testing::ValuesIn(cases("legendre")), case_name);
INSTANTIATE_TEST_SUITE_P(Naive, NonholonomicOrder, ::testing::ValuesIn(cases("naive")), case_name);

class NonholonomicBalance : public ::testing::TestWithParam<Case> {};

// E_n - E_0 + D - W vanishes with h as the scheme's order says, or faster: without the work of the loads or
// of the affine constraint, or with its other sign, it would not vanish at all.
TEST_P(NonholonomicBalance, OfEnergyHoldsToTheOrder) {
  const auto imbalance = [](const std::vector<Node>& nodes) {
    return std::abs(nodes.back().energy - nodes[0].energy + nodes.back().dissipated - nodes.back().work);
  };
  const auto nodes = integrate(GetParam(), 0.5, 400);
  const double coarse = imbalance(integrate(GetParam(), 0.5, 200)), fine = imbalance(nodes);
  EXPECT_GT(std::abs(nodes.back().work), 20.0 * fine);
  EXPECT_GT(nodes.back().dissipated, 20.0 * fine);
  EXPECT_GT(std::log2(coarse / fine), GetParam().order - 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, NonholonomicBalance, ::testing::ValuesIn(cases("legendre")), case_name);

class NonholonomicNodes : public ::testing::TestWithParam<Case> {};

// CONTRACT section 3: p = M v with v on the constraint; the multiplier of a naive first step does not exist.
TEST_P(NonholonomicNodes, HaveConsistentVelocities) {
  const System system = make_system(general_model(GetParam().system));
  const auto nodes = integrate(GetParam(), 0.5, 50);
  const bool naive = GetParam().options.word("start", "") == "naive";
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    // Rows of A v + b with entries below max(1, |q|) and |v|; projection and evaluation take some ten
    // operations on each of five entries.
    const double terms = (1.0 + node.q.lpNorm<1>()) * node.v.lpNorm<1>();
    EXPECT_LT(node.velocity_constraint, 64.0 * eps * terms);
    EXPECT_LT((mass_matrix(system, node.q) * node.v - node.p).norm(), 64.0 * eps * node.p.norm());
    EXPECT_EQ(node.lambda.allFinite(), n > (naive ? 1 : 0)) << n;
    EXPECT_EQ(std::isnan(node.z), GetParam().options.scheme == "lagrange_dalembert");
  }
}

TEST_P(NonholonomicNodes, NaiveStartIsAStraightLine) {
  if (GetParam().options.word("start", "") != "naive") return;
  const auto nodes = integrate(GetParam(), 0.5, 50);
  EXPECT_EQ(nodes[1].q, VectorXd(nodes[0].q + 0.01 * nodes[0].v));
  EXPECT_EQ(nodes[1].newton_iterations, 0);
}

INSTANTIATE_TEST_SUITE_P(Legendre, NonholonomicNodes, ::testing::ValuesIn(cases("legendre")), case_name);
INSTANTIATE_TEST_SUITE_P(Naive, NonholonomicNodes, ::testing::ValuesIn(cases("naive")), case_name);

class NonholonomicMultiplier : public ::testing::TestWithParam<Case> {};

// herglotz.md section 5, item 11: -(1 - h D4) lambda of step j is the multiplier of (3.1) at t_j, to the
// order of the scheme; D4 = -alpha/2 in contact_2 alone. Multipliers of endpoint schemes act on velocities of
// half a step later.
TEST_P(NonholonomicMultiplier, IsThatOfTheDifferentialEquationUpToSignAndFactor) {
  const Model model = general_model(GetParam().system);
  const System system = make_system(model);
  const auto error = [&](int steps) {
    const double h = 0.5 / steps;
    const auto nodes = integrate(GetParam(), 0.5, steps);
    const Node &node = nodes.back(), &before = nodes[nodes.size() - 2];
    const double D4 = GetParam().options.scheme == "contact_2" ? -0.5 * system.action_damping : 0.0;
    const VectorXd lambda = equations_of_motion(system, {before.q, before.v}, before.time).lambda;
    return ((1.0 - h * D4) * node.lambda - lambda).norm();
  };
  EXPECT_NEAR(std::log2(error(400) / error(800)), GetParam().order, 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, NonholonomicMultiplier, ::testing::ValuesIn(cases("legendre")), case_name);

// Remark 3.1: without damping the action does not matter, and left_z is contact_2.
TEST(Contact1, LeftZWithoutDampingIsContact2) {
  for (const std::string system : {"foucault_pendulum", "rolling_disk"}) {
    Model model = general_model(system);
    model.parameters["damping"] = {0.0};
    const Case left_z{system, "", options_of("contact_1", "left_z"), 0},
        second{system, "", options_of("contact_2", ""), 0};
    EXPECT_EQ(integrate(left_z, model, 0.5, 20).back().q, integrate(second, model, 0.5, 20).back().q);
  }
}

TEST(Contact1, StandardVariantFollowsFromTheMass) {
  const auto end = [](const std::string& system, const std::string& variant) {
    return integrate({system, "", options_of("contact_1", variant), 0}, 0.5, 20).back().q;
  };
  EXPECT_EQ(end("foucault_pendulum", ""), end("foucault_pendulum", "endpoint"));
  EXPECT_EQ(end("rolling_disk", ""), end("rolling_disk", "left_z"));
}

}  // namespace
}  // namespace livens::reference
