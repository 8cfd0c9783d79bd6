#pragma once
// What a pair is whose system asks for derivatives ([tangent] of a spec), and how an instance of it begins: the same on
// every backend.

#include "kernels/backends/instances.hpp"
#include "kernels/tangents/tangent_scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// The scheme, with directions beside it where the system asks for them.
template <template <class> class Scheme, class System>
struct WithDirections {
  using type = Scheme<System>;
};
template <template <class> class Scheme, class System>
requires(requires { typename System::Tangents; }) struct WithDirections<Scheme, System> {
  using type = TangentScheme<Scheme<Taped<System>>>;
};

/// The record at node 0 of instance i of a scheme with directions. Those of an instance that cannot start are not numbers.
/// A function of its own: of a record on its own stack g++ 12 takes more alignment for granted than it has.
template <class Scheme>
LIVENS_HD_COLD void start_with_directions(const Batch& batch, const Settings& settings,
                                          const std::uint8_t* status, std::int64_t i,
                                          Record<Scheme>& record) {
  using System = typename Scheme::System;
  constexpr int d = System::coordinates;
  const System system(load_parameters<System>(batch, i));
  const double h = load_step<double>(batch, i);
  const Scheme scheme(system, h, settings);
  const auto node = load_state<double, d>(batch, i);
  start_record(system, scheme, node, static_cast<double>(status[i]), record);

  const auto nothing = not_a_number_vector<double, d>();
  NodeState<double, d> along[Scheme::all];
  for (auto& one : along) one = {nothing, nothing, nothing};
  if (static_cast<Status>(status[i]) == Status::ok)
    StartingDirections<System>(system, load_row<double, d>(batch.given_q, i),
                               load_row<double, d>(batch.given_v, i), node)
        .fill(along);
  scheme.set_directions(node, along, record.carried);
  show_directions(scheme, h, record);
  record.tangents.keep_basis();
}

}  // namespace livens::inline LIVENS_ISA
