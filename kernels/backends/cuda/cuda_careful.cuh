#pragma once
// The kernel that takes difficult steps, with pivoting, damping and substeps. In units of its own, which nvcc
// compiles in a third of the time with fewer optimizations: few instances ever come here, and the same bits
// follow either way (decision 22).

#include "kernels/backends/cuda/cuda.cuh"

namespace livens::inline LIVENS_ISA {

/// Takes the instances that are left `steps` steps on.
template <class Scheme>
LIVENS_CUDA_KERNEL void advance_difficult(Batch batch, Settings settings, std::int64_t to, double steps,
                                          std::int64_t first, std::int64_t last) {
  if (const std::int64_t i = cuda_instance(first); i < last)
    advance_difficult_instance<Scheme>(batch, settings, to, steps, i);
}

template <class Scheme>
struct CudaCareful {
  static void launch_advance_difficult(const Batch& batch, const Settings& settings, std::int64_t to,
                                       double steps, std::int64_t first, std::int64_t last) {
    CudaLaunch launch = launch_of<Scheme>("advance_difficult", first, last);
    launch.to = to;
    launch.start(advance_difficult<Scheme>, batch, settings, to, steps, first, last);
  }
  /// Gives the pairs of this scheme in a unit, in every layout, their launch with care.
  static void add_to(std::vector<CudaPairKernels>& pairs) {
    if constexpr (difficult_on_device<Scheme>)
      for (CudaPairKernels& pair : pairs)
        if (pair.scheme == &Scheme::info() && std::string_view(pair.form) == Scheme::form &&
            pair.precision == precision_of<Scheme>)
          pair.advance_difficult = launch_advance_difficult;
  }
};

}  // namespace livens::inline LIVENS_ISA
