#include "ensembles/instances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ensembles/canonical_nan.hpp"
#include "ensembles/statistics.hpp"

namespace livens::ensembles {
namespace {

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

void collect_records(const Batch& batch, const SystemInfo& system, int record_width, std::int64_t size,
                     Instances& instances) {
  const auto value = [&](std::int64_t instance, Column column) {
    return batch.records[column_offset(instance / tile_size, record_width, static_cast<int>(column)) +
                         instance % tile_size];
  };
  for (std::int64_t i = 0; i < size; ++i) {
    const double steps = value(i, Column::steps);
    instances.steps += steps;
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

Instances collect_instances(Population& population, Backend& backend) {
  Instances instances;
  const std::int64_t size = population.size();
  backend.fetch(population.batch(), {population.batch().size / tile_size, 0, backend.record_width()});
  collect_records(population.batch(), backend.system(), backend.record_width(), size, instances);
  collect_observables(population.batch(), backend.system(), backend.record_width(), size, instances);
  collect_final_states(population.batch(), backend, size, instances);
  instances.parameters = population.take_varied();
  population.take_initial_states(instances.initial_q, instances.initial_v);
  forget_unstarted(population.status(), size, instances);
  for (auto* values :
       {&instances.initial_energy, &instances.energy_scale, &instances.max_energy_error,
        &instances.rms_energy_error, &instances.max_constraint, &instances.max_velocity_constraint,
        &instances.max_momentum_error, &instances.final_q, &instances.final_v, &instances.final_p})
    make_nan_canonical(*values);
  return instances;
}

}  // namespace livens::ensembles
