#pragma once
// The layout of the steps of a pair on a GPU: the one place where it is chosen.

#include <array>
#include <string_view>

#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Who eliminates the Newton matrix of an instance; the rest of its step its thread does in any case.
enum class CudaLayout {
  thread,  ///< its thread alone. What its registers do not hold is in shared memory (register pressure) or
           ///< spilled
  warp,  ///< its warp, from 10 unknowns on; with fewer the threads of a warp only take every branch together
};

/// Unknowns up to which a thread stands alone: as many as the elimination is unrolled for, so that most
/// entries of the matrix are in registers. Above that the thread would keep all of it in its stack, and eight
/// warps of such stacks do not fit in the first-level cache.
inline constexpr int largest_in_thread = largest_unrolled;

/// A pair for which the number of unknowns is not the last word: the layout that is taken. The other one is
/// compiled beside it with LIVENS_CUDA_VARIANTS, to be measured.
struct NamedLayout {
  std::string_view scheme, form;
  CudaLayout taken;
  constexpr CudaLayout other() const {
    return taken == CudaLayout::thread ? CudaLayout::warp : CudaLayout::thread;
  }
};

template <class Scalar>
struct DoubleSphericalPendulum;
template <class Scalar>
struct FourParticle;

/// Those of a system.
template <class System>
inline constexpr std::array<NamedLayout, 0> named_layouts{};
template <class Scalar>
inline constexpr std::array named_layouts<DoubleSphericalPendulum<Scalar>> = {
    NamedLayout{"ems", "full", CudaLayout::thread},
};
template <class Scalar>
inline constexpr std::array named_layouts<FourParticle<Scalar>> = {
    NamedLayout{"ems", "reduced", CudaLayout::thread},
    NamedLayout{"livens", "full", CudaLayout::thread},
    NamedLayout{"ggl_mp", "full", CudaLayout::warp},
};

/// The entry of a pair; null where the number of unknowns decides, as in single precision.
template <class Scheme>
constexpr const NamedLayout* named_layout() {
  using System = typename Scheme::System;
  if constexpr (!is_single<typename Scheme::Scalar>)
    for (const NamedLayout& named : named_layouts<System>)
      if (named.scheme == Scheme::info().name && named.form == Scheme::form) return &named;
  return nullptr;
}

template <class Scheme>
constexpr CudaLayout layout_of() {
  if (const NamedLayout* named = named_layout<Scheme>()) return named->taken;
  return Scheme::unknowns <= largest_in_thread || is_single<typename Scheme::Scalar> ? CudaLayout::thread
                                                                                     : CudaLayout::warp;
}

/// As they are called on the command line.
constexpr const char* name_of(CudaLayout layout) { return layout == CudaLayout::thread ? "thread" : "warp"; }

}  // namespace livens::inline LIVENS_ISA
