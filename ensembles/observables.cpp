#include "ensembles/observables.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace livens::ensembles {

std::vector<Observable> observables_of(const SystemInfo& system) {
  std::vector<Observable> result;
  if (system.constraints > 0)
    result.push_back({Column::constraint, "constraint", "SI", "infinity norm of g(q_n)"});
  result.push_back({Column::dissipated_energy, "dissipated_energy", "J", "energy dissipated so far"});
  result.push_back(
      {Column::energy_error, "energy_error", "J",
       "E_n - E_0, plus dissipated energy, minus the work of loads and of the affine part of a constraint"});
  if (system.momentum_maps > 0)
    result.push_back({Column::momentum_error, "momentum_error", "SI", "infinity norm of J_n - J_0"});
  if (system.constraints > 0)
    result.push_back(
        {Column::velocity_constraint, "velocity_constraint", "SI",
         system.nonholonomic ? "infinity norm of A(q_n) v_n + b(q_n)" : "infinity norm of G(q_n) v_n"});
  return result;
}

SampleStatistics sample_statistics(Backend& backend, const double* records, Range range) {
  const std::vector<Observable> observables = observables_of(backend.system());
  const int record_width = backend.record_width();
  const std::int64_t blocks = block_count(range.size());
  std::vector<std::vector<Summary>> summaries(observables.size(), std::vector<Summary>(blocks));
  std::vector<std::int64_t> ok(blocks);
  backend.for_each_block(blocks, [&](std::int64_t block) {
    const std::int64_t first = block * block_size;
    const std::int64_t last = std::min(first + block_size, range.size());
    const auto value_of = [&](std::int64_t instance, Column column) {
      return records[column_offset(instance / tile_size, record_width, static_cast<int>(column)) +
                     instance % tile_size];
    };
    std::vector<double> values;
    std::vector<std::int64_t> instances;
    for (std::size_t k = 0; k < observables.size(); ++k) {
      values.clear();
      instances.clear();
      for (std::int64_t instance = first; instance < last; ++instance) {
        const double value = value_of(instance, observables[k].column);
        if (value_of(instance, Column::status) != static_cast<double>(Status::ok) || !std::isfinite(value))
          continue;
        values.push_back(value);
        instances.push_back(range.first + instance);
      }
      summaries[k][block] = summarize(values, instances);
    }
    for (std::int64_t instance = first; instance < last; ++instance)
      ok[block] += value_of(instance, Column::status) == static_cast<double>(Status::ok);
  });
  SampleStatistics sample{std::accumulate(ok.begin(), ok.end(), std::int64_t{0}), {}};
  for (auto& of_blocks : summaries) {
    SummaryTree& tree = sample.observables.emplace_back();
    for (std::int64_t block = 0; block < blocks; ++block)
      tree.add(range.first / block_size + block, std::move(of_blocks[block]));
  }
  return sample;
}

}  // namespace livens::ensembles
