#pragma once
// Stop conditions: expressions whose sign is watched from node to node. Nothing of it is compiled for a
// system that has none.

#include "kernels/stepping/record.hpp"

namespace livens::inline LIVENS_ISA {

/// The status of a step from record.carried to `next`, of the lanes whose step is good: `stopped` where an
/// expression f that is not zero at the node before, f0, has the other sign or is zero at the next, f1. The
/// record gets the time t0 + h f0/(f0 - f1) at which the line through both is zero, and which expression it
/// was: the first in time, then in the spec. `not_finite` where an expression is not. Lanes that were not
/// good keep `status`. Nothing but the two nodes decides, so that it is the same wherever a run is cut.
template <class Scheme>
LIVENS_HD typename Scheme::Scalar meet_stops(const typename Scheme::System& system, const Scheme& scheme,
                                             const typename Scheme::Scalar& h,
                                             const Mask<typename Scheme::Scalar>& good,
                                             const typename Scheme::Carried& next,
                                             const typename Scheme::Scalar& status, Record<Scheme>& record) {
  using Scalar = typename Scheme::Scalar;
  using Sum = Wide<Scalar>;
  const Scalar zero = Scalar(0.0);
  const Sum steps = record.sum(Column::steps);
  const auto before = system.stop_values(scheme.node(record.carried), rounded<Scalar>(widen(h) * steps));
  const auto after = system.stop_values(scheme.node(next), rounded<Scalar>(widen(h) * (steps + Sum(1.0))));
  Mask<Scalar> all_finite = good, stopped = good & !good;
  Scalar first = Scalar(2.0), condition = zero;
  for (int k = 0; k < Scheme::System::stop_count; ++k) {
    const Scalar f0 = before[k], f1 = after[k];
    const Mask<Scalar> crossed = good & (((f0 > zero) & (f1 <= zero)) | ((f0 < zero) & (f1 >= zero)));
    const Scalar part = select(crossed, f0 / (f0 - f1), first);
    const Mask<Scalar> earlier = crossed & (part < first);
    first = select(earlier, part, first);
    condition = select(earlier, Scalar(static_cast<double>(k)), condition);
    stopped = stopped | crossed;
    all_finite = all_finite & finite(f0) & finite(f1);
  }
  stopped = stopped & all_finite;
  record.stop.time = select(stopped, rounded<Scalar>(widen(h) * (steps + widen(first))), record.stop.time);
  record.stop.condition = select(stopped, condition, record.stop.condition);
  return select(good & !all_finite, code<Scalar>(Status::not_finite),
                select(stopped, code<Scalar>(Status::stopped), status));
}

}  // namespace livens::inline LIVENS_ISA
