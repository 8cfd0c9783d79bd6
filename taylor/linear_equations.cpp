// (M A^T; A 0) x = b for the lanes of a part. Compiled once for every instruction set.
// M is positive definite for most texts, and what is left of the zero block is then negative definite, so
// that the diagonal has good pivots and what is zero by form can be left out. Where a lane has none, rows
// change places in that lane, and nothing is left out for its part; its neighbours compute the same numbers,
// but for signs of zeros, which the scaling of the solution takes away.

#include <limits>

#include "taylor/part.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using taylor::Entry;
using taylor::Factors;
using taylor::Pattern;
using taylor::Plan;

/// How much smaller than the largest entry of its column a diagonal one may be.
constexpr double weakest = 0.125;
constexpr double least_normal = std::numeric_limits<double>::min(),
                 greatest = std::numeric_limits<double>::max();

/// A power of two near x^-1/2: no product with it rounds. 1 for what is no normal number above zero.
LIVENS_HD Part scale_of(const Part& x) {
  const Mask<Part> normal = (x >= Part(least_normal)) & (x <= Part(greatest));
  return two_to(-rint(Part(0.5) * exponent_of(select(normal, x, Part(1.0)))));
}

class Matrix {
 public:
  LIVENS_HD Matrix(double* entries, int n) : entries_(entries), n_(n) {}
  LIVENS_HD double* row(int i) const {
    return entries_ + static_cast<std::ptrdiff_t>(i) * n_ * taylor::lanes;
  }
  LIVENS_HD Part operator()(int i, int j) const { return at(row(i), j); }
  LIVENS_HD void put(int i, int j, const Part& value) const { set(row(i), j, value); }

 private:
  double* entries_;
  int n_;
};

/// Of the entries that an elimination along the pattern reads.
LIVENS_BOTH void fill(const Plan& plan, const Pattern& pattern, const double* rows, std::ptrdiff_t stride,
                      const Factors& factors) {
  const int d = plan.d, n = d + plan.m;
  const Matrix matrix(factors.matrix, n);
  double* const s = factors.scale;
  const auto value = [&](const Entry* e) { return Part(e->sign) * at(rows + e->place * stride, 0); };
  for (int i = 0; i < n; ++i) {
    set(s, i, Part(0.0));
    matrix.put(i, i, Part(0.0));
    for (int e = pattern.below[i]; e < pattern.below[i + 1]; ++e) {
      matrix.put(i, pattern.rows[e], Part(0.0));
      matrix.put(pattern.rows[e], i, Part(0.0));
    }
  }
  for (const Entry* e = plan.mass.first; e != plan.mass.last; ++e)
    if (e->row == e->column) set(s, e->row, value(e));
  for (int i = 0; i < d; ++i) set(s, i, scale_of(at(s, i)));
  for (const Entry* e = plan.constraint.first; e != plan.constraint.last; ++e) {
    const Part part = value(e) * at(s, e->column);
    set(s, d + e->row, fma(part, part, at(s, d + e->row)));
  }
  for (int i = d; i < n; ++i) set(s, i, scale_of(at(s, i)));
  const auto put = [&](const Entry* e, int i, int j) { matrix.put(i, j, value(e) * at(s, i) * at(s, j)); };
  for (const Entry* e = plan.mass.first; e != plan.mass.last; ++e) put(e, e->row, e->column);
  for (const Entry* e = plan.constraint.first; e != plan.constraint.last; ++e) {
    put(e, d + e->row, e->column);
    put(e, e->column, d + e->row);
  }
}

/// Brings the largest entry of column c, from row c on, to row c where `poor`.
LIVENS_BOTH void exchange(const Matrix& matrix, int n, int c, const Mask<Part>& poor,
                          const Factors& factors) {
  Part best(static_cast<double>(c)), largest = abs(matrix(c, c));
  for (int i = c + 1; i < n; ++i) {
    const Part size = abs(matrix(i, c));
    best = select(poor & (size > largest), Part(static_cast<double>(i)), best);
    largest = max(size, largest);
  }
  set(factors.pivots, c, best);
  for (int i = c + 1; i < n; ++i) {
    const Mask<Part> here = best == Part(static_cast<double>(i));
    if (!any(here)) continue;
    for (int j = 0; j < n; ++j) {
      const Part upper = matrix(c, j), lower = matrix(i, j);
      matrix.put(c, j, select(here, lower, upper));
      matrix.put(i, j, select(here, upper, lower));
    }
  }
}

/// False where a lane has no good pivot on the diagonal and rows may not change places.
LIVENS_BOTH bool eliminate(int n, const Pattern& pattern, bool may_exchange, const Factors& factors) {
  const Matrix matrix(factors.matrix, n);
  Part regular(1.0);
  for (int c = 0; c < n; ++c) {
    const int *const first = pattern.rows + pattern.below[c], *const last =
                                                                  pattern.rows + pattern.below[c + 1];
    Part largest(0.0);
    for (const int* i = first; i != last; ++i) largest = max(abs(matrix(*i, c)), largest);
    set(factors.pivots, c, Part(static_cast<double>(c)));
    const Mask<Part> poor = abs(matrix(c, c)) < Part(weakest) * largest;
    if (any(poor)) {
      if (!may_exchange) return false;
      exchange(matrix, n, c, poor, factors);
    }
    regular = select(abs(matrix(c, c)) > Part(n * 0x1p-52), regular, Part(0.0));
    const Part reciprocal = Part(1.0) / matrix(c, c);
    matrix.put(c, c, reciprocal);
    for (const int* i = first; i != last; ++i) {
      const Part ratio = matrix(*i, c) * reciprocal;
      matrix.put(*i, c, ratio);
      for (const int* j = first; j != last; ++j)
        matrix.put(*i, *j, fnma(ratio, matrix(c, *j), matrix(*i, *j)));
    }
  }
  set(factors.regular, 0, regular);
  set(factors.exchanged, 0, Part(may_exchange ? 1.0 : 0.0));
  return true;
}

}  // namespace

LIVENS_BOTH void factor_part(const Plan& plan, const double* rows, std::ptrdiff_t stride,
                             const Factors& factors) {
  const int n = plan.d + plan.m;
  fill(plan, plan.in_order, rows, stride, factors);
  if (eliminate(n, plan.in_order, false, factors)) return;
  fill(plan, plan.in_any_order, rows, stride, factors);
  eliminate(n, plan.in_any_order, true, factors);
}

LIVENS_BOTH void solve_part(const Plan& plan, const Factors& factors, double* x) {
  const int n = plan.d + plan.m;
  const Matrix matrix(factors.matrix, n);
  const bool exchanged = factors.exchanged[0] > 0.0;
  const Pattern& pattern = exchanged ? plan.in_any_order : plan.in_order;
  double* const y = x + static_cast<std::ptrdiff_t>(n) * taylor::lanes;  // of the scaled equations
  const auto right = [&](int i) { return at(x, i) * at(factors.scale, i); };
  for (int i = 0; i < n && exchanged; ++i) set(y, i, right(i));
  for (int c = 0; c < n && exchanged; ++c)
    for (int i = c + 1; i < n; ++i) {
      const Mask<Part> here = at(factors.pivots, c) == Part(static_cast<double>(i));
      if (!any(here)) continue;
      const Part upper = at(y, c), lower = at(y, i);
      set(y, c, select(here, lower, upper));
      set(y, i, select(here, upper, lower));
    }
  for (int i = 0; i < n; ++i) {
    Part sum = exchanged ? at(y, i) : right(i);
    for (int e = pattern.left[i]; e < pattern.left[i + 1]; ++e)
      sum = fnma(matrix(i, pattern.columns[e]), at(y, pattern.columns[e]), sum);
    set(y, i, sum);
  }
  for (int i = n - 1; i >= 0; --i) {
    Part sum = at(y, i);
    for (int e = pattern.below[i]; e < pattern.below[i + 1]; ++e)
      sum = fnma(matrix(i, pattern.rows[e]), at(y, pattern.rows[e]), sum);
    sum = sum * matrix(i, i);
    set(y, i, sum);
    set(x, i, fma(sum, at(factors.scale, i), Part(0.0)));
  }
}

}  // namespace livens::inline LIVENS_ISA
