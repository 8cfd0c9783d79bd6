// output.observe: what is named is in the statistics, the instances and the trajectories, and is what the
// nodes say.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ensembles/ensemble.hpp"
#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/oscillator_request.hpp"

namespace livens::ensembles {
namespace {

constexpr std::int64_t size = 40, steps = 20;

/// Every node of every instance, so that all can be checked from the states.
Result observe(const std::vector<std::string>& names, bool extremes, double failing_step = -1.0) {
  Request request = oscillator_request(size);
  request.parameters[OscillatorBackend::failure] = failing_step;
  request.steps = steps;
  request.every = 1;
  request.trajectories = size;
  request.quantiles = {0.5};
  request.variations = {
      {"initial.v[0]", Target::v, 0, 1, Law::normal, Mode::set, 0.0, 1.0, {}},
      {"system.frequency[0]", Target::parameter, 0, 1, Law::uniform, Mode::set, -0.1, 2.0, {}}};
  request.observe = names;
  request.extremes = extremes;
  OscillatorBackend backend;
  return run(request, backend, {});
}

const ObservableStatistics* find(const Result& result, const std::string& name) {
  for (const auto& statistics : result.statistics)
    if (statistics.name == name) return &statistics;
  return nullptr;
}

/// T at node k of instance i, from its velocities.
double kinetic(const Result& result, std::int64_t i, std::int64_t k) {
  const double* v = &result.trajectories.v[(i * (steps + 1) + k) * 2];
  return 0.5 * oscillator_mass * (v[0] * v[0] + v[1] * v[1]);
}
double position(const Result& result, std::int64_t i, std::int64_t k, int entry) {
  return result.trajectories.q[(i * (steps + 1) + k) * 2 + entry];
}

TEST(Observe, AddsNothingUnasked) {
  const Result result = observe({}, false);
  EXPECT_EQ(result.statistics.size(), 5u);
  EXPECT_TRUE(result.instances.observables.empty());
  EXPECT_TRUE(result.trajectories.observed.empty());
}

TEST(Observe, IsWhatTheNodesSay) {
  const Result result = observe({"kinetic_energy", "q[1]", "energy"}, false);
  ASSERT_EQ(result.trajectories.observed.size(), 2u);  // the energy is there anyway
  const auto& energies = result.trajectories.observed[0].values;
  const ObservableStatistics* statistics = find(result, "kinetic_energy");
  ASSERT_NE(statistics, nullptr);
  EXPECT_EQ(statistics->unit, "J");
  for (std::int64_t k = 0; k <= steps; ++k) {
    double sum = 0.0;
    int ok = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      if (result.instances.status[i] != 0) {
        EXPECT_TRUE(std::isnan(energies[i * (steps + 1) + k]));
        continue;
      }
      EXPECT_EQ(energies[i * (steps + 1) + k], kinetic(result, i, k));
      sum += kinetic(result, i, k), ++ok;
    }
    EXPECT_EQ(statistics->mean[k], sum / ok);
  }
  for (std::int64_t i = 0; i < size; ++i) {
    if (result.instances.status[i] != 0) {
      EXPECT_TRUE(std::isnan(result.instances["final_q[1]"][i]));
      continue;
    }
    EXPECT_EQ(result.instances["final_q[1]"][i], result.instances.final_q[2 * i + 1]);
    EXPECT_EQ(result.instances["final_kinetic_energy"][i], kinetic(result, i, steps));
  }
  EXPECT_GT(result.failed(), 0);  // frequencies that are not positive
  EXPECT_LT(result.failed(), size / 2);
}

TEST(Observe, ExtremesSeeEveryStep) {
  const Result result = observe({"q[0]"}, true);
  for (std::int64_t i = 0; i < size; ++i) {
    if (result.instances.status[i] != 0) {
      EXPECT_TRUE(std::isnan(result.instances["min_q[0]"][i]));
      continue;
    }
    double least = position(result, i, 0, 0), largest = least;
    for (std::int64_t k = 1; k <= steps; ++k) {
      least = std::min(least, position(result, i, k, 0));
      largest = std::max(largest, position(result, i, k, 0));
    }
    EXPECT_EQ(result.instances["min_q[0]"][i], least);
    EXPECT_EQ(result.instances["max_q[0]"][i], largest);
  }
}

TEST(Observe, AFailedInstanceKeepsItsLastGoodState) {
  const Result result = observe({"q[0]"}, true, 7.0);
  for (std::int64_t i = 0; i < size; ++i) {
    if (result.instances.status[i] != static_cast<std::uint8_t>(Status::newton_diverged)) continue;
    EXPECT_EQ(result.instances["final_q[0]"][i], result.instances.final_q[2 * i]);
    EXPECT_GE(result.instances["max_q[0]"][i], position(result, i, 7, 0));
  }
}

TEST(Observe, RefusesWhatIsNotThere) { EXPECT_THROW(observe({"q[2]"}, false), std::invalid_argument); }

}  // namespace
}  // namespace livens::ensembles
