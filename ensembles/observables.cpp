#include "ensembles/observables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace livens::ensembles {

std::vector<Observable> observables_of(const SystemInfo& system) {
  std::vector<Observable> result = {
      {Column::energy_error, "energy_error", "J",
       "E_n - E_0, plus dissipated energy, minus the work of loads and of the affine part of a constraint"}};
  if (system.constraints > 0) {
    result.push_back({Column::constraint, "constraint", "SI", "infinity norm of g(q_n)"});
    result.push_back(
        {Column::velocity_constraint, "velocity_constraint", "SI",
         system.nonholonomic ? "infinity norm of A(q_n) v_n + b(q_n)" : "infinity norm of G(q_n) v_n"});
  }
  if (system.momentum_maps > 0) {
    result.push_back({Column::momentum_error, "momentum_error", "SI", "infinity norm of J_n - J_0"});
  }
  result.push_back({Column::dissipated_energy, "dissipated_energy", "J", "energy dissipated so far"});
  return result;
}

ObservableRecorder::ObservableRecorder(const SystemInfo& system, std::vector<double> levels)
    : observables_(observables_of(system)), levels_(std::move(levels)), histograms_(observables_.size()) {
  for (const Observable& observable : observables_) {
    series_.emplace_back();
    series_.back().name = observable.name;
    series_.back().unit = observable.unit;
    series_.back().description = observable.description;
  }
}

void ObservableRecorder::sample(Backend& backend, const double* records, std::int64_t size) {
  const int record_width = backend.record_width();
  const std::int64_t blocks = block_count(size);
  std::vector<std::vector<Summary>> summaries(observables_.size(), std::vector<Summary>(blocks));
  std::vector<std::int64_t> ok(blocks);
  backend.for_each_block(blocks, [&](std::int64_t block) {
    const std::int64_t first = block * block_size;
    const std::int64_t last = std::min(first + block_size, size);
    const auto value_of = [&](std::int64_t instance, Column column) {
      return records[column_offset(instance / tile_size, record_width, static_cast<int>(column)) +
                     instance % tile_size];
    };
    std::vector<std::int64_t> instances;
    for (std::int64_t instance = first; instance < last; ++instance) {
      if (value_of(instance, Column::status) == static_cast<double>(Status::ok))
        instances.push_back(instance);
    }
    ok[block] = static_cast<std::int64_t>(instances.size());
    std::vector<double> values;
    for (std::size_t k = 0; k < observables_.size(); ++k) {
      values.clear();
      for (const std::int64_t instance : instances) {
        const double value = value_of(instance, observables_[k].column);
        if (std::isfinite(value)) values.push_back(value);
      }
      summaries[k][block] = summarize(values);
    }
  });
  ok_.push_back(std::accumulate(ok.begin(), ok.end(), std::int64_t{0}));
  for (std::size_t k = 0; k < observables_.size(); ++k) {
    SummaryTree tree;
    for (std::int64_t block = 0; block < blocks; ++block) tree.add(block, std::move(summaries[k][block]));
    append(k, tree.total());
  }
}

void ObservableRecorder::append(std::size_t observable, Summary summary) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Moments& moments = summary.moments;
  ObservableStatistics& series = series_[observable];
  series.mean.push_back(moments.n > 0 ? moments.mean : nan);
  series.std.push_back(moments.standard_deviation());
  series.min.push_back(moments.n > 0 ? moments.min : nan);
  series.max.push_back(moments.n > 0 ? moments.max : nan);
  for (const double level : levels_) series.quantiles.push_back(quantile(summary, level));
  histograms_[observable].push_back(std::move(summary.histogram));
}

std::vector<ObservableStatistics> ObservableRecorder::finish() {
  for (std::size_t k = 0; k < series_.size(); ++k) {
    Histogram occurring;
    for (const Histogram& histogram : histograms_[k]) occurring = merge(occurring, histogram);
    for (const Bin& bin : occurring) series_[k].bins.push_back(bin_edge(bin.number));
    series_[k].histogram.assign(histograms_[k].size() * occurring.size(), 0);
    auto row = series_[k].histogram.begin();
    for (const Histogram& histogram : histograms_[k]) {
      std::size_t column = 0;
      for (const Bin& bin : histogram) {
        while (occurring[column].number != bin.number) ++column;
        row[static_cast<std::ptrdiff_t>(column)] = bin.count;
      }
      row += static_cast<std::ptrdiff_t>(occurring.size());
    }
  }
  return std::move(series_);
}

}  // namespace livens::ensembles
