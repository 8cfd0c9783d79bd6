#include "ensembles/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace livens::ensembles {
namespace {

using Samples = std::vector<std::int64_t>;

Request request_with_varied_step(double interval, double end) {
  Request request;
  request.variations = {{.what = "scheme.step",
                         .target = Target::step,
                         .first = 0,
                         .count = 1,
                         .law = Law::values,
                         .points = {0.1}}};
  request.step = 0.1;
  request.steps = 7;
  request.every = 3;
  request.interval = interval;
  request.end = end;
  return request;
}

TEST(LinearSamples, EndWithTheLastStep) {
  EXPECT_EQ(linear_samples(10, 5), (Samples{0, 5, 10}));
  EXPECT_EQ(linear_samples(11, 5), (Samples{0, 5, 10, 11}));
  EXPECT_EQ(linear_samples(3, 5), (Samples{0, 3}));
  EXPECT_EQ(linear_samples(0, 5), (Samples{0}));
  EXPECT_EQ(linear_samples(3, 1), (Samples{0, 1, 2, 3}));
  EXPECT_THROW(linear_samples(3, 0), std::invalid_argument);
}

TEST(LogSamples, RoundedDistinctAndEndWithTheLastStep) {
  EXPECT_EQ(log_samples(12), (Samples{0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12}));
  EXPECT_EQ(log_samples(1), (Samples{0, 1}));
  EXPECT_EQ(log_samples(0), (Samples{0}));
  const Samples samples = log_samples(123456);
  EXPECT_EQ(samples.back(), 123456);
  for (std::size_t k = 1; k < samples.size(); ++k) EXPECT_LT(samples[k - 1], samples[k]);
  int of_decade = 0;
  for (const std::int64_t sample : samples) of_decade += sample >= 1000 && sample < 10000;
  EXPECT_EQ(of_decade, 16);
  // Nearest integers of 10^(k/16); std::pow errs by far less than the distance of these powers to a
  // half-integer.
  for (int k = 0; k < 16; ++k) {
    EXPECT_EQ(std::count(samples.begin(), samples.end(), std::llround(std::pow(10.0, 3 + k / 16.0))), 1) << k;
  }
}

TEST(Pieces, RoundingIsRelativeToTheirNumber) {
  // 1.4e6/0.07 is two units in the last place below 2e7, more than 1e-9.
  EXPECT_LT(1.4e6 / 0.07, 2e7 - 1e-9);
  EXPECT_EQ(pieces_of(1.4e6, 0.07).count, 2e7);
  EXPECT_TRUE(pieces_of(1.4e6, 0.07).fit);
  // Decimals of any size: n steps of k/10^e are n.
  for (const double n : {1.0, 3.0, 10.0, 999.0, 123457.0, 2e7, 12345678901.0, 0x1p50})
    for (const double k : {1.0, 3.0, 7.0, 11.0, 49.0})
      for (const double scale : {1.0, 10.0, 1e3, 1e6, 1e9}) {
        const Pieces pieces = pieces_of(n * k / scale, k / scale);
        EXPECT_EQ(pieces.count, n) << k << " " << scale;
        EXPECT_TRUE(pieces.fit) << n << " " << k << " " << scale;
      }
}

TEST(Pieces, WhatIsLeftOverIsTold) {
  EXPECT_EQ(pieces_of(1.0, 0.3).count, 3.0);
  EXPECT_FALSE(pieces_of(1.0, 0.3).fit);
  EXPECT_EQ(pieces_of(0.9999, 0.1).count, 9.0);
  EXPECT_FALSE(pieces_of(0.9999, 0.1).fit);
  EXPECT_EQ(pieces_of(0.1, 0.3).count, 0.0);
  // A step too many or too few of ten million is none of rounding.
  EXPECT_FALSE(pieces_of(1e7 + 0.5, 1.0).fit);
  EXPECT_EQ(pieces_of(1e7 + 0.5, 1.0).count, 1e7);
  EXPECT_FALSE(pieces_of(1e7 + 0.99999, 1.0).fit);
  // Ten digits of a third.
  EXPECT_EQ(pieces_of(1.0, 0.3333333334).count, 3.0);
}

// Beats times steps a beat are a count of steps: exact as a double, and far from the end of 64 bits.
TEST(Schedule, StepsOfARunCanBeCounted) {
  const Request request = request_with_varied_step(0.5, 2000.0);
  EXPECT_EQ(beat_count(request), 4000);
  EXPECT_EQ(most_steps_per_beat(request), (std::int64_t{1} << 53) / 4000);
  // In a single beat: what draws.hpp calls the most.
  EXPECT_EQ(most_steps_per_beat(request_with_varied_step(0.5, 0.5)), std::int64_t{1} << 53);
}

TEST(Schedule, StepsAreUnits) {
  Request request;
  request.step = 0.25;
  request.steps = 10;
  request.every = 4;
  const Schedule schedule = make_schedule(request);
  EXPECT_EQ(schedule.beats, 10);
  EXPECT_EQ(schedule.samples, (Samples{0, 4, 8, 10}));
  EXPECT_EQ(schedule.time(1), 1.0);
  request.sampling = Sampling::log;
  EXPECT_EQ(make_schedule(request).samples, log_samples(10));
}

TEST(Schedule, IntervalsAreUnitsWhereTheStepVaries) {
  // 0.3/0.1 is 2.9999999999999996 in double: the allowance of 1e-9 makes it 3.
  const Schedule schedule = make_schedule(request_with_varied_step(0.1, 0.3));
  EXPECT_EQ(schedule.beats, 3);
  EXPECT_EQ(schedule.samples, (Samples{0, 1, 2, 3}));
  EXPECT_EQ(schedule.time(2), 0.2);
  EXPECT_EQ(make_schedule(request_with_varied_step(0.5, 1.9)).beats, 3);
  EXPECT_THROW(make_schedule(request_with_varied_step(0.0, 1.0)), std::invalid_argument);
}

TEST(FitStep, DividesTheInterval) {
  EXPECT_EQ(fit_step(0.5, 0.1).steps, 5);
  EXPECT_EQ(fit_step(0.5, 0.1).step, 0.1);
  EXPECT_EQ(fit_step(1.0, 0.3).steps, 3);
  EXPECT_EQ(fit_step(1.0, 0.3).step, 1.0 / 3.0);
  EXPECT_EQ(fit_step(1.0, 0.28).steps, 4);
  EXPECT_EQ(fit_step(0.5, 7.0).steps, 1);
  EXPECT_EQ(fit_step(0.5, 7.0).step, 0.5);
}

TEST(FitStep, LeavesWhatIsNoStepToTheChecks) {
  EXPECT_EQ(fit_step(0.5, -0.1).step, -0.1);
  EXPECT_EQ(fit_step(0.5, 0.0).step, 0.0);
  EXPECT_TRUE(std::isnan(fit_step(0.5, std::numeric_limits<double>::quiet_NaN()).step));
  EXPECT_TRUE(std::isinf(fit_step(0.5, std::numeric_limits<double>::infinity()).step));
  EXPECT_EQ(fit_step(0.5, -0.1).steps, 1);
  EXPECT_EQ(fit_step(0.5, 1e-300).steps, 0);
}

}  // namespace
}  // namespace livens::ensembles
