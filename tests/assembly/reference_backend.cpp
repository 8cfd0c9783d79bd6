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
observe = ["work", "kinetic_energy", "potential_energy", "momentum[0]", "constraint[90]", "velocity_constraint[90]"]
)";

/// NaN in the same places, elsewhere a difference of at most so much; the rest of `what` is its name.
void expect_close(const std::vector<double>& found, const std::vector<double>& expected, double bound,
                  const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << what << ' ' << i;
    if (!std::isnan(found[i])) ASSERT_NEAR(found[i], expected[i], bound) << what << ' ' << i;
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

// To the bound of `livens verify`, relative to the largest value of each quantity.
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

  double bound = 0.0;
  for (std::int64_t i = 0; i < request.size; ++i)
    if (expected.instances.status[i] == 0) bound = std::max(bound, reference.round_off(i));
  EXPECT_LT(bound, 1e-6);
  const auto close = [&](const std::vector<double>& a, const std::vector<double>& b,
                         const std::string& what) { expect_close(a, b, bound * largest(b), what); };
  close(found.instances["energy_scale"], expected.instances["energy_scale"], "energy_scale");
  close(found.instances["final_work"], expected.instances["final_work"], "final_work");
  const ensembles::Trajectories &a = found.trajectories, &b = expected.trajectories;
  close(a.q, b.q, "q");
  close(a.p, b.p, "p");
  close(a.v, b.v, "v");
  close(a.energy, b.energy, "energy");
  close(a.total_energy, b.total_energy, "total_energy");
  close(a.lambda, b.lambda, "lambda");
  ASSERT_EQ(a.observed.size(), b.observed.size());
  for (std::size_t k = 0; k < a.observed.size(); ++k)
    close(a.observed[k].values, b.observed[k].values, a.observed[k].name);
}

}  // namespace
}  // namespace livens
