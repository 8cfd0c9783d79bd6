#include "bench/throughput.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/cpu_seconds.hpp"
#include "naive/naive.hpp"

namespace livens::bench {
namespace {

constexpr std::int64_t instances = 256;  // small enough that every record stays in the second-level cache
constexpr double round_seconds = 0.1;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// The system's own initial state, with velocities spread by five per cent, ready to start.
class Population {
 public:
  /// `system`: of the pair, or of the same without directions.
  Population(const PairKernels& pair, const SystemKernels& system) : pair_(pair) {
    const SystemInfo& info = *system.info;
    for (const ParameterInfo& parameter : info.parameters)
      parameters_.insert(parameters_.end(), parameter.defaults.begin(), parameter.defaults.end());
    varied_.assign(parameters_.size(), nullptr);
    const std::int64_t row = info.coordinates;
    q_.resize(instances * row);
    v_ = p_ = q_;
    records_.resize(instances * pair.record_width);
    status_.resize(instances);
    batch_ = {instances, parameters_.data(), varied_.data(), info.default_step, nullptr,
              nullptr,   q_.data(),          v_.data(),      p_.data(),         records_.data()};
    system.initial_states(batch_, 0, instances);
    for (std::int64_t i = 0; i < instances; ++i)
      for (std::int64_t c = 0; c < row; ++c) v_[i * row + c] *= 1.0 + 0.05 * std::sin(static_cast<double>(i));
    given_q_ = q_;
    given_v_ = v_;
    batch_.given_q = given_q_.data();
    batch_.given_v = given_v_.data();
    system.make_consistent(batch_, Consistency::project, status_.data(), 0, instances);
  }

  /// Seconds for all instances from node 0 through `steps` steps.
  double integrate(const Settings& settings, std::int64_t steps) {
    pair_.start(batch_, settings, status_.data(), 0, instances);
    const double begin = cpu_seconds();
    pair_.advance(batch_, settings, steps, 0, instances);
    return cpu_seconds() - begin;
  }

  double sum(Column column) const {
    double total = 0.0;
    for (std::int64_t i = 0; i < instances; ++i)
      total += records_[column_offset(i / tile_size, pair_.record_width, static_cast<int>(column)) +
                        i % tile_size];
    return total;
  }

 private:
  const PairKernels& pair_;
  std::vector<double> parameters_, q_, v_, p_, given_q_, given_v_, records_;
  std::vector<double*> varied_;
  std::vector<std::uint8_t> status_;
  Batch batch_{};
};

}  // namespace

Throughput measure(const PairKernels& pair, double tolerance, Precision precision, int rounds) {
  const SystemInfo& info = *pair.system->info;
  Settings settings = standard_settings(*pair.scheme);
  settings.tolerance = tolerance;
  settings.precision = precision;
  const auto whole = static_cast<std::int64_t>(info.default_end / info.default_step + 1e-9);
  Population population(pair, *pair.system);

  // A first, short leg warms up and says how many steps fill a round.
  std::int64_t steps = std::min<std::int64_t>(whole, 200);
  const double pilot = population.integrate(settings, steps);
  steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(steps * round_seconds / pilot), 1, whole);
  const bool compare = naive::available(info.name, pair.scheme->name);
  std::int64_t naive_steps = 0;
  if (compare) {
    const auto trial = naive::run(info.name, pair.scheme->name, info.default_step, 2000, tolerance);
    naive_steps = static_cast<std::int64_t>(2000 * round_seconds / trial.seconds);
  }

  std::vector<double> ours, theirs, ratios;
  for (int round = 0; round < rounds; ++round) {
    if (compare) {
      const auto loop = naive::run(info.name, pair.scheme->name, info.default_step, naive_steps, tolerance);
      theirs.push_back(static_cast<double>(loop.steps) / loop.seconds);
    }
    double seconds = 0.0, done = 0.0;
    while (seconds < round_seconds) {
      seconds += population.integrate(settings, steps);
      done += population.sum(Column::steps);
    }
    ours.push_back(done / seconds);
    if (compare) ratios.push_back(ours.back() / theirs.back());
  }
  Throughput result{
      median(ours), population.sum(Column::newton_iterations) / population.sum(Column::steps), {}, {}};
  if (compare) {
    result.naive_steps_per_second = median(theirs);
    result.ratio = median(ratios);
  }
  return result;
}

TangentCost measure_tangent(const PairKernels& plain, const PairKernels& moved, int directions,
                            double tolerance, int rounds) {
  const SystemInfo& info = *plain.system->info;
  Settings settings = standard_settings(*plain.scheme);
  settings.tolerance = tolerance;
  const auto whole = static_cast<std::int64_t>(info.default_end / info.default_step + 1e-9);
  Population without(plain, *plain.system), with(moved, *plain.system);
  // Both take the same steps, for a round together.
  std::int64_t steps = std::min<std::int64_t>(whole, 50);
  const double pilot = without.integrate(settings, steps) + with.integrate(settings, steps);
  steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(steps * round_seconds / pilot), 1, whole);
  std::vector<double> speeds, costs;
  for (int round = 0; round < rounds; ++round) {
    double alone = 0.0, together = 0.0, done = 0.0;
    while (alone + together < round_seconds) {
      alone += without.integrate(settings, steps);
      together += with.integrate(settings, steps);
      done += without.sum(Column::steps);
    }
    speeds.push_back(done / alone);
    costs.push_back((together - alone) / alone / directions);
  }
  return {median(speeds), median(costs)};
}

}  // namespace livens::bench
