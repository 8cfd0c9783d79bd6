#pragma once
// One step of one instance with all the care there is.

#include "kernels/stepping/composition.hpp"

namespace livens::inline LIVENS_ISA {

/// The result of a step that was taken with care.
template <class Scheme>
struct CarefulStep {
  typename Scheme::Carried next;
  StepReport<typename Scheme::Scalar> report;
  int substeps;
};

/// One step with all the care there is: with pivoting where that is needed, and where it fails as 2, 4, ...,
/// 2^retry substeps, each of them composed as the step is.
template <class Scheme>
LIVENS_HD_COLD CarefulStep<Scheme> careful_step(const typename Scheme::System& system,
                                                const typename Scheme::Scalar& h,
                                                const Composition& composition, const Settings& settings,
                                                const typename Scheme::Carried& now) {
  using Scalar = typename Scheme::Scalar;
  const Scalar none = Scalar(0.0);
  CarefulStep<Scheme> result{now, {{none, none}, none, none}, 1};
  auto& [next, report, substeps] = result;
  for (int level = 0; level <= settings.retry; ++level) {
    const Scalar whole = report.outcome.status;
    substeps = 1 << level;
    const Scalar length = h / Scalar(static_cast<double>(substeps));
    typename Scheme::Carried at = now;
    StepReport<Scalar> total{{none, report.outcome.iterations}, none, none};
    for (int i = 0; i < substeps && total.outcome.good(); ++i) {
      total = then(total, take_stages<Scheme>(system, length, composition, settings, at, next,
                                              [](const Scheme& scheme, const auto& from, auto& to) {
                                                return scheme.template step<Pivoting::where_needed>(from,
                                                                                                    true, to);
                                              }));
      at = next;
    }
    report = total;
    if (report.outcome.good()) break;
    // A step that fails in every way reports why it failed as a whole.
    if (level > 0) report.outcome.status = whole;
  }
  return result;
}

}  // namespace livens::inline LIVENS_ISA
