#include "kernels/backends/cuda/cuda_launch.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"

namespace livens {
namespace {

// Gives a kernel the shared memory that its blocks fill and no more: the rest of the same memory is the
// first-level cache, where its stack lives. Once for every kernel and device.
void divide_memory(const void* kernel, int block, const std::string& what) {
  static std::mutex mutex;
  static std::set<std::pair<const void*, int>> divided;
  int device = 0, blocks = 0, reserved = 0, all = 0;
  cuda_check(cudaGetDevice(&device), what);
  const std::lock_guard lock(mutex);
  if (!divided.emplace(kernel, device).second) return;
  cudaFuncAttributes taken;
  if (cudaFuncGetAttributes(&taken, kernel) != cudaSuccess) {  // the launch says what is wrong with it
    static_cast<void>(cudaGetLastError());
    return;
  }
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0), what);
  cuda_check(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device), what);
  cuda_check(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device), what);
  const int shared = static_cast<int>(taken.sharedSizeBytes);
  const int filled = shared == 0 ? 0 : blocks * (shared + reserved);
  const int percent = std::min(100, (100 * filled + all - 1) / all);
  cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent), what);
}

// What the driver reserves for the stacks of a kernel, whatever the launch: a stack for every thread that the
// device can hold at a time. It is not given back.
std::string reserved_stacks(const void* kernel) {
  cudaFuncAttributes taken;
  int device = 0, multiprocessors = 0, threads = 0;
  if (cudaFuncGetAttributes(&taken, kernel) != cudaSuccess || cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device) != cudaSuccess)
    return "";
  return ", whose stacks take " + std::to_string(taken.localSizeBytes * multiprocessors * threads) +
         " bytes on this device";
}

cudaEvent_t event_of(void* event) { return static_cast<cudaEvent_t>(event); }

}  // namespace

void CudaLaunch::start(const void* kernel, void** arguments) const {
  const std::string text = name();
  // An error left over from elsewhere must not be taken for one of this launch.
  cuda_check(cudaGetLastError(), text + ", before it");
  // A grid has at most 2^31 - 1 blocks: 2.7e11 instances, more than any memory holds.
  const auto blocks = static_cast<unsigned>(std::max<std::int64_t>((last - first + block - 1) / block, 1));
  divide_memory(kernel, block, text);
  const cudaError_t launched =
      cudaLaunchKernel(kernel, dim3(blocks), dim3(static_cast<unsigned>(block)), arguments, 0, nullptr);
  if (launched == cudaErrorNoKernelImageForDevice)
    throw std::runtime_error(text +
                             ": the program holds no code for this device; set LIVENS_CUDA_ARCHITECTURES");
  cuda_check(launched, launched == cudaErrorMemoryAllocation ? text + reserved_stacks(kernel) : text);
}

void cuda_wait(const std::string& what) { cuda_check(cudaStreamSynchronize(nullptr), what); }

CudaStopwatch::~CudaStopwatch() {
  // At the exit of the program the driver may be gone already; the events are then, too.
  for (void* const event : {started_, stopped_})
    if (event != nullptr) static_cast<void>(cudaEventDestroy(event_of(event)));
}

void CudaStopwatch::start() {
  for (void** const event : {&started_, &stopped_})
    if (*event == nullptr)
      cuda_check(cudaEventCreate(reinterpret_cast<cudaEvent_t*>(event)), "CUDA: an event");
  cuda_check(cudaEventRecord(event_of(started_)), "CUDA: the beginning of a launch");
}

void CudaStopwatch::stop() { cuda_check(cudaEventRecord(event_of(stopped_)), "CUDA: the end of a launch"); }

double CudaStopwatch::seconds(const std::string& what) const {
  cuda_check(cudaEventSynchronize(event_of(stopped_)), what);
  float milliseconds = 0.0f;
  cuda_check(cudaEventElapsedTime(&milliseconds, event_of(started_), event_of(stopped_)), what);
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace livens
