// One kernel for all systems: a thread reads the lists of its system, whatever text they come from.
#define LIVENS_ISA cuda
#include "kernels/backends/cuda/cuda_launch.hpp"
#include "taylor/cuda/instance.hpp"

namespace livens {
namespace {

/// With 128 registers a thread, and one more value that is spilled (8 bytes), four blocks share a
/// multiprocessor. Not measured.
constexpr int threads = 128, blocks = 4;

__global__ __launch_bounds__(threads, blocks)  //
    void step_series(const __grid_constant__ taylor::SeriesLaunch launch) {
  const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (i < launch.batch.size) advance_instance(launch, i);
}

}  // namespace

void taylor::advance_series(const char* system, const SeriesLaunch& launch) {
  CudaLaunch{"advance", system, "taylor", "series", 0, launch.batch.size, threads, launch.to.beat}.run(
      step_series, launch);
}

}  // namespace livens
