// What instances followed in full cost: steps, and records that are brought for it. Counted, not timed.

#include "ensembles/trajectories.hpp"

#include <gtest/gtest.h>

#include "ensembles/ensemble.hpp"
#include "tests/ensembles/oscillator_backend.hpp"
#include "tests/ensembles/oscillator_request.hpp"

namespace livens::ensembles {
namespace {

/// Counts the steps made, whoever asked for them, and the values of records that were brought.
class Counting : public OscillatorBackend {
 public:
  double steps = 0.0;
  std::int64_t brought = 0;

  void advance(const Batch& batch, const Settings& settings, std::int64_t to) override {
    const double before = made(batch);
    OscillatorBackend::advance(batch, settings, to);
    steps += made(batch) - before;
  }
  void fetch(const Batch&, const RecordPart& part) override {
    brought += part.tiles * (part.last - part.first) * tile_size;
  }

 private:
  static double made(const Batch& batch) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < batch.size; ++i) sum += recorded(batch, width, Column::steps, i);
    return sum;
  }
};

/// 64 instances, all followed, with 1 to 12 steps in an interval: two tiles, and nobody repeated.
Request with_own_steps(std::int64_t samples) {
  Request request = oscillator_request(64);
  request.trajectories = 64;
  request.interval = 0.6;
  request.end = 0.6 * static_cast<double>(samples);
  request.variations = {
      {"scheme.step", Target::step, 0, 1, Law::values, Mode::set, 0.0, 0.0, {0.6, 0.2, 0.05, 0.12}}};
  return request;
}

TEST(Trajectories, TakeNoStepThatTheEnsembleDoesNotTake) {
  for (const std::int64_t samples : {5, 50}) {
    Counting backend;
    const Result result = run(with_own_steps(samples), backend, {});
    EXPECT_EQ(result.time.size(), static_cast<std::size_t>(samples) + 1);
    EXPECT_EQ(result.instances.steps, samples * 16.0 * (1 + 3 + 12 + 5));
    EXPECT_EQ(backend.steps, result.instances.steps) << samples;
  }
}

TEST(Trajectories, TakeTheSameForEverySample) {
  const auto brought = [](std::int64_t samples) {
    Counting backend;
    run(with_own_steps(samples), backend, {});
    return backend.brought;
  };
  const std::int64_t ten = brought(10), of_a_sample = 2 * 64 * OscillatorBackend::width;
  EXPECT_EQ(brought(20) - ten, 10 * of_a_sample);
  EXPECT_EQ(brought(100) - ten, 90 * of_a_sample);
}

}  // namespace
}  // namespace livens::ensembles
