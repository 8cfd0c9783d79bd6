// The pairs of one system on emulated warps, in the forms that are compiled for CUDA, and the elimination for
// the pattern of each.

#include "tests/laws/warps.hpp"

#include "kernels/backends/cpu/cpu_lanes.hpp"
#include "tests/laws/inside.hpp"
#include "tests/laws/tables.hpp"
#include "tests/math/tiles.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

template <class Scheme>
void tiles_have_the_bits_of_one_thread() {
  expect_the_bits_of_one_thread<typename Slots<typename Scheme::Problem::Matrix>::Pattern>(8);
}

const bool registered = [] {
  for_each_compiled<TestedSystem, cuda_forms>([](auto type) {
    using Scheme = typename decltype(type)::type;
    if constexpr (Scheme::unknowns >= smallest_shared_out) {
      using OnWarps = typename Scheme::template Over<EmulatedWarp>;
      for (const PairKernels& pair : laws::tables().back().pairs)
        if (laws::name_of(pair) == tested_pair<Scheme>())
          laws::warps().push_back(LanesPair<OnWarps>::kernels(pair));
      register_check("Tiles", tested_pair<Scheme>(), __FILE__, __LINE__,
                     tiles_have_the_bits_of_one_thread<Scheme>);
    }
  });
  return true;
}();

}  // namespace
}  // namespace livens::inline LIVENS_ISA
