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
using taylor::Products;
using taylor::Share;

/// Beyond the normal numbers there are no logarithms.
constexpr double least = std::numeric_limits<double>::min();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The sums over j = 1, ..., k of the products of coefficients j and k - j: entry by entry the parts of the
/// right side. `room`: the sums and, after each, what is known of the next.
class Sums {
 public:
  LIVENS_HD Sums(const Products& products, int k, bool first, const double* rows, std::ptrdiff_t stride,
                 double* room)
      : share_(products.shares.first), last_(products.shares.last), room_(room) {
    for (const Product* p = products.all.first; p != products.all.last; ++p, room += 2 * taylor::lanes) {
      Part sum = first ? Part(0.0) : at(room, 1), next(0.0);
      add_product(rows + p->a * stride, rows + p->b * stride, 1, k, k, first, sum, next);
      set(room, 0, sum);
      if (first) set(room, 1, next);
    }
  }
  /// Of the entries in order.
  LIVENS_HD Part of(int entry) {
    Part sum(0.0);
    for (; share_ != last_ && share_->entry == entry; ++share_)
      sum = fma(Part(share_->sign), at(room_, 2 * share_->product), sum);
    return sum;
  }

 private:
  const Share *share_, *last_;
  const double* room_;
};

/// (a) and (b) at order k are linear in v_{k+1} and lambda_k, with the matrix of order 0.
LIVENS_BOTH void next_order(const Plan& plan, const Factors& factors, int k, double* rows,
                            std::ptrdiff_t stride, double* right) {
  const int d = plan.d, m = plan.m;
  const Part next(k + 1.0), per_next(1.0 / (k + 1.0));
  const auto row = [&](int r) { return rows + r * stride; };
  // What follows from a rate. The rounding of 1/(k + 1) alone would be the same in every step, and add up.
  const auto integrate = [&](int r, const Part& rate) {
    const Part quotient = per_next * rate;
    set(row(r), k + 1, fma(per_next, fnma(next, quotient, rate), quotient));
  };
  run_part(plan.of_velocity, k, rows, stride);
  for (int i = 0; i < d; ++i) integrate(plan.position + i, at(row(plan.velocity + i), k));
  run_part(plan.of_position, k + 1, rows, stride);

  const bool first = k % 2 == 0;
  double* const room = right + static_cast<std::ptrdiff_t>(2 * (d + m)) * taylor::lanes;
  Sums changes(plan.changes, k + 1, first, rows, stride, room);
  Sums reactions(plan.reactions, k, first, rows, stride, room + plan.change_entries() * taylor::lanes);
  const Entry* force = plan.force.first;
  for (int i = 0; i < d; ++i) {
    Part sum = fnma(next, changes.of(i), -reactions.of(i));
    if (force != plan.force.last && force->row == i) {
      sum = fma(Part(force->sign), at(row(force->place), k), sum);
      ++force;
    }
    set(right, i, sum);
  }
  for (int c = 0; c < m; ++c) {
    const Part rate = changes.of(d + c);
    set(right, d + c, -(next * (plan.drift ? rate + at(row(plan.drift[c]), k + 1) : rate)));
  }
  solve_part(plan, factors, right);
  for (int i = 0; i < d; ++i) integrate(plan.velocity + i, at(right, i));
  for (int c = 0; c < m; ++c) set(row(plan.multiplier + c), k, at(right, d + c));

  Part power = at(row(plan.power), k), unused(0.0);
  for (int c = 0; c < m && plan.drift; ++c)
    add_product(row(plan.drift[c]), row(plan.multiplier + c), 0, k, k, true, power, unused);
  integrate(plan.dissipated, at(row(plan.dissipation), k));
  integrate(plan.work, power);
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
        fnma(Part(e->sign) * at(row(e->place), 0), at(row(plan.velocity + e->column), 0),
             at(right, d + e->row)));
  correct(plan.velocity);
}

LIVENS_BOTH void expand_part(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                             std::ptrdiff_t stride, double* right) {
  for (int k = from; k < to; ++k) next_order(plan, factors, k, rows, stride, right);
}

/// The radius of convergence from the last two coefficients, and a quarter of it. Theirs measures the state
/// by its first coefficient; here it is the largest of the first three terms of the series at the radius, for
/// q and for v, so that zero is as good a coordinate as any other, in any units. All sizes are logarithms.
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
  return select(radius < Part(infinity), Part(0.25) * exp(radius - Part(0.7 / (order - 1))), step);
}

}  // namespace livens::inline LIVENS_ISA
