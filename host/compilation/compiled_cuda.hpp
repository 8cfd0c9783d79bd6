#pragma once
// The kernels of a pair for a GPU: the program's own, or compiled on first use and loaded.

#include "host/pairs/catalogue.hpp"
#include "kernels/backends/cuda/cuda_device.hpp"
#include "kernels/backends/cuda/cuda_registry.hpp"

namespace livens::host {

/// Those of the program, or null where it has none in this precision.
const CudaPairKernels* built_in_cuda(const PairKernels& pair, Precision precision);

/// `pair` is an entry of the catalogue. The kernels live as long as the program. Throws as
/// ObjectCache::provide(), and std::runtime_error where the device does not take them.
const CudaPairKernels& compiled_for(const CudaDevice& device, const PairKernels& pair, Precision precision);

}  // namespace livens::host
