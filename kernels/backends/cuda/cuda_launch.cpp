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

struct Events {
  cudaEvent_t before = nullptr, after = nullptr;
};

// The events of a thread's launches, a pair for every device it has used: an event belongs to the device that
// was current when it was made. Never destroyed: at the exit of the program the driver may be gone already.
const Events& events_of_current_device(const std::string& what) {
  thread_local std::vector<Events> by_device;
  int device = 0;
  cuda_check(cudaGetDevice(&device), what);
  const auto index = static_cast<std::size_t>(device);
  if (by_device.size() <= index) by_device.resize(index + 1);
  Events& events = by_device[index];
  if (events.before == nullptr) cuda_check(cudaEventCreate(&events.before), what);
  if (events.after == nullptr) cuda_check(cudaEventCreate(&events.after), what);
  return events;
}

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

std::string describe(const CudaLaunch& launch) {
  std::string text = std::string("CUDA: ") + launch.what + " of ";
  if (launch.scheme != nullptr) text += std::string(launch.scheme) + " (" + launch.form + ") on ";
  text += std::string(launch.system) + ", instances " + std::to_string(launch.first) + " to " +
          std::to_string(launch.last - 1);
  if (launch.to > 0) text += ", to unit " + std::to_string(launch.to);
  return text;
}

}  // namespace

double CudaLaunch::run(const void* kernel, void** arguments) const {
  if (first >= last) return 0.0;
  const std::string what = describe(*this);
  // An error left over from elsewhere must not be taken for one of this launch.
  cuda_check(cudaGetLastError(), what + ", before it");
  const Events& events = events_of_current_device(what);

  // A grid has at most 2^31 - 1 blocks: 2.7e11 instances, more than any memory holds.
  const auto blocks = static_cast<unsigned>((last - first + block - 1) / block);
  divide_memory(kernel, block, what);
  cuda_check(cudaEventRecord(events.before), what);
  const cudaError_t launched =
      cudaLaunchKernel(kernel, dim3(blocks), dim3(static_cast<unsigned>(block)), arguments, 0, nullptr);
  if (launched == cudaErrorNoKernelImageForDevice)
    throw std::runtime_error(what +
                             ": the program holds no code for this device; set LIVENS_CUDA_ARCHITECTURES");
  cuda_check(launched, what);
  cuda_check(cudaEventRecord(events.after), what);
  cuda_check(cudaEventSynchronize(events.after), what);
  float milliseconds = 0.0f;
  cuda_check(cudaEventElapsedTime(&milliseconds, events.before, events.after), what);
  return 1e-3 * static_cast<double>(milliseconds);
}

volatile int* cuda_host_word() {
  // Never freed, as the events.
  thread_local int* word = nullptr;
  if (word == nullptr)
    cuda_check(cudaHostAlloc(reinterpret_cast<void**>(&word), sizeof(int),
                             cudaHostAllocPortable | cudaHostAllocMapped),
               "CUDA: a word of host memory");
  return word;
}

}  // namespace livens
