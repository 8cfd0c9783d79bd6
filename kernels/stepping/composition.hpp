#pragma once
// A step that is a composition of shorter ones, its stages (kernels/description/compositions.hpp): one-step
// maps of the same scheme with other h, some of them negative. Nothing between two stages is a node:
// measured, counted and kept is what whole steps lead to, and an instance that fails in a stage stays at the
// node before.

#include "kernels/stepping/record.hpp"

namespace livens::inline LIVENS_ISA {

/// The length of a stage of a step h.
template <class Scalar>
LIVENS_HD Scalar stage_length(const Composition& composition, int stage, const Scalar& h) {
  return Scalar(composition.factors[stage]) * h;
}

/// The sum of what two steps report, one after the other; the status is that of the later one.
template <class Scalar>
LIVENS_HD StepReport<Scalar> then(const StepReport<Scalar>& before, const StepReport<Scalar>& after) {
  return {{after.outcome.status, before.outcome.iterations + after.outcome.iterations},
          before.dissipated + after.dissipated,
          before.work + after.work};
}

/// A composed step on its way through its stages. Steps that are not composed never touch it.
template <class Scheme>
class StagesTaken {
 public:
  using Scalar = typename Scheme::Scalar;

  LIVENS_HD int stage() const { return stage_; }

  /// A stage has led to `next`, and was good for the lanes `running`. If the step is not at its end they
  /// stand in the record as if that were their node, for the next stage, and this returns false. At the end,
  /// or if no lane has come that far, the record is that of the node before again, and `report` that of the
  /// whole step.
  LIVENS_HD bool whole(const Composition& composition, const Mask<Scalar>& running,
                       const typename Scheme::Carried& next, StepReport<Scalar>& report,
                       Record<Scheme>& record) {
    if (stage_ == 0) {
      memcpy(&start_, static_cast<const void*>(&record.carried), sizeof start_);
      stay_in_memory();
    } else {
      report = then(so_far_, report);
    }
    if (++stage_ < composition.stages && any(running)) {
      so_far_ = report;
      assign_where<Scalar>(running, next, record.carried);
      return false;
    }
    memcpy(static_cast<void*>(&record.carried), &start_, sizeof start_);
    stage_ = 0;
    return true;
  }

 private:
  /// On a GPU, whatever the compiler thinks of it: a step that is not composed has no register to spare.
  LIVENS_HD void stay_in_memory() {
#if defined(__CUDA_ARCH__)
    asm volatile("" : : "l"(this) : "memory");
#endif
  }

  /// As Scalars: nvcc copies a structure with an empty member byte by byte, each in a register of its own.
  Vec<Scalar, static_cast<int>(sizeof(typename Scheme::Carried) / sizeof(Scalar))> start_;
  StepReport<Scalar> so_far_;
  int stage_ = 0;
};

/// Takes the stages of a step h of one instance, one after the other, while they are good, from `now` to
/// `next`, each by step(scheme, from, next), which returns its report.
template <class Scheme, class Step>
LIVENS_HD StepReport<typename Scheme::Scalar> take_stages(const typename Scheme::System& system,
                                                          const typename Scheme::Scalar& h,
                                                          const Composition& composition,
                                                          const Settings& settings,
                                                          const typename Scheme::Carried& now,
                                                          typename Scheme::Carried& next, Step&& step) {
  using Scalar = typename Scheme::Scalar;
  const Scalar none = Scalar(0.0);
  typename Scheme::Carried at = now;
  StepReport<Scalar> total{{none, none}, none, none};
  for (int stage = 0; stage < composition.stages && total.outcome.good(); ++stage) {
    const Scheme scheme(system, stage_length(composition, stage, h), settings);
    total = then(total, step(scheme, at, next));
    at = next;
  }
  return total;
}

/// The multipliers of a composed step from `now`: the means over its stages, which are taken once more, each
/// with its length as weight, so that h times them are the sums of the impulses.
template <class Scheme>
LIVENS_HD auto mean_multipliers(const typename Scheme::System& system, const typename Scheme::Scalar& h,
                                const Composition& composition, const Settings& settings,
                                const typename Scheme::Carried& now) {
  constexpr int m = Scheme::System::constraints;
  using Scalar = typename Scheme::Scalar;
  auto mean = Multipliers<Scalar, m>{zero_vector<Scalar, m>(), zero_vector<Scalar, m>()};
  typename Scheme::Carried end;
  int stage = 0;
  take_stages<Scheme>(system, h, composition, settings, now, end,
                      [&](const Scheme& scheme, const auto& from, auto& to) {
                        const auto report = scheme.template step<Pivoting::where_needed>(from, true, to);
                        const Scalar part = Scalar(composition.factors[stage++]);
                        const auto of_stage = scheme.multipliers(from, to);
                        mean.lambda = fma(part, of_stage.lambda, mean.lambda);
                        mean.gamma = fma(part, of_stage.gamma, mean.gamma);
                        return report;
                      });
  return mean;
}

}  // namespace livens::inline LIVENS_ISA
