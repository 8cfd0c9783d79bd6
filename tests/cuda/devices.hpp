#pragma once

#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "tests/cuda/tally.hpp"

namespace livens::selftest {

/// Prints why where there is none.
std::vector<CudaDevice> devices_or_why_none();

/// Prints the devices, a JSON object a line.
ExitStatus list_devices();

}  // namespace livens::selftest
