// How CudaBackend::advance() takes turns between the fast kernel and the one for difficult steps, and what it
// does not do: on imitated GPUs, which keep a list of their launches.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "imitation.hpp"
#include "kernels/backends/cuda/cuda_backend.hpp"
#include "kernels/backends/registry.hpp"
#include "tests/cuda/ensemble.hpp"
#include "tests/digests/cases.hpp"

namespace livens {
namespace {

constexpr std::int64_t size = 4 * tile_size;
using Launches = std::vector<ImitatedLaunch>;

CudaDevice a_device() {
  std::string problem;
  return cuda_devices(problem).front();
}

/// The first pair whose difficult steps are for the device, or for the processor.
const PairKernels& a_pair(bool on_device) {
  const auto pairs = cpu_pairs(best_isa());
  return *std::find_if(pairs.begin(), pairs.end(), [&](const PairKernels& pair) {
    return (cuda_pair(pair)->advance_difficult != nullptr) == on_device;
  });
}

class Advance : public testing::Test {
 protected:
  ~Advance() override { imitate_difficult_steps(nullptr); }

  /// The launches of ten steps.
  Launches launches(DifficultStep difficult) {
    imitate_difficult_steps(std::move(difficult));
    selftest::Ensemble ensemble(a_pair(true), a_device(), size);
    take_imitated_launches();
    ensemble.advance(10);
    EXPECT_EQ(ensemble.totals().steps, 10.0 * size);
    return take_imitated_launches();
  }
};

TEST_F(Advance, IsOneLaunchWhereNothingIsDifficult) {
  EXPECT_EQ(launches([](std::int64_t, double) { return false; }), (Launches{{"advance", 10.0 * size}}));
}

// Too late would be more than one step in the launch with care, too early a second one of them.
TEST_F(Advance, AnInstanceGoesBackAfterItsDifficultStep) {
  const auto difficult = [](std::int64_t i, double step) { return i == 5 && step == 3.0; };
  EXPECT_EQ(launches(difficult),
            (Launches{{"advance", 10.0 * (size - 1) + 3.0}, {"advance_difficult", 1.0}, {"advance", 6.0}}));
}

TEST_F(Advance, OneThatIsLeftAgainIsTakenTwiceAsFar) {
  const auto difficult = [](std::int64_t i, double step) {
    return (i == 5 && 3.0 <= step && step < 7.0) || (i == 40 && step == 3.0);
  };
  EXPECT_EQ(launches(difficult), (Launches{{"advance", 10.0 * (size - 2) + 6.0},
                                           {"advance_difficult", 2.0},
                                           {"advance", 6.0},
                                           {"advance_difficult", 2.0},
                                           {"advance", 0.0},
                                           {"advance_difficult", 4.0},
                                           {"advance", 0.0}}));
}

TEST_F(Advance, NoInstanceIsTakenBeyondTheUnitWanted) {
  const auto difficult = [](std::int64_t i, double step) { return i == 5 && step >= 8.0; };
  EXPECT_EQ(launches(difficult), (Launches{{"advance", 10.0 * size - 2.0},
                                           {"advance_difficult", 1.0},
                                           {"advance", 0.0},
                                           {"advance_difficult", 1.0},
                                           {"advance", 0.0}}));
}

/// Names of the launches of a sample, and what was observed, of instances with and without difficult steps.
struct Sample {
  std::vector<std::string> kernels;
  std::vector<BlockSummary> summaries;
  std::vector<double> values;
};
Sample sample(const PairKernels& pair, bool announced, DifficultStep difficult) {
  const Column columns[] = {Column::constraint, Column::energy_error};
  imitate_difficult_steps(std::move(difficult));
  selftest::Ensemble ensemble(pair, a_device(), size);
  take_imitated_launches();
  if (announced) ensemble.gpu().announce(size, columns);
  ensemble.advance(10);
  const auto observed = ensemble.gpu().observe(size, columns);
  Sample result;
  for (const ImitatedLaunch& launch : take_imitated_launches()) result.kernels.push_back(launch.kernel);
  result.summaries.assign(observed.summaries.begin(), observed.summaries.end());
  for (std::size_t part = 0; part < observed.summaries.size(); ++part)
    result.values.insert(result.values.end(), observed.ascending(part).begin(),
                         observed.ascending(part).end());
  return result;
}

void expect_same(const Sample& a, const Sample& b) {
  ASSERT_EQ(a.summaries.size(), b.summaries.size());
  for (std::size_t k = 0; k < a.summaries.size(); ++k) {
    EXPECT_EQ(a.summaries[k].moments, b.summaries[k].moments);
    EXPECT_EQ(a.summaries[k].squares, b.summaries[k].squares);
  }
  EXPECT_EQ(a.values, b.values);
}

// Statistics that are announced stand right behind the steps, and are made again, once, where these were not
// all.
TEST_F(Advance, AnnouncedStatisticsFollowTheSteps) {
  const auto never = [](std::int64_t, double) { return false; };
  const auto once = [](std::int64_t i, double step) { return i == 5 && step == 3.0; };
  const auto twice = [](std::int64_t i, double step) { return i == 5 && (step == 3.0 || step == 5.0); };
  using Names = std::vector<std::string>;
  const Sample expected = sample(a_pair(true), false, never), straight = sample(a_pair(true), true, never),
               with_care = sample(a_pair(true), true, once), with_more = sample(a_pair(true), true, twice);
  EXPECT_EQ(expected.kernels, (Names{"advance", "summarize"}));
  EXPECT_EQ(straight.kernels, expected.kernels);
  EXPECT_EQ(with_care.kernels, (Names{"advance", "summarize", "advance_difficult", "advance", "summarize"}));
  expect_same(straight, expected);
  EXPECT_EQ(with_more.kernels, (Names{"advance", "summarize", "advance_difficult", "advance",
                                      "advance_difficult", "advance", "summarize"}));
  expect_same(with_care, expected);
  expect_same(with_more, expected);
  // The processor takes the step: only then the records are what is to be observed.
  const Sample all_there = sample(a_pair(false), true, never), finished = sample(a_pair(false), true, once);
  EXPECT_EQ(finished.kernels, (Names{"advance", "summarize", "summarize"}));
  expect_same(finished, all_there);
}

/// Records of 20 long steps in mixed precision, with difficult ones among them, as they are at every stop.
std::vector<double> mixed_records(const PairKernels& pair, bool on_gpu,
                                  const std::vector<std::int64_t>& stops) {
  Settings settings = standard_settings(*pair.scheme);
  settings.precision = Precision::mixed;
  selftest::Population population(*pair.system->info, pair.record_width,
                                  {.size = size, .parameters = 0.5, .velocities = 3.0, .step_factor = 8.0});
  const Batch& batch = population.batch();
  pair.system->initial_states(batch, 0, size);
  population.disturb_velocities();
  pair.system->make_consistent(batch, Consistency::project, population.status().data(), 0, size);
  CudaBackend gpu(pair, a_device());
  gpu.take(batch);
  gpu.start(batch, settings, population.status().data());
  gpu.fetch(batch, {size / tile_size, 0, pair.record_width});
  for (const std::int64_t to : stops)
    on_gpu ? gpu.advance(batch, settings, to) : pair.advance(batch, settings, to, 0, size);
  if (on_gpu) gpu.fetch(batch, {size / tile_size, 0, pair.record_width});
  return population.records;
}

// With care a step is in double precision: an easy one that is taken so has other bits, and where it comes
// depends on where a run stops.
TEST_F(Advance, InMixedPrecisionOnlyDifficultStepsAreTakenWithCare) {
  std::vector<std::int64_t> every(20);
  std::iota(every.begin(), every.end(), 1);
  take_imitated_launches();
  bool any = false;
  for (const PairKernels& pair : cpu_pairs(best_isa())) {
    if (pair.unknowns == 0 || pair.advance_mixed == nullptr) continue;
    any = true;
    SCOPED_TRACE(selftest::name_of(pair));
    const std::vector<double> expected = mixed_records(pair, false, {20});
    for (const auto& stops : {std::vector<std::int64_t>{20}, every}) {
      const std::vector<double> found = mixed_records(pair, true, stops);
      EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)), 0);
    }
  }
  if (!any) GTEST_SKIP() << "no pair of this build is there in mixed precision";
  const Launches launches = take_imitated_launches();
  const auto careful = [](const ImitatedLaunch& launch) { return launch.kernel == "advance_difficult"; };
  EXPECT_TRUE(std::any_of(launches.begin(), launches.end(), careful));
}

TEST_F(Advance, CountsOfStepsGoUpOnlyWhereTheHostHasOthers) {
  const PairKernels& pair = a_pair(true);
  selftest::Population population(*pair.system->info, pair.record_width, {.size = size});
  std::vector<std::int64_t> per_beat(size), wanted(size);
  for (std::int64_t i = 0; i < size; ++i) {
    per_beat[i] = 2 + i % 3;
    wanted[i] = 1 + i % 2;
  }
  Batch batch = population.batch();
  batch.steps_per_beat = per_beat.data();
  CudaBackend gpu(pair, a_device());
  gpu.take(batch);
  gpu.initial_states(batch);
  gpu.make_consistent(batch, Consistency::project, population.status().data());
  gpu.start(batch, standard_settings(*pair.scheme), population.status().data());

  const auto uploads = [&](const Batch& with, std::int64_t to) {
    const std::int64_t before = imitated_uploads();
    gpu.advance(with, standard_settings(*pair.scheme), to);
    return imitated_uploads() - before;
  };
  const auto expect_steps = [&](std::int64_t i, std::int64_t steps) {
    if (!is_ok(batch, pair.record_width, i)) return;
    EXPECT_EQ(recorded(batch, pair.record_width, Column::steps, i), static_cast<double>(steps)) << i;
  };
  const RecordPart all{size / tile_size, 0, pair.record_width};
  Batch to_tick = batch;
  to_tick.steps_per_beat = wanted.data();
  EXPECT_EQ(uploads(to_tick, 1), static_cast<std::int64_t>(size * sizeof(std::int64_t)));
  gpu.fetch(batch, all);
  for (std::int64_t i = 0; i < size; ++i) expect_steps(i, wanted[i]);
  EXPECT_EQ(uploads(batch, 3), 0);
  gpu.fetch(batch, all);
  for (std::int64_t i = 0; i < size; ++i) expect_steps(i, 3 * per_beat[i]);
  EXPECT_EQ(gpu.failed(size), std::count_if(population.status().begin(), population.status().end(),
                                            [](std::uint8_t status) { return status != 0; }));
}

}  // namespace
}  // namespace livens
