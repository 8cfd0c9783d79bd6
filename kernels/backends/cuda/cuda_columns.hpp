#pragma once
// Questions about whole columns of the records, answered on the current device, so that no column has to come
// to the host for them. Needs no CUDA header.

#include <cstdint>
#include <span>

#include "kernels/backends/cuda/cuda_memory.hpp"
#include "kernels/description/interface.hpp"

namespace livens {

/// Keeps the memory that the answers are made in. Every call waits for the device, takes a batch whose arrays
/// are device memory, and throws std::runtime_error when it fails.
class CudaColumns {
 public:
  /// Instances among the first `size` whose status is not ok.
  std::int64_t failed(const Batch& batch, int record_width, std::int64_t size);
  /// Tiles, in ascending order, with an instance that is good and has not come to beat `to`. Valid until the
  /// next call.
  std::span<const std::int64_t> left_tiles(const Batch& batch, int record_width, std::int64_t to);

 private:
  CudaArray<unsigned char> workspace_;
  CudaPinnedArray<std::int64_t> tiles_;  // the device writes it where the host reads it
};

}  // namespace livens
