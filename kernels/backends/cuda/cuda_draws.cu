// A thread per instance.
#define LIVENS_ISA cuda
#include "kernels/backends/cuda/cuda_draws.hpp"

#include "kernels/backends/cuda/cuda_launch.hpp"

namespace livens {
namespace {

constexpr int threads = 128;

__global__ __launch_bounds__(threads, 1) void vary(Batch batch, int coordinates, Draw draw) {
  const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (i < batch.size) vary_instance(batch, coordinates, draw, i);
}

}  // namespace

void cuda_draw(const Batch& batch, const SystemInfo& system, const Draw& draw) {
  CudaLaunch{"draws", system.name, nullptr, nullptr, 0, batch.size, threads}.run(vary, batch,
                                                                                 system.coordinates, draw);
}

}  // namespace livens
