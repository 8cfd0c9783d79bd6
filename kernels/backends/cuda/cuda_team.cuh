#pragma once
// A block of CUDA threads as a team (kernels/stepping/team.hpp), by the block-wide algorithms of CUB.

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

#include "kernels/stepping/team.hpp"

namespace livens {

/// The `threads` threads of a block, which sort up to keys_each keys each.
template <int threads, int keys_each>
class CudaTeam {
  /// With 5 bits at a time four passes are enough for the 18 bits of a key, and the counters of a pass take
  /// 17 KB; with 6 bits three would be, with 33 KB.
  using Sort = cub::BlockRadixSort<std::uint32_t, threads, keys_each, cub::NullType, 5>;
  using Scan = cub::BlockScan<int, threads>;

 public:
  /// Shared memory that the members work on.
  union Room {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
  };

  __device__ explicit CudaTeam(Room& room) : room_(room) {}

  __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return threads; }
  __device__ void wait() const { __syncthreads(); }
  __device__ int count(bool condition) const { return __syncthreads_count(condition ? 1 : 0); }
  __device__ int sum_before(int number) const {
    int sum;
    Scan(room_.scan).ExclusiveSum(number, sum);
    return sum;
  }
  __device__ void sort(std::int32_t* keys, int count) const {
    // Without a sign; places behind the last key hold the largest one.
    constexpr std::int32_t offset = 1 << (key_bits - 1);
    std::uint32_t mine[keys_each];
    wait();
    for (int k = 0; k < keys_each; ++k) {
      const int i = k * threads + rank();
      mine[k] = i < count ? static_cast<std::uint32_t>(keys[i] + offset) : (1u << key_bits) - 1;
    }
    Sort(room_.sort).Sort(mine, 0, key_bits);
    for (int k = 0; k < keys_each; ++k) {
      const int i = rank() * keys_each + k;
      if (i < count) keys[i] = static_cast<std::int32_t>(mine[k]) - offset;
    }
    wait();
  }

 private:
  Room& room_;
};

}  // namespace livens
