#pragma once
// Checks of what a backend does beside integrating: each returns "ok", or what is wrong.

#include <string>
#include <vector>

#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/description/interface.hpp"

namespace livens::selftest {

/// Copies of some instances, taken on by advance_copy(), have the records of the instances themselves, which
/// stay as they are.
std::string check_copy(const PairKernels& pair, const CudaDevice& device);

/// In mixed precision 20 long steps, difficult ones among them, are those of the processor wherever a run
/// stops: with care only difficult steps are taken, which have other bits than the others.
std::string check_mixed(const PairKernels& pair, const CudaDevice& device);

/// Too little memory is named in the message, and leaves the device as good as before.
std::string check_exhausted_memory(const PairKernels& pair, const CudaDevice& device);

/// One thread that uses several devices in turn gets from each what it gets from the first alone.
std::string check_devices_in_turn(const PairKernels& pair, const std::vector<CudaDevice>& devices);

}  // namespace livens::selftest
