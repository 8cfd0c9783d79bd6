// `--backend cuda` and `--devices` from the spec to the result, on two imitated GPUs.

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "ensembles/ensemble.hpp"
#include "host/backends.hpp"
#include "host/errors.hpp"
#include "host/registry.hpp"
#include "host/spec.hpp"
#include "kernels/backends/registry.hpp"

namespace livens {
namespace {

/// Scheme.step varies or not; parameters and velocities do.
std::string spec_of(const PairKernels& pair, bool varied_step) {
  const std::string step = varied_step ? "[[ensemble.vary]]\nwhat = 'scheme.step'\nlaw = 'uniform'\nmode = "
                                         "'multiply'\nlow = 0.5\nhigh = 1.5\n"
                                       : "";
  const std::string when =
      varied_step ? "interval = " + std::to_string(7.0 * pair.system->info->default_step) : "every = 5";
  return std::string("[system]\nname = '") + pair.system->info->name + "'\n[scheme]\nname = '" +
         pair.scheme->name + "'\nsteps = 14\n[ensemble]\nsize = 2500\n[[ensemble.vary]]\nwhat = " +
         "'initial.v[1]'\nlaw = 'normal'\nmode = 'add'\nmean = 0.0\nstd = 0.05\n[[ensemble.vary]]\n" +
         "what = 'system." + pair.system->info->parameters[0].name +
         "[0]'\nlaw = 'uniform'\nmode = 'multiply'\nlow = 0.9\nhigh = 1.1\n" + step + "[output]\n" + when +
         "\ntrajectories = 40\nenergy_bound = 1e-6\n";
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const ensembles::Result& a, const ensembles::Result& b) {
  using ensembles::Instances;
  using ensembles::Trajectories;
  for (auto values : {&Instances::initial_q, &Instances::initial_v, &Instances::final_q, &Instances::final_v,
                      &Instances::final_p, &Instances::max_energy_error, &Instances::rms_energy_error,
                      &Instances::max_constraint, &Instances::bound_exceeded})
    EXPECT_TRUE(same_bits(a.instances.*values, b.instances.*values));
  EXPECT_EQ(a.instances.status, b.instances.status);
  EXPECT_EQ(a.ok, b.ok);
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (std::size_t k = 0; k < a.statistics.size(); ++k) {
    using ensembles::ObservableStatistics;
    for (auto values : {&ObservableStatistics::mean, &ObservableStatistics::std, &ObservableStatistics::rms,
                        &ObservableStatistics::quantiles, &ObservableStatistics::bins})
      EXPECT_TRUE(same_bits(a.statistics[k].*values, b.statistics[k].*values));
    EXPECT_EQ(a.statistics[k].histogram, b.statistics[k].histogram);
  }
  for (auto values : {&Trajectories::q, &Trajectories::p, &Trajectories::lambda, &Trajectories::energy})
    EXPECT_TRUE(same_bits(a.trajectories.*values, b.trajectories.*values));
}

TEST(ImitatedGpus, GiveTheBitsOfTheProcessor) {
  std::string before;
  for (const PairKernels& pair : cpu_pairs(best_isa())) {
    const std::string name = std::string(pair.system->info->name) + " " + pair.scheme->name;
    if (std::exchange(before, name) == name) continue;  // another form
    for (const bool varied_step : {false, true}) {
      SCOPED_TRACE(name + (varied_step ? ", steps vary" : ""));
      const ensembles::Request request =
          host::parse_spec(spec_of(pair, varied_step), "test.toml", host::registered(), {}).request;
      const auto on = [&](const std::string& backend, const std::optional<host::DeviceChoice>& devices) {
        return ensembles::run(request, *host::make_backend(request, backend, 1, devices), {});
      };
      const ensembles::Result expected = on("cpu", {});
      expect_same(on("cuda", {}), expected);
      const ensembles::Result shared = on("auto", host::DeviceChoice{{1, 0}});
      expect_same(shared, expected);
      EXPECT_EQ(shared.backend, "cuda");
      EXPECT_NE(shared.device.find("device 1"), std::string::npos);
    }
  }
}

TEST(ImitatedGpus, ANumberThatThereIsNotIsRefused) {
  const PairKernels& pair = cpu_pairs(best_isa()).front();
  const ensembles::Request request =
      host::parse_spec(spec_of(pair, false), "test.toml", host::registered(), {}).request;
  EXPECT_THROW(host::make_backend(request, "cuda", 1, host::DeviceChoice{{0, 2}}), host::RequestError);
  EXPECT_THROW(host::make_backend(request, "cpu", 1, host::DeviceChoice{{0}}), host::RequestError);
}

}  // namespace
}  // namespace livens
