// Numbers that others published, from the kernels that users run: holonomic.md sections 7 and 8, Table 1 of
// gamma-convergence-constrained, and the exact solution of the Foucault pendulum.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "tests/program/runs.hpp"

namespace livens {
namespace {

// Eleven digits behind the point are printed. Round-off: eps |q|/h x growth 260 x sqrt(200 steps) is below
// 7e-11 at worst, and the authors' code, converged, agrees with the reference to half a unit of the last
// digit.
constexpr double printed = 1e-11;

ensembles::Result four_particle(const std::string& scheme, const std::string& form, double tolerance) {
  return integrate(fmt::format(R"(
[system]
name = "four_particle"
[scheme]
name = "{}"
form = "{}"
step = 0.05
end = 10.0
newton.tolerance = {}
[output]
every = 1
trajectories = 1
)",
                               scheme, form, tolerance));
}

void expect_mass_4(const ensembles::Result& result, double x, double y, double z) {
  const auto& q = result.instances.final_q;
  EXPECT_NEAR(q[9], x, printed);
  EXPECT_NEAR(q[10], y, printed);
  EXPECT_NEAR(q[11], z, printed);
}

TEST(FourParticle, EmsEndsWhereTheAuthorsCodeEnds) {
  for (const char* form : {"reduced", "full"})
    expect_mass_4(four_particle("ems", form, 0.0), 0.86875333741, 3.88822562141, 2.32002849891);
}

// The authors' vi_b differs from ggl_vi by where DV stands in a step; the first step does not feel it since
// DV(q0) = 0, so that the positions agree.
TEST(FourParticle, GglViEndsWhereTheAuthorsViBEnds) {
  for (const char* form : {"reduced", "full"})
    expect_mass_4(four_particle("ggl_vi", form, 0.0), 0.97879294338, 3.92736736308, 2.42706488177);
}

// holonomic.md section 7. Energy to round-off: a step rounds some twenty products of the size of the energy
// scale, as in tests/laws/energy.cpp. (The table's runs stopped at a residual of 1e-12; in the
// reduced form that leaves 1e-10 of energy, since the residual of the second iterate is just below.)
// "Round-off" for g = (|q2 - q1|^2/l^2 - 1)/2 formed from positions of size 5 is 4 eps |q| = 5e-15.
TEST(FourParticle, RowsOfTheTable) {
  for (const char* form : {"reduced", "full"}) {
    SCOPED_TRACE(form);
    const auto ems = four_particle("ems", form, 0.0).instances;
    EXPECT_LE(ems["max_energy_error"][0], 8 * 2.2e-16 * 200 * ems["energy_scale"][0]);
    EXPECT_LE(ems["max_constraint"][0], 5e-15);
    EXPECT_LE(ems["max_velocity_constraint"][0], 5e-15);
    const auto ggl_vi = four_particle("ggl_vi", form, 0.0).instances;
    // The table prints 4.1e-1; the reference and the closed form both give 0.40477246.
    EXPECT_NEAR(ggl_vi["max_energy_error"][0], 0.40477246, 1e-7);
    EXPECT_LE(ggl_vi["max_constraint"][0], 5e-15);
  }
}

// reduced.md, section 3: the energy error of a long run is a random walk of rounding errors, each of them
// about eps of the energy scale, so that its largest value is near eps sqrt(steps); a systematic part of
// eps/10 a step would be 30 times that.
TEST(FourParticle, EnergyErrorOfALongRunIsARandomWalk) {
  const int steps = 100000, size = 16;
  const auto result = integrate(fmt::format(R"(
[system]
name = "four_particle"
[scheme]
name = "ems"
steps = {}
newton.tolerance = 0.0
[ensemble]
size = {}
[[ensemble.vary]]
what = "initial.p[10]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.1
[output]
every = {}
trajectories = 0
)",
                                            steps, size, steps));
  double mean = 0.0;
  for (int i = 0; i < size; ++i)
    mean += result.instances["max_energy_error"][i] / result.instances["energy_scale"][i] / size;
  EXPECT_LE(mean, 2.0 * 2.2e-16 * std::sqrt(steps));
}

// Table 1: the largest Euclidean norm of (u_{n+1} - u_n)/h over the run; tolerances of multibody.md section
// 5, which are the paper's own round-off.
TEST(DoubleSphericalPendulum, TableOne) {
  struct Row {
    double h, norm, tolerance;
    int steps;
  };
  for (const Row& row :
       {Row{1e-1, 14.437579674951671, 1e-12, 100}, Row{1e-2, 11.992045771547241, 1e-12, 1000},
        Row{1e-3, 11.979460050283279, 1e-11, 10000}, Row{1e-4, 11.979355188823591, 1e-8, 100000}}) {
    const auto result = integrate(fmt::format(R"(
[system]
name = "double_spherical_pendulum"
[scheme]
name = "del_nullspace"
step = {}
steps = {}
newton.tolerance = 0.0
[output]
every = 1
trajectories = 1
)",
                                              row.h, row.steps));
    ASSERT_EQ(result.failed(), 0);
    const auto& q = result.trajectories.q;
    double largest = 0.0;
    for (int n = 0; n < row.steps; ++n) {
      double sum = 0.0;
      for (int c = 0; c < 6; ++c) {
        const double rate = (q[6 * (n + 1) + c] - q[6 * n + c]) / row.h;
        sum += rate * rate;
      }
      largest = std::max(largest, std::sqrt(sum));
    }
    // Differences of stored positions add eps |u|/h to the norm.
    const double stored = 4.0 * 2.2e-16 * 1.5 / row.h;
    EXPECT_NEAR(largest, row.norm, row.tolerance * row.norm + stored) << "h = " << row.h;
  }
}

// herglotz.md section 3: q = rho(t) (cos th, sin th), th = th0 - w t, rho'' + alpha rho' + (g/l - w^2) rho =
// 0. The phase error of contact_2 is omega^3 h^2/24 per second to leading order, the amplitude's alpha^3
// h^2/12: with rho_0 = 0.67, t = 300 and omega^2 = 9.81/67 that is at most 0.67 x 300 x omega^3/24 h^2 =
// 0.469 h^2; the next terms are a factor (omega h)^2 smaller.
TEST(FoucaultPendulum, FollowsTheExactSolutionToSecondOrder) {
  const double pi = std::acos(-1.0), w = 7.292115e-5 * std::sin(49.0 * pi / 180.0), alpha = 1e-4,
               length = 67.0;
  const double omega = std::sqrt(9.81 / length - w * w - 0.25 * alpha * alpha), end = 300.0;
  std::vector<double> errors;
  for (const double h : {0.1, 0.05}) {
    const auto q = integrate(fmt::format(R"(
[system]
name = "foucault_pendulum"
[scheme]
name = "contact_2"
step = {}
end = {}
)",
                                         h, end))
                       .instances.final_q;
    // From rest along rho: the projected velocity is the turn of the plane alone.
    const double rho = 0.01 * length * std::exp(-0.5 * alpha * end) *
                       (std::cos(omega * end) + 0.5 * alpha / omega * std::sin(omega * end));
    const double angle = 0.5 * pi - w * end;
    errors.push_back(std::hypot(q[0] - rho * std::cos(angle), q[1] - rho * std::sin(angle)));
    EXPECT_LE(errors.back(), 0.469 * h * h);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
}

}  // namespace
}  // namespace livens
