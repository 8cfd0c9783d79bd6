#include "kernels/backends/cuda/cuda_device.hpp"

#include <cuda_runtime_api.h>

#include <stdexcept>

namespace livens {
namespace {

std::string text_of(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + cudaGetErrorString(error) + ")";
}

// Lowest compute capability of the code in this program, 10 major + minor; the build sets it.
#if !defined(LIVENS_CUDA_LOWEST_ARCHITECTURE)
#define LIVENS_CUDA_LOWEST_ARCHITECTURE 0
#endif
constexpr int lowest_architecture = LIVENS_CUDA_LOWEST_ARCHITECTURE;

}  // namespace

std::vector<CudaDevice> cuda_devices(std::string& problem) {
  problem.clear();
  int driver = 0, runtime = 0, count = 0;
  // Without a driver these return a version 0 or an error, and cudaGetDeviceCount may name either of two
  // errors for it.
  const bool versions =
      cudaDriverGetVersion(&driver) == cudaSuccess && cudaRuntimeGetVersion(&runtime) == cudaSuccess;
  if (!versions || driver == 0) {
    problem = "no NVIDIA driver";
    return {};
  }
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver) {
    problem = "the driver supports CUDA " + cuda_version_name(driver) + ", this program needs " +
              cuda_version_name(runtime) + "; update the driver";
    return {};
  }
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
    problem = "a driver but no device, or CUDA_VISIBLE_DEVICES hides it";
    return {};
  }
  if (counted != cudaSuccess) {
    problem = text_of(counted);
    return {};
  }
  std::vector<CudaDevice> devices;
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties;
    const cudaError_t queried = cudaGetDeviceProperties(&properties, index);
    if (queried != cudaSuccess) {
      problem = "device " + std::to_string(index) + ": " + text_of(queried);
      continue;
    }
    if (10 * properties.major + properties.minor < lowest_architecture) {
      problem = std::string(properties.name) + " has compute capability " + std::to_string(properties.major) +
                "." + std::to_string(properties.minor) + ", this program was built for " +
                std::to_string(lowest_architecture / 10) + "." + std::to_string(lowest_architecture % 10) +
                " and above; set LIVENS_CUDA_ARCHITECTURES";
      continue;
    }
    devices.push_back({index, properties.name, properties.major, properties.minor,
                       properties.multiProcessorCount, properties.totalGlobalMem, driver, runtime});
  }
  if (!devices.empty()) problem.clear();
  return devices;
}

std::string cuda_version_name(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void cuda_use(const CudaDevice& device) {
  cuda_check(cudaSetDevice(device.index), "CUDA: selecting device " + std::to_string(device.index));
}

void cuda_check(int error, const std::string& what) {
  if (error == cudaSuccess) return;
  // An allocation that failed leaves its error for the next call to find, which is none of that call's.
  // Errors that end the use of a device stay whatever is asked.
  static_cast<void>(cudaGetLastError());
  throw std::runtime_error(what + ": " + text_of(static_cast<cudaError_t>(error)));
}

}  // namespace livens
