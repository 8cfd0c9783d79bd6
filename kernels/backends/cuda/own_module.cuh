#pragma once
// A module of kernels that is compiled on first use, of a system or of a pair: its kernels and its facts have
// plain names, so that it does not matter whether NVRTC or nvcc compiled it.

#include "kernels/backends/cuda/cuda_kernels.cuh"
#include "kernels/backends/cuda/module_facts.hpp"

/// Followed by a ModuleFacts in braces.
#define LIVENS_MODULE_FACTS extern "C" __device__ ModuleFacts livens_facts
