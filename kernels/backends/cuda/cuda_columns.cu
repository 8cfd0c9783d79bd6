// By the device-wide algorithms of CUB. A call without memory says how much it needs.
#define LIVENS_ISA cuda
#include "kernels/backends/cuda/cuda_columns.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_launch.hpp"
#include "kernels/backends/instances.hpp"

namespace livens {
namespace {

/// The numbers 0, 1, ... as a sequence to read from.
using Numbers = thrust::counting_iterator<std::int64_t>;

struct Failed {
  Batch batch;
  int record_width;
  __device__ std::int64_t operator()(std::int64_t i) const { return has_failed(batch, record_width, i) ? 1 : 0; }
};

struct LeftTile {
  Batch batch;
  int record_width;
  std::int64_t to;
  __device__ bool operator()(std::int64_t tile) const {
    for (std::int64_t i = tile * tile_size; i < (tile + 1) * tile_size; ++i)
      if (is_left(batch, record_width, to, i)) return true;
    return false;
  }
};

/// Runs an algorithm of CUB and waits: algorithm(memory, bytes), where no memory asks for the bytes.
template <class Algorithm>
void run(const Algorithm& algorithm, CudaArray<unsigned char>& workspace, const std::string& what) {
  std::size_t bytes = 0;
  cuda_check(algorithm(nullptr, bytes), what);
  // CUB takes a null pointer for the question again.
  void* const memory = workspace.reserve(static_cast<std::int64_t>(bytes) + 1, "a question about columns");
  cuda_check(algorithm(memory, bytes), what);
  cuda_wait(what);
}

}  // namespace

std::int64_t CudaColumns::failed(const Batch& batch, int record_width, std::int64_t size) {
  std::int64_t* const count = count_.reserve(1, "a number of instances");
  const auto reduce = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(memory, bytes, Numbers(0), count, size,
                                              ::cuda::std::plus<std::int64_t>{}, Failed{batch, record_width},
                                              std::int64_t{0});
  };
  run(reduce, workspace_, "CUDA: counting what failed of " + std::to_string(size) + " instances");
  return *count;
}

std::span<const std::int64_t> CudaColumns::left_tiles(const Batch& batch, int record_width, std::int64_t to) {
  const std::int64_t tiles = batch.size / tile_size;
  std::int64_t* const count = count_.reserve(1, "a number of tiles");
  std::int64_t* const list = tiles_.reserve(tiles, "a list of tiles");
  const auto select = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, Numbers(0), list, count, tiles,
                                 LeftTile{batch, record_width, to});
  };
  run(select, workspace_, "CUDA: listing the tiles before unit " + std::to_string(to));
  return {list, static_cast<std::size_t>(*count)};
}

}  // namespace livens
