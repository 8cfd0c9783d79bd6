// Mechanisms with every term that a text may have, in every scheme: docs/equations/general.md.

#include "general_texts.hpp"
#include "reference/equations_of_motion.hpp"
#include "reference/system.hpp"

namespace livens::reference {
namespace {

VectorXd vector_of(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Options options_of(const std::string& scheme, double step) {
  Options options{scheme, step};
  if (scheme == "lagrange_dalembert") options.given["variant"] = "symmetric";
  return options;
}

std::vector<Node> half_a_second(const Model& model, const std::string& scheme, int steps) {
  return run(model, options_of(scheme, 0.5 / steps), default_state(model), steps);
}

/// To 1e-10: the values are printed to 5e-13, D and W to 5e-10, from a start that is consistent to round-off
/// alone, 1e-15, in motions that are not chaotic and last half a second.
void expect_values(const Model& model, const std::vector<general::Value>& values) {
  for (const general::Value& value : values) {
    ASSERT_TRUE(applicable(model, value.scheme)) << value.scheme;
    const Node node = half_a_second(model, value.scheme, 25).back();
    EXPECT_LT((node.q - vector_of(value.q)).lpNorm<Eigen::Infinity>(), 1e-10) << value.scheme;
    EXPECT_LT((node.p - vector_of(value.p)).lpNorm<Eigen::Infinity>(), 1e-10) << value.scheme;
    EXPECT_NEAR(node.dissipated, value.dissipated, 1e-9) << value.scheme;
    EXPECT_NEAR(node.work, value.work, 2e-9) << value.scheme;
  }
}

const Model driven = model_of(general::driven()), polar = model_of(general::polar()),
            blade = model_of(general::blade()), free_blade = model_of(general::blade(), {{"damping", {0.0}}});

TEST(TextGeneral, ValuesOfAHolonomicMechanism) { expect_values(driven, general::driven_values); }
TEST(TextGeneral, ValuesWhereTheMassVaries) { expect_values(polar, general::polar_values); }
TEST(TextGeneral, ValuesOfAKnifeEdgeOnABelt) { expect_values(blade, general::blade_values); }
TEST(TextGeneral, ValuesOfAKnifeEdgeWithoutAction) {
  expect_values(free_blade, general::undamped_blade_values);
}

TEST(TextGeneral, MomentumOfDelMultiplierWithoutItsNormalPart) {
  const System system = make_system(driven);
  const Node node = half_a_second(driven, "del_multiplier", 25).back();
  const VectorXd normal = constraint_jacobian(system, node.q, node.time).transpose() *
                          normal_impulse(system, node.q, node.p, node.time);
  EXPECT_GT(normal.norm(), 1e-3);
  const VectorXd printed = vector_of(general::driven_projected_momentum);
  EXPECT_LT((node.p - normal - printed).lpNorm<Eigen::Infinity>(), 1e-10);
}

TEST(TextGeneral, WhatRunsWhat) {
  for (const std::string& scheme : schemes()) {
    const bool contact = scheme.starts_with("contact") || scheme == "lagrange_dalembert";
    const bool text = scheme != "del_nullspace";
    EXPECT_EQ(applicable(driven, scheme), text && !contact) << scheme;
    EXPECT_EQ(applicable(polar, scheme), scheme == "livens") << scheme;
    EXPECT_EQ(applicable(blade, scheme), contact) << scheme;
    EXPECT_EQ(applicable(free_blade, scheme), contact || scheme == "livens") << scheme;
  }
}

/// The state after half a second of the differential equations, by the rule of Runge and Kutta.
State motion_of(const Model& model, int steps) {
  const System system = make_system(model);
  const double h = 0.5 / steps;
  State s = default_state(model);
  const auto rate = [&](const State& at, double t) {
    return State{at.v, equations_of_motion(system, at, t).acceleration};
  };
  const auto moved = [](const State& at, double by, const State& along) {
    return State{at.q + by * along.q, at.v + by * along.v};
  };
  for (int n = 0; n < steps; ++n) {
    const double t = n * h;
    const State k1 = rate(s, t), k2 = rate(moved(s, 0.5 * h, k1), t + 0.5 * h),
                k3 = rate(moved(s, 0.5 * h, k2), t + 0.5 * h), k4 = rate(moved(s, h, k3), t + h);
    s = moved(moved(moved(moved(s, h / 6.0, k1), h / 3.0, k2), h / 3.0, k3), h / 6.0, k4);
  }
  return s;
}

// Of order 4, from 500 to 1000 steps its error falls by 16: what is left is a fifteenth of the difference.
TEST(TextGeneral, TheDifferentialEquationsAreThoseOfThePage) {
  const std::vector<std::pair<Model, general::Value>> all = {{driven, general::driven_exact},
                                                             {polar, general::polar_exact},
                                                             {blade, general::blade_exact},
                                                             {free_blade, general::undamped_blade_exact}};
  for (const auto& [model, exact] : all) {
    const State coarse = motion_of(model, 500), fine = motion_of(model, 1000);
    const VectorXd p = momentum_of(make_system(model), fine.q, fine.v, 0.5);
    const VectorXd coarse_p = momentum_of(make_system(model), coarse.q, coarse.v, 0.5);
    const double left = ((fine.q - coarse.q).norm() + (p - coarse_p).norm()) / 10.0;
    EXPECT_LT(left, 1e-9) << model.system;
    EXPECT_LT((fine.q - vector_of(exact.q)).norm(), left + 1e-11) << model.system;
    EXPECT_LT((p - vector_of(exact.p)).norm(), left + 1e-11) << model.system;
  }
}

// e(h) at a fixed time, log2 e(h)/e(h/2) = order + O(h).
TEST(TextGeneral, OrdersOfConvergence) {
  const auto expect_order = [](const Model& model, const general::Value& exact, const std::string& scheme,
                               double order) {
    const auto error = [&](int steps) {
      const Node node = half_a_second(model, scheme, steps).back();
      return VectorXd(node.q - vector_of(exact.q)).norm() + VectorXd(node.p - vector_of(exact.p)).norm();
    };
    EXPECT_NEAR(std::log2(error(50) / error(100)), order, 0.1) << model.system << " " << scheme;
  };
  for (const std::string scheme : {"ems", "ggl_mp", "vi_a", "rattle", "del_multiplier", "livens"})
    expect_order(driven, general::driven_exact, scheme, 2.0);
  for (const std::string scheme : {"vi_b", "ggl_vi"})
    expect_order(driven, general::driven_exact, scheme, 1.0);
  expect_order(polar, general::polar_exact, "livens", 2.0);
  for (const std::string scheme : {"contact_2", "lagrange_dalembert"})
    expect_order(blade, general::blade_exact, scheme, 2.0);
  expect_order(blade, general::blade_exact, "contact_1", 1.0);
  expect_order(free_blade, general::undamped_blade_exact, "livens", 2.0);
}

double imbalance(const std::vector<Node>& nodes) {
  return largest(nodes, [&](const Node& node) {
    return std::abs(node.energy - nodes[0].energy + node.dissipated - node.work);
  });
}

// E - E0 = work - dissipated energy in every step, with supports, fields, explicit time, friction and rows of
// velocities. The terms of the balance and their round-off are those of energy_balance.cpp, and a multiplier
// times the rounding of its row.
TEST(TextGeneral, BalanceOfEnergyIsExactForEmsAndLivens) {
  const auto expect_exact = [](const Model& model, const std::string& scheme) {
    const int steps = 50;
    const std::vector<Node> nodes = half_a_second(model, scheme, steps);
    const double terms = energy_terms(nodes) + nodes[0].p.norm() * nodes[0].q.norm() * 2.0 * steps +
                         nodes.back().lambda.lpNorm<1>();
    EXPECT_LT(imbalance(nodes), std::sqrt(steps) * 16.0 * eps * terms) << model.system << " " << scheme;
    EXPECT_GT(nodes.back().dissipated, 0.05);
    EXPECT_GT(std::abs(nodes.back().work), 0.05);
  };
  expect_exact(driven, "ems");
  expect_exact(driven, "livens");
  expect_exact(polar, "livens");
  expect_exact(free_blade, "livens");
}

TEST(TextGeneral, BalanceOfEnergyIsOfTheOrderOfTheOthers) {
  const auto expect_order = [](const Model& model, const std::string& scheme, double order) {
    const auto error = [&](int steps) { return imbalance(half_a_second(model, scheme, steps)); };
    EXPECT_NEAR(std::log2(error(100) / error(200)), order, 0.15) << model.system << " " << scheme;
  };
  for (const std::string scheme : {"ggl_mp", "vi_a", "rattle", "del_multiplier"})
    expect_order(driven, scheme, 2.0);
  for (const std::string scheme : {"vi_b", "ggl_vi"}) expect_order(driven, scheme, 1.0);
  expect_order(blade, "contact_1", 1.0);
  for (const std::string scheme : {"contact_2", "lagrange_dalembert"}) expect_order(blade, scheme, 2.0);
}

TEST(TextGeneral, RowsHoldAtTheNodes) {
  const auto expect_rows = [](const Model& model, const std::string& scheme, bool velocities) {
    for (const Node& node : half_a_second(model, scheme, 25)) {
      // Rows are of some ten terms of size 1; the velocity is a solution over h.
      EXPECT_LT(node.constraint, 64.0 * eps) << model.system << " " << scheme;
      if (!velocities) continue;
      EXPECT_LT(node.velocity_constraint, 64.0 * eps / 0.02) << model.system << " " << scheme;
    }
  };
  for (const std::string scheme : {"ems", "ggl_mp", "rattle"}) expect_rows(driven, scheme, true);
  for (const std::string scheme : {"vi_b", "ggl_vi", "del_multiplier", "livens"})
    expect_rows(driven, scheme, false);
  for (const std::string scheme : {"contact_1", "contact_2", "lagrange_dalembert"})
    expect_rows(blade, scheme, true);
}

/// A pendulum, hung up where the support is; `support` has no place of its own in V.
TextDescription pendulum(const std::string& support_x, const std::string& drift) {
  TextDescription text;
  text.name = "pendulum";
  text.coordinates = {{"u", 2}};
  text.kinetic = "1/2*1.3*dot(u', u')";
  text.potential = "1.3*9.81*u[1]";
  text.constraints = {"(dot(u - [" + support_x + ", 0], u - [" + support_x + ", 0]) - 0.7^2)/2"};
  text.rayleigh = "1/2*0.4*dot(u' - [" + drift + ", 0], u' - [" + drift + ", 0])";
  text.initial_position = {{"u", {"0.7*sin(0.5)", "-0.7*cos(0.5)"}}};
  text.initial_velocity = {{"u", {"cos(0.5) + " + drift, "sin(0.5)"}}};
  return text;
}

// Galilei: in a train that runs evenly a pendulum swings, in the air of the train, as it does at rest.
TEST(TextGeneral, APendulumInATrainSwingsAsOneAtRest) {
  const Model at_rest = model_of(pendulum("0", "0")), in_train = model_of(pendulum("3*t", "3"));
  for (const std::string scheme :
       {"ems", "ggl_mp", "vi_a", "vi_b", "ggl_vi", "rattle", "del_multiplier", "livens"}) {
    const Node a = half_a_second(at_rest, scheme, 25).back(), b = half_a_second(in_train, scheme, 25).back();
    const VectorXd shift{{1.5, 0.0}}, speed{{3.0, 0.0}};
    // 25 steps of some ten eps of lengths of 1.5, of velocities those over h.
    EXPECT_LT((b.q - shift - a.q).norm(), 25 * 64.0 * eps) << scheme;
    EXPECT_LT((b.v - speed - a.v).norm(), 25 * 64.0 * eps / 0.02) << scheme;
  }
}

// A free particle seen from a turning frame, u' + omega x u its velocity: a and c, Coriolis and centrifugal.
TEST(TextGeneral, AFreeParticleInATurningFrameGoesStraightOn) {
  TextDescription text;
  text.name = "turning_frame";
  text.coordinates = {{"u", 2}};
  text.kinetic = "1/2*1.7*((u'[0] - 1.3*u[1])^2 + (u'[1] + 1.3*u[0])^2)";
  text.initial_position = {{"u", {"0.6", "-0.2"}}};
  text.initial_velocity = {{"u", {"0.3 - 1.3*0.2", "0.5 - 1.3*0.6"}}};
  const Model model = model_of(text);
  const double angle = -1.3 * 0.5, x = 0.6 + 0.5 * 0.3, y = -0.2 + 0.5 * 0.5;
  const VectorXd straight{
      {std::cos(angle) * x - std::sin(angle) * y, std::sin(angle) * x + std::cos(angle) * y}};
  for (const std::string scheme :
       {"ems", "ggl_mp", "vi_a", "vi_b", "ggl_vi", "rattle", "del_multiplier", "livens"}) {
    ASSERT_TRUE(applicable(model, scheme)) << scheme;
    const auto error = [&](int steps) {
      return (half_a_second(model, scheme, steps).back().q - straight).norm();
    };
    EXPECT_NEAR(std::log2(error(100) / error(200)), published_order(scheme), 0.1) << scheme;
  }
}

// Composed steps are of order 4 with all terms; general.md, section 11, measures h = 1/320 and 1/640 s.
TEST(TextGeneral, ComposedSteps) {
  const auto error = [](const Model& model, const general::Value& exact, const std::string& scheme,
                        int steps) {
    Options options = options_of(scheme, 0.5 / steps);
    options.order = 4;
    const Node node = run(model, options, default_state(model), steps).back();
    return VectorXd(node.q - vector_of(exact.q)).norm();
  };
  for (const std::string scheme : {"ems", "del_multiplier"}) {
    EXPECT_NEAR(std::log2(error(driven, general::driven_exact, scheme, 160) /
                          error(driven, general::driven_exact, scheme, 320)),
                4.0, 0.3)
        << scheme;
  }
  EXPECT_NEAR(std::log2(error(blade, general::blade_exact, "contact_2", 20) /
                        error(blade, general::blade_exact, "contact_2", 40)),
              4.0, 0.3);
}

}  // namespace
}  // namespace livens::reference
