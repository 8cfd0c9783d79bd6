#pragma once
// The functions of taylor::Recurrences for a plan that is data, of all lanes of a group, or of one with
// LIVENS_ONE_LANE.

#include <limits>

#include "taylor/orders.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::halved_entry;
using taylor::Instruction;
using taylor::length_entry;
using taylor::List;
using taylor::Obstacle;
using taylor::Plan;
using taylor::proposed_entry;
using taylor::start_entry;

LIVENS_BOTH void run_lanes(const List<Instruction>& instructions, int k, double* rows, int length) {
  for_each_part([&](int lane) { run_all(instructions, k, Rows<int>(rows + lane, length)); });
}

LIVENS_BOTH void project_lanes(const Plan& plan, const Factors& factors, double* rows, double* room) {
  project_parts(plan, plan, factors, rows, room);
}

LIVENS_BOTH void expand_lanes(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                              double* room) {
  expand_parts(plan, factors, from, to, rows, room);
}

/// Beyond the normal numbers there are no logarithms.
constexpr double least = std::numeric_limits<double>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// log2 x to 0.012, for normal x > 0.
LIVENS_HD Part rough_log2(const Part& x) {
  const Part exponent = exponent_of(x), beyond_one = x * two_to(-exponent) - Part(1.0);
  return fma(beyond_one, fnma(Part(0.7071), beyond_one, Part(1.5)), exponent);
}

/// The radius of convergence from the last two coefficients, and a part of it. Theirs measures the state
/// by its first coefficient; here it is the largest of the first three terms of the series at the radius, for
/// q and for v, so that zero is as good a coordinate as any other, in any units. All sizes are logarithms.
LIVENS_HD Part length_of_part(const Plan& plan, int order, double part_of_radius,
                              const MotionRows<const double>& rows, const Part& step) {
  const Part none(-infinity);
  Part radius(infinity);
  for (const int first : {plan.position, plan.velocity}) {
    const auto size = [&](int k) {
      Part largest(0.0);
      for (int i = 0; i < plan.d; ++i) largest = max(abs(rows(first + i, k)), largest);
      return select((largest > Part(least)) & (largest < Part(infinity)), rough_log2(largest), none);
    };
    const Part start[] = {size(0), size(1), size(2)};
    for (const int p : {order - 1, order}) {
      const Part last = size(p);
      Part widest = none;
      for (int i = 0; i <= 2; ++i) widest = max((start[i] - last) * Part(1.0 / (p - i)), widest);
      radius = select((last > none) & (widest > none), min(widest, radius), radius);
    }
  }
  const Part log_of_2(0.69314718055994530942);
  const Part cautious(-0.7 / (order - 1));
  return select(radius < Part(infinity), Part(part_of_radius) * exp(fma(log_of_2, radius, cautious)), step);
}

/// Rows that go side by side: one would wait for itself.
inline constexpr int abreast = 4;

LIVENS_BOTH void value(const double* rows, int count, int order, const double* tau, double* values) {
  constexpr Constant<abreast> all;
  for_each_part([&](int lane) {
    const MotionRows<const double> here = motion_rows(rows + lane);
    const Part t = at(tau + lane, 0);
    for (int r = 0; r < count; r += abreast) {
      const int last = count - 1;
      const int row[abreast] = {r, r + 1 < last ? r + 1 : last, r + 2 < last ? r + 2 : last,
                                r + 3 < last ? r + 3 : last};  // the last one again
      Part sum[abreast];
      for_count(all, [&](int i) { sum[i] = here(row[i], order); });
      for (int k = order - 1; k >= 0; --k)
        for_count(all, [&](int i) { sum[i] = fma(sum[i], t, here(row[i], k)); });
      for_count(all, [&](int i) { set(values + lane, row[i], sum[i]); });
    }
  });
}

LIVENS_BOTH void end(const Plan& plan, int order, const double* series, const double* tau, double* state,
                     double* slope) {
  value(series, plan.velocity, order, tau, state);
  for_each_part([&](int lane) {
    const MotionRows<const double> rows = motion_rows(series + lane);
    const Part t = at(tau + lane, 0);
    for (int i = 0; i < plan.d; ++i) {
      const int row = plan.velocity + i;
      Part sum = rows(row, order), rate = sum;
      for (int k = order - 1; k > 0; --k) {
        sum = fma(sum, t, rows(row, k));
        rate = fma(rate, t, sum);
      }
      set(state + lane, row, fma(sum, t, rows(row, 0)));
      set(slope + lane, i, rate);
    }
  });
}

/// The slope of the series at its end is the acceleration there, as far as the tolerance goes: to its root in
/// comparison with accelerations, or in velocity. A series that has left where it converges, or crossed a
/// kink of a force, is not.
LIVENS_BOTH void arrival(const Plan& plan, double tolerance, const double* header, const double* state,
                         const double* slope, const Factors& factors, const double* rows, double* obstacle) {
  const Part root(sqrt(tolerance)), most(4.0 * tolerance), none(0.0), greatest_number(greatest);
  const auto one_of = [](Obstacle what) { return Part(static_cast<double>(what)); };
  for_each_part([&](int lane) {
    const MotionRows<const double> here = motion_rows(rows + lane);
    Part sum(0.0), accelerations(0.0), mismatch(0.0), acceleration(0.0), velocity(0.0), position(0.0);
    for (int i = 0; i < plan.d; ++i) {
      const Part now = here(plan.velocity + i, 1), led = at(slope + lane, i);
      sum = sum + (at(state + lane, plan.position + i) + at(state + lane, plan.velocity + i));
      accelerations = accelerations + now;
      mismatch = max(abs(now - led), mismatch);
      acceleration = max(abs(led), max(abs(now), acceleration));
      velocity = max(abs(here(plan.velocity + i, 0)), velocity);
      position = max(abs(here(plan.position + i, 0)), position);
    }
    const Part start = at(header + lane, start_entry), length = at(header + lane, length_entry);
    const auto resolved =
        (mismatch <= root * acceleration) |
        (mismatch * length <= most * max(position / at(header + lane, proposed_entry), velocity));
    Part found =
        select(((length > none) & resolved) | (start + length == none), none, one_of(Obstacle::unresolved));
    found = select(abs(accelerations) <= greatest_number, found, one_of(Obstacle::not_finite));
    found = select(at(factors.regular + lane, 0) == none, one_of(Obstacle::singular), found);
    found = select(abs(sum) <= greatest_number, found, one_of(Obstacle::not_finite));
    set(obstacle + lane, 0, found);
  });
}

LIVENS_BOTH void begin(const Plan& plan, int order, double part_of_radius, int time, const double* rows,
                       const double* step, const double* active, double* header, double* obstacle,
                       double* left) {
  const Part none(0.0), one(1.0);
  const auto one_of = [](Obstacle what) { return Part(static_cast<double>(what)); };
  for_each_part([&](int lane) {
    const MotionRows<const double> here = motion_rows(rows + lane);
    double* const entries = header + lane;
    const auto on = at(active + lane, 0) > none;
    const Part before = at(entries, halved_entry), length = at(entries, length_entry);
    const Part halved = select(length < at(entries, proposed_entry), before + one, none);
    const auto stuck = halved > Part(static_cast<double>(taylor::most_halved_steps));
    const Part stays = select(on, select(stuck, one, none), one);
    const auto moves = stays == none;
    const Part start = here(time, 0);
    const Part proposed = length_of_part(plan, order, part_of_radius, here, at(step + lane, 0));
    const Part made = (start + proposed) - start;
    set(entries, halved_entry, select(on, halved, before));
    set(entries, start_entry, select(moves, start, at(entries, start_entry)));
    set(entries, length_entry, select(moves, made, length));
    set(entries, proposed_entry, select(moves, made, at(entries, proposed_entry)));
    set(obstacle + lane, 0,
        select(moves, select(made > none, none, one_of(Obstacle::not_finite)),
               select(on, one_of(Obstacle::unresolved), at(obstacle + lane, 0))));
    set(left + lane, 0, stays);
  });
}

LIVENS_BOTH void keep(const double* rows, int count, int order, const double* copied, double* to) {
  for_each_part([&](int lane) {
    const MotionRows<const double> from = motion_rows(rows + lane);
    const MotionRows<double> kept = motion_rows(to + lane);
    const Mask<Part> here = at(copied + lane, 0) > Part(0.0);
    for (int r = 0; r < count; ++r)
      for (int k = 0; k <= order; ++k) kept.put(r, k, select(here, from(r, k), kept(r, k)));
  });
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
