#pragma once
// Steps of a mechanism among walls, gap(q, t) >= 0 (equations/general.md, section 10, text.md, section 6). A
// step that ends behind a wall is cut where its gap closes: by the same step, composed as it is, with its
// length as the unknown. There N = D_q gap and
//   (b) Lambda = [-(1 + e) nu + N M^-1 J^T S r]/(N K N^T),  mu = S (J M^-1 N^T Lambda + r),
//       p+ = p- + N^T Lambda - J^T mu,        J the rows of the mechanism, nu = N v- + gap_t, r = J v- + b,
//       S = (J M^-1 J^T)^-1,  K = M^-1 - M^-1 J^T S J M^-1
//   (c) D += -(1 - e) nu Lambda/2 + mu.r/2,   W += -Lambda gap_t + mu.b
// and the rest of the step follows. A mechanism that rests on a wall has its gap as a row of g (Touching).

#include "kernels/math/root.hpp"
#include "kernels/stepping/careful.hpp"

namespace livens::inline LIVENS_ISA {

/// The record of an instance that has met no wall yet and rests on none. Returns why it cannot start: `status`,
/// or that it stands behind a wall, or a restitution that is not from 0 to 1.
template <class Scheme, class Scalar = typename Scheme::Scalar>
LIVENS_HD Scalar start_among_walls(const typename Scheme::System& system,
                                   const NodeState<Scalar, Scheme::System::coordinates>& n,
                                   const Scalar& status, Record<Scheme>& record) {
  constexpr int walls = Scheme::System::walls, kept = Scheme::System::kept_impacts;
  record.impacts = {zero_vector<Scalar, walls>(), not_a_number_vector<Scalar, walls * kept>()};
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
  const auto gaps = system.gaps_at(next.q, next.time);
  Mask<Scalar> free = gaps[0] >= Scalar(0.0);
  for (int k = 1; k < System::walls; ++k) free = free & (gaps[k] >= Scalar(0.0));
  return free;
}
template <WalledSystem System, class Scalar = typename System::Scalar>
LIVENS_HD Mask<Scalar> rests(const typename ImpactsOf<System>::contact& contact) {
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
  using Position = Vec<Scalar, d>;
  using Impacts = typename ImpactsOf<System>::type;
  using Contact = typename ImpactsOf<System>::contact;

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
        add(part);
        watch(Part(*this, at, left - cut.length > nothing ? cut.length : left), part.next);
        at = part.next;
        left = left - cut.length;
      }
      meet(cut.wall, at);
    }
    if (!good()) return failed(now, static_cast<Status>(static_cast<int>(total_.outcome.status)));
    at.time = end;
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
      const CarefulStep<Scheme> taken = step_.step_with(contact_, from, by, step_.cutting_).careful;
      next = taken.next;
      return taken.report.outcome.good();
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
    Scalar t = now.time;
    for (int stage = 0; stage < composition_.stages; ++stage) t = t + stage_length(composition_, stage, h_);
    return t;
  }

  /// From a node, with the walls of `contact` as rows.
  Stepped step_with(const Contact& contact, const Carried& from, const Scalar& length,
                    const Settings& settings) const {
    Stepped result;
    result.pull = zero_vector<Scalar, walls>();
    if (!rests<System>(contact)) {
      result.careful = careful_step<Scheme>(system_, length, composition_, settings, from);
      return result;
    }
    using Held = typename Scheme::template On<Touching<System>>;
    typename Touching<System>::Given given;
    set_part<0>(given, system_.parameters);
    set_part<System::parameter_count>(given, contact.touches);
    const Touching<System> held(given);
    typename Held::Carried start{from.q, from.p, from.v, zero_vector<Scalar, 2 * (rows + walls)>(),
                                 from.time};
    // Multipliers of g, of the walls, of the rows of velocities; and those of the velocity level behind.
    for (int level = 0; level < 2; ++level)
      for (int k = 0; k < rows; ++k)
        start.multipliers[place_of(level, k)] = from.multipliers[level * rows + k];
    const CarefulStep<Held> taken = careful_step<Held>(held, length, composition_, settings, start);
    result.careful.report = taken.report;
    result.careful.substeps = taken.substeps;
    Carried& next = result.careful.next;
    next = {taken.next.q, taken.next.p, taken.next.v, {}, taken.next.time};
    for (int level = 0; level < 2; ++level)
      for (int k = 0; k < rows; ++k)
        next.multipliers[level * rows + k] = taken.next.multipliers[place_of(level, k)];
    for (int k = 0; k < walls; ++k) result.pull[k] = taken.next.multipliers[own_rows + k];
    return result;
  }
  static int place_of(int level, int row) {
    return level * (rows + walls) + (row < own_rows ? row : row + walls);
  }
  Stepped counted(const Contact& contact, const Carried& from, const Scalar& length,
                  const Settings& settings) {
    Stepped result = step_with(contact, from, length, settings);
    total_.outcome.iterations = total_.outcome.iterations + result.careful.report.outcome.iterations;
    total_.outcome.status = result.careful.report.outcome.status;
    return result;
  }
  CarefulStep<Scheme> step(const Carried& from, const Scalar& length, const Settings& settings) {
    return counted(contact_, from, length, settings).careful;
  }

  Vec<Scalar, walls> gaps(const Carried& at) const { return system_.gaps_at(at.q, at.time); }
  Vec<Scalar, walls> rates(const Carried& at) const {
    return rows_times(system_.gap_jacobian(at.q, at.time), at.v) + system_.gap_rate(at.q, at.time);
  }

  /// To what gaps and their rates are known: N.x, of d products, and what depends on time have as many roundings,
  /// and x has a few from the step and from impulses.
  static constexpr double roundings = (d + 8) * 0x1p-52;
  Vec<Scalar, walls> rounding(const Carried& at, const Position& x, const Scalar& time) const {
    const auto N = system_.gap_jacobian(at.q, at.time);
    const auto gap_t = system_.gap_rate(at.q, at.time);
    Vec<Scalar, walls> size;
    for (int k = 0; k < walls; ++k) {
      size[k] = abs(gap_t[k]) * time;
      for (int i = 0; i < d; ++i) size[k] = fma(abs(N(k, i)), abs(x[i]), size[k]);
    }
    return Scalar(roundings) * size;
  }
  Vec<Scalar, walls> rounding_of_gaps(const Carried& at) const { return rounding(at, at.q, abs(at.time)); }
  Vec<Scalar, walls> rounding_of_rates(const Carried& at) const { return rounding(at, at.v, Scalar(1.0)); }

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
    bool meets[walls];
    for (int k = 0; k < walls; ++k) {
      const bool held = contact_.touches[k] > Scalar(0.0),
                 hit = k == wall || (!held && nu[k] < Scalar(0.0) && closes_now(at, k));
      meets[k] = held || hit;
      if (!meets[k]) continue;
      fastest = max(fastest, abs(nu[k]));
      if (held) e[k] = Scalar(0.0);
      if (!hit) continue;
      if (!(nu[k] < Scalar(0.0))) {  // it lies there, to round-off
        contact_.touches[k] = Scalar(1.0);
        e[k] = Scalar(0.0);
        strike(k, e[k], at);
        if (!good()) return;
        continue;
      }
      note(k, at.time, -nu[k], e[k]);
      if (!good()) return;
    }
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

  /// (b), (c).
  void strike(int wall, const Scalar& e, Carried& at) {
    const auto M = inertia_at(system_, at.q, at.time);
    const auto all = system_.gap_jacobian(at.q, at.time);
    Position N;
    for (int i = 0; i < d; ++i) N[i] = all(wall, i);
    const Scalar gap_t = system_.gap_rate(at.q, at.time)[wall], nu = dot(N, at.v) + gap_t;
    const Position MN = M.solve(N);
    const Scalar free_part = dot(N, MN);
    Scalar NKN = free_part, of_rows = Scalar(0.0), loss = Scalar(0.0), work = Scalar(0.0);
    Position kick;  // p+ - p-
    if constexpr (rows > 0) {
      Mat<Scalar, rows, d> J;
      Vec<Scalar, rows> b;
      all_rows(at, J, b);
      const Vec<Scalar, rows> r = rows_times(J, at.v) + b, c = rows_times(J, MN);
      const Vec<Scalar, rows> y = solved(M, J, c), z = solved(M, J, r);
      if (!good()) return;
      NKN = free_part - dot(c, y);
      of_rows = dot(c, z);
      if (!(NKN > Scalar(0x1p-40) * free_part)) return fail(Status::singular_matrix);
      const Scalar Lambda = (of_rows - (Scalar(1.0) + e) * nu) / NKN;
      const Vec<Scalar, rows> mu = Lambda * y + z;
      kick = Lambda * N;
      add_transposed(J, Scalar(-1.0) * mu, kick);
      loss = Scalar(0.5) * (dot(mu, r) - (Scalar(1.0) - e) * nu * Lambda);
      work = dot(mu, b) - Lambda * gap_t;
    } else {
      if (!(NKN > Scalar(0.0))) return fail(Status::singular_matrix);
      const Scalar Lambda = -(Scalar(1.0) + e) * nu / NKN;
      kick = Lambda * N;
      loss = Scalar(-0.5) * (Scalar(1.0) - e) * nu * Lambda;
      work = -Lambda * gap_t;
    }
    const Scalar before = energy(at);
    at.p = at.p + kick;
    at.v = at.v + M.solve(kick);
    // What is carried of p and v need not be p = M v + a where M is not constant.
    if constexpr (!ConstantRegularMass<System>) loss = before - energy(at) + work;
    total_.dissipated = total_.dissipated + loss;
    total_.work = total_.work + work;
  }
  Scalar energy(const Carried& at) const {
    return Scheme(system_, h_, settings_).measure(at, Measuring::energies).energy;
  }
  /// J and (g_t; b).
  void all_rows(const Carried& at, Mat<Scalar, rows, d>& J, Vec<Scalar, rows>& b) const {
    if constexpr (own_rows > 0) {
      const auto G = system_.constraint_jacobian(at.q, at.time);
      set_part<0>(b, system_.constraint_rate(at.q, at.time));
      for (int k = 0; k < own_rows; ++k)
        for (int i = 0; i < d; ++i) J(k, i) = G(k, i);
    }
    if constexpr (System::velocity_rows > 0) {
      const auto A = system_.rate_matrix(at.q, at.time);
      set_part<own_rows>(b, system_.rate_offset(at.q, at.time));
      for (int k = 0; k < System::velocity_rows; ++k)
        for (int i = 0; i < d; ++i) J(own_rows + k, i) = A(k, i);
    }
  }
  /// S x.
  template <class Inertia>
  Vec<Scalar, rows> solved(const Inertia& M, const Mat<Scalar, rows, d>& J, const Vec<Scalar, rows>& x) {
    double S[rows * rows], b[rows];
    for (int l = 0; l < rows; ++l) {
      Position row;
      for (int i = 0; i < d; ++i) row[i] = J(l, i);
      const Vec<Scalar, rows> column = rows_times(J, M.solve(row));
      for (int k = 0; k < rows; ++k) S[k * rows + l] = widen(column[k]);
      b[l] = widen(x[l]);
    }
    if (!solve_pivoted<rows>(S, b)) fail(Status::singular_matrix);
    Vec<Scalar, rows> result;
    for (int k = 0; k < rows; ++k) result[k] = Scalar(b[k]);
    return result;
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
};

}  // namespace livens::inline LIVENS_ISA
