#pragma once
// Steps of a mechanism among walls, gap(q, t) >= 0 (equations/general.md, section 10, text.md, section 6). A
// step that ends behind a wall is cut where its gap closes: by the same step, composed as it is, with its
// length as the unknown. There the wall strikes (strike.hpp), and the rest of the step follows. A mechanism
// that rests on a wall has its gap as a row of g (Touching).
// Directions (tangents/tangent_scheme.hpp) go through the length of the cut step, the strike, and the rest of
// the step: equations/tangents.md, section 4, (b).

#include "kernels/math/root.hpp"
#include "kernels/stepping/careful.hpp"
#include "kernels/stepping/strike.hpp"

namespace livens::inline LIVENS_ISA {

/// What is carried but for directions.
template <class Carried>
LIVENS_HD const auto& values_of(const Carried& carried) {
  if constexpr (requires { carried.partials; })
    return carried.value;
  else
    return carried;
}

/// The record of an instance that has met no wall yet and rests on none. Returns why it cannot start: `status`,
/// or that it stands behind a wall, or a restitution that is not from 0 to 1.
template <class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD Scalar start_among_walls(const typename Scheme::System& system,
                                   const NodeState<Scalar, Scheme::System::coordinates>& n,
                                   const Scalar& status, Record<Scheme>& record) {
  constexpr int walls = Scheme::System::walls;
  record.impacts = {};
  record.contact = {zero_vector<Scalar, walls>()};
  const auto gaps = system.gaps_at(n.q, Scalar(0.0)), e = system.restitutions();
  Scalar reason = status;
  for (int k = 0; k < walls; ++k) {
    const Mask<Scalar> apart = gaps[k] >= Scalar(-consistent_within),
                       possible = (e[k] >= Scalar(0.0)) & (e[k] <= Scalar(1.0));
    reason = select(!(reason == Scalar(0.0)) | apart, reason, code<Scalar>(Status::inconsistent_initial));
    reason = select(!(reason == Scalar(0.0)) | possible, reason, code<Scalar>(Status::invalid_parameter));
  }
  return reason;
}

/// A step at whose end no gap is negative, or not a number, of an instance that rests on no wall.
template <WalledSystem System, class Carried, class Scalar = typename System::Scalar>
LIVENS_HD Mask<Scalar> is_free_of_walls(const System& system, const Carried& next) {
  const auto gaps = system.gaps_at(values_of(next).q, values_of(next).time);
  Mask<Scalar> free = gaps[0] >= Scalar(0.0);
  for (int k = 1; k < System::walls; ++k) free = free & (gaps[k] >= Scalar(0.0));
  return free;
}
template <WalledSystem System, class Scalar = typename System::Scalar>
LIVENS_HD Mask<Scalar> rests(const typename ContactOf<System>::type& contact) {
  Mask<Scalar> any_wall = contact.touches[0] > Scalar(0.0);
  for (int k = 1; k < System::walls; ++k) any_wall = any_wall | (contact.touches[k] > Scalar(0.0));
  return any_wall;
}

/// An impact, or a rest, lies between two records of an instance.
template <class Scheme>
bool touched_a_wall(const Record<Scheme>& before, const Record<Scheme>& after) {
  bool touched =
      rests<typename Scheme::System>(before.contact) || rests<typename Scheme::System>(after.contact);
  for (int k = 0; k < Scheme::System::walls; ++k)
    touched = touched || before.impacts.count[k] != after.impacts.count[k];
  return touched;
}

/// A step of one instance, cut at its impacts. Every part of it that is smooth is shown to watch(part, ends):
/// `part.shorter(length)` is the node after a shorter step from its start, `part.from`. The last one has all of the length
/// that is left, also where the impact at its end leaves some last places of it.
template <class Scheme>
class StepAmongWalls {
 public:
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  using Carried = typename Scheme::Carried;
  static constexpr int d = System::coordinates, walls = System::walls, rows = System::constraints,
                       own_rows = System::position_rows;
  static constexpr bool followed = TangentsOf<Scheme>::followed;
  static constexpr int directions = [] {
    if constexpr (followed)
      return Scheme::all;
    else
      return 0;
  }();
  using Directions = Vec<Scalar, directions>;
  using Position = Vec<Scalar, d>;
  using Impacts = typename ImpactsOf<Scheme>::type;
  using Contact = typename ContactOf<System>::type;

  StepAmongWalls(const System& system, const Scalar& h, const Composition& composition,
                 const Settings& settings, const Impacts& impacts, const Contact& contact)
      : system_(system),
        h_(h),
        composition_(composition),
        settings_(settings),
        cutting_(settings),
        impacts_(impacts),
        contact_(contact) {
    cutting_.tolerance = 0.0;
    if constexpr (followed) left_along_ = h * Scheme::change_of_step();
  }

  const Impacts& impacts() const { return impacts_; }
  const Contact& contact() const { return contact_; }

  template <class Watch>
  CarefulStep<Scheme> take(const Carried& now, Watch& watch) {
    Carried at = now;
    Scalar left = h_;
    const Scalar end = end_of(now);
    most_parts_ = 4 * walls * (settings_.max_impacts + 4);
    // What is left below the last places of a time is nothing.
    const Scalar nothing = Scalar(0x1p-48) * h_;
    while (good() && left > nothing) {
      if (--most_parts_ < 0) return failed(now, Status::zeno);
      CarefulStep<Scheme> whole = release_and_step(at, left);
      const int wall = good() ? first_behind(whole.next) : -1;
      if (!good()) break;
      if (wall < 0) {
        if constexpr (followed)
          if (is_cut_) whole.next = changed(at, left);
        add(whole);
        watch(Part(*this, at, left), whole.next);
        at = whole.next;
        break;
      }
      const Cut cut = cut_at(at, left, wall, whole.next);
      if (!good()) break;
      if (cut.length > Scalar(0.0)) {
        CarefulStep<Scheme> part = step(at, cut.length, cutting_);
        if (!good()) break;
        if constexpr (followed) {
          const auto gap = [wall = cut.wall](const auto& system, const auto& node, const auto& t) {
            return system.gaps_at(node.q, t)[wall];
          };
          const Scalar time = values_of(part.next).time;
          left_along_ =
              left_along_ - cut.length * end_at_zero(contact_, at, cut.length, time, gap, part.next);
        }
        add(part);
        watch(Part(*this, at, left - cut.length > nothing ? cut.length : left), part.next);
        at = part.next;
        left = left - cut.length;
      } else if constexpr (followed) {
        keep_directions_along(cut.wall, at);
      }
      is_cut_ = true;
      meet(cut.wall, at);
    }
    if (!good()) return failed(now, static_cast<Status>(static_cast<int>(total_.outcome.status)));
    if constexpr (followed) {
      // The node is where the impact is: its length would have to change, and it has none.
      for (int j = 0; j < directions && !(left > nothing); ++j)
        if (left_along_[j] != Scalar(0.0)) Scheme::lose_direction(j, at);
      at.value.time = end;
    } else {
      at.time = end;
    }
    return {at, total_, substeps_};
  }

  /// A smooth part of a step.
  class Part {
   public:
    Part(const StepAmongWalls& step, const Carried& from, const Scalar& length)
        : from(from), length(length), step_(step), contact_(step.contact_) {}
    static constexpr bool any_length = true;
    const Carried& from;
    Scalar length;
    /// False where the shorter step fails.
    bool shorter(const Scalar& by, Carried& next) const {
      const CarefulStep<Scheme> taken =
          step_.step_with(step_.system_, contact_, from, by, step_.cutting_).careful;
      next = taken.next;
      return taken.report.outcome.good();
    }
    /// The partials of its end where value(system, node, time) is zero there.
    template <class Value, class Crossing>
    void follow(const Scalar& by, const Scalar& time, const Value& value, Crossing& found) const {
      Carried end;
      step_.end_at_zero(contact_, from, by, time, value, end);
      Scheme(step_.system_, step_.h_, step_.settings_).show_crossing(end, step_.h_, found);
    }

   private:
    const StepAmongWalls& step_;
    Contact contact_;
  };

 private:
  struct Stepped {
    CarefulStep<Scheme> careful;
    Vec<Scalar, walls> pull;  ///< the multipliers of the walls; a positive one pulls
  };
  struct Cut {
    int wall;
    Scalar length;
  };

  bool good() const { return total_.outcome.good(); }
  void fail(Status status) { total_.outcome.status = code<Scalar>(status); }
  CarefulStep<Scheme> failed(const Carried& now, Status status) {
    fail(status);
    return {now, total_, substeps_};
  }
  void add(const CarefulStep<Scheme>& part) {
    total_.dissipated = total_.dissipated + part.report.dissipated;
    total_.work = total_.work + part.report.work;
    substeps_ = part.substeps > substeps_ ? part.substeps : substeps_;
  }
  /// The time after a whole step, as the lanes add it up.
  Scalar end_of(const Carried& now) const {
    Scalar t = values_of(now).time;
    for (int stage = 0; stage < composition_.stages; ++stage) t = t + stage_length(composition_, stage, h_);
    return t;
  }

  /// From a node, with the walls of `contact` as rows.
  Stepped step_with(const System& system, const Contact& contact, const Carried& from, const Scalar& length,
                    const Settings& settings) const {
    Stepped result;
    result.pull = zero_vector<Scalar, walls>();
    if (!rests<System>(contact)) {
      result.careful = careful_step<Scheme>(system, length, composition_, settings, from);
      return result;
    }
    using Held = typename Scheme::template On<Touching<System>>;
    typename Held::System::Given given;
    if constexpr (followed)
      set_part<0>(given, system.given);
    else
      set_part<0>(given, system.parameters);
    set_part<System::parameter_count>(given, contact.touches);
    typename Held::System held(given);
    if constexpr (followed) held.moving = system.moving;
    // Multipliers of g, of the walls, of the rows of velocities; and those of the velocity level behind.
    const auto with_walls = []<class To>(const auto& of) {
      To to{of.q, of.p, of.v, {}, of.time};
      for (int k = 0; k < 2 * (rows + walls); ++k) to.multipliers[k] = decltype(to.time)(0.0);
      for (int level = 0; level < 2; ++level)
        for (int k = 0; k < rows; ++k) to.multipliers[place_of(level, k)] = of.multipliers[level * rows + k];
      return to;
    };
    const auto without_walls = []<class To>(const auto& of) {
      To to{of.q, of.p, of.v, {}, of.time};
      for (int level = 0; level < 2; ++level)
        for (int k = 0; k < rows; ++k) to.multipliers[level * rows + k] = of.multipliers[place_of(level, k)];
      return to;
    };
    const CarefulStep<Held> taken =
        careful_step<Held>(held, length, composition_, settings, converted<Held, Scheme>(from, with_walls));
    result.careful = {converted<Scheme, Held>(taken.next, without_walls), taken.report, taken.substeps};
    for (int k = 0; k < walls; ++k) result.pull[k] = values_of(taken.next).multipliers[own_rows + k];
    return result;
  }
  /// The end of a step, with directions as if its length did not change, and what its length alone does to it.
  struct Ends {
    Carried fixed, alone;
  };
  Ends ends_of(const Contact& contact, const Carried& from, const Scalar& length,
               const Settings& settings) const {
    System system = system_;
    using Moving = decltype(system.moving);
    Ends ends;
    system.moving = Moving::but_length;
    ends.fixed = step_with(system, contact, from, length, settings).careful.next;
    system.moving = Moving::length_alone;
    ends.alone = step_with(system, contact, Scheme::still(from), length, settings).careful.next;
    return ends;
  }
  /// The end of a step that ends where value(system, node, time) is zero, and what of its length changes.
  template <class Value>
  Directions end_at_zero(const Contact& contact, const Carried& from, const Scalar& length,
                         const Scalar& time, const Value& value, Carried& end) const {
    const Ends ends = ends_of(contact, from, length, cutting_);
    const Directions change =
        Scheme(system_, h_, settings_).change_of_length(ends.fixed, ends.alone, time, value);
    end = ends.fixed;
    Scheme::add_change(change, ends.alone, end);
    return change;
  }
  /// The end of what is left of a step that has been cut.
  Carried changed(const Carried& at, const Scalar& left) const {
    Ends ends = ends_of(contact_, at, left, settings_);
    Scheme::add_change((Scalar(1.0) / left) * left_along_, ends.alone, ends.fixed);
    return ends.fixed;
  }
  /// An impact at a node: of directions that would have it earlier or later, or that would leave a wall on which the
  /// mechanism lies, there is no derivative.
  void keep_directions_along(int wall, Carried& at) {
    const bool hits = rates(at)[wall] < Scalar(0.0);
    Scheme(system_, h_, settings_).move_directions(at, [&](const auto& system, auto& node) {
      const auto gap = system.gaps_at(node.q, node.time)[wall];
      const auto rate = (rows_times(system.gap_jacobian(node.q, node.time), node.v) +
                         system.gap_rate(node.q, node.time))[wall];
      for (int k = 0; k < static_cast<int>(std::size(gap.partial)); ++k)
        if (gap.partial[k] != 0.0 || (!hits && rate.partial[k] != 0.0)) {
          node.time.partial[k] = not_a_number<Scalar>();
          for (int i = 0; i < d; ++i)
            node.q[i].partial[k] = node.p[i].partial[k] = node.v[i].partial[k] = not_a_number<Scalar>();
        }
    });
  }

  /// What a scheme carries of a node, as another one does.
  template <class To, class From, class Map>
  static typename To::Carried converted(const typename From::Carried& from, const Map& map) {
    if constexpr (followed)
      return From::template converted<To>(from, map);
    else
      return map.template operator()<typename To::Carried>(from);
  }
  static int place_of(int level, int row) {
    return level * (rows + walls) + (row < own_rows ? row : row + walls);
  }
  Stepped counted(const Contact& contact, const Carried& from, const Scalar& length,
                  const Settings& settings) {
    Stepped result = step_with(system_, contact, from, length, settings);
    total_.outcome.iterations = total_.outcome.iterations + result.careful.report.outcome.iterations;
    total_.outcome.status = result.careful.report.outcome.status;
    return result;
  }
  CarefulStep<Scheme> step(const Carried& from, const Scalar& length, const Settings& settings) {
    return counted(contact_, from, length, settings).careful;
  }

  Vec<Scalar, walls> gaps(const Carried& carried) const {
    const auto& at = values_of(carried);
    return system_.gaps_at(at.q, at.time);
  }
  Vec<Scalar, walls> rates(const Carried& carried) const {
    const auto& at = values_of(carried);
    return rows_times(system_.gap_jacobian(at.q, at.time), at.v) + system_.gap_rate(at.q, at.time);
  }

  /// To what gaps and their rates are known: N.x, of d products, and what depends on time have as many roundings,
  /// and x has a few from the step and from impulses.
  static constexpr double roundings = (d + 8) * 0x1p-52;
  template <class Node>
  Vec<Scalar, walls> rounding(const Node& at, const Position& x, const Scalar& time) const {
    const auto N = system_.gap_jacobian(at.q, at.time);
    const auto gap_t = system_.gap_rate(at.q, at.time);
    Vec<Scalar, walls> size;
    for (int k = 0; k < walls; ++k) {
      size[k] = abs(gap_t[k]) * time;
      for (int i = 0; i < d; ++i) size[k] = fma(abs(N(k, i)), abs(x[i]), size[k]);
    }
    return Scalar(roundings) * size;
  }
  Vec<Scalar, walls> rounding_of_gaps(const Carried& carried) const {
    const auto& at = values_of(carried);
    return rounding(at, at.q, abs(at.time));
  }
  Vec<Scalar, walls> rounding_of_rates(const Carried& carried) const {
    const auto& at = values_of(carried);
    return rounding(at, at.v, Scalar(1.0));
  }

  /// A wall is left where it would pull, and where without it the gap opens.
  CarefulStep<Scheme> release_and_step(const Carried& at, const Scalar& left) {
    for (;;) {
      const Stepped held = counted(contact_, at, left, settings_);
      if (!good()) return held.careful;
      bool released = false;
      for (int k = 0; k < walls && !released; ++k) {
        if (!(held.pull[k] > Scalar(0.0))) continue;
        Contact without = contact_;
        without.touches[k] = Scalar(0.0);
        const Stepped free = counted(without, at, left, settings_);
        if (!good()) return free.careful;
        released = gaps(free.careful.next)[k] >= Scalar(0.0);
        if (released) contact_ = without;
      }
      if (!released) return held.careful;
    }
  }

  /// A wall that is no row and behind which a step ends; -1 where there is none.
  int first_behind(const Carried& end) {
    const auto gap = gaps(end);
    int wall = -1;
    for (int k = 0; k < walls; ++k) {
      if (!finite(gap[k])) fail(Status::not_finite);
      if (contact_.touches[k] == Scalar(0.0) && gap[k] < Scalar(0.0) && wall < 0) wall = k;
    }
    return wall;
  }

  /// The first gap to close in a step of that length, from the first one that is seen behind its end.
  Cut cut_at(const Carried& at, Scalar length, int wall, Carried end) {
    Cut cut{wall, length};
    for (int round = 0; round < 2 * walls && good(); ++round) {
      cut.length = closing(at, length, cut.wall, gaps(end)[cut.wall]);
      if (!(cut.length > Scalar(0.0)) || !good()) return cut;
      end = step(at, cut.length, cutting_).next;
      if (!good()) return cut;
      const auto gap = gaps(end);
      int earlier = -1;
      for (int k = 0; k < walls; ++k)
        if (k != cut.wall && contact_.touches[k] == Scalar(0.0) && gap[k] < Scalar(0.0) &&
            !closes_now(end, k))
          earlier = k;
      if (earlier < 0) return cut;
      length = cut.length;
      cut.wall = earlier;
    }
    return cut;
  }
  /// What is closed to round-off: with the rate that the gap has it would be, or was, within 2^-40 h.
  Scalar closed_gap(const Carried& at, int wall) const {
    return max(Scalar(0x1p-40) * h_ * abs(rates(at)[wall]), rounding_of_gaps(at)[wall]);
  }
  bool closes_now(const Carried& at, int wall) const { return abs(gaps(at)[wall]) <= closed_gap(at, wall); }
  /// The length after which a gap closes. One that is round-off at the start, and does not open, closes there.
  Scalar closing(const Carried& at, const Scalar& length, int wall, const Scalar& last_gap) {
    const Scalar first_gap = gaps(at)[wall], rate = rates(at)[wall];
    const auto gap_after = [&](const Scalar& tau) {
      const Carried end = step(at, tau, cutting_).next;
      return good() ? gaps(end)[wall] : not_a_number<Scalar>();
    };
    const bool closed = first_gap <= closed_gap(at, wall);
    if (closed && !(rate > Scalar(0.0))) return Scalar(0.0);
    // Where it has just opened: gap/tau, whose first root is not the start.
    const Scalar tau = closed ? root_between([&](const Scalar& after) { return gap_after(after) / after; },
                                             Scalar(0.0), rate, length, last_gap / length)
                              : root_between(gap_after, Scalar(0.0), first_gap, length, last_gap);
    if (good() && !(tau > Scalar(0.0))) fail(Status::not_finite);
    return tau;
  }

  /// The impact on a wall, with all walls that the mechanism touches there.
  void meet(int wall, Carried& at) {
    const auto nu = rates(at), rounding = rounding_of_rates(at);
    Scalar fastest = Scalar(0.0);
    Vec<Scalar, walls> e = system_.restitutions();
    bool meets[walls], noted[walls] = {};
    for (int k = 0; k < walls; ++k) {
      const bool held = contact_.touches[k] > Scalar(0.0),
                 hit = k == wall || (!held && nu[k] < Scalar(0.0) && closes_now(at, k));
      meets[k] = held || hit;
      if (!meets[k]) continue;
      fastest = max(fastest, abs(nu[k]));
      if (held) e[k] = Scalar(0.0);
      if (!hit) continue;
      // Which of two impacts at a time comes first a direction would decide.
      if constexpr (followed)
        for (int j = 0; j < directions && k != wall; ++j) Scheme::lose_direction(j, at);
      if (!(nu[k] < Scalar(0.0))) {  // it lies there, to round-off
        contact_.touches[k] = Scalar(1.0);
        e[k] = Scalar(0.0);
        strike(k, e[k], at);
        if (!good()) return;
        continue;
      }
      note(k, values_of(at).time, -nu[k], e[k]);
      noted[k] = true;
      if (!good()) return;
    }
    if constexpr (followed)
      for (int k = 0; k < walls; ++k)
        if (noted[k]) keep_time_along(k, at);
    bool approaching = fastest > Scalar(0.0);
    for (int round = 0; approaching; ++round) {
      if (round > 1000) return fail(Status::zeno);
      approaching = false;
      for (int k = 0; k < walls; ++k) {
        if (!meets[k] || !(rates(at)[k] < -max(Scalar(0x1p-40) * fastest, rounding[k]))) continue;
        strike(k, e[k], at);
        if (!good()) return;
        approaching = true;
      }
    }
    const auto after = rates(at);
    for (int k = 0; k < walls; ++k)
      if (after[k] > max(Scalar(0x1p-30) * fastest, rounding[k])) contact_.touches[k] = Scalar(0.0);
  }
  /// Counts an impact, and says whether it is the last one: the mechanism rests then, and e is 0.
  void note(int wall, const Scalar& time, const Scalar& speed, Scalar& e) {
    Hits& hits = hits_[wall];
    const int known = static_cast<int>(impacts_.count[wall]);
    if (known < System::kept_impacts) impacts_.time[wall * System::kept_impacts + known] = time;
    impacts_.count[wall] = impacts_.count[wall] + Scalar(1.0);
    const Scalar falling = Scalar(1.0 - 0x1p-20), since = time - hits.time;
    const bool too_many = hits.number >= settings_.max_impacts,
               too_short = last_hit_ == wall && since < Scalar(0x1p-20) * h_,
               dies_out = speed < falling * hits.speed && (hits.number == 1 || since < falling * hits.since);
    if (too_many && !too_short && !dies_out) return fail(Status::zeno);
    if (too_many || too_short || e == Scalar(0.0)) {
      e = Scalar(0.0);
      contact_.touches[wall] = Scalar(1.0);
    }
    hits = {hits.number + 1, time, speed, since};
    last_hit_ = wall;
  }

  /// How the time of the last impact on a wall changes, which is the time of the node.
  void keep_time_along(int wall, const Carried& at) {
    const int last = static_cast<int>(impacts_.count[wall]) - 1;
    if (last >= System::kept_impacts) return;
    const auto along = Scheme::time_along(at, h_);
    for (int j = 0; j < Scheme::directions; ++j)
      impacts_.along[(wall * System::kept_impacts + last) * Scheme::directions + j] = along[j];
  }

  /// (b), (c).
  void strike(int wall, const Scalar& e, Carried& at) {
    const Strike<System> impact(system_, wall, e, values_of(at));
    if (!impact.solved) return fail(Status::singular_matrix);
    const Scalar before = energy(at);
    if constexpr (followed) {
      Scheme(system_, h_, settings_).move_directions(at, [&](const auto& system, auto& node) {
        using System = std::remove_cvref_t<decltype(system)>;
        using Number = typename System::Scalar;
        const Strike<System> moved(system, wall, e > Scalar(0.0) ? system.restitutions()[wall] : Number(0.0),
                                   node);
        node.p = node.p + moved.kick;
        node.v = node.v + moved.change;
      });
      at.value.p = at.value.p + impact.kick;
      at.value.v = at.value.v + impact.change;
    } else {
      at.p = at.p + impact.kick;
      at.v = at.v + impact.change;
    }
    // What is carried of p and v need not be p = M v + a where M is not constant.
    const Scalar lost = ConstantRegularMass<System> ? impact.loss : before - energy(at) + impact.work;
    total_.dissipated = total_.dissipated + lost;
    total_.work = total_.work + impact.work;
  }
  Scalar energy(const Carried& at) const {
    return Scheme(system_, h_, settings_).measure(at, Measuring::energies).energy;
  }

  struct Hits {
    int number = 0;
    Scalar time = Scalar(0.0), speed = Scalar(0.0), since = Scalar(0.0);  ///< the hit before
  };

  const System& system_;
  Scalar h_;
  const Composition& composition_;
  const Settings& settings_;
  Settings cutting_;  ///< to round-off, so that the gap is
  Impacts impacts_;
  Contact contact_;
  Hits hits_[walls];  ///< in this step
  StepReport<Scalar> total_{{Scalar(0.0), Scalar(0.0)}, Scalar(0.0), Scalar(0.0)};
  int substeps_ = 1, most_parts_ = 0, last_hit_ = -1;
  bool is_cut_ = false;
  [[no_unique_address]] Directions left_along_;  ///< partials of what is left of the step
};

}  // namespace livens::inline LIVENS_ISA
