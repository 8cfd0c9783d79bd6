#pragma once
// The steps of a pair on the CPU, as many instances at a time as a register holds. A difficult step is left
// to the careful pair (cpu_careful.hpp), which PairKernels::advance() asks for it: a call left out of line
// inside a step would send every lane through memory.

#include "kernels/backends/instances.hpp"
#include "kernels/math/twin_lanes.hpp"

namespace livens::inline LIVENS_ISA {

#if defined(__AVX512F__)
using CpuLanes = Lanes<8>;
#elif defined(__AVX2__)
using CpuLanes = Lanes<4>;
#else
using CpuLanes = double;
#endif
using CpuFloatLanes = Narrow<CpuLanes>;

/// Integrates the instances [first, last), as many at a time as the Scheme's Scalar holds, to beat `to`.
template <class Scheme, Pivoting pivoting>
LIVENS_FLATTEN void advance_lanes(const Batch& batch, const Settings& settings, std::int64_t to,
                                  std::int64_t first, std::int64_t last) {
  using Scalar = typename Scheme::Scalar;
  using System = typename Scheme::System;
  for (std::int64_t i = first; i < last; i += lanes_of<Scalar>) {
    Record<Scheme> record = load_record<Scheme>(batch.records, i);
    advance_record<Scheme, DifficultSteps::left, pivoting>(
        load_parameters<System>(batch, i), load_step<Scalar>(batch, i), batch.composition, settings,
        load_steps<Wide<Scalar>>(batch, to, i), record);
    store_record(batch.records, i, record);
  }
}

/// The Scheme that takes the steps: of two registers of instances at a time where a step is so short that a
/// core would wait for its results. With longer steps there are too many numbers for the registers.
template <class Scheme>
struct InLanes {
  using type = Scheme;
};
template <class Scheme>
requires(Scheme::short_step&& lanes_of<CpuLanes> > 1 &&
         std::is_same_v<typename Scheme::Scalar, CpuLanes>) struct InLanes<Scheme> {
  using type = typename Scheme::template Over<Twin<CpuLanes>>;
};

template <class Scheme>
struct LanesPair {
  /// A pair with this for its steps. Without mixed precision, but where there is nothing to
  /// mix.
  static PairKernels kernels(PairKernels pair) {
    pair.advance_straight = advance_lanes<typename InLanes<Scheme>::type, Pivoting::refused>;
    pair.advance_mixed = Scheme::unknowns == 0 ? pair.advance_straight : nullptr;
    return pair;
  }
};

}  // namespace livens::inline LIVENS_ISA
