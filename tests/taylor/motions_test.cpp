// Motions by Taylor series against closed forms, what they conserve, kinks, and lanes that fail.

#include <numbers>

#include "tests/taylor/motion.hpp"

namespace livens::taylor {
namespace {

TextSystem text(const std::string& name, const std::string& content) {
  return read_text_system("name = \"" + name + "\"\n" + content, name);
}

/// A step rounds its end by some units in the last place of its largest terms: ten of them, in q and in v. A
/// term of a motion whose series converges everywhere is up to three times the state: those of cos t are
/// h^k/k!, and a quarter of the radius of convergence that coefficient 26 seems to have is h = 26!^(1/26)/4.
double rounding(const Motion& motion) { return 30.0 * eps * (motion.steps() + 1); }

// A perturbation of the state neither grows nor decays.
TEST(Taylor, IsTheHarmonicOscillator) {
  Motion motion(text("oscillator", R"(
kinetic = "1/2*x'^2"
potential = "1/2*stiffness*x^2"
coordinates = { x = 1 }
parameters = { stiffness = 1.0 }
initial.q = { x = 1 }
)"));
  for (const double t : {1.0, 3.0, 100.0}) {
    motion.to(t);
    EXPECT_NEAR(motion.q()[0], std::cos(t), rounding(motion)) << t;
    EXPECT_NEAR(motion.v()[0], -std::sin(t), rounding(motion)) << t;
  }
  EXPECT_LT(motion.steps(), 100);
}

// An error of the velocity becomes one of the position with time.
TEST(Taylor, IsTheUnitCircle) {
  Motion motion(example("unit_circle"));
  for (const double t : {0.5, 10.0, 50.0}) {
    motion.to(t);
    const double bound = rounding(motion) * (1.0 + t);
    EXPECT_NEAR(motion.q()[0], std::cos(t), bound) << t;
    EXPECT_NEAR(motion.q()[1], std::sin(t), bound) << t;
    // The centripetal force, m v^2/r^2.
    EXPECT_NEAR(motion.multipliers()[0], 1.0, 2.0 * rounding(motion)) << t;
  }
}

// A polynomial: nothing limits the step.
TEST(Taylor, IsTheFreeFall) {
  Motion motion(text("stone", R"(
kinetic = "1/2*mass*z'^2"
potential = "mass*gravity*z"
coordinates = { z = 1 }
parameters = { mass = 2.0, gravity = 9.81 }
initial.v = { z = 3 }
)"));
  motion.to(4.0);
  EXPECT_NEAR(motion.q()[0], 3.0 * 4.0 - 0.5 * 9.81 * 16.0, 32.0 * eps * 100.0);
}

// herglotz.md, section 3: q = rho(t)(sin wt, cos wt). The constraint is nonholonomic with an affine part,
// whose force does work, and the energy dissipates.
TEST(Taylor, IsTheExactFoucaultPendulum) {
  const TextSystem pendulum = example("foucault_pendulum");
  Motion motion(pendulum);
  const double w = 7.292115e-5 * std::sin(0.8552113334772214), alpha = 1e-4;
  const double nu = std::sqrt(9.81 / 67.0 - w * w - alpha * alpha / 4.0);
  motion.set(0, default_parameters(pendulum), {0.0, 0.67}, {w * 0.67, 0.0});  // at rest it violates the row
  double first = 0.0;
  // The direction is that of A = (-y, x), of length rho; it is lost where the pendulum is at rest in the
  // middle.
  for (const double t : {0.0, 1.0, 2.5, 3.5}) {
    motion.to(t);
    if (t == 0.0) first = motion.balance();
    const double rho =
        0.67 * std::exp(-alpha * t / 2.0) * (std::cos(nu * t) + alpha / (2.0 * nu) * std::sin(nu * t));
    EXPECT_NEAR(motion.q()[0], rho * std::sin(w * t), rounding(motion) * (1.0 + t)) << t;
    EXPECT_NEAR(motion.q()[1], rho * std::cos(w * t), rounding(motion) * (1.0 + t)) << t;
    EXPECT_NEAR(motion.balance(), first, rounding(motion) * motion.energy_terms()) << t;
    EXPECT_LT(motion.largest(motion.equations().rates), 8.0 * eps) << t;
  }
}

// A spring that pushes and does not pull: its force has a kink at x = 0.
TEST(Taylor, ResolvesAKink) {
  Motion motion(text("buffer", R"(
kinetic = "1/2*x'^2"
potential = "1/8*stiffness*(x + abs(x))^2"
coordinates = { x = 1 }
parameters = { stiffness = 4.0 }
initial.q = { x = -1 }
initial.v = { x = 1 }
)"));
  motion.to(2.0 + std::numbers::pi / 2.0);
  // Twice the kink is crossed in the step after the last that ends before it, with an error of four
  // tolerances.
  EXPECT_NEAR(motion.q()[0], -1.0, 2.0 * 4e-15 * 2.0 + rounding(motion) * 4.0);
  EXPECT_NEAR(motion.v()[0], -1.0, 2.0 * 4e-15 + rounding(motion));
}

// M = diag(m, m r^2, m r^2 sin^2 theta) at r = 0.
TEST(Taylor, EndsWhereTheMassMatrixIsSingular) {
  const TextSystem pendulum = example("spring_pendulum");
  Motion motion(pendulum), alone(pendulum);
  motion.set(3, default_parameters(pendulum), {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0});
  motion.set(5, default_parameters(pendulum), {std::nan(""), 1.0, 0.0}, {1.0, 0.0, 0.0});
  motion.to(2.0);
  alone.to(2.0);
  EXPECT_EQ(motion.group().obstacle(3), Obstacle::singular);
  EXPECT_EQ(motion.group().obstacle(5), Obstacle::not_finite);
  for (const int lane : {0, 1, 2, 4, 6, 7}) EXPECT_EQ(motion.q(lane), alone.q(0)) << lane;
}

// Two masses that move as one, the first of which may be none: its row has no pivot on the diagonal then, and
// changes places in this lane alone.
TEST(Taylor, ExchangesRowsWhereALaneNeedsIt) {
  const TextSystem pair = text("pair", R"(
kinetic = "1/2*mass[0]*x'^2 + 1/2*mass[1]*y'^2"
potential = "1/2*stiffness*y^2"
constraints = ["x - y - 1"]
coordinates = { x = 1, y = 1 }
parameters = { mass = [3.0, 1.0], stiffness = 1.0 }
initial.q = { x = 2, y = 1 }
)");
  Motion motion(pair), alone(pair);
  for (const int lane : {0, 6}) motion.set(lane, {0.0, 1.0, 1.0}, {2.0, 1.0}, {0.0, 0.0});
  motion.to(3.0);
  alone.to(3.0);
  for (int lane = 0; lane < lanes; ++lane) {
    const bool light = lane == 0 || lane == 6;
    EXPECT_EQ(motion.group().obstacle(lane), Obstacle::none) << lane;
    EXPECT_NEAR(motion.q(lane)[1], std::cos(light ? 3.0 : 1.5), rounding(motion)) << lane;
    EXPECT_NEAR(motion.q(lane)[0], 1.0 + motion.q(lane)[1], 4.0 * eps) << lane;
    if (!light) {
      EXPECT_EQ(motion.q(lane), alone.q(0)) << lane;
      EXPECT_EQ(motion.v(lane), alone.v(0)) << lane;
    }
  }
}

// Each lane has its own motion, whoever is beside it.
TEST(Taylor, GivesTheSameBitsBesideAnyNeighbour) {
  const TextSystem system = example("double_spherical_pendulum");
  const std::vector<double> q = system.initial_position(default_parameters(system));
  std::vector<double> v = system.initial_velocity(default_parameters(system));
  Motion together(system);
  for (int lane = 0; lane < lanes; ++lane) {
    v[1] = 0.25 * lane;
    together.set(lane, default_parameters(system), q, v);
  }
  together.to(2.0);
  for (const int lane : {0, 3, 7}) {
    Motion alone(system);
    v[1] = 0.25 * lane;
    for (int l = 0; l < lanes; ++l) alone.set(l, default_parameters(system), q, v);
    alone.to(1.0);  // nodes between add nothing
    alone.to(2.0);
    EXPECT_EQ(together.q(lane), alone.q(5)) << lane;
    EXPECT_EQ(together.v(lane), alone.v(5)) << lane;
  }
}

TEST(Taylor, GivesTheSameBitsInAllInstructionSets) {
  for (const char* name : {"spring_pendulum", "heavy_top", "rolling_disk"}) {
    const TextSystem system = example(name);
    Motion plain(system, 1e-15, "plain");
    plain.to(1.0);
    for (const auto& [isa, set] : {std::pair{Isa::avx2, "avx2"}, {Isa::avx512, "avx512"}}) {
      if (!usable(isa) || !recurrences(set)) continue;
      Motion other(system, 1e-15, set);
      other.to(1.0);
      EXPECT_EQ(plain.q(), other.q()) << name << ", " << set;
      EXPECT_EQ(plain.v(), other.v()) << name << ", " << set;
    }
  }
}

class Conserved : public ::testing::TestWithParam<std::string> {};

// The rounding of a step is of no sign of its own; with one it would add up to `rounding`.
TEST_P(Conserved, EnergyAndConstraints) {
  Motion motion(example(GetParam()));
  motion.to(0.0);
  const double first = motion.balance();
  double terms = motion.energy_terms();
  for (int n = 1; n <= 100; ++n) {
    motion.to(0.5 * n);
    terms = std::max(terms, motion.energy_terms());
    ASSERT_EQ(motion.group().obstacle(0), Obstacle::none) << n;
    EXPECT_NEAR(motion.balance(), first, rounding(motion) * terms) << n;
    double size = 1.0, speed = 1.0;
    for (const double x : motion.q()) size = std::max(size, std::abs(x));
    for (const double x : motion.v()) speed = std::max(speed, std::abs(x));
    EXPECT_LT(motion.largest(motion.equations().constraints), 64.0 * eps * size * size) << n;
    EXPECT_LT(motion.largest(motion.equations().rates), 64.0 * eps * size * speed) << n;
  }
  RecordProperty("steps", motion.steps());
}

// The linkage comes to a configuration in which its rows depend on each other, at 0.714 s.
INSTANTIATE_TEST_SUITE_P(Examples, Conserved,
                         ::testing::Values("bead_on_catenary", "cart_pendulum", "chaplygin_sleigh",
                                           "charged_particle", "double_pendulum_angles",
                                           "double_spherical_pendulum", "driven_cart", "four_particle",
                                           "four_pendulum", "heavy_top", "mass_spring", "n_pendulum",
                                           "rolling_disk", "slider_crank", "spring_pendulum", "unit_circle"),
                         [](const auto& info) { return info.param; });

TEST(Taylor, TakesTheOrderThatATolerancePays) {
  EXPECT_EQ(order_of(1e-15), 26);
  EXPECT_EQ(order_of(1e-6), 12);
  Motion coarse(example("double_spherical_pendulum"), 1e-6), fine(example("double_spherical_pendulum"));
  coarse.to(1.0);
  fine.to(1.0);
  const double error = distance(coarse.q(), fine.q());
  EXPECT_GT(error, 1e-12);
  EXPECT_LT(error, 1e-4);  // a hundred tolerances for the growth within a second
}

// What rounds in the one rounds otherwise in the other, and grows with the steps and by the growth of a motion of
// less than a second, some hundred times at most.
double same_motion(const Motion& motion) { return 100.0 * rounding(motion); }

TEST(Bodies, ATopOnASphericalJointMovesAsTheTop) {
  Motion joined(example("heavy_top_by_joint")), top(example("heavy_top"));
  for (const double t : {0.1, 0.3}) {
    joined.to(t);
    top.to(t);
    // Velocities of a top that spins at 136 rad/s round in its units.
    EXPECT_LT(distance(joined.q(), top.q()), same_motion(top)) << t;
    EXPECT_LT(distance(joined.v(), top.v()), 136.0 * same_motion(top)) << t;
  }
}

// Three angles with their own kinetic energy, and two rows that close the loop.
TEST(Bodies, APlanarFourBarMovesAsOneOfAngles) {
  const TextSystem joined = example("planar_four_bar");
  Motion bodies(joined);
  const auto angle = [](const std::vector<double>& q, std::size_t body) {
    return std::atan2(q[6 * body + 3], q[6 * body + 2]);
  };
  bodies.to(0.0);
  std::ostringstream start;
  start.precision(17);
  start << "initial.q = { a = " << angle(bodies.q(), 0) << ", b = " << angle(bodies.q(), 1)
        << ", g = " << angle(bodies.q(), 2) << " }\n";
  Motion angles(text("angles", R"toml(
kinetic = """1/2*(1/3*m1*c^2 + m2*c^2)*a'^2 + 1/2*m2*k^2/3*b'^2 + 1/2*m2*c*k*cos(a - b)*a'*b' + 1/2*m3*r^2/3*g'^2"""
potential = "9.81*(m1*c/2*sin(a) + m2*(c*sin(a) + k/2*sin(b)) + m3*r/2*sin(g))"
constraints = ["c*cos(a) + k*cos(b) - base - r*cos(g)", "c*sin(a) + k*sin(b) - r*sin(g)"]
force = { a = "2*sin(3*t) - 0.1*a'" }
coordinates = { a = 1, b = 1, g = 1 }
parameters = { m1 = 0.5, m2 = 1.5, m3 = 1.0, c = 0.5, k = 1.5, r = 1.0, base = 1.2 }
)toml" + start.str()));
  for (const double t : {0.3, 0.8}) {
    bodies.to(t);
    angles.to(t);
    for (std::size_t body = 0; body < 3; ++body)
      EXPECT_NEAR(std::remainder(angle(bodies.q(), body) - angles.q()[body], 2.0 * std::numbers::pi), 0.0,
                  same_motion(angles))
          << t;
  }
  EXPECT_GT(std::abs(bodies.q()[2]), 0.3) << "the crank has not moved";
}

}  // namespace
}  // namespace livens::taylor
