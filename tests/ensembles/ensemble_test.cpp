#include "ensembles/ensemble.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "ensembles/batch_part.hpp"
#include "ensembles/draws.hpp"
#include "ensembles/population.hpp"
#include "ensembles/statistics.hpp"
#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/oscillator_request.hpp"
#include "tests/ensembles/summaries.hpp"

namespace livens::ensembles {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Variation vary(std::string what, Target target, int first, int count, Law law, double a, double b,
               std::vector<double> points = {}, Mode mode = Mode::set) {
  return {std::move(what), target, first, count, law, mode, a, b, std::move(points)};
}

Request base_request(std::int64_t size) {
  Request request = oscillator_request(size);
  request.every = 6;
  request.quantiles = {0.5};
  request.variations = {vary("initial.v[0]", Target::v, 0, 1, Law::normal, 0.0, 1.0)};
  return request;
}

Result run_quietly(const Request& request) {
  OscillatorBackend backend;
  return run(request, backend, {});
}

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

// The bits of row `i` of an array of rows of `width`.
std::vector<std::uint64_t> row(const std::vector<double>& values, std::int64_t i, std::int64_t width) {
  const auto first = values.begin() + i * width;
  return bits(std::vector<double>(first, first + width));
}

const ObservableStatistics& observable(const Result& result, const std::string& name) {
  for (const auto& statistics : result.statistics) {
    if (statistics.name == name) return statistics;
  }
  throw std::out_of_range(name);
}

TEST(Run, ShapesAndTimes) {
  Request request = base_request(40);
  request.trajectories = 3;
  const Result result = run_quietly(request);
  EXPECT_EQ(bits(result.time), bits({0 * 0.1, 6 * 0.1, 12 * 0.1, 18 * 0.1, 20 * 0.1}));
  EXPECT_EQ(result.ok, (std::vector<std::int64_t>(5, 40)));
  EXPECT_EQ(result.instances.initial_q.size(), 80u);
  EXPECT_EQ(result.instances.final_p.size(), 80u);
  EXPECT_EQ(result.instances.status.size(), 40u);
  EXPECT_EQ(result.instances["max_constraint"].size(), 40u);
  EXPECT_EQ(result.trajectories.q.size(), 3u * 5 * 2);
  EXPECT_EQ(result.trajectories.lambda.size(), 3u * 5 * 1);
  EXPECT_EQ(result.statistics.size(), 5u);
  EXPECT_EQ(result.failed(), 0);
  EXPECT_EQ(result.instances.failed_step[39], -1);
  EXPECT_EQ(result.instances.newton_iterations[39], 40);
}

// Twenty steps of the exact map are the map of the whole time up to round-off: cos and sin err by about an
// ulp each and a step adds four roundings of numbers below |q| + |v|, say 8 u (|q0| + |v0|) a step where the
// frequency is 1.
TEST(Run, FinalStateIsThatOfTheFlow) {
  const Result result = run_quietly(base_request(40));
  const Instances& instances = result.instances;
  for (std::int64_t i = 0; i < 40; ++i) {
    const double q0 = instances.initial_q[2 * i], v0 = instances.initial_v[2 * i];
    const double bound = 20 * 8 * 0x1p-53 * (std::fabs(q0) + std::fabs(v0));
    EXPECT_NEAR(instances.final_q[2 * i], q0 * std::cos(2.0) + v0 * std::sin(2.0), bound);
    EXPECT_EQ(instances.final_p[2 * i], oscillator_mass * instances.final_v[2 * i]);
    EXPECT_EQ(v0, standard_normal(uniforms(1, i, 0)));
  }
}

TEST(Run, RmsIsOverAllSteps) {
  // max^2/steps <= rms^2 <= max^2, up to the roundings of 20 squares and sums.
  const Instances instances = run_quietly(base_request(5)).instances;
  for (int i = 0; i < 5; ++i) {
    const double largest = instances["max_energy_error"][i], rms = instances["rms_energy_error"][i];
    ASSERT_GT(largest, 0.0);
    EXPECT_LE(rms, largest * (1 + 1e-14));
    EXPECT_GE(rms, largest / std::sqrt(20.0) * (1 - 1e-14));
  }
}

TEST(Run, PaddingDoesNotLeak) {
  // 33 instances fill one tile and begin another; the 31 repetitions must be seen nowhere.
  const Result result = run_quietly(base_request(33));
  const Result larger = run_quietly(base_request(64));
  EXPECT_EQ(result.ok, (std::vector<std::int64_t>(5, 33)));
  std::vector<double> last;
  for (std::int64_t i = 0; i < 33; ++i) {
    EXPECT_EQ(row(result.instances.final_q, i, 2), row(larger.instances.final_q, i, 2)) << i;
    last.push_back(result.instances.final_q[2 * i]);
  }
  const ObservableStatistics& statistics = observable(result, "dissipated_energy");
  EXPECT_EQ(statistics.mean.back(), moments(last).mean);
  EXPECT_EQ(statistics.std.back(), standard_deviation(moments(last)));
  std::int64_t counted = 0;
  const auto bins = static_cast<std::size_t>(statistics.bin_count);
  for (std::size_t bin = 0; bin < bins; ++bin) counted += statistics.histogram[4 * bins + bin];
  EXPECT_EQ(counted, 33);
}

TEST(Run, StatisticsFollowTheTreeOfBlocks) {
  const Result result = run_quietly(base_request(2500));
  std::vector<double> last;
  for (std::int64_t i = 0; i < 2500; ++i) last.push_back(result.instances.final_q[2 * i]);
  const std::span<const double> all = last;
  const auto block = [&](std::size_t first, std::size_t count) {
    Summary summary = summary_of(all.subspan(first, count), static_cast<std::int64_t>(first));
    condense(summary);
    return summary;
  };
  const Summary expected = merge(merge(block(0, 1024), block(1024, 1024)), block(2048, 452));
  const ObservableStatistics& statistics = observable(result, "dissipated_energy");
  EXPECT_EQ(statistics.mean.back(), expected.moments.mean);
  EXPECT_EQ(statistics.min.back(), expected.moments.min);
  EXPECT_EQ(statistics.max.back(), expected.moments.max);
  EXPECT_EQ(statistics.quantiles.back(), quantile(expected, 0.5));
  const Histogram histogram_at_the_end = histogram(expected.points);
  EXPECT_EQ(statistics.bin_width.back(), histogram_at_the_end.width);
  const auto bins = static_cast<std::size_t>(statistics.bin_count);
  for (std::size_t bin = 0; bin < histogram_at_the_end.bins.size(); ++bin) {
    EXPECT_EQ(statistics.bins[4 * bins + bin], histogram_at_the_end.bins[bin].value);
    EXPECT_EQ(statistics.histogram[4 * bins + bin], histogram_at_the_end.bins[bin].count);
  }
}

// What is observed is in /instances at the end, and its quantiles are those of these values.
TEST(Run, QuantilesOfWhatIsObservedAreExactAtTheEnd) {
  Request request = base_request(5000);
  request.observe = {"q[0]"};
  request.quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
  const Result result = run_quietly(request);
  std::vector<double> values = result.instances["final_q[0]"];
  std::sort(values.begin(), values.end());
  const std::vector<double>& quantiles = observable(result, "q[0]").quantiles;
  for (std::size_t k = 0; k < 5; ++k) {
    const auto rank = static_cast<std::size_t>(std::ceil(request.quantiles[k] * 5000.0));
    EXPECT_EQ(quantiles[4 * 5 + k], values[rank - 1]) << k;
  }
}

TEST(Run, AFailureDisturbsNoBitOfTheOthers) {
  Request request = base_request(40);
  request.trajectories = 8;
  const Result calm = run_quietly(request);
  // Instance 5 fails at step 10, between the samples 6 and 12; the rest of the points never do.
  std::vector<double> failure(40, -1.0);
  failure[5] = 10.0;
  request.variations.push_back(vary("system.failure", Target::parameter, 2, 1, Law::values, 0, 0, failure));
  const Result result = run_quietly(request);

  EXPECT_EQ(result.failed(), 1);
  EXPECT_EQ(result.instances.status[5], static_cast<std::uint8_t>(Status::newton_diverged));
  EXPECT_EQ(result.instances.failed_step[5], 10);
  EXPECT_EQ(result.ok, (std::vector<std::int64_t>{40, 40, 39, 39, 39}));
  for (std::int64_t i = 0; i < 40; ++i) {
    if (i == 5) continue;
    EXPECT_EQ(row(result.instances.final_q, i, 2), row(calm.instances.final_q, i, 2)) << i;
    EXPECT_EQ(row(result.instances["rms_energy_error"], i, 1), row(calm.instances["rms_energy_error"], i, 1))
        << i;
  }
  for (const std::int64_t i : {0, 1, 2, 3, 4, 6, 7}) {
    EXPECT_EQ(row(result.trajectories.q, i, 10), row(calm.trajectories.q, i, 10)) << i;
  }
  // Its own: the last good state, ten steps on, and NaN from the next sample on.
  EXPECT_TRUE(std::isfinite(result.instances.final_q[10]));
  EXPECT_NE(result.instances.final_q[10], calm.instances.final_q[10]);
  EXPECT_EQ(row(result.trajectories.energy, 5 * 5 + 1, 1), row(calm.trajectories.energy, 5 * 5 + 1, 1));
  for (int sample = 2; sample < 5; ++sample) {
    EXPECT_EQ(row(result.trajectories.energy, 5 * 5 + sample, 1), bits({nan}));
  }
  for (const auto& statistics : result.statistics) {
    for (const double mean : statistics.mean) EXPECT_TRUE(std::isfinite(mean)) << statistics.name;
  }
}

TEST(Run, NobodyLeft) {
  Request request = base_request(3);
  request.parameters[OscillatorBackend::failure] = 2.0;
  const Result result = run_quietly(request);
  EXPECT_EQ(result.ok, (std::vector<std::int64_t>{3, 0, 0, 0, 0}));
  EXPECT_EQ(row(observable(result, "energy_error").mean, 4, 1), bits({nan}));
  EXPECT_EQ(row(observable(result, "energy_error").quantiles, 4, 1), bits({nan}));
}

TEST(Run, AValueThatIsNotFiniteEntersNoStatistics) {
  Request request = base_request(3);
  request.variations = {vary("initial.v[1]", Target::v, 1, 1, Law::values, 0, 0, {4.0, -4.0, 16.0})};
  const Result result = run_quietly(request);
  EXPECT_EQ(result.ok[0], 3);
  EXPECT_EQ(observable(result, "velocity_constraint").mean[0], 3.0);
  EXPECT_EQ(observable(result, "velocity_constraint").std[0], 1.0);
}

TEST(Run, BornFailed) {
  Request request = base_request(3);
  request.variations = {
      vary("system.frequency[0]", Target::parameter, 0, 1, Law::values, 0, 0, {1.0, -1.0, -nan})};
  const Instances instances = run_quietly(request).instances;
  EXPECT_EQ(instances.status, (std::vector<std::uint8_t>{0, 6, 3}));
  EXPECT_EQ(instances.failed_step, (std::vector<std::int64_t>{-1, 0, 0}));
  EXPECT_EQ(bits(instances.parameters[0].values), bits({1.0, -1.0, nan}));
}

// Bits never depend on where advance() is cut: trajectories force a cut before every sample.
TEST(Run, TrajectoriesChangeNothingElse) {
  Request request = base_request(100);
  const Result without = run_quietly(request);
  request.trajectories = 100;
  const Result with = run_quietly(request);
  EXPECT_EQ(bits(with.instances.final_q), bits(without.instances.final_q));
  EXPECT_EQ(bits(observable(with, "energy_error").std), bits(observable(without, "energy_error").std));
  EXPECT_TRUE(without.trajectories.q.empty());
  EXPECT_EQ(with.trajectories.instance.back(), 99);
  for (std::int64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(row(with.trajectories.v, i * 5, 2), row(with.instances.initial_v, i, 2));
    EXPECT_EQ(row(with.trajectories.p, i * 5 + 4, 2), row(with.instances.final_p, i, 2));
  }
}

TEST(Run, MultipliersAreThoseOfTheLastStep) {
  Request request = base_request(40);
  request.trajectories = 35;
  const Trajectories trajectories = run_quietly(request).trajectories;
  for (std::int64_t i = 0; i < 35; ++i) {
    EXPECT_EQ(row(trajectories.gamma, i * 5, 1), bits({nan}));
    for (int sample = 1; sample < 5; ++sample) EXPECT_EQ(trajectories.gamma[i * 5 + sample], 1.0);
  }
  // The same nodes from a run that looks at every step.
  request.every = 1;
  const Trajectories every = run_quietly(request).trajectories;
  EXPECT_EQ(trajectories.lambda[1], every.lambda[6]);
  EXPECT_EQ(trajectories.lambda[34 * 5 + 2], every.lambda[34 * 21 + 12]);
}

TEST(Run, EveryInstanceHasItsOwnStep) {
  Request request = base_request(40);
  request.trajectories = 40;
  request.interval = 0.5;
  request.variations.push_back(
      vary("scheme.step", Target::step, 0, 1, Law::values, 0, 0, {0.24, 0.05, 0.9, -1.0, 1e-300}));
  request.variations.push_back(vary("system.frequency[0]", Target::parameter, 0, 1, Law::uniform, 1.0, 2.0));
  const Result result = run_quietly(request);
  const Instances& instances = result.instances;
  const Trajectories& trajectories = result.trajectories;
  EXPECT_EQ(result.time, (std::vector<double>{0.0, 0.5, 1.0, 1.5, 2.0}));
  const int steps[] = {2, 10, 1};
  for (std::int64_t i = 0; i < 40; ++i) {
    if (i % 5 >= 3) {
      EXPECT_EQ(instances.status[i], static_cast<std::uint8_t>(Status::invalid_parameter)) << i;
      continue;
    }
    const double h = 0.5 / steps[i % 5], w = instances.parameters[2].values[i];
    EXPECT_EQ(instances.parameters[1].values[i], h);
    EXPECT_EQ(instances.newton_iterations[i], 2 * 4 * steps[i % 5]);
    // At most forty steps, as in FinalStateIsThatOfTheFlow; w >= 1 scales q, the argument w h adds less than
    // w h u.
    const double q0 = instances.initial_q[2 * i], v0 = instances.initial_v[2 * i];
    EXPECT_NEAR(instances.final_q[2 * i], q0 * std::cos(2.0 * w) + v0 / w * std::sin(2.0 * w),
                40 * 8 * 0x1p-53 * (w * std::fabs(q0) + std::fabs(v0)));
    // One step before the sample, whatever the steps of the others: gamma counts it, lambda is its mean
    // acceleration. Against the map run backwards: a step there and one back, each 8 u (w |q| + |v|), and as
    // much for what is left.
    const double c = std::cos(w * h), s = std::sin(w * h);
    for (int sample = 1; sample < 5; ++sample) {
      const std::int64_t node = i * 5 + sample;
      const double q = trajectories.q[2 * node], v = trajectories.v[2 * node];
      EXPECT_EQ(trajectories.gamma[node], 1.0) << i;
      EXPECT_NEAR(trajectories.lambda[node] * h, v - (c * v + w * s * q),
                  24 * 0x1p-53 * (w * std::fabs(q) + std::fabs(v)))
          << i;
    }
  }
}

TEST(Variations, ParametersComeBeforeTheDefaultState) {
  Request request = base_request(4);
  request.variations = {vary("initial.v[1]", Target::v, 1, 1, Law::values, 0, 0, {10.0}, Mode::add),
                        vary("system.frequency", Target::parameter, 0, 2, Law::linspace, 1.0, 4.0,
                             {1.0, 2.0, 3.0, 4.0}, Mode::multiply)};
  const Instances instances = run_quietly(request).instances;
  // One draw for both frequencies (1, 2); the default v[1] is frequency[0].
  EXPECT_EQ(instances.parameters[1].values, (std::vector<double>{1, 2, 2, 4, 3, 6, 4, 8}));
  EXPECT_EQ(instances.parameters[0].values, (std::vector<double>{11, 12, 13, 14}));
  EXPECT_EQ(instances.parameters[0].what, "initial.v[1]");
  EXPECT_EQ(instances.parameters[1].width, 2);
}

TEST(Variations, PaddingRepeatsTheLastInstance) {
  Request request = base_request(33);
  request.interval = 0.5;
  request.variations.push_back(vary("system.frequency[0]", Target::parameter, 0, 1, Law::uniform, 1.0, 2.0));
  request.variations.push_back(vary("scheme.step", Target::step, 0, 1, Law::uniform, 0.01, 0.1));
  OscillatorBackend backend;
  const Population population(request, {0, 33}, backend);
  const Batch& batch = population.batch();
  ASSERT_EQ(batch.size, 64);
  EXPECT_NE(batch.v[2 * 31], batch.v[2 * 32]);
  for (std::int64_t i = 33; i < 64; ++i) {
    EXPECT_EQ(batch.v[2 * i], batch.v[2 * 32]);
    EXPECT_EQ(batch.varied[0][i], batch.varied[0][32]);
    EXPECT_EQ(batch.varied_step[i], batch.varied_step[32]);
    EXPECT_EQ(batch.steps_per_beat[i], batch.steps_per_beat[32]);
  }
}

TEST(Variations, RecordedBeforeProjection) {
  Request request = base_request(2);
  request.variations = {vary("initial.q[1]", Target::q, 1, 1, Law::values, 0, 0, {0.25, -0.75})};
  const Instances instances = run_quietly(request).instances;
  EXPECT_EQ(instances.parameters[0].values, (std::vector<double>{0.25, -0.75}));
  EXPECT_EQ(instances.initial_q, (std::vector<double>{1.0, 0.25, 1.0, 0.75}));
}

TEST(Variations, StatesAreKeptAsGivenWhereDerivativesBeginWithThem) {
  Request request = base_request(2);
  request.p = {6.0, 8.0};
  request.variations = {vary("initial.q[1]", Target::q, 1, 1, Law::values, 0, 0, {0.25, -0.75})};
  OscillatorBackend backend;
  const Population without(request, {0, 2}, backend);
  EXPECT_TRUE(without.batch().given_q == nullptr && without.batch().given_v == nullptr);
  request.tangent.emplace();
  const Population population(request, {0, 2}, backend);
  const Batch& batch = population.batch();
  EXPECT_EQ(batch.q[3], 0.75);
  EXPECT_EQ(std::vector<double>(batch.given_q, batch.given_q + 4),
            (std::vector<double>{1.0, 0.25, 1.0, -0.75}));
  EXPECT_EQ(std::vector<double>(batch.given_v, batch.given_v + 4), (std::vector<double>{3.0, 4.0, 3.0, 4.0}));
  const BatchPart part(batch, backend.system(), backend.record_width(), tile_size, batch.size);
  EXPECT_EQ(part.batch().given_q, batch.given_q + 2 * tile_size);
}

TEST(Variations, MomentaBecomeVelocities) {
  Request request = base_request(2);
  request.p = {6.0, 8.0};
  request.variations.clear();
  EXPECT_EQ(run_quietly(request).instances.initial_v, (std::vector<double>{3.0, 4.0, 3.0, 4.0}));
  // Without a p the base is M v of the default state: 2 (0, 1).
  request.p.reset();
  request.variations = {vary("initial.p[1]", Target::p, 1, 1, Law::values, 0, 0, {1.0, 3.0}, Mode::add)};
  const Instances instances = run_quietly(request).instances;
  EXPECT_EQ(instances.parameters[0].values, (std::vector<double>{3.0, 5.0}));
  EXPECT_EQ(instances.initial_v, (std::vector<double>{0.0, 1.5, 0.0, 2.5}));
}

TEST(Consistency, RequireRefusesABadBaseAndFailsABadInstance) {
  Request request = base_request(2);
  request.consistency = Consistency::require;
  request.variations = {vary("initial.q[1]", Target::q, 1, 1, Law::values, 0, 0, {0.25, -0.75})};
  EXPECT_EQ(run_quietly(request).instances.status, (std::vector<std::uint8_t>{0, 5}));
  request.q = {1.0, -1.0};
  EXPECT_THROW(run_quietly(request), std::invalid_argument);
  request.consistency = Consistency::project;
  EXPECT_EQ(run_quietly(request).failed(), 0);
}

// Steps that take 20 ms each: a piece may not cover the 1.2 s, and progress comes between.
TEST(Progress, GetsATurnWhileStepping) {
  class Slow : public OscillatorBackend {
    void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
      std::this_thread::sleep_for(
          std::chrono::milliseconds(20 * (to - (targets.empty() ? 0 : targets.back()))));
      OscillatorBackend::advance(batch, settings, to);
    }
  } backend;
  Request request = base_request(40);
  request.steps = 60;
  request.every = 60;
  std::vector<double> failure(40, -1.0);
  failure[37] = 3.0;
  request.variations = {vary("system.failure", Target::parameter, 2, 1, Law::values, 0, 0, failure)};
  std::vector<std::int64_t> done;
  run(request, backend, [&](std::int64_t steps, std::int64_t total, std::int64_t failed) {
    done.push_back(steps);
    EXPECT_EQ(total, 40 * 60);
    EXPECT_EQ(failed, 1);
  });
  ASSERT_GE(done.size(), 2u);
  EXPECT_LT(done.front(), 40 * 60);
  EXPECT_EQ(done.back(), 40 * 60);
  EXPECT_EQ(backend.targets.back(), 60);
}

}  // namespace
}  // namespace livens::ensembles
