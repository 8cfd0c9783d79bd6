#pragma once

#include <string>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/description/interface.hpp"

namespace livens::selftest {

/// Checks that records stay on the device as they are put there, that parts of them are fetched as they
/// stand, and that their statistics are those a processor makes, to the bit. "ok", or what is wrong.
std::string check_resident(const PairKernels& pair, const CudaDevice& device);

}  // namespace livens::selftest
