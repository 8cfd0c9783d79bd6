#pragma once
// The kernel that takes difficult steps, with pivoting, damping and substeps. In units of its own, which nvcc
// compiles in a third of the time with fewer optimizations: few instances ever come here, and the same bits
// follow either way (decision 22).

#include "kernels/backends/cuda/cuda.cuh"
#include "kernels/backends/cuda/difficult_steps.hpp"

namespace livens::inline LIVENS_ISA {

/// Takes the instances that are left `steps` steps on, with all the care there is.
template <class Scheme>
LIVENS_CUDA_KERNEL void advance_difficult(Batch batch, Settings settings, std::int64_t to, double steps,
                                          std::int64_t first, std::int64_t last) {
  const std::int64_t i = cuda_instance(first);
  if (i >= last) return;
  constexpr int width = Record<Scheme>::width();
  const double end = careful_end(batch, width, to, steps, i);
  if (!(recorded(batch, width, Column::steps, i) < end)) return;
  Record<Scheme> record = load_record<Scheme>(batch.records, i);
  advance_record<Scheme, DifficultSteps::redone>(load_parameters<typename Scheme::System>(batch, i),
                                                 load_step<typename Scheme::Scalar>(batch, i), settings, end,
                                                 record);
  store_record(batch.records, i, record);
}

template <class Scheme>
struct CudaCareful {
  /// Pivoting on a dense copy takes up to 190 KB of stack a thread, which a driver sets aside for every
  /// thread that a device can hold: above the tiles the CPU takes the few steps that need it.
  static constexpr bool difficult_here = Scheme::unknowns <= warp_size;

  static void launch_advance_difficult(const Batch& batch, const Settings& settings, std::int64_t to,
                                       double steps, std::int64_t first, std::int64_t last) {
    CudaLaunch launch = launch_of<Scheme>("advance_difficult", first, last);
    launch.to = to;
    launch.start(advance_difficult<Scheme>, batch, settings, to, steps, first, last);
  }
  /// Gives the pairs of this scheme in a unit, in every layout, their launch with care.
  static void add_to(std::vector<CudaPairKernels>& pairs) {
    if constexpr (difficult_here)
      for (CudaPairKernels& pair : pairs)
        if (pair.scheme == &Scheme::info() && std::string_view(pair.form) == Scheme::form &&
            pair.precision == precision_of<Scheme>)
          pair.advance_difficult = launch_advance_difficult;
  }
};

}  // namespace livens::inline LIVENS_ISA
