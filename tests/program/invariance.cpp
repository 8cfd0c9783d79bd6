// Conditions that must not change a bit: threads, the size of the ensemble, the place of an instance in it,
// and what happens to other instances.

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "host/backends/cpu_backend.hpp"
#include "host/backends/shared_backend.hpp"
#include "host/pairs/true_motion_pairs.hpp"
#include "kernels/backends/registry.hpp"
#include "tests/program/runs.hpp"

namespace livens {
namespace {

constexpr const char* base = R"(
[system]
name = "{}"
[scheme]
name = "{}"
steps = 60
[ensemble]
size = {}
seed = 7
[[ensemble.vary]]
what = "initial.v[1]"
law = "normal"
mode = "add"
mean = 0.0
std = 0.01
[[ensemble.vary]]
what = "system.PARAMETER[0]"
law = "uniform"
mode = "multiply"
low = 0.8
high = 1.2
{}
[output]
every = 7
trajectories = 4
)";

/// `base` with a parameter that the system has.
std::string spec_of(const std::string& system, const std::string& scheme, int size, const std::string& more) {
  std::string text = fmt::format(fmt::runtime(base), system, scheme, size, more);
  const SystemInfo& info = *host::registered().system(system)->info;
  const std::string place = "PARAMETER";
  return text.replace(text.find(place), place.size(), info.parameters[0].name);
}

std::vector<std::pair<std::string, std::string>> pairs() {
  std::vector<std::pair<std::string, std::string>> names;
  // Those of the true motion take a hundred times as long; tests/true_motion tries them.
  for (const PairKernels& pair : host::registered().pairs)
    if (!host::is_true_motion(pair)) names.emplace_back(pair.system->info->name, pair.scheme->name);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const ensembles::Result& a, const ensembles::Result& b) {
  EXPECT_TRUE(same_bits(a.instances.initial_q, b.instances.initial_q));
  EXPECT_TRUE(same_bits(a.instances.initial_v, b.instances.initial_v));
  EXPECT_TRUE(same_bits(a.instances.final_q, b.instances.final_q));
  EXPECT_TRUE(same_bits(a.instances.final_v, b.instances.final_v));
  EXPECT_TRUE(same_bits(a.instances.final_p, b.instances.final_p));
  EXPECT_TRUE(same_bits(a.instances["max_energy_error"], b.instances["max_energy_error"]));
  EXPECT_TRUE(same_bits(a.instances["rms_energy_error"], b.instances["rms_energy_error"]));
  EXPECT_EQ(a.instances.newton_iterations, b.instances.newton_iterations);
  EXPECT_EQ(a.instances.status, b.instances.status);
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (std::size_t i = 0; i < a.statistics.size(); ++i) {
    EXPECT_TRUE(same_bits(a.statistics[i].mean, b.statistics[i].mean));
    EXPECT_TRUE(same_bits(a.statistics[i].std, b.statistics[i].std));
    EXPECT_TRUE(same_bits(a.statistics[i].quantiles, b.statistics[i].quantiles));
    EXPECT_EQ(a.statistics[i].histogram, b.statistics[i].histogram);
  }
  EXPECT_TRUE(same_bits(a.trajectories.q, b.trajectories.q));
  EXPECT_TRUE(same_bits(a.trajectories.lambda, b.trajectories.lambda));
}

/// Two blocks and the short beginning of a third, on one thread: what the others are compared with, integrated once.
const ensembles::Result& on_one_thread(const std::string& system, const std::string& scheme) {
  static std::map<std::string, ensembles::Result> kept;
  const std::string spec = spec_of(system, scheme, 2100, "");
  const auto [place, is_new] = kept.try_emplace(spec);
  if (is_new) place->second = integrate(spec);
  return place->second;
}

TEST(Invariance, OneThreadAndTwo) {
  for (const auto& [system, scheme] : pairs()) {
    SCOPED_TRACE(system + " " + scheme);
    expect_same(on_one_thread(system, scheme), integrate(spec_of(system, scheme, 2100, ""), 2));
  }
}

// Every instruction set is a device with a share of the ensemble; plain code, which is slow, has the short
// block.
TEST(Invariance, OneDeviceAndSeveral) {
  for (const auto& [system, scheme] : pairs()) {
    SCOPED_TRACE(system + " " + scheme);
    const std::string text = spec_of(system, scheme, 2100, "");
    const ensembles::Request request = host::parse_spec(text, "test.toml", host::registered(), {}).request;
    const PairKernels& pair = *host::choose_pair(host::registered(), request).pair;
    std::vector<std::unique_ptr<ensembles::Backend>> members;
    for (const Isa isa : {Isa::avx512, Isa::avx2, Isa::plain})
      for (const PairKernels& other : usable(isa) ? cpu_pairs(isa) : std::span<const PairKernels>{})
        if (other.system->info->name == system && other.scheme->name == scheme &&
            std::string(other.form) == pair.form)
          members.push_back(std::make_unique<host::CpuBackend>(other, isa_name(isa), 1));
    EXPECT_GE(members.size(), 1u);
    host::SharedBackend several(std::move(members));
    expect_same(on_one_thread(system, scheme), ensembles::run(request, several, {}));
  }
}

TEST(Invariance, AnInstanceDoesNotKnowTheSizeOfItsEnsemble) {
  for (const auto& [system, scheme] : pairs()) {
    SCOPED_TRACE(system + " " + scheme);
    const auto alone = integrate(spec_of(system, scheme, 1, ""));
    const auto& many = on_one_thread(system, scheme);
    const auto first = [](const std::vector<double>& values, const std::vector<double>& like) {
      return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(like.size()));
    };
    EXPECT_TRUE(same_bits(first(many.instances.final_q, alone.instances.final_q), alone.instances.final_q));
    EXPECT_TRUE(same_bits(first(many.instances.final_p, alone.instances.final_p), alone.instances.final_p));
    EXPECT_EQ(many.instances["max_energy_error"][0], alone.instances["max_energy_error"][0]);
  }
}

// The swing over load and tip mass: one, two and three threads, and all lanes there are.
TEST(Invariance, TheSwingOverItsLoadAndItsMass) {
  const auto over_load_and_mass = [](const std::string& scheme, int size) {
    return fmt::format(R"(
[system]
name = "three_bar_swing"
[scheme]
name = "{}"
steps = 40
[ensemble]
size = {}
seed = 7
[[ensemble.vary]]
what = "system.peak_load"
law = "uniform"
low = 5000.0
high = 15000.0
[[ensemble.vary]]
what = "system.midspan_mass"
law = "lognormal"
mu = 4.0
sigma = 1.0
[output]
every = 7
trajectories = 4
)",
                       scheme, size);
  };
  for (const std::string scheme : {"del_multiplier", "del_nullspace"}) {
    SCOPED_TRACE(scheme);
    const std::string blocks = over_load_and_mass(scheme, 2100), few = over_load_and_mass(scheme, 70);
    const ensembles::Request request = host::parse_spec(few, "test.toml", host::registered(), {}).request;
    const PairKernels& pair = *host::choose_pair(host::registered(), request).pair;
    if (!host::is_built_in(pair)) GTEST_SKIP() << "this build has other systems";
    const ensembles::Result on_one = integrate(blocks, 1);
    EXPECT_EQ(on_one.failed(), 0);
    for (const int threads : {2, 3}) expect_same(on_one, integrate(blocks, threads));
    const ensembles::Result expected = integrate(few);
    for (const Isa isa : {Isa::plain, Isa::avx2, Isa::avx512})
      for (const PairKernels& lanes : usable(isa) ? cpu_pairs(isa) : std::span<const PairKernels>{}) {
        if (lanes.system->info->name != request.system || lanes.scheme->name != scheme) continue;
        SCOPED_TRACE(isa_name(isa));
        host::CpuBackend backend(lanes, isa_name(isa), 3);
        expect_same(expected, ensembles::run(request, backend, {}));
      }
  }
}

// One more varied quantity, multiplied by one everywhere but in instance 5, where it is not a number.
TEST(Invariance, ANanMarksItsInstanceAndMovesNoBitOfAnother) {
  const auto grid = [](const std::string& fifth) {
    std::string points = "1.0, 1.0, 1.0, 1.0, 1.0, " + fifth;
    for (int i = 6; i < 64; ++i) points += ", 1.0";
    return "[[ensemble.vary]]\nwhat = \"system.gravity\"\nlaw = \"values\"\nmode = \"multiply\"\nvalues = [" +
           points + "]\n";
  };
  const auto clean = integrate(spec_of("double_spherical_pendulum", "del_nullspace", 64, grid("1.0")));
  const auto poisoned = integrate(spec_of("double_spherical_pendulum", "del_nullspace", 64, grid("nan")));
  ASSERT_EQ(clean.failed(), 0);
  for (int i = 0; i < 64; ++i) {
    SCOPED_TRACE(i);
    if (i == 5) {
      EXPECT_EQ(poisoned.instances.status[i], static_cast<std::uint8_t>(Status::not_finite));
      EXPECT_EQ(poisoned.instances.failed_step[i], 0);
      continue;
    }
    EXPECT_EQ(poisoned.instances.status[i], 0);
    for (int c = 0; c < 6; ++c)
      EXPECT_EQ(poisoned.instances.final_q[6 * i + c], clean.instances.final_q[6 * i + c]);
    EXPECT_EQ(poisoned.instances["rms_energy_error"][i], clean.instances["rms_energy_error"][i]);
  }
  for (const auto& observable : poisoned.statistics)
    for (const double mean : observable.mean) EXPECT_TRUE(std::isfinite(mean)) << observable.name;
}

}  // namespace
}  // namespace livens
