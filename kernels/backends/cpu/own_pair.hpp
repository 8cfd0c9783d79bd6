#pragma once
// A pair in the one form and precision that an object is compiled for: Careful is its scheme one instance at
// a time, Many the same in the lanes of the instruction set. The functions are those that generated units put
// into the program's own tables (cpu_careful.cpp.in, cpu_lanes.cpp.in, cpu_lower.cpp.in), and so are the
// bits.

#include "kernels/backends/cpu/cpu_careful.hpp"
#include "kernels/backends/cpu/cpu_lanes.hpp"
#include "kernels/tangents/tangent_scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// CarefulPair::start() of a scheme with directions. Those of an instance that cannot start are not numbers.
template <class Scheme>
void start_with_directions(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                           std::int64_t first, std::int64_t last) {
  using System = typename Scheme::System;
  CarefulPair<Scheme>::start(batch, settings, status, first, last);
  for (std::int64_t i = first; i < last; ++i) {
    const System system(load_parameters<System>(batch, i));
    const double h = load_step<double>(batch, i);
    const Scheme scheme(system, h, settings);
    const auto node = load_state<double, System::coordinates>(batch, i);
    const auto given_q = load_row<double, System::coordinates>(batch.given_q, i),
               given_v = load_row<double, System::coordinates>(batch.given_v, i);
    const auto nothing = not_a_number_vector<double, System::coordinates>();
    NodeState<double, System::coordinates> along[Scheme::all];
    for (auto& one : along) one = {nothing, nothing, nothing};
    if (static_cast<Status>(status[i]) == Status::ok)
      StartingDirections<System>(system, given_q, given_v, node).fill(along);
    Record<Scheme> record = load_record<Scheme>(batch.records, i);
    scheme.set_directions(node, along, record.carried);
    show_directions(scheme, h, record);
    record.tangents.keep_basis();
    store_record(batch.records, i, record);
  }
}

/// In double precision, and with floats for scalars in single. One instance at a time the careful pair is all
/// there is.
template <class Careful, class Many>
PairKernels own_pair_in_double(PairKernels pair = CarefulPair<Careful>::kernels({})) {
  if constexpr (lanes_of < typename Many::Scalar >> 1) {
    static_assert(Record<typename InLanes<Many>::type>::width() == Record<Many>::width(),
                  "the system's Over is another system");
    pair = LanesPair<Many>::kernels(pair);
  }
  if constexpr (TangentsOf<Careful>::followed) pair.start = start_with_directions<Careful>;
  pair.system = nullptr;
  return pair;
}
template <class Careful, class Many>
PairKernels own_pair_in_single() {
  return own_pair_in_double<Careful, Many>();
}

/// With a Newton matrix in single precision, and nothing for runs with one in double.
template <class Careful, class Many>
PairKernels own_pair_in_mixed() {
  PairKernels pair = CarefulPair<Careful>::kernels({});
  pair.system = nullptr;
  pair.advance_straight = nullptr;
  pair.advance_mixed = advance_lanes<Many, Pivoting::mixed>;
  return pair;
}

}  // namespace livens::inline LIVENS_ISA
