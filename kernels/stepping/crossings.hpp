#pragma once
// Where an expression of the state changes its sign within a step: by shorter steps of the scheme from the same node.

#include "kernels/math/root.hpp"
#include "kernels/stepping/careful.hpp"
#include "kernels/stepping/record.hpp"

namespace livens::inline LIVENS_ISA {

/// From f0, which is not zero, to f1, of the other sign or zero.
template <class Scalar>
LIVENS_HD Mask<Scalar> changes_sign(const Scalar& f0, const Scalar& f1, int direction) {
  const Scalar zero = Scalar(0.0);
  const Mask<Scalar> down = (f0 > zero) & (f1 <= zero), up = (f0 < zero) & (f1 >= zero);
  return direction < 0 ? down : direction > 0 ? up : down | up;
}

/// The time of the node where an instance stands, or of one some steps on.
template <class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD Scalar node_time(const Scalar& h, const Record<Scheme>& record, double later) {
  return rounded<Scalar>(widen(h) * (record.sum(Column::steps) + Wide<Scalar>(later)));
}

/// Times within a step from the node of a record, over the parts that it is taken in. The step ends at its node, h times the
/// number, to the bit as the lanes have it.
template <class Scheme, class Scalar = typename Scheme::Scalar>
class PartClock {
 public:
  PartClock(const Scalar& h, const Record<Scheme>& record)
      : start_(node_time(h, record, 0.0)), end_(node_time(h, record, 1.0)), left_(h) {}
  /// Where the part begins that is passed next.
  const Scalar& start() const { return start_; }
  /// Where it ends: that of the last one has the length that is left.
  Scalar end_of(const Scalar& length) const { return length == left_ ? end_ : start_ + length; }
  const Scalar& end() const { return end_; }
  void pass(const Scalar& length) {
    start_ = end_of(length);
    left_ = left_ - length;
  }

 private:
  Scalar start_, end_, left_;
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

/// A zero within a part of a step: its time after the start of that part, and the state there; of a scheme with
/// directions their partials, a row an entry.
template <class Scheme>
struct Crossing {
  using Scalar = typename Scheme::Scalar;
  static constexpr int d = Scheme::System::coordinates, directions = directions_of<Scheme>;
  Scalar after;
  Vec<Scalar, d> q, v;
  Vec<Scalar, directions> time_along = not_a_number_vector<Scalar, directions>();
  Vec<Scalar, d*directions> q_along = not_a_number_vector<Scalar, d * directions>(), v_along = q_along;
};

/// s from 0 to 2 on the parabola through a, b and c.
template <class Scalar, class Many>
Many on_parabola(const Scalar& s, const Many& a, const Many& b, const Many& c) {
  const Scalar half = Scalar(0.5), one = Scalar(1.0), two = Scalar(2.0);
  return (half * (s - one) * (s - two)) * a + (s * (two - s)) * b + (half * s * (s - one)) * c;
}

/// By steps of half the length, a quarter, ..., down to 2^-12 of it: a motion goes on in these as it does
/// where a step is retried. In the last one a parabola through three nodes is off by less than rounding.
template <class Scheme, class Part, class Value, class Scalar = typename Scheme::Scalar>
bool find_crossing_by_halves(const typename Scheme::System& system, const Scheme& scheme, const Part& part,
                             const Value& value_of, const Scalar& start, const Scalar& f0,
                             Crossing<Scheme>& found) {
  constexpr int halvings = 12;
  const Scalar half = Scalar(0.5), zero = Scalar(0.0);
  const auto value = [&](const typename Scheme::Carried& node, const Scalar& after) {
    return value_of(system, scheme.node(node), start + after);
  };
  typename Scheme::Carried at = part.from, middle, last;
  Scalar done = zero, piece = part.length, f_at = f0, f_middle = zero;
  for (int i = 0; i < halvings; ++i) {
    piece = half * piece;
    if (!part.step(at, piece, middle)) return false;
    f_middle = value(middle, done + piece);
    if (i + 1 == halvings) break;
    if ((f_middle > zero) != (f_at > zero) || f_middle == zero) continue;
    at = middle;
    done = done + piece;
    f_at = f_middle;
  }
  if (!part.step(middle, piece, last)) return false;
  const Scalar f_last = value(last, done + piece + piece);
  // Where only the longer steps have changed the sign it is the end.
  const bool crosses = (f_last > zero) != (f_at > zero) || f_last == zero;
  const auto on_it = [&](const Scalar& s) { return on_parabola(s, f_at, f_middle, f_last); };
  const Scalar s = crosses ? root_between(on_it, zero, f_at, Scalar(2.0), f_last) : Scalar(2.0);
  const auto a = scheme.node(at), b = scheme.node(middle), c = scheme.node(last);
  found.after = done + s * piece;
  found.q = on_parabola(s, a.q, b.q, c.q);
  found.v = on_parabola(s, a.v, b.v, c.v);
  if constexpr (TangentsOf<Scheme>::followed) {
    // Not where the expression turns within a piece, or jumps.
    if (abs(f_at - f_middle - f_middle + f_last) < Scalar(0x1p-6) * abs(f_last - f_at))
      scheme.follow({at, middle, last}, start + done, piece, s, part.length, value_of, found);
  }
  return true;
}

/// Where value(system, node, time) is zero in a smooth part of a step that begins at the time `start`, f0 being it
/// there and f1, of the other sign or zero, at the `end` of the part; false where a shorter step fails.
template <class Scheme, class Part, class Value, class Scalar = typename Scheme::Scalar>
bool find_crossing(const typename Scheme::System& system, const Scheme& scheme, const Part& part,
                   const typename Scheme::Carried& end, const Value& value, const Scalar& start,
                   const Scalar& f0, const Scalar& f1, Crossing<Scheme>& found) {
  if constexpr (Part::any_length) {
    typename Scheme::Carried at = end;
    const auto value_after = [&](const Scalar& tau) {
      return part.shorter(tau, at) ? value(system, scheme.node(at), start + tau) : not_a_number<Scalar>();
    };
    const Scalar tau = root_between(value_after, Scalar(0.0), f0, part.length, f1);
    if (!(tau > Scalar(0.0)) || !part.shorter(tau, at)) return false;
    const auto node = scheme.node(at);
    found.after = tau;
    found.q = node.q;
    found.v = node.v;
    if constexpr (TangentsOf<Scheme>::followed) part.follow(tau, start + tau, value, found);
    return true;
  } else {
    return find_crossing_by_halves(system, scheme, part, value, start, f0, found);
  }
}

}  // namespace livens::inline LIVENS_ISA
