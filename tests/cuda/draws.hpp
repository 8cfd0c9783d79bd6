#pragma once
// Draws on a device: every law and mode, on everything that can vary, against the same functions on the host.

#include <string>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/description/interface.hpp"

namespace livens::selftest {

/// "ok", or what differs.
std::string check_draws(const PairKernels& pair, const CudaDevice& device);

}  // namespace livens::selftest
