// The end of a step, the equations of motion from order to order, and the length of the next step
// (docs/equations/taylor.md, sections 2 and 3), for the lanes of a part. Compiled once for every instruction
// set.

#include <limits>

#include "taylor/part.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Entry;
using taylor::Factors;
using taylor::List;
using taylor::Plan;
using taylor::Product;

/// Beyond the normal numbers there are no logarithms.
constexpr double least = std::numeric_limits<double>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// (a) and (b) at order k are linear in v_{k+1} and lambda_k, with the matrix of order 0.
LIVENS_BOTH void next_order(const Plan& plan, const Factors& factors, int k, double* rows,
                            std::ptrdiff_t stride, double* right) {
  const int d = plan.d, m = plan.m;
  const Part next(k + 1.0), per_next(1.0 / (k + 1.0));
  const auto row = [&](int r) { return rows + r * stride; };
  run_part(plan.of_velocity, k, rows, stride);
  for (int i = 0; i < d; ++i) set(row(plan.position + i), k + 1, per_next * at(row(plan.velocity + i), k));
  run_part(plan.of_position, k + 1, rows, stride);

  for (int i = 0; i < d; ++i) set(right, i, Part(0.0));
  for (int c = 0; c < m; ++c) set(right, d + c, plan.drift ? at(row(plan.drift[c]), k + 1) : Part(0.0));
  for (const Product* p = plan.changes.first; p != plan.changes.last; ++p)
    set(right, p->entry, at(right, p->entry) + product(row(p->a), row(p->b), 1, k + 1, k + 1));
  for (int i = 0; i < d; ++i) set(right, i, fnma(next, at(right, i), at(row(plan.force[i]), k)));
  for (int c = d; c < d + m; ++c) set(right, c, -(next * at(right, c)));
  for (const Product* p = plan.reactions.first; p != plan.reactions.last; ++p)
    set(right, p->entry, at(right, p->entry) - product(row(p->a), row(p->b), 1, k, k));
  solve_part(plan, factors, right);
  for (int i = 0; i < d; ++i) set(row(plan.velocity + i), k + 1, per_next * at(right, i));
  for (int c = 0; c < m; ++c) set(row(plan.multiplier + c), k, at(right, d + c));

  Part power = at(row(plan.power), k);
  for (int c = 0; c < m && plan.drift; ++c)
    power = power + product(row(plan.drift[c]), row(plan.multiplier + c), 0, k, k);
  set(row(plan.dissipated), k + 1, per_next * at(row(plan.dissipation), k));
  set(row(plan.work), k + 1, per_next * power);
}

}  // namespace

/// The violation is of the size of the tolerance, so that Newton's method with the first matrix squares it,
/// and once more reaches round-off whatever the tolerance.
LIVENS_BOTH void project_part(const Plan& plan, const Factors& factors, double* rows, std::ptrdiff_t stride,
                              double* right) {
  const int d = plan.d, m = plan.m;
  const auto row = [&](int r) { return rows + r * stride; };
  const auto correct = [&](int first) {
    for (int i = 0; i < d; ++i) set(right, i, Part(0.0));
    solve_part(plan, factors, right);
    for (int i = 0; i < d; ++i) set(row(first + i), 0, at(row(first + i), 0) + at(right, i));
  };
  run_part(plan.of_position, 0, rows, stride);
  factor_part(plan, rows, stride, factors);
  if (m > 0 && plan.violation) {
    for (int iteration = 0; iteration < 2; ++iteration) {
      run_part(plan.of_violation, 0, rows, stride);
      for (int c = 0; c < m; ++c) set(right, d + c, -at(row(plan.violation[c]), 0));
      correct(plan.position);
      run_part(plan.of_position, 0, rows, stride);
    }
    factor_part(plan, rows, stride, factors);
  }
  if (m == 0) return;
  for (int c = 0; c < m; ++c) set(right, d + c, plan.drift ? -at(row(plan.drift[c]), 0) : Part(0.0));
  for (const Entry* e = plan.constraint.first; e != plan.constraint.last; ++e)
    set(right, d + e->row,
        fnma(at(row(e->place), 0), at(row(plan.velocity + e->column), 0), at(right, d + e->row)));
  correct(plan.velocity);
}

LIVENS_BOTH void expand_part(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                             std::ptrdiff_t stride, double* right) {
  for (int k = from; k < to; ++k) next_order(plan, factors, k, rows, stride, right);
}

/// The radius of convergence from the last two coefficients, and e^-2 of it. Theirs measures the state by its
/// first coefficient; here it is the largest of the first three terms of the series at the radius, for q and
/// for v, so that zero is as good a coordinate as any other, in any units. All sizes are logarithms.
LIVENS_BOTH Part length_of_part(const Plan& plan, int order, const double* rows, std::ptrdiff_t stride,
                                const Part& step) {
  const Part none(-infinity);
  Part radius(infinity);
  for (const int first : {plan.position, plan.velocity}) {
    const auto size = [&](int k) {
      Part largest(0.0);
      for (int i = 0; i < plan.d; ++i) largest = max(abs(at(rows + (first + i) * stride, k)), largest);
      return select(largest > Part(least), log(largest), none);
    };
    const Part start[] = {size(0), size(1), size(2)};
    for (const int p : {order - 1, order}) {
      const Part last = size(p);
      Part widest = none;
      for (int i = 0; i <= 2; ++i) widest = max((start[i] - last) / Part(static_cast<double>(p - i)), widest);
      radius = select((last > none) & (widest > none), min(widest, radius), radius);
    }
  }
  return select(radius < Part(infinity), exp(radius - Part(2.0 + 0.7 / (order - 1))), step);
}

}  // namespace livens::inline LIVENS_ISA
