#include "ensembles/trajectories.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "ensembles/batch_part.hpp"
#include "ensembles/canonical_nan.hpp"
#include "ensembles/node_values.hpp"

namespace livens::ensembles {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void TrajectoryRecorder::approach(Motion& motion, const Settings& settings, std::int64_t unit) {
  fetch(motion);
  settings_ = settings;
  const Backend& backend = motion.backend();
  const Batch& batch = motion.batch();
  const std::int64_t tile_values = std::int64_t{backend.record_width()} * tile_size, tiles = this->tiles();
  before_.assign(batch.records, batch.records + tiles * tile_values);
  if (batch.steps_per_unit == nullptr) return;

  std::vector<double> copy(tile_values);
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    const std::int64_t followed = std::min<std::int64_t>(tile_size, count_ - tile * tile_size);
    const std::int64_t* steps = batch.steps_per_unit + tile * tile_size;
    const double* start = batch.records + tile * tile_values;
    double* before = before_.data() + tile * tile_values;
    for (const std::int64_t steps_per_unit : std::set<std::int64_t>(steps, steps + followed)) {
      std::copy_n(start, tile_values, copy.data());
      // The other instances of the tile are led to a wrong step number here; nothing of them is taken.
      const std::int64_t first = tile * tile_size;
      const BatchPart part(batch, backend.system(), backend.record_width(), first, first + tile_size);
      Batch by_steps = part.batch();
      by_steps.steps_per_unit = nullptr;
      by_steps.records = copy.data();
      motion.advance_copy(by_steps, settings, unit * steps_per_unit - 1);
      for (std::int64_t lane = 0; lane < followed; ++lane) {
        if (steps[lane] != steps_per_unit) continue;
        for (std::int64_t value = lane; value < tile_values; value += tile_size) before[value] = copy[value];
      }
    }
  }
}

Trajectories TrajectoryRecorder::sample(Motion& motion) const {
  fetch(motion);
  const Backend& backend = motion.backend();
  const Batch& batch = motion.batch();
  Trajectories nodes;
  for (auto* array : {&nodes.q, &nodes.p, &nodes.v}) array->assign(count_ * d_, nan);
  for (auto* array : {&nodes.lambda, &nodes.gamma}) array->assign(count_ * m_, nan);
  nodes.momentum.assign(count_ * s_, nan);
  for (auto* array : {&nodes.energy, &nodes.total_energy, &nodes.z}) array->assign(count_, nan);
  for (const Observable& one : observables_)
    nodes.observed.push_back({one.name, one.unit, one.description, std::vector<double>(count_, nan)});
  std::vector<double> sampled(sampled_entries(extents_of(backend.system())));
  const LastStep last{before_.data(), settings_};
  for (std::int64_t i = 0; i < count_; ++i) {
    const std::int64_t status =
        column_offset(i / tile_size, backend.record_width(), static_cast<int>(Column::status));
    if (batch.records[status + i % tile_size] != static_cast<double>(Status::ok)) continue;
    NodeView view{.q = nodes.q.data() + i * d_,
                  .v = nodes.v.data() + i * d_,
                  .p = nodes.p.data() + i * d_,
                  .lambda = nodes.lambda.data() + i * m_,
                  .gamma = nodes.gamma.data() + i * m_,
                  .momentum = nodes.momentum.data() + i * s_,
                  .energy = nan,
                  .total_energy = nan,
                  .z = nan,
                  .sampled = observables_.empty() ? nullptr : sampled.data()};
    motion.node(before_.empty() ? nullptr : &last, i, view);
    nodes.energy[i] = view.energy;
    nodes.total_energy[i] = view.total_energy;
    nodes.z[i] = view.z;
    for (std::size_t k = 0; k < observables_.size(); ++k)
      nodes.observed[k].values[i] =
          value_of(observables_[k], batch.records, backend.record_width(), i, sampled.data());
  }
  for (auto* array : {&nodes.q, &nodes.p, &nodes.v, &nodes.lambda, &nodes.gamma, &nodes.momentum,
                      &nodes.energy, &nodes.total_energy, &nodes.z})
    make_nan_canonical(*array);
  for (Quantity& quantity : nodes.observed) make_nan_canonical(quantity.values);
  return nodes;
}

}  // namespace livens::ensembles
