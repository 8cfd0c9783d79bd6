#include "ensembles/trajectories.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "ensembles/canonical_nan.hpp"

namespace livens::ensembles {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One tile of a batch as a batch of its own, whose unit is a step.
struct TileBatch {
  TileBatch(const Batch& whole, const SystemInfo& system, std::int64_t tile, double* records) {
    const std::int64_t first = tile * tile_size;
    int entries = 0;
    for (const ParameterInfo& parameter : system.parameters) entries += parameter.size;
    varied.resize(entries);
    for (int entry = 0; entry < entries; ++entry) {
      varied[entry] = whole.varied[entry] == nullptr ? nullptr : whole.varied[entry] + first;
    }
    batch = whole;
    batch.size = tile_size;
    batch.varied = varied.data();
    batch.varied_step = whole.varied_step == nullptr ? nullptr : whole.varied_step + first;
    batch.steps_per_unit = nullptr;
    batch.q = whole.q + first * system.coordinates;
    batch.v = whole.v + first * system.coordinates;
    batch.p = whole.p + first * system.coordinates;
    batch.records = records;
  }
  std::vector<const double*> varied;
  Batch batch;
};

}  // namespace

TrajectoryRecorder::TrajectoryRecorder(const SystemInfo& system, std::int64_t count, std::size_t samples)
    : d_(system.coordinates),
      m_(system.constraints),
      s_(system.momentum_maps),
      samples_(static_cast<std::int64_t>(samples)) {
  trajectories_.instance.resize(count);
  std::iota(trajectories_.instance.begin(), trajectories_.instance.end(), 0);
  const std::int64_t nodes = count * samples_;
  for (auto* array : {&trajectories_.q, &trajectories_.p, &trajectories_.v}) array->assign(nodes * d_, nan);
  for (auto* array : {&trajectories_.lambda, &trajectories_.gamma}) array->assign(nodes * m_, nan);
  trajectories_.momentum.assign(nodes * s_, nan);
  for (auto* array : {&trajectories_.energy, &trajectories_.total_energy, &trajectories_.z}) {
    array->assign(nodes, nan);
  }
}

void TrajectoryRecorder::approach(Backend& backend, const Batch& batch, const Settings& settings,
                                  std::int64_t unit) {
  const auto count = static_cast<std::int64_t>(trajectories_.instance.size());
  const std::int64_t tiles = (count + tile_size - 1) / tile_size;
  const std::int64_t tile_values = std::int64_t{backend.record_width()} * tile_size;
  before_.assign(batch.records, batch.records + tiles * tile_values);
  if (batch.steps_per_unit == nullptr) return;

  std::vector<double> copy(tile_values);
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    const std::int64_t followed = std::min<std::int64_t>(tile_size, count - tile * tile_size);
    const std::int64_t* steps = batch.steps_per_unit + tile * tile_size;
    const double* start = batch.records + tile * tile_values;
    double* before = before_.data() + tile * tile_values;
    for (const std::int64_t steps_per_unit : std::set<std::int64_t>(steps, steps + followed)) {
      std::copy_n(start, tile_values, copy.data());
      // The other instances of the tile are led to a wrong step number here; nothing of them is taken.
      TileBatch scratch(batch, backend.system(), tile, copy.data());
      backend.advance(scratch.batch, settings, unit * steps_per_unit, (unit + 1) * steps_per_unit - 1);
      for (std::int64_t lane = 0; lane < followed; ++lane) {
        if (steps[lane] != steps_per_unit) continue;
        for (std::int64_t value = lane; value < tile_values; value += tile_size) before[value] = copy[value];
      }
    }
  }
}

void TrajectoryRecorder::sample(Backend& backend, const Batch& batch, std::size_t sample) {
  const double* before = before_.empty() ? nullptr : before_.data();
  for (const std::int64_t instance : trajectories_.instance) {
    const std::int64_t status =
        column_offset(instance / tile_size, backend.record_width(), static_cast<int>(Column::status));
    if (batch.records[status + instance % tile_size] != static_cast<double>(Status::ok)) continue;
    const std::int64_t node = instance * samples_ + static_cast<std::int64_t>(sample);
    NodeView view{.q = trajectories_.q.data() + node * d_,
                  .v = trajectories_.v.data() + node * d_,
                  .p = trajectories_.p.data() + node * d_,
                  .lambda = trajectories_.lambda.data() + node * m_,
                  .gamma = trajectories_.gamma.data() + node * m_,
                  .momentum = trajectories_.momentum.data() + node * s_,
                  .energy = nan,
                  .total_energy = nan,
                  .z = nan};
    backend.node(batch, before, instance, view);
    trajectories_.energy[node] = view.energy;
    trajectories_.total_energy[node] = view.total_energy;
    trajectories_.z[node] = view.z;
  }
}

Trajectories TrajectoryRecorder::finish() {
  Trajectories& t = trajectories_;
  for (auto* array : {&t.q, &t.p, &t.v, &t.lambda, &t.gamma, &t.momentum, &t.energy, &t.total_energy, &t.z}) {
    make_nan_canonical(*array);
  }
  return std::move(t);
}

}  // namespace livens::ensembles
