#pragma once
// The steps of a pair on the CPU, as many instances at a time as a register holds. A difficult step is left
// to the careful pair (cpu_careful.hpp), which PairKernels::advance() asks for it: a call left out of line
// inside a step would send every lane through memory.

#include "kernels/backends/instances.hpp"
#include "kernels/math/lanes.hpp"

namespace livens::inline LIVENS_ISA {

#if defined(__AVX512F__)
using CpuLanes = Lanes<8>;
#elif defined(__AVX2__)
using CpuLanes = Lanes<4>;
#else
using CpuLanes = double;
#endif
using CpuFloatLanes = Narrow<CpuLanes>;

template <class Scheme>
struct LanesPair {
  using Scalar = typename Scheme::Scalar;
  using System = typename Scheme::System;
  static constexpr int W = lanes_of<Scalar>;

  template <Pivoting pivoting>
  LIVENS_FLATTEN static void advance(const Batch& batch, const Settings& settings, std::int64_t to,
                                     std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i += W) {
      Record<Scheme> record = load_record<Scheme>(batch.records, i);
      advance_record<Scheme, DifficultSteps::left, pivoting>(
          load_parameters<System>(batch, i), load_step<Scalar>(batch, i), batch.composition, settings,
          load_steps<Wide<Scalar>>(batch, to, i), record);
      store_record(batch.records, i, record);
    }
  }
  /// The careful pair with this in place of its own. Without mixed precision, but where there is nothing to
  /// mix.
  static PairKernels kernels(PairKernels pair) {
    pair.advance_straight = advance<Pivoting::refused>;
    pair.advance_mixed = Scheme::unknowns == 0 ? pair.advance_straight : nullptr;
    return pair;
  }
};

}  // namespace livens::inline LIVENS_ISA
