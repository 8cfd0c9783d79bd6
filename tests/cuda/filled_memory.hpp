#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/backends/cuda/cuda_memory.hpp"
#include "tests/cuda/devices.hpp"

namespace livens::selftest {

/// All the memory of a device but for the rest of a piece, so that somebody else runs out of it. As plain
/// allocations.
class FilledMemory {
 public:
  explicit FilledMemory(const CudaDevice& device)
      : piece_(std::max<std::size_t>(device.memory / 256, 1 << 20)) {
    cuda_use(device);
    try {
      for (std::size_t taken = 0; taken < device.memory; taken += piece_) {
        auto next = std::make_unique<CudaMemory>();
        next->reserve(piece_, "a piece of all there is");
        pieces_.push_back(std::move(next));
      }
    } catch (const std::runtime_error&) {
      // The piece that did not fit.
    }
  }

  std::size_t piece() const { return piece_; }
  /// At least this many bytes become free again.
  void release(std::int64_t bytes) {
    for (; bytes > 0 && !pieces_.empty(); bytes -= static_cast<std::int64_t>(piece_)) pieces_.pop_back();
  }

 private:
  std::size_t piece_;
  std::vector<std::unique_ptr<CudaMemory>> pieces_;
};

}  // namespace livens::selftest
