#pragma once
// Stop conditions: expressions whose first change of sign ends an instance. Nothing of it is compiled for a system that has
// none.

#include "kernels/stepping/crossings.hpp"

namespace livens::inline LIVENS_ISA {

/// A step to `next` changes the sign of a stop condition, or one is not a number.
template <class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD Mask<Scalar> meets_stop(const typename Scheme::System& system, const Scheme& scheme,
                                  const Scalar& h, const Record<Scheme>& record,
                                  const typename Scheme::Carried& next) {
  using System = typename Scheme::System;
  const auto f0 = system.stop_values(scheme.node(record.carried), node_time(h, record, 0.0)),
             f1 = system.stop_values(scheme.node(next), node_time(h, record, 1.0));
  Mask<Scalar> met = !finite(f0[0]) | !finite(f1[0]);
  for (int k = 0; k < System::stop_count; ++k)
    met = met | changes_sign(f0[k], f1[k], 0) | !finite(f0[k]) | !finite(f1[k]);
  return met;
}

/// Looks at the smooth parts of the next step of one instance, and at the impacts between them, for the first change of
/// sign: from f0, which is not zero, to f1, of the other sign or zero.
template <class Scheme>
class StopWatch {
 public:
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  using Carried = typename Scheme::Carried;
  using Stop = typename StopOf<Scheme>::type;

  StopWatch(const System& system, const Scheme& scheme, const Scalar& h, const Record<Scheme>& record)
      : system_(system), scheme_(scheme), clock_(h, record), last_(values(record.carried, clock_.start())) {}

  /// When the instance stops, and by which condition: the first in time, then in the spec. Not a number where it
  /// does not.
  const Stop& stop() const { return stop_; }
  bool finite_values() const { return finite_; }

  template <class Part>
  void operator()(const Part& part, const Carried& end) {
    const Scalar from = clock_.start();
    meets_at_once(values_here(part.from, from));
    const Values f0 = last_, f1 = values_here(end, clock_.end_of(part.length));
    const bool met = stop_.time == stop_.time;
    for (int k = 0; k < System::stop_count && !met; ++k) {
      if (!changes_sign(f0[k], f1[k], 0)) continue;
      Crossing<Scheme> found;
      const auto value = [k](const auto& system, const auto& node, const auto& t) {
        return system.stop_values(node, t)[k];
      };
      // Where a shorter step fails, or has no value: on the line through both.
      if (!find_crossing(system_, scheme_, part, end, value, from, f0[k], f1[k], found) ||
          !finite(found.after))
        found.after = part.length * (f0[k] / (f0[k] - f1[k]));
      meet(k, from + found.after, found.time_along);
    }
    clock_.pass(part.length);
    last_ = f1;
  }
  /// The next node, behind the last part.
  void arrive(const Carried& node) { meets_at_once(values_here(node, clock_.end())); }

 private:
  using Values = decltype(std::declval<System>().stop_values(
      std::declval<Scheme>().node(std::declval<Carried>()), std::declval<Scalar>()));
  using Partials = Vec<Scalar, directions_of<Scheme>>;

  Values values(const Carried& at, const Scalar& t) const { return system_.stop_values(scheme_.node(at), t); }
  /// Where a part begins or ends.
  Values values_here(const Carried& at, const Scalar& t) {
    const Values f = values(at, t);
    for (int k = 0; k < System::stop_count; ++k) finite_ = finite_ && finite(f[k]);
    return f;
  }
  void meet(int k, const Scalar& t, const Partials& along) {
    if (!(stop_.time <= t)) stop_ = {t, Scalar(static_cast<double>(k)), along};
  }
  /// An impact since then changes a sign without a zero.
  void meets_at_once(const Values& f) {
    const bool met = stop_.time == stop_.time;
    for (int k = 0; k < System::stop_count && !met; ++k)
      if (changes_sign(last_[k], f[k], 0)) meet(k, clock_.start(), Stop().along);
    last_ = f;
  }

  const System& system_;
  const Scheme& scheme_;
  PartClock<Scheme> clock_;
  Values last_;
  Stop stop_;
  bool finite_ = true;
};

}  // namespace livens::inline LIVENS_ISA
