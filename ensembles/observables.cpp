#include "ensembles/observables.hpp"

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

SampleStatistics sample_statistics(Backend& backend, const Batch& batch, Range range) {
  std::vector<Column> columns;
  for (const Observable& observable : observables_of(backend.system())) columns.push_back(observable.column);
  SampleStatistics sample{0, std::vector<SummaryTree>(columns.size())};
  std::int64_t block = range.first / block_size;
  for (BlockStatistics& of_block : backend.observe(batch, range.size(), columns)) {
    sample.ok += of_block.ok;
    for (std::size_t k = 0; k < columns.size(); ++k)
      sample.observables[k].add(block, std::move(of_block.summaries[k]));
    ++block;
  }
  return sample;
}

}  // namespace livens::ensembles
