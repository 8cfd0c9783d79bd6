#pragma once
// The GPUs that a run shall use.

#include <optional>
#include <string>
#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"

namespace livens::host {

struct DeviceChoice {
  std::vector<int> numbers;  ///< as CUDA numbers them; empty: all
};

/// From "all" or "0,1"; nothing where it is neither, or a number comes twice.
std::optional<DeviceChoice> parse_devices(const std::string& typed);

/// Those of the devices that are wanted, in the order given. Throws RequestError, with a list of the devices,
/// where there is no such one.
std::vector<CudaDevice> chosen(const DeviceChoice& choice, const std::vector<CudaDevice>& present);

}  // namespace livens::host
