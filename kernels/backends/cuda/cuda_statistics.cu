// A block of threads per block of instances and column.
#define LIVENS_ISA cuda
#include "kernels/backends/cuda/cuda_statistics.hpp"

#include "kernels/backends/cuda/cuda_device.hpp"

namespace livens {
namespace {

constexpr int threads = 128;

struct CudaTeam {
  __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ int size() const { return threads; }
  __device__ void wait() const { __syncthreads(); }
  __device__ void sort(std::int32_t* keys, int count) const { sort_keys(*this, keys, count); }
};

__global__ __launch_bounds__(threads) void summarize(const double* records, int record_width,
                                                     ObservedColumns columns, std::int64_t size,
                                                     BlockSummary* summaries, Bin* bins,
                                                     unsigned long long* used) {
  __shared__ BlockScratch scratch;
  // Shared memory has no constructors.
  __shared__ alignas(BlockSummary) unsigned char room[sizeof(BlockSummary)];
  BlockSummary& summary = *reinterpret_cast<BlockSummary*>(room);
  const std::int64_t first = std::int64_t{blockIdx.x} * block_size;
  const int count = static_cast<int>(size - first < block_size ? size - first : block_size);
  const int k = static_cast<int>(blockIdx.y);
  const CudaTeam team;
  summarize_block(team, records, record_width, columns.of[k], first, count, scratch, summary);
  team.wait();
  if (team.rank() != 0) return;
  // The place that a block gets in the list is chance; what stands there is not.
  summary.bins = list_bins(scratch.bins, summary.moments.n, nullptr);
  summary.first_bin =
      static_cast<std::int64_t>(atomicAdd(used, static_cast<unsigned long long>(summary.bins)));
  list_bins(scratch.bins, summary.moments.n, bins + summary.first_bin);
  summaries[std::int64_t{blockIdx.x} * columns.count + k] = summary;
}

}  // namespace

void cuda_summarize(const double* records, int record_width, const ObservedColumns& columns,
                    std::int64_t size, BlockSummary* summaries, Bin* bins, unsigned long long* used) {
  const std::string what = "CUDA: statistics of instances 0 to " + std::to_string(size - 1);
  cuda_check(cudaMemsetAsync(used, 0, sizeof *used), what);
  const dim3 grid(static_cast<unsigned>((size + block_size - 1) / block_size),
                  static_cast<unsigned>(columns.count));
  summarize<<<grid, threads>>>(records, record_width, columns, size, summaries, bins, used);
  cuda_check(cudaGetLastError(), what);
}

}  // namespace livens
