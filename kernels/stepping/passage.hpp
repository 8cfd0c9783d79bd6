#pragma once
// From one node of an instance to the next with all the care there is: impacts, events and stops on the way.

#include "kernels/stepping/events.hpp"
#include "kernels/stepping/stop.hpp"

namespace livens::inline LIVENS_ISA {

/// The fate of a step that Newton's method without pivoting does not solve at once: the instance is left
/// where it is, for a later call; or every step is taken with care here, one instance at a time. A step that
/// is not difficult has the same bits either way.
enum class DifficultSteps { left, redone };

/// What a record keeps of what happened on the way; nothing for a system without walls, events and stops.
template <class Scheme>
struct Happened {
  [[no_unique_address]] typename StopOf<Scheme>::type stop;
  [[no_unique_address]] typename EventsOf<Scheme>::type events;
  [[no_unique_address]] typename ImpactsOf<Scheme>::type impacts;
  [[no_unique_address]] typename ContactOf<typename Scheme::System>::type contact;
};

/// The step h from the node of a record.
template <class Scheme>
LIVENS_HD CarefulStep<Scheme> pass_with_care(const typename Scheme::System& system, const Scheme& scheme,
                                             const typename Scheme::Scalar& h, const Composition& composition,
                                             const Settings& settings, const Record<Scheme>& record,
                                             Happened<Scheme>& happened) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  if constexpr (!WalledSystem<System> && !EventfulSystem<System> && !StoppingSystem<System>) {
    return careful_step<Scheme>(system, h, composition, settings, record.carried);
  } else {
    const auto take = [&](auto&& watch) {
      if constexpr (WalledSystem<System>) {
        StepAmongWalls<Scheme> step(system, h, composition, settings, record.impacts, record.contact);
        const CarefulStep<Scheme> taken = step.take(record.carried, watch);
        happened.impacts = step.impacts();
        happened.contact = step.contact();
        return taken;
      } else {
        const CarefulStep<Scheme> taken =
            careful_step<Scheme>(system, h, composition, settings, record.carried);
        if (taken.report.outcome.good())
          watch(WholeStep<Scheme>(system, composition, settings, record.carried, h), taken.next);
        return taken;
      }
    };
    // With the watch of stops, then that of events; each is there where the system has some.
    const auto with_stops = [&](const auto& take_watched) {
      if constexpr (StoppingSystem<System>) {
        StopWatch<Scheme> stops(system, scheme, h, record);
        CarefulStep<Scheme> taken = take_watched(stops);
        if (taken.report.outcome.good()) stops.arrive(taken.next);
        happened.stop = stops.stop();
        if (!stops.finite_values()) taken.report.outcome.status = code<Scalar>(Status::not_finite);
        return taken;
      } else {
        auto none = [](const auto&, const auto&) {};
        return take_watched(none);
      }
    };
    return with_stops([&](auto& stops) {
      if constexpr (EventfulSystem<System>) {
        EventWatch<Scheme> events(system, scheme, h, record);
        CarefulStep<Scheme> taken = take([&](const auto& part, const auto& end) {
          stops(part, end);
          events(part, end);
        });
        happened.events = events.events();
        if (!events.finite_values()) taken.report.outcome.status = code<Scalar>(Status::not_finite);
        return taken;
      } else {
        return take(stops);
      }
    });
  }
}

template <class Scheme>
LIVENS_HD void keep(const Happened<Scheme>& happened, Record<Scheme>& record) {
  using System = typename Scheme::System;
  if constexpr (EventfulSystem<System>) record.events = happened.events;
  if constexpr (WalledSystem<System>) {
    record.impacts = happened.impacts;
    record.contact = happened.contact;
  }
}

}  // namespace livens::inline LIVENS_ISA
