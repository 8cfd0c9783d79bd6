// `--backend cuda` and `--devices` from the spec to the result, on two imitated GPUs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ensembles/ensemble.hpp"
#include "ensembles/population.hpp"
#include "host/backends/backends.hpp"
#include "host/compilation/compiler.hpp"
#include "host/errors.hpp"
#include "host/pairs/registry.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "host/spec/spec.hpp"
#include "imitation.hpp"
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
         "\ntrajectories = 40\nenergy_bound = 1e-6\n" +
         "observe = ['kinetic_energy', 'q[0]', 'work']\nextremes = true\n";
}

/// Every law and mode, on all that can vary.
std::string spec_of_all_laws(const PairKernels& pair) {
  const auto vary = [](const std::string& what, const char* law) {
    return "[[ensemble.vary]]\nwhat = '" + what + "'\nlaw = " + law + "\n";
  };
  const std::string parameter = std::string("system.") + pair.system->info->parameters[0].name + "[0]";
  return std::string("[system]\nname = '") + pair.system->info->name + "'\n[scheme]\nname = '" +
         pair.scheme->name + "'\nsteps = 6\n[ensemble]\nsize = 2500\n" +
         vary("initial.v[1]", "'normal'\nmode = 'add'\nmean = 0.0\nstd = 0.05") +
         vary(parameter, "'linspace'\nmode = 'multiply'\nlow = 0.9\nhigh = 1.1\ncount = 7") +
         vary("initial.v", "'lognormal'\nshared = true\nmode = 'multiply'\nmu = 0.0\nsigma = 0.1") +
         vary("initial.v[0:2]", "'triangular'\nmode = 'multiply'\nlow = 0.9\npeak = 1.0\nhigh = 1.1") +
         vary("initial.q[0]", "'uniform'\nmode = 'add'\nlow = -0.01\nhigh = 0.01") +
         vary("initial.v[0]", "'values'\nmode = 'add'\nvalues = [0.1, inf, -0.2, 0.0]") +
         vary("scheme.step", "'uniform'\nmode = 'multiply'\nlow = 0.5\nhigh = 1.5") +
         "[output]\ninterval = " + std::to_string(3.0 * pair.system->info->default_step) + "\n";
}

/// A pair whose momenta give velocities.
const PairKernels& regular_pair() {
  const auto pairs = cpu_pairs(best_isa());
  return *std::find_if(pairs.begin(), pairs.end(),
                       [](const PairKernels& pair) { return !pair.system->info->singular_mass; });
}

ensembles::Request request_of(const std::string& spec) {
  return host::parse_spec(spec, "test.toml", host::registered(), {}).request;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const ensembles::Result& a, const ensembles::Result& b) {
  using ensembles::Instances;
  using ensembles::Trajectories;
  for (auto values : {&Instances::initial_q, &Instances::initial_v, &Instances::final_q, &Instances::final_v,
                      &Instances::final_p, &Instances::bound_exceeded})
    EXPECT_TRUE(same_bits(a.instances.*values, b.instances.*values));
  for (auto list : {&Instances::quantities, &Instances::observables}) {
    ASSERT_EQ((a.instances.*list).size(), (b.instances.*list).size());
    for (std::size_t k = 0; k < (a.instances.*list).size(); ++k)
      EXPECT_TRUE(same_bits((a.instances.*list)[k].values, (b.instances.*list)[k].values))
          << (a.instances.*list)[k].name;
  }
  ASSERT_EQ(a.instances.parameters.size(), b.instances.parameters.size());
  for (std::size_t k = 0; k < a.instances.parameters.size(); ++k)
    EXPECT_TRUE(same_bits(a.instances.parameters[k].values, b.instances.parameters[k].values))
        << a.instances.parameters[k].what;
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
  ASSERT_EQ(a.trajectories.observed.size(), b.trajectories.observed.size());
  for (std::size_t k = 0; k < a.trajectories.observed.size(); ++k)
    EXPECT_TRUE(same_bits(a.trajectories.observed[k].values, b.trajectories.observed[k].values));
}

ensembles::Result result_of(const ensembles::Request& request, const std::string& backend,
                            const std::optional<host::DeviceChoice>& devices = {}) {
  return ensembles::run(request, *host::make_backend(request, backend, 1, devices), {});
}

/// The result of two GPUs, which is the expected one.
ensembles::Result expect_same_on_two(const ensembles::Request& request, const ensembles::Result& expected) {
  ensembles::Result shared = result_of(request, "auto", host::DeviceChoice{{1, 0}});
  expect_same(shared, expected);
  return shared;
}

/// The result of two GPUs, after one and the processor have given the same.
ensembles::Result expect_same_everywhere(const ensembles::Request& request) {
  const ensembles::Result expected = result_of(request, "cpu");
  expect_same(result_of(request, "cuda"), expected);
  return expect_same_on_two(request, expected);
}

TEST(ImitatedGpus, GiveTheBitsOfTheProcessor) {
  std::string before;
  bool first = true;
  for (const PairKernels& pair : cpu_pairs(best_isa())) {
    const std::string name = std::string(pair.system->info->name) + " " + pair.scheme->name;
    if (std::exchange(before, name) == name) continue;  // another form
    for (const bool varied_step : {false, true}) {
      SCOPED_TRACE(name + (varied_step ? ", steps vary" : ""));
      ensembles::Request request = request_of(spec_of(pair, varied_step));
      // How blocks are shared is no matter of the pair: three of the first, also on one GPU, and one for each GPU of
      // the others.
      if (!first) request.size = 1100;
      const ensembles::Result shared =
          first ? expect_same_everywhere(request) : expect_same_on_two(request, result_of(request, "cpu"));
      EXPECT_EQ(shared.backend, "cuda");
      EXPECT_NE(shared.device.find("device 1"), std::string::npos);
    }
    first = false;
  }
}

TEST(ImitatedGpus, DrawWhatTheProcessorDraws) {
  ensembles::Request request = request_of(spec_of_all_laws(regular_pair()));
  expect_same_everywhere(request);
  // A list of instances, on two devices, the last one padded.
  request.size = 1100;
  for (std::int64_t i = 0; i < request.size; ++i) request.instances.push_back(3 * i * i + 2);
  expect_same_everywhere(request);
  // The parts of the spec's own initial state, and momenta.
  const auto d = static_cast<std::size_t>(regular_pair().system->info->coordinates);
  request.instances.clear();
  request.v = std::vector<double>(d, 0.25);
  expect_same_everywhere(request);
  request.v.reset();
  for (ensembles::Variation& variation : request.variations)
    if (variation.target == ensembles::Target::v) variation.target = ensembles::Target::p;
  expect_same_everywhere(request);
  request.p = std::vector<double>(d, 0.25);
  expect_same_everywhere(request);
}

// Nothing that is as long as the ensemble goes to the device, but for a byte of status an instance.
TEST(ImitatedGpus, MakeTheInitialValues) {
  ensembles::Request request = request_of(spec_of_all_laws(regular_pair()));
  std::int64_t before_start[2];
  for (const int blocks : {1, 2}) {
    request.size = blocks * block_size;
    const auto backend = host::make_backend(request, "cuda", 1, {});
    const std::int64_t before = imitated_uploads();
    ensembles::Population population(request, {0, request.size}, *backend);
    before_start[blocks - 1] = imitated_uploads() - before;
    population.start(request.settings);
    EXPECT_EQ(imitated_uploads() - before - before_start[blocks - 1], request.size);
  }
  EXPECT_GT(before_start[0], 0);
  EXPECT_EQ(before_start[0], before_start[1]);
}

TEST(ImitatedGpus, StartTheRecordsOfTheProcessor) {
  const ensembles::Request request = request_of(spec_of_all_laws(regular_pair()));
  const auto started_on = [&](const std::string& name) {
    const auto backend = host::make_backend(request, name, 1, {});
    ensembles::Population population(request, {0, request.size}, *backend);
    const Batch& batch = population.batch();
    population.start(request.settings).fetch();
    EXPECT_EQ(std::count(population.status().begin(), population.status().begin() + 100, 0), 75);
    return std::vector<double>(batch.records, batch.records + batch.size * backend->record_width());
  };
  EXPECT_TRUE(same_bits(started_on("cuda"), started_on("cpu")));
}

/// What a program was not built with: a text, compiled for the processor and for the capability of the GPUs.
TEST(ImitatedGpus, RunWhatIsCompiledOnFirstUse) {
  if (!host::find_cuda_compiler(90)) GTEST_SKIP() << "neither NVRTC nor nvcc";
  const std::string spec =
      "[system]\nfile = '" LIVENS_TEXT
      "'\n[scheme]\nname = 'del_multiplier'\nsteps = 14\n"
      "[ensemble]\nsize = 100\n[[ensemble.vary]]\nwhat = 'initial.v[1]'\nlaw = 'normal'\nmode = 'add'\n"
      "mean = 0.0\nstd = 0.05\n[output]\nevery = 7\n";
  expect_same_everywhere(request_of(spec));
}

TEST(ImitatedGpus, RunTaylorSeries) {
  const auto pairs = host::registered().pairs;
  const auto first = std::find_if(pairs.begin(), pairs.end(), [](const PairKernels& pair) {
    return host::is_taylor(pair) && pair.system->initial_states != nullptr;
  });
  if (first == pairs.end()) GTEST_SKIP() << "no system of this build is there as text";
  for (const bool varied_step : {false, true}) {
    SCOPED_TRACE(varied_step ? "steps vary" : "steps are shared");
    ensembles::Request request = request_of(spec_of(*first, varied_step));
    request.size = 1100;
    const ensembles::Result shared = expect_same_everywhere(request);
    EXPECT_EQ(shared.backend, "cuda");
    EXPECT_NE(shared.device.find("device 1"), std::string::npos);
    // Nobody has measured what is faster.
    EXPECT_EQ(host::make_backend(request, "auto", 1, {})->name(), "cpu");
    EXPECT_THROW(host::make_backend(request, "reference", 1, {}), RequestError);
  }
}

TEST(ImitatedGpus, ANumberThatThereIsNotIsRefused) {
  const PairKernels& pair = cpu_pairs(best_isa()).front();
  const ensembles::Request request = request_of(spec_of(pair, false));
  EXPECT_THROW(host::make_backend(request, "cuda", 1, host::DeviceChoice{{0, 2}}), RequestError);
  EXPECT_THROW(host::make_backend(request, "cpu", 1, host::DeviceChoice{{0}}), RequestError);
}

}  // namespace
}  // namespace livens
