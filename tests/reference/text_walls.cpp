// Mechanisms among walls (docs/equations/text.md, section 6), against closed forms and an independent program.

#include "general_texts.hpp"

namespace livens::reference {
namespace {

const std::vector<std::string> schemes = {"ems", "ggl_mp", "rattle", "livens"};
using Parameters = std::map<std::string, std::vector<double>>;

Node last_of(const TextDescription& text, const Options& options, int steps, const Parameters& given = {}) {
  const Model model = model_of(text, given);
  Integrator run(model, options, default_state(model));
  for (int n = 0; n < steps; ++n) run.advance();
  return run.node();
}

/// Above a floor, thrown along it.
TextDescription ball() {
  TextDescription text;
  text.name = "ball";
  text.coordinates = {{"x"}, {"y"}};
  text.parameters = {{"restitution", {0.8}}, {"lift", {0.0}}, {"height", {1.0}}};
  text.kinetic = "1/2*(x'^2 + y'^2)";
  text.potential = "9.81*y";
  text.force = {{"y", {"lift*t"}}};
  text.impacts = {{"y", "restitution"}};
  text.initial_position = {{"y", {"height"}}};
  text.initial_velocity = {{"x", {"1"}}};
  return text;
}

/// Where the force is constant the schemes are exact. Each of 100 steps rounds some 4 eps of 2 s, and the time of the k-th
/// impact moves with the speed that is left, e^k of it.
TEST(TextWalls, ABallBouncesLessAndLess) {
  const double first = std::sqrt(2.0 / 9.81), h = 0.02;
  for (const std::string& scheme : schemes) {
    for (const double e : {0.0, 0.3, 0.8, 1.0}) {
      for (const int order : scheme == "ems" ? std::vector{0, 4} : std::vector{0}) {
        Options options{scheme, h};
        options.order = order;
        const Node node = last_of(ball(), options, 100, {{"restitution", {e}}});
        const std::vector<double>& times = node.impacts[0];
        ASSERT_GT(times.size(), 0u) << scheme << e;
        double time = first, flight = 2.0 * first, bound = 4.0 * eps * 2.0 * 100.0;
        for (std::size_t k = 0; k < std::min<std::size_t>(times.size(), 8); ++k) {
          EXPECT_NEAR(times[k], time, bound) << scheme << e << " " << k;
          flight *= e;
          time += flight;
          bound /= std::max(e, 0.1);
        }
        EXPECT_NEAR(node.q[0], 2.0, 4.0 * eps * 100.0);
        if (e == 0.0) {
          EXPECT_EQ(times.size(), 1u);
        }
        if (e == 1.0) {
          EXPECT_NEAR(node.energy, 10.31, 8.0 * eps * 100.0 * 10.31);
        }
        if (e > 0.5) continue;
        // It lies there, and what it had above the speed along the floor is lost.
        EXPECT_NEAR(node.q[1], 0.0, 8.0 * eps) << scheme << e;
        EXPECT_NEAR(node.v[1], 0.0, 1e-12) << scheme << e;
        EXPECT_NEAR(node.dissipated, 9.81, 8.0 * eps * 100.0 * 10.31) << scheme << e;
      }
    }
  }
}

/// It rests from where it falls, as long as the floor presses: until 12 t = 9.81, and is let go at the node before or behind.
TEST(TextWalls, ABallThatIsLiftedLeaves) {
  const double h = 0.005, end = 1.5, leaves = 9.81 / 12.0, rest = end - leaves;
  for (const std::string& scheme : schemes) {
    const Node node =
        last_of(ball(), {scheme, h}, 300, {{"restitution", {0.0}}, {"lift", {12.0}}, {"height", {0.02}}});
    EXPECT_EQ(node.impacts[0].size(), 1u) << scheme;
    // 12 (t - leaves) is what lifts it. A start that is off by h is off by 12 h^2/2 in speed, and the schemes by 12 h^2/24.
    const double height = 12.0 * rest * rest * rest / 6.0;
    EXPECT_NEAR(node.q[1], height, 12.0 * h * h * rest) << scheme;
    EXPECT_GT(node.q[1], 0.9 * height) << scheme;
  }
}

/// Three masses in a row between two walls, and nothing else that acts.
struct Row {
  std::vector<double> x = {0.0, 1.5, 2.2}, v = {2.0, 0.0, 0.3}, m = {1.0, 2.0, 0.5};
  std::size_t impacts = 0;

  void go(double left, double e) {
    for (;;) {
      std::vector<double> after = {never, never, never, never};
      for (std::size_t k = 0; k < 2; ++k)
        if (v[k] > v[k + 1]) after[k] = (x[k + 1] - x[k] - 0.5) / (v[k] - v[k + 1]);
      if (v[2] > 0.0) after[2] = (3.0 - x[2]) / v[2];
      if (v[0] < 0.0) after[3] = -(x[0] + 1.0) / v[0];
      const auto first = std::ranges::min_element(after);
      const double time = std::min(*first, left);
      for (std::size_t k = 0; k < 3; ++k) x[k] += v[k] * time;
      left -= time;
      if (left <= 0.0) return;
      ++impacts;
      const auto hit = static_cast<std::size_t>(first - after.begin());
      if (hit == 2) v[2] *= -e;
      if (hit == 3) v[0] *= -e;
      if (hit > 1) continue;
      const double impulse = (1.0 + e) * (v[hit] - v[hit + 1]) / (1.0 / m[hit] + 1.0 / m[hit + 1]);
      v[hit] -= impulse / m[hit];
      v[hit + 1] += impulse / m[hit + 1];
    }
  }
  static constexpr double never = 1e300;
};

TEST(TextWalls, BodiesInARowHitEachOther) {
  TextDescription text;
  text.name = "row";
  text.coordinates = {{"x", 3}};
  text.parameters = {{"m", {1.0, 2.0, 0.5}, true}, {"e", {0.9}}};
  text.kinetic = "1/2*(m[0]*x'[0]^2 + m[1]*x'[1]^2 + m[2]*x'[2]^2)";
  text.impacts = {
      {"x[1] - x[0] - 0.5", "e"}, {"x[2] - x[1] - 0.5", "e"}, {"3 - x[2]", "e"}, {"x[0] + 1", "e"}};
  text.initial_position = {{"x", {"0", "1.5", "2.2"}}};
  text.initial_velocity = {{"x", {"2", "0", "0.3"}}};
  Row row;
  row.go(3.0, 0.9);
  for (const std::string& scheme : schemes) {
    const Node node = last_of(text, {scheme, 0.03}, 100);
    std::size_t impacts = 0;
    for (const auto& times : node.impacts) impacts += times.size();
    EXPECT_EQ(impacts, row.impacts) << scheme;
    // 100 steps that round 4 eps of 3 m, and of a speed as much of it by the step: 1e-11 m behind 3 s.
    for (Eigen::Index k = 0; k < 3; ++k) {
      EXPECT_NEAR(node.q[k], row.x[static_cast<std::size_t>(k)], 3.0 * 100.0 * 4.0 * eps / 0.03) << scheme;
      EXPECT_NEAR(node.v[k], row.v[static_cast<std::size_t>(k)], 100.0 * 4.0 * eps * 3.0 / 0.03) << scheme;
    }
  }
}

/// q, v, D, W after 50 steps of 0.02 s and the time of the only impact, by a program in numpy that was written from
/// general.md alone (bordered Newton, dense): tests/compilation/impacts.py has the same.
struct Value {
  std::string scheme;
  std::vector<double> q, v;
  double dissipated, work, time;
};
const std::vector<Value> values = {
    {"ems",
     {0.212588554278627, -0.801145138286437, 0.715343155002483, -0.956921921803843},
     {-0.896503918946523, -0.426004713892571, -0.511364576302898, 0.28750110412906},
     6.397116731262693,
     -0.289133962320993 + 1.373949634485235 + 1.549739295510806,
     0.6166072969076198},
    {"rattle",
     {0.212668942777493, -0.8011138818859, 0.715924727109447, -0.957277226772353},
     {-0.897863350103712, -0.426588996347556, -0.496334953618577, 0.278574465414304},
     6.406083276862981,
     -0.284907438992428 + 1.369933140705987 + 1.547701748474692,
     0.6149630595838217},
    {"ggl_mp",
     {0.212634114745508, -0.801127424699391, 0.715359081443446, -0.9569316511107},
     {-0.896316689433023, -0.42596344666684, -0.510886205523086, 0.287215895167945},
     6.398032989914287,
     -0.288872328293235 + 1.374053479158426 + 1.547478523929918,
     0.61649974057656},
    {"livens",
     {0.212617671108728, -0.801133818197512, 0.71535913414583, -0.956931683306144},
     {-0.896512065764841, -0.425906405270492, -0.51183028319885, 0.286552439143214},
     6.397223358219758,
     -0.289085067258607 + 1.374021209696214 + 1.549727144363339,
     0.6166075767950501}};

TEST(TextWalls, ADrivenMechanismMeetsAWallThatMoves) {
  TextDescription text = general::driven();
  text.impacts = {{"0.43 + 0.02*sin(3*t) - u[0]", "0.6"}};
  for (const Value& value : values) {
    const Node node = last_of(text, {value.scheme, 0.02}, 50);
    ASSERT_EQ(node.impacts[0].size(), 1u);
    // 50 steps in which 4 eps |q|/h is a velocity, of livens in the normal direction as well.
    const double bound = 50.0 * 4.0 * eps / 0.02;
    EXPECT_NEAR(node.impacts[0][0], value.time, bound) << value.scheme;
    for (Eigen::Index i = 0; i < 4; ++i) {
      EXPECT_NEAR(node.q[i], value.q[static_cast<std::size_t>(i)], bound) << value.scheme;
      EXPECT_NEAR(node.v[i], value.v[static_cast<std::size_t>(i)], bound) << value.scheme;
    }
    EXPECT_NEAR(node.dissipated, value.dissipated, 10.0 * bound) << value.scheme;
    EXPECT_NEAR(node.work, value.work, 10.0 * bound) << value.scheme;
  }
}

Failure failure_of(const TextDescription& text, const Parameters& given) {
  try {
    last_of(text, {"ems", 0.1}, 10, given);
  } catch (const StepFailure& failure) {
    return failure.reason;
  }
  ADD_FAILURE() << "it does not fail";
  return Failure::newton_diverged;
}

TEST(TextWalls, WhatCannotBe) {
  EXPECT_EQ(failure_of(ball(), {{"height", {-0.1}}}), Failure::inconsistent_initial);
  EXPECT_EQ(failure_of(ball(), {{"restitution", {1.5}}}), Failure::invalid_parameter);
  // A slot whose walls are hit a hundred times a step.
  TextDescription slot = ball();
  slot.potential = "0";
  slot.impacts.push_back({"0.0005 - y", "1"});
  slot.initial_velocity = {{"y", {"1"}}};
  EXPECT_EQ(failure_of(slot, {{"height", {0.0002}}, {"restitution", {0.99}}}), Failure::zeno);
  EXPECT_FALSE(applicable(model_of(ball()), "vi_a"));
}

}  // namespace
}  // namespace livens::reference
