#pragma once
// The layout of the steps of a pair on a GPU: the one place where it is chosen.

#include "kernels/math/gpu/rows_lu.hpp"
#include "kernels/stepping/record.hpp"

namespace livens::inline LIVENS_ISA {

/// Who eliminates the Newton matrix of an instance; the rest of its step its thread does in any case.
enum class CudaLayout {
  thread,  ///< its thread alone, from 10 unknowns on by rows (rows_lu.hpp, band_matrix.hpp). What its
           ///< registers do not hold is in shared memory (register pressure) or spilled
  warp,  ///< its warp, from 10 unknowns on; with fewer the threads of a warp only take every branch together
};

/// A thread alone as far as its elimination is unrolled: for a warp every pivot is a wait. An assembly's band
/// is narrow, and its sums over elements take longer than the elimination. The roots of steps with directions are on a
/// tape of their thread (tangent_scheme.hpp).
template <class Scheme>
constexpr CudaLayout layout_of() {
  if constexpr (Scheme::unknowns <= largest_unrolled || is_single<typename Scheme::Scalar> ||
                AssembledSystem<typename Scheme::System> || TangentsOf<Scheme>::followed)
    return CudaLayout::thread;
  else
    return goes_by_rows<typename Scheme::Problem::Matrix> ? CudaLayout::thread : CudaLayout::warp;
}

}  // namespace livens::inline LIVENS_ISA
