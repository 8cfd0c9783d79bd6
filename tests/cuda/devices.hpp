#pragma once

#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "tests/cuda/tally.hpp"

namespace livens::selftest {

/// Prints why where there is none.
std::vector<CudaDevice> devices_or_why_none();

/// Prints the devices, a JSON object a line.
ExitStatus list_devices();

/// Takes the memory of the first device until only `left` bytes of it are free, and runs a command meanwhile.
/// The exit status of the command; 77 without a device.
int run_with_little_memory(std::int64_t left, char** command);

}  // namespace livens::selftest
