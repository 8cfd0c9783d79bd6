// A block of threads per block of instances and column.
#define LIVENS_ISA cuda
#include "kernels/backends/cuda/cuda_statistics.hpp"

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_team.cuh"

namespace livens {
namespace {

constexpr int threads = 256;
using Team = CudaTeam<threads, block_size / threads>;

__global__ __launch_bounds__(threads) void summarize(const double* records, int record_width,
                                                     ObservedColumns columns, std::int64_t size,
                                                     BlockSummary* summaries, double* ascending) {
  __shared__ BlockScratch scratch;
  __shared__ typename Team::Room room;
  // Shared memory has no constructors.
  constexpr int words = sizeof(BlockSummary) / sizeof(std::uint64_t);
  static_assert(words * sizeof(std::uint64_t) == sizeof(BlockSummary));
  __shared__ alignas(BlockSummary) std::uint64_t summary[words];
  const std::int64_t first = std::int64_t{blockIdx.x} * block_size;
  const int count = static_cast<int>(size - first < block_size ? size - first : block_size);
  const std::int64_t place = std::int64_t{blockIdx.x} * columns.count + blockIdx.y;
  const Team team(room);
  summarize_block(team, records, record_width, columns.of[blockIdx.y], first, count, scratch,
                  *reinterpret_cast<BlockSummary*>(summary), ascending + place * block_size);
  auto* const to = reinterpret_cast<std::uint64_t*>(summaries + place);
  for (int word = team.rank(); word < words; word += team.size()) to[word] = summary[word];
}

}  // namespace

void cuda_summarize(const double* records, int record_width, const ObservedColumns& columns,
                    std::int64_t size, BlockSummary* summaries, double* ascending) {
  const dim3 grid(static_cast<unsigned>((size + block_size - 1) / block_size),
                  static_cast<unsigned>(columns.count));
  summarize<<<grid, threads>>>(records, record_width, columns, size, summaries, ascending);
  cuda_check(cudaGetLastError(), "CUDA: statistics of instances 0 to " + std::to_string(size - 1));
}

}  // namespace livens
