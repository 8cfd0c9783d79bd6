// `--backend reference` on the swing: an ensemble over load and mass, some of whose instances fail, has the
// statuses, samples and work that the processor has.

#include "host/backends/reference_backend.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/program/runs.hpp"

namespace livens {
namespace {

constexpr const char* over_load_and_mass = R"(
[system]
name = "three_bar_swing"
[scheme]
name = "{}"
step = 0.001
steps = 60
retry = 0
[[ensemble.vary]]
what = "system.peak_load"
law = "values"
values = [10000.0, -14000.0, 1e9, nan]
[[ensemble.vary]]
what = "system.midspan_mass"
law = "values"
values = [5.0, 500.0, -1.0]
[output]
every = 20
trajectories = 12
observe = ["work", "kinetic_energy", "potential_energy", "constraint[90]", "velocity_constraint[90]"]
)";

/// NaN in the same places, elsewhere a difference of at most so much; the rest of `what` is its name.
void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double bound,
                  const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << what << ' ' << i;
    if (!std::isnan(found[i])) {
      ASSERT_NEAR(found[i], expected[i], bound) << what << ' ' << i;
    }
  }
}
double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  return size;
}

class ReferenceOfTheSwing : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Schemes, ReferenceOfTheSwing, ::testing::Values("del_multiplier", "del_nullspace"),
                         [](const auto& info) { return info.param; });

// Rounding as in nodes.cpp, of 60 steps of 0.001 s: of lengths, of momenta by h EA/le, of velocities over the
// least inertia of a node's directors; of energies relative to the largest.
constexpr double length = 60 * 16.0 * 0x1p-52, momentum = 1e-3 * 547500.0 / 0.072 * length,
                 velocity = momentum / (0.140625 * 0.072 / 6.0), energy = 1e-8;

TEST_P(ReferenceOfTheSwing, HasTheStatusesAndSamplesOfTheProcessor) {
  const std::string text = fmt::format(fmt::runtime(over_load_and_mass), GetParam());
  const ensembles::Request request = host::parse_spec(text, "test.toml", host::registered(), {}).request;
  const PairKernels& pair = *host::choose_pair(host::registered(), request).pair;
  if (!host::is_built_in(pair)) GTEST_SKIP() << "this build has other systems";
  host::ReferenceBackend reference(pair);
  const ensembles::Result expected = ensembles::run(request, reference, {}), found = integrate(text);

  EXPECT_EQ(found.instances.status, expected.instances.status);
  EXPECT_EQ(found.instances.failed_step, expected.instances.failed_step);
  const std::set<std::uint8_t> statuses(expected.instances.status.begin(), expected.instances.status.end());
  for (const Status status : {Status::ok, Status::not_finite, Status::invalid_parameter})
    EXPECT_TRUE(statuses.contains(static_cast<std::uint8_t>(status))) << static_cast<int>(status);
  EXPECT_EQ(statuses.size(), 4u) << "and the thrown instance fails, too";

  const auto relative = [](const std::vector<double>& a, const std::vector<double>& b,
                           const std::string& what) { expect_close(a, b, energy * largest(b), what); };
  relative(found.instances["energy_scale"], expected.instances["energy_scale"], "energy_scale");
  relative(found.instances["final_work"], expected.instances["final_work"], "final_work");
  const ensembles::Trajectories &a = found.trajectories, &b = expected.trajectories;
  expect_close(a.q, b.q, length, "q");
  expect_close(a.p, b.p, momentum, "p");
  expect_close(a.v, b.v, velocity, "v");
  expect_close(a.lambda, b.lambda, momentum / 1e-3, "lambda");
  expect_close(a.momentum, b.momentum, 156.0 * momentum, "momentum");
  relative(a.energy, b.energy, "energy");
  relative(a.total_energy, b.total_energy, "total_energy");
  ASSERT_EQ(a.observed.size(), b.observed.size());
  for (std::size_t k = 0; k < a.observed.size(); ++k) {
    const std::string& name = a.observed[k].name;
    const auto &x = a.observed[k].values, &y = b.observed[k].values;
    if (name.starts_with("constraint"))
      expect_close(x, y, length, name);
    else if (name.starts_with("velocity_constraint"))
      expect_close(x, y, velocity, name);
    else
      relative(x, y, name);
  }
}

}  // namespace
}  // namespace livens
