#include "host/run/pilot.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "ensembles/ensemble.hpp"
#include "ensembles/schedule.hpp"

namespace livens::host {
namespace {

using ensembles::Range;

constexpr double enough = 0.1;  // s that the longest of the runs below takes

/// Measures the samples.
class SampleSizes : public ensembles::Journal {
 public:
  void add(const ensembles::SamplePart& part) override {
    const std::vector<ensembles::SummaryTree>& trees = part.statistics.observables;
    sizes.resize(trees.size());
    for (std::size_t k = 0; k < trees.size(); ++k) {
      const ensembles::Summary summary = trees[k].total(part.range.first / ensembles::block_size);
      const ensembles::Distribution points =
          summary.points.size() > ensembles::most_points ? condensed(summary.points) : summary.points;
      sizes[k].points = std::max(sizes[k].points, static_cast<double>(points.size()));
      sizes[k].bins = std::max(sizes[k].bins, static_cast<double>(histogram(points).bins.size()));
    }
  }
  void add(ensembles::InstancesPart) override {}
  bool wants_standing() override { return false; }
  void keep(const ensembles::Standing&) override {}

  std::vector<SampleSize> sizes;
};

/// The request up to a beat, with its share of the trajectories.
ensembles::Request shortened(const ensembles::Request& request, std::int64_t beats, double part) {
  ensembles::Request first = request;
  const double beat = ensembles::varies_step(request) ? request.interval : request.step;
  first.steps = std::min(beats, request.steps);
  first.end = std::min(static_cast<double>(beats) * beat, request.end);
  first.trajectories = static_cast<std::int64_t>(std::ceil(part * static_cast<double>(request.trajectories)));
  return first;
}

}  // namespace

double Pilot::seconds(double count, double all_beats) const {
  return count / instances * (seconds_before + seconds_beat * all_beats);
}

Pilot pilot_run(const ensembles::Request& request, ensembles::Backend& backend, Range range, int threads) {
  // Blocks are what threads share; a device is full with some ten thousand instances.
  const std::int64_t blocks = backend.name() == "cuda" ? 64 : threads;
  std::int64_t count = std::min(range.size(), blocks * ensembles::block_size);
  const std::int64_t all = ensembles::beat_count(request);
  SampleSizes samples;
  const auto seconds_of = [&](std::int64_t beats) {
    const double part = static_cast<double>(count) / static_cast<double>(range.size());
    samples = SampleSizes();
    const auto start = std::chrono::steady_clock::now();
    ensembles::integrate(shortened(request, beats, part), backend, {range.first, range.first + count}, count,
                         samples, {}, {});
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // More and more beats: what two runs differ by is that of stepping.
  std::int64_t beats = std::min<std::int64_t>(all, 1), last = 0;
  double before = 0.0, seconds = seconds_of(beats);
  while (seconds < enough && beats < all) {
    before = seconds;
    last = beats;
    beats = std::min(4 * beats, all);
    seconds = seconds_of(beats);
  }
  // The difference of runs of nearly the same length would be noise.
  if (beats < 2 * last) before = 0.0, last = 0;
  // A run of few steps: more instances.
  while (seconds < enough && count < range.size()) {
    before = 0.0;
    last = 0;
    count = std::min(4 * count, range.size());
    seconds = seconds_of(beats);
  }
  seconds = std::min(seconds, seconds_of(beats));  // other programs may have had the processors
  Pilot pilot{};
  pilot.instances = static_cast<double>(count);
  if (beats > last) pilot.seconds_beat = std::max(seconds - before, 0.0) / static_cast<double>(beats - last);
  pilot.seconds_before = std::max(seconds - pilot.seconds_beat * static_cast<double>(beats), 0.0);
  pilot.samples = std::move(samples.sizes);
  return pilot;
}

}  // namespace livens::host
