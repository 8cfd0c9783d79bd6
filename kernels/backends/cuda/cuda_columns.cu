// By the algorithms of Thrust, in memory that is kept from call to call.
#define LIVENS_ISA cuda
#include "kernels/backends/cuda/cuda_columns.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cuda/execution_policy.h>

#include <stdexcept>
#include <string>

#include "kernels/backends/instances.hpp"

namespace livens {
namespace {

/// The numbers 0, 1, ... as a sequence to read from.
using Numbers = thrust::counting_iterator<std::int64_t>;

/// The allocator of one call of an algorithm, which asks for its memory once.
class Workspace {
 public:
  using value_type = char;
  explicit Workspace(CudaArray<unsigned char>& array) : array_(array) {}
  char* allocate(std::ptrdiff_t bytes) {
    if (given_) throw std::logic_error("CUDA: an algorithm asks for memory twice");
    given_ = true;
    return reinterpret_cast<char*>(array_.reserve(bytes, "a question about columns"));
  }
  void deallocate(char*, std::size_t) { given_ = false; }

 private:
  CudaArray<unsigned char>& array_;
  bool given_ = false;
};

/// algorithm(policy), which waits for the device; `what` begins the message where it fails.
template <class Algorithm>
auto run(const Algorithm& algorithm, CudaArray<unsigned char>& array, const std::string& what) {
  Workspace workspace(array);
  try {
    return algorithm(thrust::cuda::par(workspace));
  } catch (const thrust::system_error& error) {
    throw std::runtime_error(what + ": " + error.what());
  }
}

struct Failed {
  Batch batch;
  int record_width;
  __device__ bool operator()(std::int64_t i) const { return has_failed(batch, record_width, i); }
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

}  // namespace

std::int64_t CudaColumns::failed(const Batch& batch, int record_width, std::int64_t size) {
  const auto count = [&](const auto& policy) {
    return thrust::count_if(policy, Numbers(0), Numbers(size), Failed{batch, record_width});
  };
  return run(count, workspace_, "CUDA: counting what failed of " + std::to_string(size) + " instances");
}

std::span<const std::int64_t> CudaColumns::left_tiles(const Batch& batch, int record_width, std::int64_t to) {
  const std::int64_t tiles = batch.size / tile_size;
  std::int64_t* const list = tiles_.reserve(tiles, "a list of tiles");
  const auto select = [&](const auto& policy) {
    return thrust::copy_if(policy, Numbers(0), Numbers(tiles), list, LeftTile{batch, record_width, to});
  };
  const std::int64_t* const end =
      run(select, workspace_, "CUDA: listing the tiles before beat " + std::to_string(to));
  return {list, end};
}

}  // namespace livens
