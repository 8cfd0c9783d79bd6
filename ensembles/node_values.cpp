#include "ensembles/node_values.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "ensembles/host_records.hpp"

namespace livens::ensembles {

NodeRoom::NodeRoom(const SystemInfo& system) {
  const std::size_t d = system.coordinates, m = system.constraints, s = system.momentum_maps;
  values_.resize(3 * d + 2 * m + s + sampled_entries(extents_of(system)));
  double* at = values_.data();
  const auto take = [&](std::size_t count) { return std::exchange(at, at + count); };
  view = {.q = take(d),
          .v = take(d),
          .p = take(d),
          .lambda = take(m),
          .gamma = take(m),
          .momentum = take(s),
          .energy = 0.0,
          .total_energy = 0.0,
          .z = 0.0,
          .sampled = at};
}

double value_of(const Observable& observable, const double* records, int record_width, std::int64_t instance,
                const double* sampled) {
  if (observable.column < 0) return sampled[observable.entry];
  return records[column_offset(instance / tile_size, record_width, observable.column) + instance % tile_size];
}

NodeValues::NodeValues(const Nodes& nodes, std::int64_t size, const std::vector<Observable>& observables)
    : size_(size),
      width_(static_cast<int>(observables.size()) + 1),
      records_(static_cast<std::size_t>(nodes.batch().size * width_)) {
  Backend& backend = nodes.backend();
  const Batch& batch = nodes.batch();
  const int width = backend.record_width();
  const bool evaluated = std::any_of(observables.begin(), observables.end(),
                                     [](const Observable& one) { return one.column < 0; });
  backend.for_each_block(block_count(size), [&](std::int64_t block) {
    NodeRoom room(backend.system());
    const std::int64_t last = std::min((block + 1) * block_size, size);
    for (std::int64_t i = block * block_size; i < last; ++i) {
      double* to = records_.data() + column_offset(i / tile_size, width_, 0) + i % tile_size;
      to[0] =
          batch
              .records[column_offset(i / tile_size, width, static_cast<int>(Column::status)) + i % tile_size];
      if (evaluated) nodes.node(nullptr, i, room.view);
      for (const Observable& observable : observables)
        *(to += tile_size) = value_of(observable, batch.records, width, i, room.view.sampled);
    }
  });
}

std::vector<BlockStatistics> NodeValues::statistics(Backend& backend) const {
  std::vector<Column> columns;
  for (int c = 1; c < width_; ++c) columns.push_back(static_cast<Column>(c));
  return block_statistics(backend, records_.data(), width_, size_, columns);
}

Extremes::Extremes(std::int64_t size, std::vector<Observable> observables)
    : observables_(std::move(observables)), size_(size) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < static_cast<std::size_t>(size) * observables_.size(); ++k)
    bounds_.insert(bounds_.end(), {infinite, -infinite});
}

void Extremes::meet(Motion& motion) {
  const NodeValues values(motion.nodes(), size_, observables_);
  auto bound = bounds_.begin();
  for (std::int64_t i = 0; i < size_; ++i)
    for (std::size_t k = 0; k < observables_.size(); ++k, bound += 2) {
      if (!values.ok(i)) continue;
      const double value = values.value(i, k);
      if (value < bound[0]) bound[0] = value;
      if (value > bound[1]) bound[1] = value;
    }
}

std::vector<Quantity> Extremes::quantities() const {
  std::vector<Quantity> result;
  const std::size_t count = observables_.size();
  for (std::size_t k = 0; k < count; ++k)
    for (const int side : {0, 1}) {
      const Observable& of = observables_[k];
      const std::string name = (side == 0 ? "min_" : "max_") + of.name;
      if (std::any_of(std::begin(columns), std::end(columns),
                      [&](const ColumnRow& row) { return row.name == name; }))
        continue;
      result.push_back(
          {name, of.unit, of.description + (side == 0 ? ": least" : ": largest") + " of all steps", {}});
      for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i) {
        const double* bounds = &bounds_[2 * (i * count + k)];
        result.back().values.push_back(bounds[0] <= bounds[1] ? bounds[side]
                                                              : std::numeric_limits<double>::quiet_NaN());
      }
    }
  return result;
}

}  // namespace livens::ensembles
