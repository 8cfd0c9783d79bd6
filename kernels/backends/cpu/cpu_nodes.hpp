#pragma once
// What starts an instance of a pair on the CPU, and what looks at a node of it.

#include "kernels/backends/instances.hpp"

namespace livens::inline LIVENS_ISA {

template <int N, class Scalar>
void show(const Vec<Scalar, N>& values, double* to) {
  if constexpr (N > 0)
    for (int i = 0; i < N; ++i) to[i] = widen(values[i]);
}

/// The step that led to a node, where it was one step as a whole.
template <class Scheme>
bool was_whole(const Record<Scheme>& previous, const Record<Scheme>& record) {
  bool whole = record.sum(Column::steps) > 0.0 &&
               record.sum(Column::steps) == previous.sum(Column::steps) + 1.0 &&
               record.sum(Column::retried_steps) == previous.sum(Column::retried_steps);
  if constexpr (WalledSystem<typename Scheme::System>) whole = whole && !touched_a_wall(previous, record);
  return whole;
}

template <class Scheme>
struct NodesOfPair {
  using Scalar = typename Scheme::Scalar;
  using System = typename Scheme::System;
  static constexpr int m = System::constraints;

  static void start(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                    std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) start_instance<Scheme>(batch, settings, status, i);
  }
  static void node(const Batch& batch, const LastStep* last, std::int64_t i, NodeView& view) {
    const System system(load_parameters<System>(batch, i));
    Settings settings = standard_settings(Scheme::info());                // which a scheme refers to
    settings.order = static_cast<std::uint8_t>(batch.composition.order);  // what is carried may depend on it
    const Scheme scheme(system, load_step<Scalar>(batch, i), settings);
    const auto record = load_record<Scheme>(batch.records, i);
    const auto n = scheme.node(record.carried);
    const auto measured = scheme.measure(record.carried, Measuring::all);
    auto multipliers =
        Multipliers<Scalar, m>{not_a_number_vector<Scalar, m>(), not_a_number_vector<Scalar, m>()};
    if (last != nullptr && batch.composition.stages == 1) {
      const auto previous = load_record<Scheme>(last->records, i);
      if (was_whole<Scheme>(previous, record))
        multipliers = scheme.multipliers(previous.carried, record.carried);
    }
    show(n.q, view.q);
    show(n.p, view.p);
    show(n.v, view.v);
    show(multipliers.lambda, view.lambda);
    show(multipliers.gamma, view.gamma);
    show(measured.momentum, view.momentum);
    view.energy = widen(measured.energy);
    view.total_energy = widen(measured.total_energy);
    view.z = widen(scheme.action(record.carried));
    if (view.sampled != nullptr) {
      const Scalar t = rounded<Scalar>(widen(load_step<Scalar>(batch, i)) * record.sum(Column::steps));
      sample_node(system, n, t, measured, view.sampled);
    }
  }
  static constexpr bool fixed_options = requires { requires Scheme::fixed_options; };

  /// Without steps.
  static PairKernels kernels(const SystemKernels* system) {
    return {system,
            &Scheme::info(),
            Scheme::form,
            Scheme::unknowns,
            Scheme::damped,
            Scheme::compensated,
            fixed_options,
            Record<Scheme>::width(),
            start,
            nullptr,
            nullptr,
            node,
            is_single<Scalar> ? Precision::single : Precision::full};
  }
};

}  // namespace livens::inline LIVENS_ISA
