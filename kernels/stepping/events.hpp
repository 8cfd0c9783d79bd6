#pragma once
// Events: expressions whose changes of sign are counted, but for those of rounding. They change nothing: a step
// is taken as without them, and where an expression is zero is then looked for by shorter steps from the same
// node. Nothing of it is compiled for a system that has none.

#include "kernels/stepping/crossings.hpp"
#include "kernels/stepping/impacts.hpp"

namespace livens::inline LIVENS_ISA {

/// The record of an instance that has had no event.
template <class Scheme>
LIVENS_HD void start_events(Record<Scheme>& record) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  int place = 0;
  for (const EventInfo& event : System::events) {
    for (int c = 0; c < event.size(System::coordinates); ++c)
      record.events.kept[place + c] = c == 0 ? Scalar(0.0) : not_a_number<Scalar>();
    place += event.size(System::coordinates);
  }
  record.events.along = not_a_number_vector<Scalar, EventsOf<Scheme>::partials>();
}

/// A step to `next` has an event, or an expression that is not a number.
template <class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD Mask<Scalar> has_event(const typename Scheme::System& system, const Scheme& scheme, const Scalar& h,
                                 const Record<Scheme>& record, const typename Scheme::Carried& next) {
  using System = typename Scheme::System;
  const auto f0 = system.event_values(scheme.node(record.carried), node_time(h, record, 0.0)),
             f1 = system.event_values(scheme.node(next), node_time(h, record, 1.0));
  Mask<Scalar> any_event = !finite(f0[0]) | !finite(f1[0]);
  for (int k = 0; k < System::event_count; ++k)
    any_event =
        any_event | changes_sign(f0[k], f1[k], System::events[k].direction) | !finite(f0[k]) | !finite(f1[k]);
  return any_event;
}

/// What rounding makes of the expressions at a node behind a step of that length, after so many steps: the sum of
/// how far they move with every entry of the state and the time, each by what it is known to,
///   q: e |q|,   v: e (|v| + |q|/h) (1 + sqrt n),   p: e |p| + |M| (that of v),   t: (e + n eps/2) t,
/// the largest entries of q and v, since rows and M couple all of them. e is d products and a few more roundings.
/// Velocities that no row of the scheme restores, as those of livens, carry the roundings of n steps, which add up
/// as a random walk; a clock adds one with every step.
template <class System, class Node, class Scalar = typename System::Scalar>
LIVENS_HD auto rounding_of_events(const System& system, const Node& node, const Scalar& t,
                                  const Scalar& length, const Scalar& steps) {
  constexpr int d = System::coordinates;
  constexpr double eps = is_single<Scalar> ? 0x1p-23 : 0x1p-52, e = (d + 8) * eps;
  NodeState<Scalar, d> n{node.q, node.p, node.v};
  Scalar size_q = Scalar(0.0), size_v = Scalar(0.0);
  for (int i = 0; i < d; ++i) {
    size_q = max(size_q, abs(n.q[i]));
    size_v = max(size_v, abs(n.v[i]));
  }
  const auto values = system.event_values(n, t);
  auto bound = Scalar(0.0) * values;
  const auto add = [&](const auto& moved) {
    for (int k = 0; k < System::event_count; ++k) bound[k] = bound[k] + abs(moved[k] - values[k]);
  };
  const Scalar of_q = Scalar(e) * size_q,
               of_v = Scalar(e) * (size_v + size_q / length) * (Scalar(1.0) + sqrt(steps));
  const auto M = [&] {
    if constexpr (GeneralTerms<System>)
      return inertia_at(system, n.q, t);
    else
      return inertia_at(system, n.q);
  }();
  Vec<Scalar, d> of_p = zero_vector<Scalar, d>();
  for (int j = 0; j < d; ++j) {
    Vec<Scalar, d> one = zero_vector<Scalar, d>();
    one[j] = of_v;
    const Vec<Scalar, d> column = M.times(one);
    for (int i = 0; i < d; ++i) of_p[i] = of_p[i] + abs(column[i]);
  }
  const auto move = [&](Scalar& entry, const Scalar& by) {
    const Scalar kept = entry;
    entry = kept + by;
    add(system.event_values(n, t));
    entry = kept;
  };
  for (int i = 0; i < d; ++i) {
    move(n.q[i], of_q);
    move(n.v[i], of_v);
    move(n.p[i], fma(Scalar(e), abs(n.p[i]), of_p[i]));
  }
  add(system.event_values(n, t + (Scalar(e) + Scalar(0.5 * eps) * steps) * t));
  return bound;
}

/// Looks at the smooth parts of the next step of one instance, and keeps the events.
template <class Scheme>
class EventWatch {
 public:
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  using Carried = typename Scheme::Carried;
  using Events = typename EventsOf<Scheme>::type;

  EventWatch(const System& system, const Scheme& scheme, const Scalar& h, const Record<Scheme>& record)
      : system_(system),
        scheme_(scheme),
        clock_(h, record),
        steps_(rounded<Scalar>(record.sum(Column::steps))),
        events_(record.events) {}

  const Events& events() const { return events_; }
  /// An expression was finite at both ends of every part.
  bool finite_values() const { return finite_; }

  template <class Part>
  void operator()(const Part& part, const Carried& end) {
    constexpr int d = System::coordinates;
    const Scalar from = clock_.start(), to = clock_.end_of(part.length);
    const auto f0 = system_.event_values(scheme_.node(part.from), from),
               f1 = system_.event_values(scheme_.node(end), to);
    // What comes first is kept first.
    for (int k = 0, place = 0; k < System::event_count; place += System::events[k++].size(d)) {
      const EventInfo& event = System::events[k];
      finite_ = finite_ && finite(f0[k]) && finite(f1[k]);
      if (!changes_sign(f0[k], f1[k], event.direction) || is_rounding(part, end, to, k, f0[k], f1[k]))
        continue;
      const int known = static_cast<int>(events_.kept[place]);
      events_.kept[place] = events_.kept[place] + Scalar(1.0);
      if (known >= event.keep) continue;
      Crossing<Scheme> found;
      const auto value = [k](const auto& system, const auto& node, const auto& t) {
        return system.event_values(node, t)[k];
      };
      if (!find_crossing(system_, scheme_, part, end, value, from, f0[k], f1[k], found)) continue;
      // Behind the count of this event; without the counts up to it.
      const auto keep = [&](int at, const Scalar& entry, const auto& along, int row) {
        constexpr int K = directions_of<Scheme>;
        events_.kept[place + 1 + at] = entry;
        for (int j = 0; j < K; ++j) events_.along[(place - k + at) * K + j] = along[row * K + j];
      };
      keep(known, from + found.after, found.time_along, 0);
      if (!event.state) continue;
      for (int i = 0; i < d; ++i) {
        keep(event.keep + known * d + i, found.q[i], found.q_along, i);
        keep(event.keep + (event.keep + known) * d + i, found.v[i], found.v_along, i);
      }
    }
    clock_.pass(part.length);
  }

 private:
  /// Neither value is known to be on its side of zero.
  template <class Part>
  bool is_rounding(const Part& part, const Carried& end, const Scalar& to, int k, const Scalar& f0,
                   const Scalar& f1) const {
    const auto bound = [&](const Carried& at, const Scalar& t) {
      return rounding_of_events(system_, scheme_.node(at), t, part.length, steps_)[k];
    };
    return abs(f0) <= bound(part.from, clock_.start()) && abs(f1) <= bound(end, to);
  }
  const System& system_;
  const Scheme& scheme_;
  PartClock<Scheme> clock_;
  Scalar steps_;
  Events events_;
  bool finite_ = true;
};

}  // namespace livens::inline LIVENS_ISA
