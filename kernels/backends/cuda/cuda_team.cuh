#pragma once
// A block of CUDA threads as a team (kernels/stepping/team.hpp), by the block-wide algorithms of CUB.

#include <cub/block/block_radix_sort.cuh>

#include "kernels/stepping/team.hpp"

namespace livens {

/// The `threads` threads of a block, which sort up to keys_each keys each.
template <int threads, int keys_each>
class CudaTeam {
  /// With 5 bits at a time 13 passes sort 64 bits, and the counters of a pass take 17 KB; with 6 bits 11 would
  /// do, with 33 KB.
  using Sort = cub::BlockRadixSort<std::uint64_t, threads, keys_each, cub::NullType, 5>;

 public:
  /// Shared memory that the members work on.
  using Room = typename Sort::TempStorage;

  __device__ explicit CudaTeam(Room& room) : room_(room) {}

  __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return threads; }
  __device__ void wait() const { __syncthreads(); }
  __device__ int count(bool condition) const { return __syncthreads_count(condition ? 1 : 0); }
  __device__ void sort(std::uint64_t* keys, int count) const {
    std::uint64_t mine[keys_each];
    wait();
    for (int k = 0; k < keys_each; ++k) {
      const int i = k * threads + rank();
      mine[k] = i < count ? keys[i] : ~std::uint64_t{0};
    }
    Sort(room_).Sort(mine);
    for (int k = 0; k < keys_each; ++k) {
      const int i = rank() * keys_each + k;
      if (i < count) keys[i] = mine[k];
    }
    wait();
  }

 private:
  Room& room_;
};

}  // namespace livens
