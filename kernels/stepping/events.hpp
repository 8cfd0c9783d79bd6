#pragma once
// Events: expressions whose changes of sign are counted, but for those of rounding. They change nothing: a step
// is taken as without them, and where an expression is zero is then looked for by shorter steps from the same
// node. Nothing of it is compiled for a system that has none.

#include "kernels/stepping/impacts.hpp"

namespace livens::inline LIVENS_ISA {

/// From f0, which is not zero, to f1, of the other sign or zero.
template <class Scalar>
LIVENS_HD Mask<Scalar> changes_sign(const Scalar& f0, const Scalar& f1, int direction) {
  const Scalar zero = Scalar(0.0);
  const Mask<Scalar> down = (f0 > zero) & (f1 <= zero), up = (f0 < zero) & (f1 >= zero);
  return direction < 0 ? down : direction > 0 ? up : down | up;
}

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
}

/// The time of the node where an instance stands, or of one some steps on.
template <class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD Scalar node_time(const Scalar& h, const Record<Scheme>& record, double later) {
  return rounded<Scalar>(widen(h) * (record.sum(Column::steps) + Wide<Scalar>(later)));
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
  using Events = typename EventsOf<System>::type;

  EventWatch(const System& system, const Scheme& scheme, const Scalar& h, const Record<Scheme>& record)
      : system_(system),
        scheme_(scheme),
        t_(node_time(h, record, 0.0)),
        steps_(rounded<Scalar>(record.sum(Column::steps))),
        events_(record.events) {}

  const Events& events() const { return events_; }
  /// An expression was finite at both ends of every part.
  bool finite_values() const { return finite_; }

  template <class Part>
  void operator()(const Part& part, const Carried& end) {
    constexpr int d = System::coordinates;
    const auto f0 = values(part.from, Scalar(0.0)), f1 = values(end, part.length);
    // What comes first is kept first.
    for (int k = 0, place = 0; k < System::event_count; place += System::events[k++].size(d)) {
      const EventInfo& event = System::events[k];
      finite_ = finite_ && finite(f0[k]) && finite(f1[k]);
      if (!changes_sign(f0[k], f1[k], event.direction) || is_rounding(part, end, k, f0[k], f1[k])) continue;
      const int known = static_cast<int>(events_.kept[place]);
      events_.kept[place] = events_.kept[place] + Scalar(1.0);
      if (known >= event.keep) continue;
      Found found;
      if (!find(part, end, k, f0[k], f1[k], found)) continue;
      events_.kept[place + 1 + known] = t_ + found.after;
      if (!event.state) continue;
      for (int i = 0; i < d; ++i) {
        events_.kept[place + 1 + event.keep + known * d + i] = found.q[i];
        events_.kept[place + 1 + event.keep + (event.keep + known) * d + i] = found.v[i];
      }
    }
    t_ = t_ + part.length;
  }

 private:
  using Position = Vec<Scalar, System::coordinates>;
  struct Found {
    Scalar after;
    Position q, v;
  };

  auto values(const Carried& at, const Scalar& after) const {
    return system_.event_values(scheme_.node(at), t_ + after);
  }
  /// Neither value is known to be on its side of zero.
  template <class Part>
  bool is_rounding(const Part& part, const Carried& end, int k, const Scalar& f0, const Scalar& f1) const {
    const auto bound = [&](const Carried& at, const Scalar& after) {
      return rounding_of_events(system_, scheme_.node(at), t_ + after, part.length, steps_)[k];
    };
    return abs(f0) <= bound(part.from, Scalar(0.0)) && abs(f1) <= bound(end, part.length);
  }
  /// Where an expression is zero in a part of a step; false where a shorter step fails.
  template <class Part>
  bool find(const Part& part, const Carried& end, int k, const Scalar& f0, const Scalar& f1,
            Found& found) const {
    if constexpr (Part::any_length) {
      Carried at = end;
      const auto value_after = [&](const Scalar& tau) {
        return part.shorter(tau, at) ? values(at, tau)[k] : not_a_number<Scalar>();
      };
      const Scalar tau = root_between(value_after, Scalar(0.0), f0, part.length, f1);
      if (!(tau > Scalar(0.0)) || !part.shorter(tau, at)) return false;
      const auto node = scheme_.node(at);
      found = {tau, node.q, node.v};
      return true;
    } else {
      return find_by_halves(part, k, f0, found);
    }
  }
  /// By steps of half the length, a quarter, ..., down to 2^-12 of it: a motion goes on in these as it does
  /// where a step is retried. In the last one a parabola through three nodes is off by less than rounding.
  template <class Part>
  bool find_by_halves(const Part& part, int k, const Scalar& f0, Found& found) const {
    constexpr int halvings = 12;
    const Scalar half = Scalar(0.5), zero = Scalar(0.0);
    Carried at = part.from, middle, last;
    Scalar done = zero, piece = part.length, f_at = f0, f_middle = zero;
    for (int i = 0; i < halvings; ++i) {
      piece = half * piece;
      if (!part.step(at, piece, middle)) return false;
      f_middle = values(middle, done + piece)[k];
      if (i + 1 == halvings) break;
      if ((f_middle > zero) != (f_at > zero) || f_middle == zero) continue;
      at = middle;
      done = done + piece;
      f_at = f_middle;
    }
    if (!part.step(middle, piece, last)) return false;
    const Scalar f_last = values(last, done + piece + piece)[k];
    // s from 0 to 2 on the parabola; where only the longer steps have changed the sign it is the end.
    const auto on_parabola = [](const Scalar& s, const auto& a, const auto& b, const auto& c) {
      const Scalar h = Scalar(0.5);
      return (h * (s - Scalar(1.0)) * (s - Scalar(2.0))) * a + (s * (Scalar(2.0) - s)) * b +
             (h * s * (s - Scalar(1.0))) * c;
    };
    const bool crosses = (f_last > zero) != (f_at > zero) || f_last == zero;
    const auto value = [&](const Scalar& s) { return on_parabola(s, f_at, f_middle, f_last); };
    const Scalar s = crosses ? root_between(value, zero, f_at, Scalar(2.0), f_last) : Scalar(2.0);
    const auto a = scheme_.node(at), b = scheme_.node(middle), c = scheme_.node(last);
    found = {done + s * piece, on_parabola(s, a.q, b.q, c.q), on_parabola(s, a.v, b.v, c.v)};
    return true;
  }

  const System& system_;
  const Scheme& scheme_;
  Scalar t_, steps_;
  Events events_;
  bool finite_ = true;
};

/// A whole step without walls. What a scheme carries may be in units that follow from the length of the step,
/// but for lengths that are halved (schemes/time_unit.hpp).
template <class Scheme>
class WholeStep {
 public:
  using Scalar = typename Scheme::Scalar;
  using Carried = typename Scheme::Carried;
  static constexpr bool any_length = false;

  WholeStep(const typename Scheme::System& system, const Composition& composition, const Settings& settings,
            const Carried& from, const Scalar& length)
      : from(from), length(length), system_(system), composition_(composition), to_round_off_(settings) {
    to_round_off_.tolerance = 0.0;
  }
  const Carried& from;
  Scalar length;
  bool step(const Carried& at, const Scalar& by, Carried& next) const {
    const CarefulStep<Scheme> taken = careful_step<Scheme>(system_, by, composition_, to_round_off_, at);
    next = taken.next;
    return taken.report.outcome.good();
  }

 private:
  const typename Scheme::System& system_;
  const Composition& composition_;
  Settings to_round_off_;
};

}  // namespace livens::inline LIVENS_ISA
