#pragma once
// The record of one instance, as backends on the host that take instances one by one keep it: the common
// columns, the initial momentum maps, what the system follows of its own. And the nodes that they show of it.

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/description/plain_record.hpp"

namespace livens::host {

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
