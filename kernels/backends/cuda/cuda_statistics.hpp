#pragma once
// Statistics of the records on the current device, by the functions of kernels/stepping/statistics.hpp. Needs
// no CUDA header.

#include "kernels/stepping/statistics.hpp"

namespace livens {

/// Columns observed in one launch.
struct ObservedColumns {
  static constexpr int most = 16;
  int of[most];
  int count;
};

/// Summaries of the first `size` instances: block b, column k into summaries[b * columns.count + k], its bins
/// into `bins` from the place that the summary names, which the launch chooses. `bins` has room for one a
/// value, `used` becomes the number that occur. All pointers are device memory. Does not wait. Throws
/// std::runtime_error when it cannot be launched.
void cuda_summarize(const double* records, int record_width, const ObservedColumns& columns,
                    std::int64_t size, BlockSummary* summaries, Bin* bins, unsigned long long* used);

}  // namespace livens
