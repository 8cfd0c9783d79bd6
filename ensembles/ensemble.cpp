#include "ensembles/ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "ensembles/canonical_nan.hpp"
#include "ensembles/observables.hpp"
#include "ensembles/population.hpp"
#include "ensembles/schedule.hpp"
#include "ensembles/statistics.hpp"
#include "ensembles/trajectories.hpp"

namespace livens::ensembles {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Steps an ensemble in pieces of about half a second, so that progress gets its turn. The state of an
// instance does not depend on where advance() is cut, hence not on the clock.
class Stepper {
 public:
  Stepper(const Request& request, Backend& backend, const Population& population, std::int64_t units,
          const Progress& progress)
      : settings_(request.settings),
        backend_(backend),
        population_(population),
        units_(units),
        progress_(progress) {}

  void advance_to(std::int64_t target) {
    while (unit_ < target) {
      const std::int64_t piece = std::min(piece_, target - unit_);
      const auto start = Clock::now();
      backend_.advance(population_.batch(), settings_, unit_, unit_ + piece);
      const double seconds = seconds_since(start);
      unit_ += piece;
      wall_seconds_ += seconds;
      // Growing at most fourfold: a short piece says little about the time of a long one.
      const double wanted = static_cast<double>(piece) * interval_ / std::max(seconds, 1e-9);
      piece_ = static_cast<std::int64_t>(std::clamp(wanted, 1.0, 4.0 * static_cast<double>(piece_)));
      if (seconds_since(reported_) >= interval_) report();
    }
  }

  void report() {
    reported_ = Clock::now();
    if (progress_) progress_(unit_, units_, failed());
  }

  double wall_seconds() const { return wall_seconds_; }

 private:
  std::int64_t failed() const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < population_.size(); ++i) {
      const std::int64_t status =
          column_offset(i / tile_size, backend_.record_width(), static_cast<int>(Column::status));
      count += population_.batch().records[status + i % tile_size] != static_cast<double>(Status::ok);
    }
    return count;
  }

  static constexpr double interval_ = 0.5;  // s
  const Settings& settings_;
  Backend& backend_;
  const Population& population_;
  std::int64_t units_;
  const Progress& progress_;
  std::int64_t unit_ = 0, piece_ = 1;
  double wall_seconds_ = 0.0;
  Clock::time_point reported_ = Clock::now();
};

// What is measured on an instance that could not start is not a number.
void forget_unstarted(const std::vector<std::uint8_t>& status, std::int64_t size, Instances& instances) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::int64_t i = 0; i < size; ++i) {
    if (status[i] == static_cast<std::uint8_t>(Status::ok)) continue;
    for (auto* values : {&instances.initial_energy, &instances.energy_scale, &instances.max_energy_error,
                         &instances.rms_energy_error, &instances.max_constraint,
                         &instances.max_velocity_constraint, &instances.max_momentum_error})
      if (!values->empty()) (*values)[i] = nan;
    for (Instances::Observable& own : instances.observables) own.values[i] = nan;
    const std::int64_t d = static_cast<std::int64_t>(instances.final_q.size()) / size;
    for (std::int64_t c = i * d; c < (i + 1) * d; ++c) {
      instances.final_q[c] = instances.initial_q[c];
      instances.final_v[c] = instances.initial_v[c];
      instances.final_p[c] = nan;
    }
  }
}

// The columns of the records that become datasets. Returns the good steps of all instances.
double collect_records(const Batch& batch, const SystemInfo& system, int record_width, std::int64_t size,
                       Instances& instances) {
  const auto value = [&](std::int64_t instance, Column column) {
    return batch.records[column_offset(instance / tile_size, record_width, static_cast<int>(column)) +
                         instance % tile_size];
  };
  double all_steps = 0.0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double steps = value(i, Column::steps);
    all_steps += steps;
    instances.status.push_back(static_cast<std::uint8_t>(value(i, Column::status)));
    instances.failed_step.push_back(static_cast<std::int64_t>(value(i, Column::failed_step)));
    instances.newton_iterations.push_back(static_cast<std::int64_t>(value(i, Column::newton_iterations)));
    instances.retried_steps.push_back(static_cast<std::int64_t>(value(i, Column::retried_steps)));
    instances.initial_energy.push_back(value(i, Column::initial_energy));
    instances.energy_scale.push_back(value(i, Column::energy_scale));
    instances.max_energy_error.push_back(value(i, Column::max_energy_error));
    // No step, no error: the only node is the initial one.
    instances.rms_energy_error.push_back(
        steps > 0.0 ? std::sqrt(value(i, Column::sum_squared_energy_error) / steps) : 0.0);
    if (system.constraints > 0) {
      instances.max_constraint.push_back(value(i, Column::max_constraint));
      instances.max_velocity_constraint.push_back(value(i, Column::max_velocity_constraint));
    }
    if (system.momentum_maps > 0)
      instances.max_momentum_error.push_back(value(i, Column::max_momentum_error));
  }
  return all_steps;
}

// They stand behind the initial momentum maps.
void collect_observables(const Batch& batch, const SystemInfo& system, int record_width, std::int64_t size,
                         Instances& instances) {
  int column = static_cast<int>(Column::count) + system.momentum_maps;
  for (const ObservableInfo& info : system.observables) {
    Instances::Observable own{info.name, info.unit, info.meaning, {}};
    for (std::int64_t i = 0; i < size; ++i)
      own.values.push_back(batch.records[column_offset(i / tile_size, record_width, column) + i % tile_size]);
    make_nan_canonical(own.values);
    instances.observables.push_back(std::move(own));
    ++column;
  }
}

void collect_final_states(const Batch& batch, Backend& backend, std::int64_t size, Instances& instances) {
  const std::int64_t d = backend.system().coordinates;
  for (auto* array : {&instances.final_q, &instances.final_v, &instances.final_p}) array->resize(size * d);
  backend.for_each_block(block_count(size), [&](std::int64_t block) {
    std::vector<double> multipliers(2 * backend.system().constraints),
        momentum(backend.system().momentum_maps);
    const std::int64_t last = std::min((block + 1) * block_size, size);
    for (std::int64_t i = block * block_size; i < last; ++i) {
      NodeView view{};
      view.q = instances.final_q.data() + i * d;
      view.v = instances.final_v.data() + i * d;
      view.p = instances.final_p.data() + i * d;
      view.lambda = multipliers.data();
      view.gamma = multipliers.data() + backend.system().constraints;
      view.momentum = momentum.data();
      backend.node(batch, nullptr, i, view);
    }
  });
}

}  // namespace

Result run(const Request& request, Backend& backend, const Progress& progress) {
  const Schedule schedule = make_schedule(request);
  require_consistent_base(request, backend);
  Population population(request, backend);
  const Batch& batch = population.batch();
  backend.start(batch, request.settings, population.status().data());

  ObservableRecorder observables(backend.system(), request.quantiles);
  TrajectoryRecorder trajectories(backend.system(), std::min(request.trajectories, request.size),
                                  schedule.samples.size());
  Stepper stepper(request, backend, population, schedule.units, progress);
  Result result;
  for (std::size_t sample = 0; sample < schedule.samples.size(); ++sample) {
    const std::int64_t unit = schedule.samples[sample];
    if (unit > 0 && !trajectories.empty()) {
      stepper.advance_to(unit - 1);
      trajectories.approach(backend, batch, request.settings, unit - 1);
    }
    stepper.advance_to(unit);
    observables.sample(backend, batch.records, population.size());
    trajectories.sample(backend, batch, sample);
    result.time.push_back(schedule.time(sample));
  }
  stepper.report();

  const SystemInfo& system = backend.system();
  result.coordinates = system.coordinates;
  result.constraints = system.constraints;
  result.momentum_maps = system.momentum_maps;
  result.size = population.size();
  result.ok = observables.ok();
  result.quantile_levels = request.quantiles;
  result.statistics = observables.finish();
  result.trajectories = trajectories.finish();
  result.backend = backend.name();
  result.device = backend.device();
  result.seed = request.seed;
  result.wall_seconds = stepper.wall_seconds();
  Instances& instances = result.instances;
  const double steps = collect_records(batch, system, backend.record_width(), population.size(), instances);
  result.steps_per_second = result.wall_seconds > 0.0 ? steps / result.wall_seconds : 0.0;
  collect_observables(batch, system, backend.record_width(), population.size(), instances);
  collect_final_states(batch, backend, population.size(), instances);
  instances.parameters = population.take_varied();
  population.take_initial_states(instances.initial_q, instances.initial_v);
  forget_unstarted(population.status(), population.size(), instances);
  for (auto* values :
       {&instances.initial_energy, &instances.energy_scale, &instances.max_energy_error,
        &instances.rms_energy_error, &instances.max_constraint, &instances.max_velocity_constraint,
        &instances.max_momentum_error, &instances.final_q, &instances.final_v, &instances.final_p})
    make_nan_canonical(*values);
  return result;
}

std::int64_t Result::failed() const {
  return std::count_if(instances.status.begin(), instances.status.end(),
                       [](std::uint8_t status) { return status != static_cast<std::uint8_t>(Status::ok); });
}

}  // namespace livens::ensembles
