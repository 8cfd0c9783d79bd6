#pragma once
// The observables of an instance, read where it is sampled, and their statistics over the whole ensemble:
// those that kernels/description/quantity_table.hpp offers, for a given system.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ensembles/range.hpp"
#include "ensembles/result.hpp"
#include "ensembles/stages.hpp"
#include "ensembles/statistics.hpp"

namespace livens::ensembles {

/// A number that an instance has at a node: a column of its record, or evaluated there.
struct Observable {
  std::string name, unit, description;
  int column = -1;  ///< of the record
  int entry = -1;   ///< of NodeView::sampled, where it is no column
};

/// All that output.observe may name.
std::vector<Observable> all_observables(const SystemInfo& system);

/// Units by names, where a text has them; all others are those of the table.
using Units = std::map<std::string, std::string>;

/// Those that it names. Throws std::invalid_argument for a name that is not there.
std::vector<Observable> observed(const SystemInfo& system, const std::vector<std::string>& names,
                                 const Units& units = {});

/// Those with statistics, in the order of their names, as a file lists them: the standard ones, and those
/// named. Without constraints there are no violations, without momentum maps no errors of them.
std::vector<Observable> observables_of(const SystemInfo& system, const std::vector<std::string>& names = {},
                                       const Units& units = {});

/// Those named that are not in /trajectories anyway, in the order of their names.
std::vector<Observable> followed_observables(const SystemInfo& system, const std::vector<std::string>& names,
                                             const Units& units = {});

/// A quantity of the system's own without values.
Quantity own_quantity(const ObservableInfo& own);

/// True for what Settings::largest_violations is about: followed over all nodes, and not of the energy.
constexpr bool is_largest_violation(const ColumnRow& row) {
  return row.of != Column::count && row.needs != Needs::nothing;
}

/// The quantities of the records that /instances holds, m and s given: names without values.
/// `largest_violations`: as in the settings.
std::vector<Quantity> record_quantities(int constraints, int momentum_maps, bool largest_violations);

/// The columns of the records among the observables, in their order.
std::vector<Column> columns_of(const std::vector<Observable>& observables);

/// Statistics of one sample over the instances of `range`: a tree an observable, of the blocks of the range,
/// and the number of instances that are ok. The batch is that of the range; what lies behind it is padding.
struct SampleStatistics {
  std::int64_t ok = 0;
  std::vector<SummaryTree> observables;
};
/// Those named `exact` keep every value.
SampleStatistics sample_statistics(Motion& motion, Range range, const std::vector<Observable>& observables,
                                   const std::vector<std::string>& exact = {});

}  // namespace livens::ensembles
