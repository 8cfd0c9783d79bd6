#pragma once
// The GPUs of this machine, and why there are none. Needs no CUDA header.

#include <cstddef>
#include <string>
#include <vector>

namespace livens {

struct CudaDevice {
  int index;         ///< as CUDA numbers them
  std::string name;  ///< e.g. "NVIDIA H100 80GB HBM3"
  int major, minor;  ///< compute capability
  int multiprocessors;
  std::size_t memory;   ///< bytes
  int driver, runtime;  ///< CUDA versions, 1000 major + 10 minor
};

/// Devices this build can use. When there are none `problem` says why: no driver, a driver older than the
/// runtime, no device, or devices too old for the code in this program. Never throws.
std::vector<CudaDevice> cuda_devices(std::string& problem);

/// "13.0" from 13000.
std::string cuda_version_name(int version);

/// A device as results name it.
inline std::string description_of(const CudaDevice& device) {
  return device.name + " (device " + std::to_string(device.index) + "), compute capability " +
         std::to_string(device.major) + "." + std::to_string(device.minor) + ", driver for CUDA " +
         cuda_version_name(device.driver);
}

/// Makes it the device of this thread's calls.
void cuda_use(const CudaDevice&);

/// Throws std::runtime_error("<what>: <CUDA's name and text of the error>") unless `error`, a cudaError_t, is
/// success.
void cuda_check(int error, const std::string& what);

}  // namespace livens
