// Numbers of gamma-convergence-constrained, section 4.2: Table 2 and the figures.

#include <cmath>
#include <cstdlib>
#include <string>

#include "assemblies.hpp"

namespace livens::reference {
namespace {

using Eigen::Vector2d;

/// What is kept of a run.
struct Course {
  double largest_rate = 0.0;                           // of |Du/h|, over all coordinates
  double unloaded = 0.0, lowest = 0.0, highest = 0.0;  // energy once the load is gone, and its range
  Vector3d least = Vector3d::Constant(1.0), greatest = Vector3d::Constant(-1.0);         // phi at midspan
  Vector2d least_resultants = Vector2d::Zero(), greatest_resultants = Vector2d::Zero();  // right of the mass
  double off_plane = 0.0, violation = 0.0, iterations = 0.0;
};

/// Axial force (N) and bending moment about e1 (N m) in the middle of an element: EA Gamma_3 and EI2 K_2.
Vector2d resultants(const Assembly& assembly, const BeamElement& element, const VectorXd& q) {
  const auto vector = [&](int body, int i) { return q.segment<3>(12 * body + 3 * i); };
  const auto& [a, b, section] = element;
  const double le = (assembly.bodies[b].position - assembly.bodies[a].position).norm();
  const double Gamma_3 = (vector(a, 3) + vector(b, 3)).dot(vector(b, 0) - vector(a, 0)) / (2.0 * le) - 1.0,
               K_2 = (vector(a, 1).dot(vector(b, 3)) - vector(a, 3).dot(vector(b, 1))) / (2.0 * le);
  return {section.axial_stiffness * Gamma_3, section.bending_stiffness_2 * K_2};
}

Course course(double h, const ThreeBarSwing& given, double end) {
  const Assembly assembly = three_bar_swing(given);
  AssemblyIntegrator swing(assembly, {"del_multiplier", h}, at_rest(assembly));
  const long steps = std::lround(end / h), loaded = std::lround(0.25 / h);
  Course course;
  for (long n = 1; n <= steps; ++n) {
    const AssemblyNode& node = swing.advance();
    course.largest_rate = std::max(course.largest_rate, node.velocity.norm());
    const Vector3d phi = node.q.segment<3>(12 * midspan());
    course.least = course.least.cwiseMin(phi);
    course.greatest = course.greatest.cwiseMax(phi);
    if (n % 5 == 0) {  // as the gallery of the package for Python samples them
      const Vector2d stress = resultants(assembly, assembly.elements[given.elements / 2], node.q);
      course.least_resultants = course.least_resultants.cwiseMin(stress);
      course.greatest_resultants = course.greatest_resultants.cwiseMax(stress);
    }
    if (n == loaded + 1) course.unloaded = course.lowest = course.highest = node.energy;
    if (n > loaded) {
      course.lowest = std::min(course.lowest, node.energy);
      course.highest = std::max(course.highest, node.energy);
    }
    for (int body = 0; body < 13; ++body) {  // d2 = e1, and nothing else has a component along e1
      VectorXd e1 = node.q.segment<12>(12 * body)(Eigen::seqN(0, 4, 3));
      e1[2] -= 1.0;
      course.off_plane = std::max(course.off_plane, e1.lpNorm<Eigen::Infinity>());
    }
    course.violation =
        std::max(course.violation, swing.system().constraint(node.q).lpNorm<Eigen::Infinity>());
    course.iterations += static_cast<double>(node.newton_iterations) / static_cast<double>(steps);
  }
  return course;
}

/// That `value` is what is printed, to half a unit of its third digit behind the point.
void expect_three_digits(double value, double printed) { EXPECT_NEAR(value, printed, 0.5e-3); }

/// As the paper has it: 5 s, and no load in (15).
Course printed(double h) { return course(h, {.load_in_start = 0.0}, 5.0); }

struct Row {
  double h, largest_rate;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.h; }

class Table2 : public ::testing::TestWithParam<Row> {};

// 1e-5 is what is known of the paper's model: with the sixth digit of EI2, which it does not print, the table
// moves by 2e-5. The first two rows, h = 1e-2 and 5e-3, hang on smaller things still and are no target.
TEST_P(Table2, LargestNormOfTheDiscreteVelocity) {
  const auto& [h, expected] = GetParam();
  if (h < 5e-4 && !std::getenv("LIVENS_LONG_TESTS"))
    GTEST_SKIP() << "takes minutes; set LIVENS_LONG_TESTS to run it";
  EXPECT_NEAR(printed(h).largest_rate, expected, 1e-5 * expected);
}

INSTANTIATE_TEST_SUITE_P(ThreeBarSwing, Table2,
                         ::testing::Values(Row{1e-3, 29.211974341839312}, Row{1e-4, 28.986258982641335},
                                           Row{5e-5, 28.970130936433204}, Row{1e-5, 28.964966706946093}));

// Figures 6 to 8 have this step, and Table 2 a row. The motion is planar, in exact arithmetic for ever: what
// leaves the plane is rounding, of d2 alone. Constraints as Newton's method evaluates them, to some eps.
TEST(ThreeBarSwing, AtTheStepOfTheFigures) {
  const Course swing = printed(5e-4);
  EXPECT_NEAR(swing.largest_rate, 29.414409469970764, 1e-5 * 29.414409469970764);
  EXPECT_NEAR(swing.unloaded, 139.37, 0.005);
  EXPECT_LT((swing.highest - swing.lowest) / swing.unloaded, 2e-4);
  expect_three_digits(swing.least[1], 0.360);
  expect_three_digits(swing.greatest[1], 0.627);
  expect_three_digits(swing.least[2], -0.364);
  expect_three_digits(swing.greatest[2], 0.266);
  EXPECT_NEAR(swing.least_resultants[0], -5542.05, 0.005);
  EXPECT_NEAR(swing.greatest_resultants[0], 6829.75, 0.005);
  expect_three_digits(swing.least_resultants[1], -69.612);
  expect_three_digits(swing.greatest_resultants[1], 57.063);
  EXPECT_LT(swing.off_plane, 8.0 * eps);
  EXPECT_LT(swing.violation, 8.0 * eps);
  EXPECT_NEAR(swing.iterations, 2.9, 0.15);
}

// No targets: such steps do not resolve the motion, the largest velocity comes later than with the finer
// ones. So far is the model off, as the text says.
TEST(ThreeBarSwing, FirstRowsOfTableTwo) {
  EXPECT_NEAR(printed(1e-2).largest_rate / 21.264358970618083 - 1.0, 5.63e-3, 0.05e-3);
  EXPECT_NEAR(printed(5e-3).largest_rate / 21.502895414634740 - 1.0, -4.1e-4, 0.05e-4);
}

struct Alternative {
  std::string name;
  ThreeBarSwing given;
  double off_by, tolerance;
};

void PrintTo(const Alternative& alternative, std::ostream* out) { *out << alternative.name; }

ThreeBarSwing with_printed_stiffness() {
  ThreeBarSwing swing{.load_in_start = 0.0};
  swing.section.bending_stiffness_2 = 10.2656;
  return swing;
}

class TableTwoTellsTheModel : public ::testing::TestWithParam<Alternative> {};

// What the paper leaves open, or to another digit, is told by its table: the alternatives are off by more
// than the 1e-5 that is left. The largest velocity comes at 2.878 s.
TEST_P(TableTwoTellsTheModel, AlternativesAreOff) {
  const auto& [name, given, off_by, tolerance] = GetParam();
  EXPECT_NEAR(course(1e-3, given, 3.0).largest_rate / 29.211974341839312 - 1.0, off_by, tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    ThreeBarSwing, TableTwoTellsTheModel,
    ::testing::Values(
        Alternative{"load in the start equation", {}, -1.85e-4, 0.5e-6},
        Alternative{"base at the beam", {.base_at_ground = false, .load_in_start = 0.0}, 1.54e-4, 0.5e-6},
        Alternative{"EI2 as printed", with_printed_stiffness(), -2.10e-5, 0.5e-7},
        Alternative{"half the rods' mass", {.rod_mass = 0.005, .load_in_start = 0.0}, -1.57e-5, 0.5e-7}));

}  // namespace
}  // namespace livens::reference
