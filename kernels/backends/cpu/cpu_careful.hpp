#pragma once
// A pair on the CPU one instance at a time, every step with all the care there is: what `plain` runs, what
// redoes the difficult steps of the lanes (cpu_lanes.hpp), and what starts an instance and looks at a node.
// A step that is not difficult has the same bits either way.

#include "kernels/backends/instances.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scheme>
struct CarefulPair {
  using Scalar = typename Scheme::Scalar;
  using System = typename Scheme::System;
  static constexpr int m = System::constraints;

  static void start(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                    std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) start_instance<Scheme>(batch, settings, status, i);
  }
  static void advance(const Batch& batch, const Settings& settings, std::int64_t to, std::int64_t first,
                      std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      Record<Scheme> record = load_record<Scheme>(batch.records, i);
      take_steps(batch, settings, i, load_steps<double>(batch, to, i), record);
    }
  }
  static void step(const Batch& batch, const Settings& settings, std::int64_t i) {
    Record<Scheme> record = load_record<Scheme>(batch.records, i);
    take_steps(batch, settings, i, record.sum(Column::steps) + 1.0, record);
  }
  LIVENS_HD_COLD static void take_steps(const Batch& batch, const Settings& settings, std::int64_t i,
                                        double last, Record<Scheme>& record) {
    advance_record<Scheme, DifficultSteps::redone>(load_parameters<System>(batch, i),
                                                   load_step<Scalar>(batch, i), batch.composition, settings,
                                                   last, record);
    store_record(batch.records, i, record);
  }
  static void node(const Batch& batch, const LastStep* last, std::int64_t i, NodeView& view) {
    const System system(load_parameters<System>(batch, i));
    Settings settings = standard_settings(Scheme::info());
    settings.order = static_cast<std::uint8_t>(batch.composition.order);  // what is carried may depend on it
    const Scheme scheme(system, load_step<Scalar>(batch, i), settings);
    const auto record = load_record<Scheme>(batch.records, i);
    const auto n = scheme.node(record.carried);
    const auto measured = scheme.measure(record.carried, Measuring::all);
    auto multipliers =
        Multipliers<Scalar, m>{not_a_number_vector<Scalar, m>(), not_a_number_vector<Scalar, m>()};
    if (last != nullptr && record.sum(Column::steps) > 0.0) {
      const auto previous = load_record<Scheme>(last->records, i);
      bool one_whole_step = record.sum(Column::steps) == previous.sum(Column::steps) + 1.0 &&
                            record.sum(Column::retried_steps) == previous.sum(Column::retried_steps);
      if constexpr (WalledSystem<System>)
        one_whole_step = one_whole_step && !touched_a_wall(previous, record);
      if (one_whole_step && batch.composition.stages == 1)
        multipliers = scheme.multipliers(previous.carried, record.carried);
      else if (one_whole_step)
        multipliers = mean_multipliers<Scheme>(system, load_step<Scalar>(batch, i), batch.composition,
                                               last->settings, previous.carried);
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
  template <int N>
  static void show(const Vec<Scalar, N>& values, double* to) {
    if constexpr (N > 0)
      for (int i = 0; i < N; ++i) to[i] = widen(values[i]);
  }
  static constexpr bool fixed_options = requires { requires Scheme::fixed_options; };

  /// Without mixed precision, but where there is nothing to mix.
  static PairKernels kernels(const SystemKernels& system) {
    return {&system,
            &Scheme::info(),
            Scheme::form,
            Scheme::unknowns,
            Scheme::damped,
            Scheme::compensated,
            fixed_options,
            Record<Scheme>::width(),
            start,
            advance,
            Scheme::unknowns == 0 ? advance : nullptr,
            node,
            is_single<Scalar> ? Precision::single : Precision::full,
            step};
  }
};

}  // namespace livens::inline LIVENS_ISA
