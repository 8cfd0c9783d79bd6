#pragma once
// What is kept of the whole ensemble at a sample: statistics of columns of the records, over the instances
// that are ok.

#include <cstdint>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/range.hpp"
#include "ensembles/statistics.hpp"

namespace livens::ensembles {

/// A column of the records that has statistics.
struct Observable {
  Column column;
  const char* name;
  const char* unit;
  const char* description;
};

/// The observables of a system, in the order of their names, as a file lists them: without constraints there
/// are no violations, without momentum maps no errors of them.
std::vector<Observable> observables_of(const SystemInfo& system);

/// Statistics of one sample over the instances of `range`: a tree an observable, of the blocks of the range,
/// and the number of instances that are ok. The batch is that of the range; what lies behind it is padding.
struct SampleStatistics {
  std::int64_t ok = 0;
  std::vector<SummaryTree> observables;
};
SampleStatistics sample_statistics(Backend& backend, const Batch& batch, Range range);

}  // namespace livens::ensembles
