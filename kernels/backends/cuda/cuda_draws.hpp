#pragma once
// Draws on the current device, by the functions of kernels/stepping/draws.hpp. Needs no CUDA header.

#include "kernels/stepping/draws.hpp"

namespace livens {

/// Lets a draw meet the values of every instance. All pointers of batch and draw are device memory. Returns
/// when the device is done; throws std::runtime_error when it fails.
void cuda_draw(const Batch& batch, const SystemInfo& system, const Draw& draw);

}  // namespace livens
