#pragma once
// A pair in the one form and precision that an object is compiled for: Careful is its scheme one instance at
// a time, Many the same in the lanes of the instruction set. The functions are those that generated units put
// into the program's own tables (cpu_careful.cpp.in, cpu_lanes.cpp.in, cpu_lower.cpp.in), and so are the
// bits.

#include "kernels/backends/cpu/cpu_careful.hpp"
#include "kernels/backends/cpu/cpu_lanes.hpp"
#include "kernels/backends/directions.hpp"

namespace livens::inline LIVENS_ISA {

/// In double precision, and with floats for scalars in single. One instance at a time the careful pair is all
/// there is; of several its careful steps are an object of their own, which few runs need.
template <class Careful, class Many>
PairKernels own_pair_in_double() {
  PairKernels pair = [] {
    if constexpr (lanes_of < typename Many::Scalar >> 1) {
      static_assert(Record<typename InLanes<Many>::type>::width() == Record<Many>::width(),
                    "the system's Over is another system");
      return LanesPair<Many>::kernels(NodesOfPair<Careful>::kernels(nullptr));
    } else {
      return CarefulPair<Careful>::kernels(nullptr);
    }
  }();
  if constexpr (TangentsOf<Careful>::followed)
    pair.start = [](const Batch& batch, const Settings& settings, const std::uint8_t* status,
                    std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        Record<Careful> record;
        start_with_directions(batch, settings, status, i, record);
        store_record(batch.records, i, record);
      }
    };
  return pair;
}
template <class Careful, class Many>
PairKernels own_pair_in_single() {
  return own_pair_in_double<Careful, Many>();
}

/// With a Newton matrix in single precision, and nothing for runs with one in double.
template <class Careful, class Many>
PairKernels own_pair_in_mixed() {
  PairKernels pair = NodesOfPair<Careful>::kernels(nullptr);
  pair.advance_mixed = advance_lanes<Many, Pivoting::mixed>;
  return pair;
}

}  // namespace livens::inline LIVENS_ISA
