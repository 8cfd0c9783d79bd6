#pragma once
// A pair on the CPU one instance at a time, every step with all the care there is: what `plain` runs, and what
// redoes the difficult steps of the lanes (cpu_lanes.hpp). A step that is not difficult has the same bits
// either way.

#include "kernels/backends/cpu/cpu_nodes.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scheme>
struct CarefulPair {
  using Scalar = typename Scheme::Scalar;
  using System = typename Scheme::System;

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
  static void multipliers(const Batch& batch, const LastStep& last, std::int64_t i, NodeView& view) {
    const auto previous = load_record<Scheme>(last.records, i);
    if (!was_whole<Scheme>(previous, load_record<Scheme>(batch.records, i))) return;
    const System system(load_parameters<System>(batch, i));
    const auto mean = mean_multipliers<Scheme>(system, load_step<Scalar>(batch, i), batch.composition,
                                               last.settings, previous.carried);
    show(mean.lambda, view.lambda);
    show(mean.gamma, view.gamma);
  }

  static const CarefulKernels& at_hand(const void* = nullptr) {
    static constexpr CarefulKernels kernels = {step, multipliers};
    return kernels;
  }
  /// Without mixed precision, but where there is nothing to mix.
  static PairKernels kernels(const SystemKernels* system) {
    PairKernels pair = NodesOfPair<Scheme>::kernels(system);
    pair.advance_straight = advance;
    pair.advance_mixed = Scheme::unknowns == 0 ? advance : nullptr;
    pair.careful = at_hand;
    return pair;
  }
};

}  // namespace livens::inline LIVENS_ISA
