#pragma once
// The end of a step, and the equations of motion from order to order (docs/equations/taylor.md, sections 2
// and 3), for the lanes of a part. `fixed` is the plan itself, or a type that has the same numbers
// (taylor/fixed_plan.hpp): one source for both, and the same bits.

#include "taylor/linear_equations.hpp"
#include "taylor/recurrence.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Product;
using taylor::Share;

/// The sums over j = 1, ..., k of the products of coefficients j and k - j, of `here` products side by side, from product
/// `begin` on. `known`: room for what every other order knows of the sums of the next.
template <int here, class List, class Rows, class Count>
LIVENS_HD void sum_products_from(int begin, const List& products, int k, bool first, const Rows& rows,
                                 Vector<Count>& sums, double* known) {
  Chain chains[here];
  int a[here], b[here];
  for (int p = 0; p < here; ++p) {
    a[p] = products[begin + p].a;
    b[p] = products[begin + p].b;
    chains[p].sum = first ? Part(0.0) : at(known, begin + p);
    chains[p].next = 0.0;
  }
  add_products<here>(rows, a, b, 1, k, k, first, chains);
  for (int p = 0; p < here; ++p) {
    sums.put(begin + p, chains[p].sum);
    if (first) set(known, begin + p, chains[p].next);
  }
}
template <class Rows>
LIVENS_HD void sum_products(const taylor::List<Product>& products, int k, bool first, const Rows& rows,
                            Vector<int>& sums, double* known) {
  const int count = length_of(products);
  int p = 0;
  if constexpr (together)
    for (; p + 4 <= count; p += 4) sum_products_from<4>(p, products, k, first, rows, sums, known);
  for (; p < count; ++p) sum_products_from<1>(p, products, k, first, rows, sums, known);
}
/// As many chains as registers hold go side by side.
inline constexpr int side_by_side = 8;
template <int count, class Rows>
LIVENS_HD void sum_products(const Items<Product, count>& products, int k, bool first, const Rows& rows,
                            Vector<Constant<count>>& sums, double* known) {
  for_count(Constant<(count + side_by_side - 1) / side_by_side>(), [&]<int c>(Constant<c>) LIVENS_IN_PLACE {
    constexpr int begin = c * side_by_side,
                  here = count - begin < side_by_side ? count - begin : side_by_side;
    sum_products_from<here>(begin, products, k, first, rows, sums, known);
  });
}

/// (a) and (b) at order k are linear in v_{k+1} and lambda_k, with the matrix of order 0. `room`:
/// Plan::room_entries().
template <class Fixed, class Rows>
LIVENS_HD void next_order(const Fixed& fixed, const Factors& factors, int k, const Rows& rows, double* room) {
  const Part next(k + 1.0), per_next(1.0 / (k + 1.0));
  // What follows from a rate. The rounding of 1/(k + 1) alone would be the same in every step, and add up.
  const auto integrate = [&](int row, const Part& rate) LIVENS_IN_PLACE {
    const Part quotient = per_next * rate;
    rows.put(row, k + 1, fma(per_next, fnma(next, quotient, rate), quotient));
  };
  run_all(fixed.of_velocity, k, rows);
  for_count(fixed.d,
            [&](int i) LIVENS_IN_PLACE { integrate(fixed.position + i, rows(fixed.velocity + i, k)); });
  run_all(fixed.of_position, k + 1, rows);

  const bool first = k % 2 == 0;
  const auto n = unknowns(fixed);
  const auto changes_count = length_of(fixed.changes.all), reactions_count = length_of(fixed.reactions.all);
  double* taken = room;
  const auto next_room = [&](int entries) LIVENS_IN_PLACE {
    double* const here = taken;
    taken += static_cast<std::ptrdiff_t>(entries) * taylor::lanes;
    return here;
  };
  Vector x(n, next_room(n));
  double* const to_solve = next_room(n);
  Vector changes(changes_count, next_room(changes_count));
  sum_products(fixed.changes.all, k + 1, first, rows, changes, next_room(changes_count));
  Vector reactions(reactions_count, next_room(reactions_count));
  sum_products(fixed.reactions.all, k, first, rows, reactions, next_room(reactions_count));
  for_count(n, [&](int i) LIVENS_IN_PLACE { x.put(i, Part(0.0)); });
  for_each(fixed.force,
           [&](const Entry& e) LIVENS_IN_PLACE { x.put(e.row, signed_of(e.sign, rows(e.place, k))); });
  for_count(length_of(fixed.drift), [&](int c) LIVENS_IN_PLACE {
    x.put(fixed.d + c, fnma(next, rows(fixed.drift[c], k + 1), Part(0.0)));
  });
  for_count(n, [&](auto i) LIVENS_IN_PLACE {
    for_each_of(fixed.changes.shares, i, [&](const Share& share) LIVENS_IN_PLACE {
      x.put(i, fnma(signed_of(share.sign, next), changes[share.product], x[i]));
    });
    for_each_of(fixed.reactions.shares, i, [&](const Share& share) LIVENS_IN_PLACE {
      x.put(i, add(x[i], -share.sign, reactions[share.product]));
    });
  });
  solve(fixed, factors, x, to_solve);
  for_count(fixed.d, [&](int i) LIVENS_IN_PLACE { integrate(fixed.velocity + i, x[i]); });
  for_count(fixed.m, [&](int c) LIVENS_IN_PLACE { rows.put(fixed.multiplier + c, k, x[fixed.d + c]); });

  if (fixed.dissipation != taylor::no_row) integrate(fixed.dissipated, rows(fixed.dissipation, k));
  if (fixed.power == taylor::no_row && length_of(fixed.drift) == 0) return;
  Chain power;
  power.sum = fixed.power == taylor::no_row ? Part(0.0) : rows(fixed.power, k);
  power.next = 0.0;
  for_count(length_of(fixed.drift), [&](int c) LIVENS_IN_PLACE {
    const int row = fixed.drift[c], multiplier = fixed.multiplier + c;
    add_products<1>(rows, &row, &multiplier, 0, k, k, true, &power);
  });
  integrate(fixed.work, power.sum);
}

/// Adds the solution for the right side (0, b) to the d coefficients 0 from row `first` on; x has b.
template <class Fixed, class Rows, class Size>
LIVENS_HD void correct(const Fixed& fixed, const Factors& factors, int first, const Rows& rows,
                       Vector<Size>& x, double* room) {
  for_count(fixed.d, [&](int i) LIVENS_IN_PLACE { x.put(i, Part(0.0)); });
  solve(fixed, factors, x, room + static_cast<std::ptrdiff_t>(unknowns(fixed)) * taylor::lanes);
  for_count(fixed.d, [&](int i) LIVENS_IN_PLACE { rows.put(first + i, 0, rows(first + i, 0) + x[i]); });
}

/// An iteration of Newton's method for g(q) = 0.
template <class Fixed, class Rows>
LIVENS_HD void correct_position(const Fixed& fixed, const Factors& factors, const Rows& rows, double* room) {
  Vector x(unknowns(fixed), room);
  run_all(fixed.of_violation, 0, rows);
  for_count(fixed.m, [&](int c) LIVENS_IN_PLACE { x.put(fixed.d + c, -rows(fixed.violation[c], 0)); });
  correct(fixed, factors, fixed.position, rows, x, room);
  run_all(fixed.of_position, 0, rows);
}

/// v to A v + b = 0.
template <class Fixed, class Rows>
LIVENS_HD void correct_velocity(const Fixed& fixed, const Factors& factors, const Rows& rows, double* room) {
  Vector x(unknowns(fixed), room);
  for_count(fixed.m, [&](int c) LIVENS_IN_PLACE {
    x.put(fixed.d + c, length_of(fixed.drift) > 0 ? -rows(fixed.drift[c], 0) : Part(0.0));
  });
  for_each(fixed.constraint, [&](const Entry& e) LIVENS_IN_PLACE {
    x.put(fixed.d + e.row,
          fnma(signed_of(e.sign, rows(e.place, 0)), rows(fixed.velocity + e.column, 0), x[fixed.d + e.row]));
  });
  correct(fixed, factors, fixed.velocity, rows, x, room);
}

/// Brings coefficients 0 of q and v onto the constraints, and leaves the factors of the matrix there. The
/// violation is of the size of the tolerance, so that Newton's method with the first matrix squares it, and
/// once more reaches round-off whatever the tolerance. What one part waits for another has time for.
template <class Fixed>
LIVENS_HD void project_parts(const Fixed& fixed, const taylor::Plan& plan, const Factors& factors,
                             double* rows, double* room) {
  const auto for_parts = [&](const auto& body) LIVENS_IN_PLACE {
    for_each_part([&](int lane) LIVENS_IN_PLACE {
      body(part_of(factors, lane), motion_rows(rows + lane), room + lane);
    });
  };
  for_parts([&](const Factors& factors, const auto& rows, double*) LIVENS_IN_PLACE {
    run_all(fixed.of_position, 0, rows);
    factor(fixed, plan, rows, factors);
  });
  if (length_of(fixed.violation) > 0) {
    for (int iteration = 0; iteration < 2; ++iteration)
      for_parts([&](const Factors& factors, const auto& rows, double* room)
                    LIVENS_IN_PLACE { correct_position(fixed, factors, rows, room); });
    for_parts([&](const Factors& factors, const auto& rows, double*)
                  LIVENS_IN_PLACE { factor(fixed, plan, rows, factors); });
  }
  if (fixed.m == 0) return;
  for_parts([&](const Factors& factors, const auto& rows, double* room)
                LIVENS_IN_PLACE { correct_velocity(fixed, factors, rows, room); });
}

/// From coefficients 0..from of q, v and 0..from-1 of lambda to `to` and to - 1.
template <class Fixed>
LIVENS_HD void expand_parts(const Fixed& fixed, const Factors& factors, int from, int to, double* rows,
                            double* room) {
  for_each_part([&](int lane) LIVENS_IN_PLACE {
    for (int k = from; k < to; ++k)
      next_order(fixed, part_of(factors, lane), k, motion_rows(rows + lane), room + lane);
  });
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
