#pragma once
// What is kept of the whole ensemble at a sample: statistics of columns of the records, over the instances
// that are ok.

#include <cstdint>
#include <vector>

#include "ensembles/backend.hpp"
#include "ensembles/result.hpp"
#include "ensembles/statistics.hpp"

namespace livens::ensembles {

/// A column of the records that has statistics.
struct Observable {
  Column column;
  const char* name;
  const char* unit;
  const char* description;
};

/// The observables of a system: without constraints there are no violations, without momentum maps no errors
/// of them.
std::vector<Observable> observables_of(const SystemInfo& system);

/// Collects the statistics of an ensemble of N instances, sample by sample.
class ObservableRecorder {
 public:
  /// `levels`: Q levels of the quantiles, in [0, 1].
  ObservableRecorder(const SystemInfo& system, std::vector<double> levels);

  /// Adds a sample. `records`: as in a Batch; instances from `size` on are padding and do not count. Of the
  /// instances that are ok a value that is not finite is left out.
  void sample(Backend& backend, const double* records, std::int64_t size);

  /// K, instances ok at each sample so far.
  const std::vector<std::int64_t>& ok() const { return ok_; }

  /// The collected statistics; the histograms share the bins that occur at any sample.
  std::vector<ObservableStatistics> finish();

 private:
  void append(std::size_t observable, Summary summary);

  std::vector<Observable> observables_;
  std::vector<double> levels_;
  std::vector<std::int64_t> ok_;
  std::vector<ObservableStatistics> series_;        // one an observable, growing by a sample
  std::vector<std::vector<Histogram>> histograms_;  // observable, sample: dense only when the bins are known
};

}  // namespace livens::ensembles
