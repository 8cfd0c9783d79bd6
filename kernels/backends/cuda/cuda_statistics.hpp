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

/// Summaries of the first `size` instances: those of block b, column k into summaries[b * columns.count + k],
/// its values into `ascending` from block_size times that place on. `records` is device memory, the results are
/// pinned memory of the host, to which the device writes them as it makes them. Does not wait. Throws
/// std::runtime_error when it cannot be launched.
void cuda_summarize(const double* records, int record_width, const ObservedColumns& columns,
                    std::int64_t size, BlockSummary* summaries, double* ascending);

}  // namespace livens
