#pragma once
// (M A^T; A 0) x = b for the lanes of a part.
// M is positive definite for most texts, and what is left of the zero block is then negative definite, so
// that the diagonal has good pivots and what is zero by form can be left out. Where a lane has none, rows
// change places in that lane, and nothing is left out for its part; its neighbours compute the same numbers,
// but for signs of zeros, which the solution is rid of. How large a pivot is says the matrix scaled to M_ii
// and rows of A M^-1/2 near 1.

#include <limits>

#include "taylor/part.hpp"
#include "taylor/recurrences.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Entry;
using taylor::Factors;

/// Those of the lanes from this one on.
LIVENS_HD Factors part_of(const Factors& all, int lane) {
  return {all.matrix + lane, all.scale + lane,     all.row_scale + lane,
          all.pivots + lane, all.exchanged + lane, all.regular + lane};
}

/// How much smaller than the largest entry of its column a diagonal one may be.
constexpr double weakest = 0.125;
constexpr double least_normal = std::numeric_limits<double>::min(),
                 greatest = std::numeric_limits<double>::max();

/// A power of two near x^-1/2: no product with it rounds. 1 for what is no normal number above zero.
LIVENS_HD Part scale_of(const Part& x) {
  const Mask<Part> normal = (x >= Part(least_normal)) & (x <= Part(greatest));
  return two_to(-rint(Part(0.5) * exponent_of(select(normal, x, Part(1.0)))));
}

/// Row by row. `Size`: int or Constant.
template <class Size>
class Matrix {
 public:
  LIVENS_HD Matrix(double* entries, Size n) : entries_(entries), n_(n) {}
  LIVENS_HD double* row(int i) const {
    return entries_ + static_cast<std::ptrdiff_t>(i) * n_ * taylor::lanes;
  }
  LIVENS_HD Part operator()(int i, int j) const { return at(row(i), j); }
  LIVENS_HD void put(int i, int j, const Part& value) const { set(row(i), j, value); }

 private:
  double* entries_;
  [[no_unique_address]] Size n_;
};

/// The entries that an elimination along the pattern reads, and the scales.
template <class Plan, class Size, class Pattern, class Rows>
LIVENS_HD void fill(const Plan& plan, Size n, const Pattern& pattern, const Rows& rows,
                    const Factors& factors) {
  const Matrix matrix(factors.matrix, n);
  double* const s = factors.scale;
  const auto value = [&](const Entry& e) LIVENS_IN_PLACE { return signed_of(e.sign, rows(e.place, 0)); };
  for_count(n, [&](auto i) LIVENS_IN_PLACE {
    set(s, i, Part(0.0));
    matrix.put(i, i, Part(0.0));
    for_each_of(pattern.below, i, [&](int j) LIVENS_IN_PLACE {
      matrix.put(i, j, Part(0.0));
      matrix.put(j, i, Part(0.0));
    });
  });
  for_each(plan.mass, [&](const Entry& e) LIVENS_IN_PLACE {
    matrix.put(e.row, e.column, value(e));
    if (e.row == e.column) set(s, e.row, scale_of(value(e)));
  });
  for_each(plan.constraint, [&](const Entry& e) LIVENS_IN_PLACE {
    matrix.put(plan.d + e.row, e.column, value(e));
    matrix.put(e.column, plan.d + e.row, value(e));
    const Part part = value(e) * at(s, e.column);
    set(s, plan.d + e.row, fma(part, part, at(s, plan.d + e.row)));
  });
  for_count(plan.m, [&](int c) LIVENS_IN_PLACE { set(s, plan.d + c, scale_of(at(s, plan.d + c))); });
}

/// Lanes where the diagonal entry of column c is no good pivot. `scale`: of the rows.
template <class Size, class Column>
LIVENS_HD Mask<Part> is_poor(const Matrix<Size>& matrix, const double* scale, const auto& below, Column c) {
  Part largest(0.0);
  for_each_of(below, c,
              [&](int i) LIVENS_IN_PLACE { largest = max(abs(matrix(i, c)) * at(scale, i), largest); });
  return abs(matrix(c, c)) * at(scale, c) < Part(weakest) * largest;
}

/// Takes column c, with its pivot on the diagonal, out of the rows below. `scale`: of row and column c.
template <class Size, class Column>
LIVENS_HD void eliminate(const Matrix<Size>& matrix, int n, const Part& scale, const auto& below, Column c,
                         Part& regular) {
  const Part pivot = matrix(c, c), reciprocal = Part(1.0) / pivot;
  regular = select(abs(pivot) * scale > Part(n * 0x1p-52), regular, Part(0.0));
  matrix.put(c, c, reciprocal);
  for_each_of(below, c, [&](int i) LIVENS_IN_PLACE {
    const Part ratio = matrix(i, c) * reciprocal;
    matrix.put(i, c, ratio);
    for_each_of(below, c,
                [&](int j) LIVENS_IN_PLACE { matrix.put(i, j, fnma(ratio, matrix(c, j), matrix(i, j))); });
  });
}

/// Brings the entry of column c that is largest in its scale, from row c on, to row c where `poor`.
LIVENS_HD void exchange(const Matrix<int>& matrix, int n, int c, const Mask<Part>& poor,
                        const Factors& factors) {
  double* const scale = factors.row_scale;
  Part best(static_cast<double>(c)), largest = abs(matrix(c, c)) * at(scale, c);
  for (int i = c + 1; i < n; ++i) {
    const Part size = abs(matrix(i, c)) * at(scale, i);
    best = select(poor & (size > largest), Part(static_cast<double>(i)), best);
    largest = max(size, largest);
  }
  set(factors.pivots, c, best);
  for (int i = c + 1; i < n; ++i) {
    const Mask<Part> here = best == Part(static_cast<double>(i));
    if (!any(here)) continue;
    const auto change_places = [&](double* one, double* other, int k) {
      const Part upper = at(one, k), lower = at(other, k);
      set(one, k, select(here, lower, upper));
      set(other, k, select(here, upper, lower));
    };
    for (int j = 0; j < n; ++j) change_places(matrix.row(c), matrix.row(i), j);
    change_places(scale, scale + static_cast<std::ptrdiff_t>(i - c) * taylor::lanes, c);
  }
}

template <class Rows>
LIVENS_HD_COLD void factor_in_any_order(const taylor::Plan& plan, const Rows& rows, const Factors& factors) {
  const int n = plan.d + plan.m;
  const Everything all{{n}};
  const Matrix<int> matrix(factors.matrix, n);
  fill(plan, n, all, rows, factors);
  for (int i = 0; i < n; ++i) set(factors.row_scale, i, at(factors.scale, i));
  Part regular(1.0);
  for (int c = 0; c < n; ++c) {
    set(factors.pivots, c, Part(static_cast<double>(c)));
    const Mask<Part> poor = is_poor(matrix, factors.row_scale, all.below, c);
    if (any(poor)) exchange(matrix, n, c, poor, factors);
    eliminate(matrix, n, at(factors.row_scale, c) * at(factors.scale, c), all.below, c, regular);
  }
  set(factors.regular, 0, regular);
  set(factors.exchanged, 0, Part(1.0));
}

/// The factors of (M A^T; A 0) of coefficients 0. `fixed`: the plan as data, or as a type.
template <class Fixed, class Rows>
LIVENS_HD_COLD void factor(const Fixed& fixed, const taylor::Plan& plan, const Rows& rows,
                           const Factors& factors) {
  const auto n = unknowns(fixed);
  const Matrix matrix(factors.matrix, n);
  fill(fixed, n, fixed.pattern, rows, factors);
  Part regular(1.0);
  Mask<Part> poor = Part(0.0) > Part(0.0);
  for_count(n, [&](auto c) LIVENS_IN_PLACE {
    const Part scale = at(factors.scale, c);
    poor = poor | is_poor(matrix, factors.scale, fixed.pattern.below, c);
    eliminate(matrix, n, scale * scale, fixed.pattern.below, c, regular);
  });
  set(factors.regular, 0, regular);
  set(factors.exchanged, 0, Part(0.0));
  if (any(poor)) factor_in_any_order(plan, rows, factors);
}

/// From the right side, in the order of the pivots, to the solution, without zeros that have a sign.
template <class Size, class Pattern>
LIVENS_HD void substitute(Size n, const Pattern& pattern, const Factors& factors, Vector<Size>& y) {
  const Matrix matrix(factors.matrix, n);
  for_count(n, [&](auto i) LIVENS_IN_PLACE {
    Part sum = y[i];
    for_each_of(pattern.left, i, [&](int j) LIVENS_IN_PLACE { sum = fnma(matrix(i, j), y[j], sum); });
    y.put(i, sum);
  });
  for_count_down(n, [&](auto i) LIVENS_IN_PLACE {
    Part sum = y[i];
    for_each_of(pattern.below, i, [&](int j) LIVENS_IN_PLACE { sum = fnma(matrix(i, j), y[j], sum); });
    y.put(i, fma(sum, matrix(i, i), Part(0.0)));
  });
}

LIVENS_HD_COLD inline void solve_in_any_order(int n, const Factors& factors, double* room) {
  Vector<int> y(n, room);
  for (int c = 0; c < n; ++c)
    for (int i = c + 1; i < n; ++i) {
      const Mask<Part> here = at(factors.pivots, c) == Part(static_cast<double>(i));
      if (!any(here)) continue;
      const Part upper = y[c], lower = y[i];
      y.put(c, select(here, lower, upper));
      y.put(i, select(here, upper, lower));
    }
  substitute(n, Everything{{n}}, factors, y);
}

/// Right sides in, the solution out. Lanes that are not regular get what comes. `room`: n entries.
template <class Fixed, class Size>
LIVENS_HD void solve(const Fixed& fixed, const Factors& factors, Vector<Size>& x, double* room) {
  const auto n = unknowns(fixed);
  if (factors.exchanged[0] > 0.0) {
    for_count(n, [&](int i) LIVENS_IN_PLACE { set(room, i, x[i]); });
    solve_in_any_order(n, factors, room);
    for_count(n, [&](int i) LIVENS_IN_PLACE { x.put(i, at(room, i)); });
  } else {
    substitute(n, fixed.pattern, factors, x);
  }
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
