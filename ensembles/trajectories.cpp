#include "ensembles/trajectories.hpp"

#include <algorithm>
#include <limits>

#include "ensembles/canonical_nan.hpp"
#include "ensembles/node_values.hpp"

namespace livens::ensembles {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void TrajectoryRecorder::approach(Motion& motion, const Settings& settings) {
  fetch(motion);
  settings_ = settings;
  const double* records = motion.batch().records;
  before_.assign(records, records + column_offset(tiles(), motion.backend().record_width(), 0));
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
  for (const FollowedTangents& one : tangents_) {
    nodes.tangents.push_back(one.quantity);
    nodes.tangents.back().values.assign(count_ * one.quantity.width(), nan);
  }
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
    const double *by_q = nullptr, *by_p = nullptr;
    for (std::size_t k = 0; k < tangents_.size(); ++k) {
      if (tangents_[k].column < 0) continue;
      std::vector<double>& values = nodes.tangents[k].values;
      const std::int64_t width = tangents_[k].quantity.width();
      for (std::int64_t e = 0; e < width; ++e)
        values[i * width + e] = batch.records[column_offset(i / tile_size, backend.record_width(),
                                                            tangents_[k].column + static_cast<int>(e)) +
                                              i % tile_size];
      if (tangents_[k].quantity.name == "q") by_q = values.data() + i * width;
      if (tangents_[k].quantity.name == "p") by_p = values.data() + i * width;
    }
    for (std::size_t k = 0; k < tangents_.size(); ++k)
      if (tangents_[k].column < 0)
        propagate_covariance(*request_.tangent, static_cast<int>(d_), by_q, by_p,
                             nodes.tangents[k].values.data() + i * tangents_[k].quantity.width());
  }
  for (auto* array : {&nodes.q, &nodes.p, &nodes.v, &nodes.lambda, &nodes.gamma, &nodes.momentum,
                      &nodes.energy, &nodes.total_energy, &nodes.z})
    make_nan_canonical(*array);
  for (auto* list : {&nodes.observed, &nodes.tangents})
    for (Quantity& quantity : *list) make_nan_canonical(quantity.values);
  return nodes;
}

}  // namespace livens::ensembles
