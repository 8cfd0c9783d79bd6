#pragma once
// The record of one instance, as backends on the host that take instances one by one keep it: the common
// columns, the initial momentum maps, what the system follows of its own.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "kernels/backends/interface.hpp"

namespace livens::host {

/// First number of the record of instance i; columns lie tile_size apart.
inline double* record_of(const Batch& batch, std::int64_t i, int width) {
  return batch.records + column_offset(i / tile_size, width, 0) + i % tile_size;
}
inline double& column(double* record, Column c) { return record[static_cast<int>(c) * tile_size]; }

/// Leaves a view with nothing known, and where the instance failed at its start, with what it was given: true
/// then.
inline bool stays_as_given(const Batch& batch, std::int64_t i, const SystemInfo& system, double* record,
                           NodeView& view) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const int d = system.coordinates, m = system.constraints;
  view.energy = view.total_energy = view.z = nan;
  std::fill_n(view.lambda, m, nan);
  std::fill_n(view.gamma, m, nan);
  std::fill_n(view.momentum, system.momentum_maps, nan);
  if (view.sampled) std::fill_n(view.sampled, sampled_entries(extents_of(system)), nan);
  if (column(record, Column::status) == 0.0 || column(record, Column::steps) != 0.0) return false;
  std::copy_n(batch.q + i * d, d, view.q);
  std::copy_n(batch.v + i * d, d, view.v);
  std::copy_n(batch.p + i * d, d, view.p);
  return true;
}

inline void fail(double* record, Status status, std::int64_t step) {
  column(record, Column::status) = static_cast<double>(status);
  column(record, Column::failed_step) = static_cast<double>(step);
}

/// What a record keeps of a node.
struct Measures {
  double energy_error, constraint, velocity_constraint, momentum_error, dissipated, work;

  double at(Column c) const {
    switch (c) {
      case Column::energy_error:
        return energy_error;
      case Column::constraint:
        return constraint;
      case Column::velocity_constraint:
        return velocity_constraint;
      case Column::momentum_error:
        return momentum_error;
      case Column::dissipated_energy:
        return dissipated;
      case Column::work:
        return work;
      default:
        return std::numeric_limits<double>::quiet_NaN();
    }
  }
};

/// The columns that have formulas, and those that follow them.
inline void write_node(double* record, const Measures& node) {
  for (const ColumnRow& row : columns) {
    if (!has_formula(row.kind)) continue;
    const double value = column(record, row.column) = node.at(row.column);
    for (const ColumnRow& follower : columns) {
      if (follower.of != row.column) continue;
      double& kept = column(record, follower.column);
      if (follower.kind == Kind::mean_square)
        kept += value * value;
      else
        kept = std::max(kept, follower.kind == Kind::largest ? value : std::abs(value));
    }
  }
}

/// A step that changes the values of the stop conditions from `before` to `after` meets one
/// (kernels/stepping/stop.hpp): the record then has the time and the number of the first.
inline bool meets_stop(double* record, const SystemInfo& system, double step, std::span<const double> before,
                       std::span<const double> after) {
  double first = 2.0;
  double* const kept = record + (column_count + system.momentum_maps) * tile_size;
  for (std::size_t k = 0; k < after.size(); ++k) {
    const double f0 = before[k], f1 = after[k], part = f0 / (f0 - f1);
    const bool crossed = (f0 > 0.0 && f1 <= 0.0) || (f0 < 0.0 && f1 >= 0.0);
    if (!crossed || part >= first) continue;
    first = part;
    kept[0] = step * (column(record, Column::steps) + part);
    kept[tile_size] = static_cast<double>(k);
  }
  return first < 2.0;
}

/// Writes the quantities evaluated at a node, row by row: values(quantity), NaN where it gives too few.
inline void write_sampled(const SystemInfo& system, const std::function<std::vector<double>(Sampled)>& values,
                          double* to) {
  for (const SampledRow& row : sampled_rows) {
    const auto entries = static_cast<std::size_t>(entries_of(row.entries, extents_of(system)));
    std::vector<double> given = values(row.quantity);
    given.resize(entries, std::numeric_limits<double>::quiet_NaN());
    to = std::copy(given.begin(), given.end(), to);
  }
}

}  // namespace livens::host
