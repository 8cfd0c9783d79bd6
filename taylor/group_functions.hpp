#pragma once
// The functions of taylor::Recurrences for a plan that is data, of all lanes of a group, or of one with
// LIVENS_ONE_LANE.

#include <limits>

#include "taylor/orders.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Instruction;
using taylor::List;
using taylor::Plan;

LIVENS_BOTH void run_lanes(const List<Instruction>& instructions, int k, double* rows, int length) {
  for_each_part([&](int lane) { run_all(instructions, k, Rows<int>(rows + lane, length)); });
}

LIVENS_BOTH void project_lanes(const Plan& plan, const Factors& factors, double* rows, double* room) {
  for_each_part([&](int lane) {
    project_part(plan, plan, part_of(factors, lane), motion_rows(rows + lane), room + lane);
  });
}

LIVENS_BOTH void expand_lanes(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                              double* room) {
  for_each_part([&](int lane) {
    expand_part(plan, part_of(factors, lane), from, to, motion_rows(rows + lane), room + lane);
  });
}

/// Beyond the normal numbers there are no logarithms.
constexpr double least = std::numeric_limits<double>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// log2 x to 0.012, for normal x > 0.
LIVENS_HD Part rough_log2(const Part& x) {
  const Part exponent = exponent_of(x), beyond_one = x * two_to(-exponent) - Part(1.0);
  return fma(beyond_one, fnma(Part(0.7071), beyond_one, Part(1.5)), exponent);
}

/// The radius of convergence from the last two coefficients, and a quarter of it. Theirs measures the state
/// by its first coefficient; here it is the largest of the first three terms of the series at the radius, for
/// q and for v, so that zero is as good a coordinate as any other, in any units. All sizes are logarithms.
LIVENS_HD Part length_of_part(const Plan& plan, int order, const MotionRows<const double>& rows,
                              const Part& step) {
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
  return select(radius < Part(infinity), Part(0.25) * exp(fma(log_of_2, radius, Part(-0.7 / (order - 1)))),
                step);
}

LIVENS_BOTH void length(const Plan& plan, int order, const double* rows, const double* step, double* length) {
  for_each_part([&](int lane) {
    set(length + lane, 0, length_of_part(plan, order, motion_rows(rows + lane), at(step + lane, 0)));
  });
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

LIVENS_BOTH void arrival(const Plan& plan, int order, const double* series, const double* tau,
                         const double* state, const double* rows, double* found) {
  for_each_part([&](int lane) {
    const MotionRows<const double> before = motion_rows(series + lane), here = motion_rows(rows + lane);
    const Part t = at(tau + lane, 0);
    Part sum(0.0), accelerations(0.0), mismatch(0.0), acceleration(0.0), velocity(0.0), position(0.0);
    for (int r = 0; r < 2 * plan.d; ++r) sum = sum + at(state + lane, r);
    for (int i = 0; i < plan.d; ++i) {
      Part slope(0.0);
      for (int k = order; k >= 1; --k)
        slope = fma(slope, t, Part(static_cast<double>(k)) * before(plan.velocity + i, k));
      const Part now = here(plan.velocity + i, 1);
      accelerations = accelerations + now;
      mismatch = max(abs(now - slope), mismatch);
      acceleration = max(abs(slope), max(abs(now), acceleration));
      velocity = max(abs(here(plan.velocity + i, 0)), velocity);
      position = max(abs(here(plan.position + i, 0)), position);
    }
    const Part values[] = {sum, accelerations, mismatch, acceleration, velocity, position};
    for (int entry = 0; entry < taylor::arrival_entries; ++entry) set(found + lane, entry, values[entry]);
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
