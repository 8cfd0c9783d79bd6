#include "kernels/backends/cuda/cuda_launch.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
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

}  // namespace livens
