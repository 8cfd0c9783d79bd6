#pragma once
// Kernels that were compiled on first use: a module of a system and one of a pair (own_system.cu.in,
// own_pair.cu.in), loaded into this process, with the launches that a program's own tables have. Needs no
// CUDA header.

#include <string>

#include "kernels/backends/cuda/cuda_registry.hpp"

namespace livens {

/// A module for the device that is current, a cubin: `name` begins the message where it is wrong.
struct CudaModule {
  std::string name, image;
};

/// What is given is the same system, and the same pair, compiled for the CPU. The kernels stay loaded until
/// the program ends. Throws std::runtime_error for a module that cannot be loaded, or that another version of
/// livens compiled.
CudaSystemKernels load_system(const CudaModule& module, const SystemKernels& system);
/// `system` is to live as long as what is returned.
CudaPairKernels load_pair(const CudaModule& module, const CudaSystemKernels& system, const PairKernels& pair);

}  // namespace livens
