#pragma once
// Summaries of plain lists of values.

#include <numeric>
#include <span>
#include <vector>

#include "ensembles/statistics.hpp"

namespace livens::ensembles {

/// The summary of instances first, first + 1, ...
inline Summary summary_of(std::span<const double> values, std::int64_t first = 0) {
  std::vector<std::int64_t> instances(values.size());
  std::iota(instances.begin(), instances.end(), first);
  return summarize(values, instances);
}

}  // namespace livens::ensembles
