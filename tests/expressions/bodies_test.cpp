// Bodies and joints against rigid kinematics: places that a joint leaves free satisfy its rows, as many rows are
// independent as it takes freedoms, forces have the power they should have, names of joints their values.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "expressions/derivatives.hpp"
#include "expressions/description.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/observing_class.hpp"
#include "expressions/reactions.hpp"
#include "expressions/text_system.hpp"

namespace livens {
namespace {

using namespace expressions;
using Vector = std::array<double, 3>;
using Rotation = std::array<Vector, 3>;  // d1, d2, d3
using Numbers = std::vector<double>;

constexpr double eps = 0x1p-52;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector sum(double s, const Vector& a, double t, const Vector& b) {
  return {s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
}
/// b turned by the vector r.
Vector turned(const Vector& r, const Vector& b) {
  const double angle = std::sqrt(dot(r, r));
  if (angle == 0.0) return b;
  const Vector e = {r[0] / angle, r[1] / angle, r[2] / angle};
  return sum(1.0, sum(std::cos(angle), b, std::sin(angle), cross(e, b)), (1.0 - std::cos(angle)) * dot(e, b),
             e);
}
Rotation turned(const Vector& r, const Rotation& d) {
  return {turned(r, d[0]), turned(r, d[1]), turned(r, d[2])};
}
constexpr Rotation space = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

struct Placed {
  Vector x;
  Rotation d;
  Vector point(const Vector& s) const { return sum(1.0, x, 1.0, along(s)); }
  Vector along(const Vector& s) const { return sum(1.0, sum(s[0], d[0], s[1], d[1]), s[2], d[2]); }
};
void append(Numbers& q, const Placed& body) {
  q.insert(q.end(), body.x.begin(), body.x.end());
  for (const Vector& director : body.d) q.insert(q.end(), director.begin(), director.end());
}
/// x' and d' of a body that moves with u and turns with w.
void append_rate(Numbers& v, const Placed& body, const Vector& u, const Vector& w) {
  v.insert(v.end(), u.begin(), u.end());
  for (const Vector& director : body.d) {
    const Vector rate = cross(w, director);
    v.insert(v.end(), rate.begin(), rate.end());
  }
}

class Random {
 public:
  double number() { return distribution_(engine_); }
  Vector vector() { return {number(), number(), number()}; }
  Placed placed() { return {vector(), turned(vector(), space)}; }

 private:
  std::mt19937_64 engine_{7};
  std::uniform_real_distribution<double> distribution_{-1.5, 1.5};
};

TextSystem text(const std::string& content) {
  return read_text_system("name = \"joined\"\n" + content, "bodies.toml");
}
constexpr const char* two_bodies = R"(
[bodies.first]
mass = 2
inertia = [0.3, 0.4, 0.5]
[bodies.second]
mass = 3
inertia = [0.5, 0.4, 0.3]
)";
constexpr Vector at_first = {0.3, -0.2, 0.5}, at_second = {-0.4, 0.1, 0.25}, axis_first = {0.6, 0, 0.8},
                 axis_second = {0, -1, 0};
std::string joint(const std::string& kind, bool with_axis, const std::string& more = "") {
  return "[joints.link]\nkind = \"" + kind +
         "\"\nbetween = [\"first\", \"second\"]\nat = [[0.3, -0.2, 0.5], [-0.4, 0.1, 0.25]]\n" +
         (with_axis ? "axis = [[3, 0, 4], [0, -2, 0]]\n" : "") + more;
}

Numbers values(const TextSystem& system, const std::vector<NodeId>& nodes, const Numbers& q,
               const Numbers& v = {}, double t = 0.0) {
  Numbers parameters;
  for (const ParameterInfo& parameter : system.info().parameters)
    parameters.insert(parameters.end(), parameter.defaults.begin(), parameter.defaults.end());
  system.complete(parameters);
  const Numbers still(q.size());
  Values at;
  at.position = q;
  at.velocity = v.empty() ? still : v;
  at.parameters = parameters;
  at.time = t;
  return evaluate(system.mechanics().graph, nodes, at);
}
double value(const TextSystem& system, const std::string& expression, const Numbers& q,
             const Numbers& v = {}) {
  Graph graph;
  const Scope scope = names_at_nodes(system.info(), &system);
  const NodeId node = parse(graph, scope, expression).scalar();
  const Numbers still(q.size());
  Values at;
  at.position = q;
  at.velocity = v.empty() ? still : v;
  return evaluate(graph, std::span(&node, 1), at).front();
}
double largest(const Numbers& numbers) {
  double size = 0.0;
  for (const double x : numbers) size = std::max(size, std::abs(x));
  return size;
}
/// By elimination with pivots.
int rank(Numbers matrix, int columns) {
  const auto n = static_cast<std::size_t>(columns), rows = matrix.size() / n;
  int found = 0;
  std::vector<bool> used(rows);
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t best = rows;
    for (std::size_t r = 0; r < rows; ++r)
      if (!used[r] && std::abs(matrix[r * n + c]) > (best < rows ? std::abs(matrix[best * n + c]) : 1e-9))
        best = r;
    if (best == rows) continue;
    used[best] = true;
    ++found;
    for (std::size_t r = 0; r < rows; ++r)
      if (!used[r])
        for (std::size_t k = n; k-- > c;)
          matrix[r * n + k] -= matrix[r * n + c] / matrix[best * n + c] * matrix[best * n + k];
  }
  return found;
}

/// The frame e, b, c of an axis that is given by e, with the u of the page.
Rotation axes(const Vector& e, const Vector& u) {
  const Vector across = sum(1.0, u, -dot(u, e), e);
  const double length = std::sqrt(dot(across, across));
  const Vector b = {across[0] / length, across[1] / length, across[2] / length};
  return {e, b, cross(e, b)};
}
/// Largest entry of (3, 0, 4) is the last, of (0, -2, 0) the middle one.
const Rotation frame_first = axes(axis_first, {1, 0, 0}), frame_second = axes(axis_second, {0, 0, 1});

struct Case {
  const char* kind;
  bool with_axis;
  int rows;
};
/// The second body where the joint leaves it, with a turn about its axis and a shift along it.
Placed joined(const std::string& kind, const Placed& first, double angle, double shift, Random& random) {
  const Vector P = first.point(at_first), e = first.along(frame_first[0]), b = first.along(frame_first[1]),
               c = first.along(frame_first[2]);
  Rotation wanted;  // of frame_second in space
  if (kind == "spherical" || kind == "distance")
    return [&] {
      Placed second = random.placed();
      const Vector arm = second.along(at_second), away = turned(random.vector(), Vector{0.7, 0, 0});
      second.x = sum(1.0, sum(1.0, P, -1.0, arm), kind == "distance" ? 1.0 : 0.0, away);
      return second;
    }();
  if (kind == "universal") {
    const Vector across = turned({angle * e[0], angle * e[1], angle * e[2]}, b);
    wanted = axes(across, turned(random.vector(), e));
  } else {
    wanted = {e, sum(std::cos(angle), b, std::sin(angle), c), sum(std::cos(angle), c, -std::sin(angle), b)};
  }
  Placed second;
  if (kind == "weld") {
    second.d = first.d;
  } else {
    // d_k = sum over the frame of (frame . e_k) wanted.
    for (std::size_t k = 0; k < 3; ++k)
      second.d[k] = sum(1.0, sum(frame_second[0][k], wanted[0], frame_second[1][k], wanted[1]),
                        frame_second[2][k], wanted[2]);
  }
  second.x = {};
  second.x = sum(1.0, sum(1.0, P, shift, e), -1.0, second.point(at_second));
  return second;
}

class Joints : public ::testing::TestWithParam<Case> {};

TEST_P(Joints, LeaveTheirFreedomsAndTakeTheOthers) {
  const auto& [kind, with_axis, rows] = GetParam();
  const std::string length = std::string(kind) == "distance" ? "length = 0.7\n" : "";
  const TextSystem system = text(two_bodies + joint(kind, with_axis, length));
  ASSERT_EQ(system.info().constraints, 12 + rows);
  Random random;
  const bool has_angle = std::string(kind) == "revolute" || std::string(kind) == "cylindrical",
             turns = has_angle || std::string(kind) == "universal",
             slides = std::string(kind) == "prismatic" || std::string(kind) == "cylindrical";
  for (int trial = 0; trial < 5; ++trial) {
    const Placed first = random.placed();
    const double angle = turns ? random.number() : 0.0, shift = slides ? random.number() : 0.0;
    const Placed second = joined(kind, first, angle, shift, random);
    Numbers q;
    append(q, first);
    append(q, second);
    // A row sums up some twenty products of numbers up to 3.
    EXPECT_LT(largest(values(system, nodes_of(system.mechanics().constraints), q)), 200 * eps) << kind;
    EXPECT_EQ(rank(values(system, system.mechanics().constraint_jacobian, q), 24), 12 + rows) << kind;
    if (has_angle) {
      EXPECT_NEAR(value(system, "link.angle", q), angle, 200 * eps);
    }
    if (slides) {
      EXPECT_NEAR(value(system, "link.position", q), shift, 200 * eps);
    }

    // Both move as one, and the second turns about and moves along the axis beside.
    const Vector w = random.vector(), u = random.vector(), e = first.along(frame_first[0]);
    const double rate = has_angle ? random.number() : 0.0, speed = slides ? random.number() : 0.0;
    const Vector w2 = sum(1.0, w, rate, e), pivot = second.point(at_second);
    const auto moving = [&](const Vector& x) {
      return sum(1.0, u, 1.0, cross(w, sum(1.0, x, -1.0, first.x)));
    };
    const Vector u2 =
        sum(1.0, sum(1.0, moving(pivot), speed, e), 1.0, cross(w2, sum(1.0, second.x, -1.0, pivot)));
    Numbers v;
    append_rate(v, first, u, w);
    append_rate(v, second, u2, w2);
    const Numbers G = values(system, system.mechanics().constraint_jacobian, q);
    for (std::size_t k = 0; k * 24 < G.size(); ++k) {
      double along = 0.0;
      for (std::size_t i = 0; i < 24; ++i) along += G[24 * k + i] * v[i];
      EXPECT_NEAR(along, 0.0, 500 * eps) << kind << " row " << k;
    }
    if (has_angle) {
      EXPECT_NEAR(value(system, "link.rate", q, v), rate, 500 * eps);
    }
    if (slides) {
      EXPECT_NEAR(value(system, "link.speed", q, v), speed, 500 * eps);
    }
    if (slides && !has_angle) {
      EXPECT_EQ(value(system, "link.rate", q, v), value(system, "link.speed", q, v));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, Joints,
                         ::testing::Values(Case{"spherical", false, 3}, Case{"revolute", true, 5},
                                           Case{"universal", true, 4}, Case{"cylindrical", true, 4},
                                           Case{"prismatic", true, 5}, Case{"weld", false, 6},
                                           Case{"distance", false, 1}),
                         [](const auto& info) { return info.param.kind; });

// Whatever two rigid bodies do, the power of the generalized forces is that of forces and torques in space.
TEST(Bodies, AreMovedByForcesOfTheRightPower) {
  const TextSystem system =
      text(std::string(two_bodies) + joint("cylindrical", true, "torque = 1.7\nforce = -2.3\n") + R"(
[force]
first.torque = [0.4, 0.5, -0.6]
second.force = [1.1, -1.2, 1.3]
)");
  Random random;
  for (int trial = 0; trial < 5; ++trial) {
    const Placed first = random.placed(), second = joined("cylindrical", first, random.number(), 0.4, random);
    const Vector u1 = random.vector(), w1 = random.vector(), u2 = random.vector(), w2 = random.vector();
    Numbers q, v;
    append(q, first);
    append(q, second);
    append_rate(v, first, u1, w1);
    append_rate(v, second, u2, w2);
    const Numbers F = values(system, system.mechanics().force, q, v);
    double power = 0.0;
    for (std::size_t i = 0; i < 24; ++i) power += F[i] * v[i];
    const Vector e = first.along(frame_first[0]), rate = sum(1.0, w2, -1.0, w1);
    const auto point_rate = [](const Placed& body, const Vector& s, const Vector& u, const Vector& w) {
      return sum(1.0, u, 1.0, cross(w, body.along(s)));
    };
    const Vector apart =
        sum(1.0, point_rate(second, at_second, u2, w2), -1.0, point_rate(first, at_first, u1, w1));
    const double expected =
        1.7 * dot(e, rate) - 2.3 * dot(e, apart) + dot({0.4, 0.5, -0.6}, w1) + dot({1.1, -1.2, 1.3}, u2);
    EXPECT_NEAR(power, expected, 500 * eps);
  }
}

// 1/2 m u.u + 1/2 O.J O of a body that turns with O about its own axes.
TEST(Bodies, HaveTheirKineticEnergyAndStart) {
  const TextSystem system = text(R"(
[bodies.body]
mass = "m"
inertia = "J"
[parameters]
m = 1.5
J = [0.3, 0.4, 0.5]
turn = [0.3, -1.1, 0.7]
[initial.q]
body.x = [1, 2, 3]
body.rotation = "turn"
[initial.v]
body.x = [0.1, 0.2, 0.3]
body.omega = [1.2, -0.7, 0.4]
)");
  const Numbers parameters = {1.5, 0.3, 0.4, 0.5, 0.3, -1.1, 0.7};
  const Numbers q = system.initial_position(parameters), v = system.initial_velocity(parameters);
  const Placed body = {{1, 2, 3}, turned({0.3, -1.1, 0.7}, space)};
  Numbers expected, rate;
  append(expected, body);
  append_rate(rate, body, {0.1, 0.2, 0.3}, body.along({1.2, -0.7, 0.4}));
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(q[i], expected[i], 20 * eps);
    EXPECT_NEAR(v[i], rate[i], 40 * eps);
  }
  const double T = 0.5 * (1.5 * 0.14 + 0.3 * 1.44 + 0.4 * 0.49 + 0.5 * 0.16);
  EXPECT_NEAR(values(system, {system.mechanics().kinetic}, q, v).front(), T, 40 * eps);
  // No rotation is the limit of small ones, and each axis alone is what all three are together.
  for (const Vector& r :
       {Vector{0, 0, 0}, Vector{0, 0, 0.8}, Vector{-0.8, 0, 0}, Vector{0, 1e-200, 1e-200}}) {
    const Numbers given = {1.5, 0.3, 0.4, 0.5, r[0], r[1], r[2]};
    Numbers wanted;
    append(wanted, {{1, 2, 3}, turned(r, space)});
    const Numbers start = system.initial_position(given);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(start[i], wanted[i], 20 * eps);
  }
}

/// Of the first joint's, at the start.
Numbers reactions_at_start(const std::string& content) {
  const TextSystem system = text(content);
  const Description typed = describe(toml::parse("name = \"joined\"\n" + content), "bodies.toml");
  Mechanics m = system.mechanics();
  const MotionAtNode motion = motion_at_node(m);
  std::vector<NodeId> entries;
  for (int i = 0; i < 6; ++i)
    if (!typed.joints[0].planar || i < 2 || i == 3)
      entries.push_back(reaction(m, typed, names_at_nodes(system.info(), &system), i));
  const Numbers q = system.initial_position({}), v = system.initial_velocity({});
  Values at;
  at.position = q;
  at.velocity = v;
  Numbers A = evaluate(m.graph, motion.matrix, at), b = evaluate(m.graph, motion.right, at);
  // Gauss and Jordan with pivots by rows.
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[best * n + k])) best = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[best * n + j]);
    std::swap(b[k], b[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A[i * n + k] / A[k * n + k];
      for (std::size_t j = 0; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  Numbers lambda;
  for (std::size_t k = static_cast<std::size_t>(system.info().coordinates); k < n; ++k)
    lambda.push_back(b[k] / A[k * n + k]);
  at.end_velocity = lambda;
  return evaluate(m.graph, entries, at);
}
void expect_near(const Numbers& found, const Numbers& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

// A rod that is let go from the horizontal weighs a quarter of its weight on its hinge, which has no torque, whatever
// its friction.
TEST(Reactions, OfAHingeAreThoseOfAFallingRod) {
  const std::string rod = R"(potential = "9.81*bar.x[1]"
bodies.bar = { mass = 1, inertia = "1/12", planar = true }
initial.bar = { x = [0.5, 0], omega = 2, "x'" = [0, 1] }
)";
  // Friction against 2 rad/s: the centre falls with 3/4 g and 0.6*3/2, and is drawn in with 2 m/s^2.
  const double up = 9.81 - (0.75 * 9.81 + 0.9);
  const auto hinge = [](const std::string& between, const std::string& at) {
    return "[joints.hinge]\nkind = \"revolute\"\ntorque = \"-0.3*hinge.rate\"\nbetween = " + between +
           "\nat = " + at + "\n";
  };
  expect_near(reactions_at_start(rod + hinge("[\"ground\", \"bar\"]", "[[0, 0], [-0.5, 0]]")),
              {-2.0, up, 0.0});
  expect_near(reactions_at_start(rod + hinge("[\"bar\", \"ground\"]", "[[-0.5, 0], [0, 0]]")),
              {2.0, -up, 0.0});
}
// A bracket holds weight and torque at its own end.
TEST(Reactions, OfAWeldHoldABracket) {
  expect_near(reactions_at_start(R"(potential = "2*9.81*b.x[2]"
bodies.b = { mass = 2, inertia = [1, 1, 1] }
joints.w = { kind = "weld", between = ["ground", "b"], at = [[1, 0, 0], [-0.3, -0.2, 0.1]] }
force.b = { torque = [0, 0, 0.7] }
initial.b = { x = [1.3, 0.2, -0.1] }
)"),
              {0.0, 0.0, 19.62, 0.2 * 19.62, -0.3 * 19.62, -0.7});
}

std::string file(const std::string& name) {
  std::ifstream stream(std::string(LIVENS_EXAMPLES) + "/" + name + ".toml");
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Coordinate for coordinate and row for row.
TEST(Bodies, AHeavyTopByAJointIsTheHeavyTop) {
  const TextSystem joined = read_text_system(file("heavy_top_by_joint"), "joined"),
                   top = read_text_system(file("heavy_top"), "top");
  const auto same = [](const Numbers& a, const Numbers& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 40 * eps * largest(b));
  };
  Random random;
  Numbers q(12), v(12);
  for (double& x : q) x = random.number();
  for (double& x : v) x = random.number();
  const auto both = [&](auto part) {
    same(values(joined, part(joined.mechanics()), q, v), values(top, part(top.mechanics()), q, v));
  };
  both([](const Mechanics& m) { return m.mass; });
  both([](const Mechanics& m) { return m.potential_gradient; });
  both([](const Mechanics& m) { return nodes_of(m.constraints); });
  both([](const Mechanics& m) { return m.constraint_jacobian; });
  both([](const Mechanics& m) { return m.initial_position; });
  both([](const Mechanics& m) { return m.initial_velocity; });
}

TEST(Bodies, ReadBackAsTheSameSystem) {
  for (const char* name :
       {"planar_four_bar", "slider_crank_bodies", "spatial_four_bar", "bennett", "bricard", "bicycle"}) {
    const TextSystem system = read_text_system(file(name), name),
                     again = read_text_system(system.identity(), "again"),
                     alone = read_text_system(system.expansion(), "alone");
    EXPECT_EQ(again.identity(), system.identity());
    EXPECT_EQ(again.header(), system.header());
    EXPECT_EQ(alone.info().coordinates, system.info().coordinates);
    EXPECT_EQ(alone.info().constraints, system.info().constraints);
    EXPECT_TRUE(alone.expansion().empty());
  }
}

// A Bennett loop moves with one freedom: of 18 + 20 rows 35 are independent, and those that are dropped hold where
// the others do, which they would not in a loop that is locked.
TEST(Redundant, RowsOfABennettLoopAreDropped) {
  const TextSystem system = read_text_system(file("bennett"), "bennett");
  EXPECT_EQ(system.info().constraints, 35);
  EXPECT_EQ(system.mechanics().dropped.size(), 3u);
  ASSERT_EQ(system.info().sampled.size(), 1u);
  EXPECT_STREQ(system.info().sampled[0].name, "redundant_constraints");
  const Numbers q = values(system, system.mechanics().initial_position, {});
  EXPECT_LT(largest(values(system, nodes_of(system.mechanics().constraints), q)), 100 * eps);
  EXPECT_LT(largest(values(system, nodes_of(system.mechanics().dropped), q)), 100 * eps);
}

constexpr const char* point = R"toml(
kinetic = "1/2*dot(u', u')"
coordinates = { u = 3 }
initial.q = { u = [0.6, 0.8, 0] }
)toml";
TEST(Redundant, TheLaterRowGoes) {
  const std::string rows =
      "constraints = [\"u[2]\", \"(dot(u, u) - 1)/2\", \"3*u[2] + 2*(dot(u, u) - 1)\"]\n";
  const TextSystem system = text("redundant = \"drop\"\n" + rows + point);
  EXPECT_EQ(system.info().constraints, 2);
  ASSERT_EQ(system.mechanics().dropped.size(), 1u);
  EXPECT_EQ(system.mechanics().dropped[0].text->place.key, "constraints[2]");
  EXPECT_THROW(text(rows + point), RequestError);
}
TEST(Redundant, RowsThatContradictAreRefused) {
  try {
    text(std::string("redundant = \"drop\"\nconstraints = [\"u[2]\", \"2*u[2] - 1\"]\n") + point);
    ADD_FAILURE();
  } catch (const RequestError& error) {
    EXPECT_NE(std::string(error.what()).find("does not hold together with the other rows"), std::string::npos)
        << error.what();
  }
}
// In line at the start alone: both rows stay.
TEST(Redundant, APlaceThatIsSingularKeepsItsRows) {
  const TextSystem system = text(R"toml(redundant = "drop"
kinetic = "1/2*dot(a', a') + 1/2*dot(b', b')"
constraints = ["(dot(a, a) - 1)/2", "(dot(a - b, a - b) - 1)/2", "b[1]"]
coordinates = { a = 2, b = 2 }
initial.q = { a = [1, 0], b = [2, 0] }
)toml");
  EXPECT_EQ(system.info().constraints, 3);
}

/// The key of the row that a text is refused for, with `redundant` left out, and of the first that "drop" drops.
std::pair<std::string, std::string> refused_and_dropped(const std::string& text_of_a_system) {
  const TextSystem dropping = text("redundant = \"drop\"\n" + text_of_a_system);
  const std::string dropped =
      dropping.mechanics().dropped.empty() ? "" : dropping.mechanics().dropped[0].text->place.key;
  try {
    text(text_of_a_system);
  } catch (const RequestError& error) {
    const std::string said = error.what();
    const bool is_that =
        said.find(": " + dropped + ": ") != said.npos && said.find("depends on ") != said.npos;
    return {is_that ? dropped : said, dropped};
  }
  return {"", dropped};
}
constexpr const char* cranks = R"toml(
kinetic = "1/2*dot(a', a') + 5*dot(b', b') + 1/2*dot(c', c')"
coordinates = { a = 2, b = 2, c = 2 }
)toml";
// One decides for the other: three parallel cranks (in line as well, where more rows
// are in line than elsewhere), a row without a gradient at the start that others imply everywhere else, rows that
// come in line later or are so at the start alone.
TEST(Redundant, RefusesTheRowsThatItWouldDrop) {
  const std::string coupled =
      R"toml(constraints = ["(dot(a, a) - 1)/2", "(dot(b - [2, 0], b - [2, 0]) - 1)/2",
  "(dot(c - [4, 0], c - [4, 0]) - 1)/2", "(dot(a - c, a - c) - 16)/2", "b - (a + c)/2"]
)toml" +
      std::string(cranks);
  const auto rows = [](const std::string& list) { return "constraints = [" + list + "]\n" + point; };
  for (const auto& [given, key] :
       {std::pair<std::string, std::string>{
            coupled + "initial.q = { a = [0.6, 0.8], b = [2.6, 0.8], c = [4.6, 0.8] }", "constraints[4]"},
        {coupled + "initial.q = { a = [1, 0], b = [3, 0], c = [5, 0] }", "constraints[4]"},
        {rows("\"u[2]*(u[0] - 0.6)\", \"u[2]\""), "constraints[1]"},
        {rows("\"u[2]\", \"(1 + t)*u[2]\""), "constraints[1]"},
        {rows("\"u[2]\", \"u[2] + t*u[1]\""), ""}}) {
    const auto [refused, dropped] = refused_and_dropped(given);
    EXPECT_EQ(refused, dropped);
    EXPECT_TRUE(key.empty() ? dropped.empty() : dropped.starts_with(key)) << dropped;
  }
}
// Two cranks and a coupler in line, free to move and driven, where time alone leads away from that place.
TEST(Redundant, AFlatLinkageIsAccepted) {
  const std::string linkage = R"toml(
kinetic = "1/2*dot(a', a') + 1/2*dot(b', b')"
coordinates = { a = 2, b = 2 }
initial.q = { a = [1, 0], b = [3, 0] }
)toml";
  const std::string rows =
      R"("(dot(a, a) - 1)/2", "(dot(a - b, a - b) - 4)/2", "(dot(b - [2, 0], b - [2, 0]) - 1)/2")";
  for (const std::string driven : {"", ", \"cos(t)*a[1] - sin(t)*a[0]\""})
    for (const std::string word : {"", "redundant = \"drop\"\n"})
      EXPECT_TRUE(
          text(word + "constraints = [" + rows + driven + "]\n" + linkage).mechanics().dropped.empty());
}

}  // namespace
}  // namespace livens
