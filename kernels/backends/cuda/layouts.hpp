#pragma once
// The layout of the steps of a pair on a GPU: the one place where it is chosen.

#include <array>
#include <string_view>

#include "kernels/math/gpu/rows_lu.hpp"
#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

/// Who eliminates the Newton matrix of an instance; the rest of its step its thread does in any case.
enum class CudaLayout {
  thread,  ///< its thread alone, from 10 unknowns on by rows (rows_lu.hpp, band_matrix.hpp). What its
           ///< registers do not hold is in shared memory (register pressure) or spilled
  warp,  ///< its warp, from 10 unknowns on; with fewer the threads of a warp only take every branch together
};

/// A pair for which the number of unknowns is not the last word, or not known to be: the layout that is
/// taken. The other one is compiled beside it with LIVENS_CUDA_VARIANTS, to be measured.
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
    NamedLayout{"ggl_mp", "full", CudaLayout::thread},
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

/// A thread alone as far as its elimination is unrolled: for a warp every pivot is a wait. An assembly's band
/// is narrow, and its sums over elements take longer than the elimination.
template <class Scheme>
constexpr CudaLayout layout_of() {
  if (const NamedLayout* named = named_layout<Scheme>()) return named->taken;
  if constexpr (Scheme::unknowns <= largest_unrolled || is_single<typename Scheme::Scalar> ||
                AssembledSystem<typename Scheme::System>)
    return CudaLayout::thread;
  else
    return goes_by_rows<typename Scheme::Problem::Matrix> ? CudaLayout::thread : CudaLayout::warp;
}

/// As they are called on the command line.
constexpr const char* name_of(CudaLayout layout) { return layout == CudaLayout::thread ? "thread" : "warp"; }

}  // namespace livens::inline LIVENS_ISA
