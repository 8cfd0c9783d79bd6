#pragma once
// The adjoint of a pair, instance by instance: forward to the last node that a sum looks at, with every so many
// nodes kept, and back, from a kept node to the one before, with what lies between them computed again to the same
// bits. equations/tangents.md, section 7.

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/backends/instances.hpp"
#include "kernels/description/adjoint.hpp"
#include "kernels/tangents/adjoint_scheme.hpp"

namespace livens::inline LIVENS_ISA {

/// Up to so many steps all nodes are kept, and none is computed again; of n more one in sqrt(n).
inline constexpr std::int64_t most_kept_nodes = 4096;

/// `Values`: the scheme on a Taped system over double.
template <class Values>
class AdjointPair {
 public:
  static AdjointKernels kernels() { return {Tangents::directions, gradients}; }

 private:
  using System = typename Values::System;
  using Tangents = typename System::Tangents;
  using Carried = typename Values::Carried;
  using Node = NodeState<double, System::coordinates>;
  static constexpr int d = System::coordinates, directions = Tangents::directions;
  static constexpr int own = [] {
    if constexpr (SampledSystem<System>)
      return System::sampled_count;
    else
      return 0;
  }();

  static void gradients(const Batch& batch, const Settings& settings, const std::uint8_t* status,
                        const Counted& counted, double* gradients, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      double* const gradient = gradients + i * directions;
      std::fill_n(gradient, directions, __builtin_nan(""));
      if (static_cast<Status>(status[i]) == Status::ok) fill(batch, settings, counted, i, gradient);
    }
  }

  /// Leaves the gradient as it is where the instance does not come to the last node.
  static void fill(const Batch& batch, const Settings& settings, const Counted& counted, std::int64_t i,
                   double* gradient) {
    const auto parameters = load_parameters<System>(batch, i);
    const double h = load_step<double>(batch, i);
    const Node start = load_state<double, d>(batch, i);
    const auto node_of = [&](std::int64_t k) {
      return static_cast<std::int64_t>(load_steps<double>(batch, counted.beats[k], i));
    };
    std::int64_t looked_at = counted.nodes - 1;  // the next one on the way back
    const std::int64_t steps = node_of(looked_at);
    const std::int64_t every = counted.kept_every > 0     ? counted.kept_every
                               : steps <= most_kept_nodes ? 1
                                                          : static_cast<std::int64_t>(std::sqrt(steps));

    const System system(parameters);
    Record<Values> record;
    start_record(system, Values(system, h, settings), start, 0.0, record);
    std::vector<Carried> kept;
    for (std::int64_t node = 0; node < steps; node += every) {
      kept.push_back(record.carried);
      advance_record<Values, DifficultSteps::redone>(parameters, h, batch.composition, settings,
                                                     static_cast<double>(std::min(node + every, steps)),
                                                     record);
    }
    if (record[Column::status] != 0.0) return;

    const auto counted_at = [&](std::int64_t node) {
      CountedNode r;
      if (looked_at < 0 || node_of(looked_at) != node) return r;
      const std::int64_t place = i * counted.nodes + looked_at--;
      if (counted.q) r.q = counted.q + place * d;
      if (counted.p) r.p = counted.p + place * d;
      if (counted.v) r.v = counted.v + place * d;
      if (counted.sampled) r.sampled = counted.sampled + place * own;
      return r;
    };
    AdjointScheme<Values> back(parameters, h, batch.composition, settings);
    auto adjoint = zero_vector<double, AdjointScheme<Values>::width>();
    std::vector<Carried> between;
    for (std::int64_t end = steps; end > 0;) {
      const std::int64_t begin = (end - 1) / every * every;
      between.assign(1, kept.back());
      kept.pop_back();
      while (begin + static_cast<std::int64_t>(between.size()) < end)
        between.push_back(careful_step<Values>(system, h, batch.composition, settings, between.back()).next);
      for (; end > begin; --end) {
        if (!back.back_over_step(between.back(), counted_at(end), h * static_cast<double>(end), adjoint))
          return;
        between.pop_back();
      }
    }
    back.back_over_start(load_row<double, d>(batch.given_q, i), load_row<double, d>(batch.given_v, i), start,
                         counted_at(0), adjoint, gradient);
  }
};

}  // namespace livens::inline LIVENS_ISA
