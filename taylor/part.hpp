#pragma once
// A part of a group's lanes: as many as two registers of the instruction set have. With LIVENS_ONE_LANE it is
// one of them, that of a thread of a device: pointers are those of this lane then.

#include <cstddef>

#include "kernels/math/elementary.hpp"
#include "taylor/on_both.hpp"
#include "taylor/pair.hpp"
#include "taylor/recurrences.hpp"

namespace livens::inline LIVENS_ISA {

#if defined(LIVENS_ONE_LANE)
using Part = double;

LIVENS_HD Part load_part(const double* values) { return *values; }
#else
#if defined(__AVX512F__)
using Register = Lanes<8>;
#elif defined(__AVX2__)
using Register = Lanes<4>;
#else
using Register = double;
#endif
using Part = Pair<Register>;

LIVENS_HD Part load_part(const double* values) {
  return {load<Register>(values), load<Register>(values + lanes_of<Register>)};
}
#endif
/// Coefficient k of a row.
LIVENS_HD Part at(const double* row, int k) {
  return load_part(row + static_cast<std::ptrdiff_t>(k) * taylor::lanes);
}
LIVENS_HD void set(double* row, int k, const Part& value) {
  store(row + static_cast<std::ptrdiff_t>(k) * taylor::lanes, value);
}

/// Calls body(first lane) for each part.
template <class Body>
LIVENS_HD void for_each_part(Body&& body) {
#if defined(LIVENS_ONE_LANE)
  body(0);
#else
  for (int lane = 0; lane < taylor::lanes; lane += lanes_of<Part>) body(lane);
#endif
}

/// Adds a_j b_{k-j} over j = from, ..., to. Orders go two by two: the first also adds to `next` what is known
/// by then of the sum of the second, j = from + 1, ..., to, so that what is loaded serves twice; the second
/// adds the two ends to that.
LIVENS_HD void add_product(const double* a, const double* b, int from, int to, int k, bool first, Part& sum,
                           Part& next) {
  if (from > to) return;
  Part last = at(b, k - from);
  sum = fma(at(a, from), last, sum);
  if (!first && from < to) sum = fma(at(a, to), at(b, k - to), sum);
  for (int j = from + 1; first && j <= to; ++j) {
    const Part factor = at(a, j), other = at(b, k - j);
    sum = fma(factor, other, sum);
    next = fma(factor, last, next);
    last = other;
  }
}

/// Coefficient k of one part of the results of instructions: taylor/recurrences.cpp.
LIVENS_BOTH void run_part(const taylor::List<taylor::Instruction>& instructions, int k, double* rows,
                          std::ptrdiff_t stride);

/// taylor/linear_equations.cpp: (M A^T; A 0) of coefficient 0, and the solution for the right side x of n
/// entries, in place, with room for n more behind them. Lanes that are not regular get what comes.
LIVENS_BOTH void factor_part(const taylor::Plan& plan, const double* rows, std::ptrdiff_t stride,
                             const taylor::Factors& factors);
LIVENS_BOTH void solve_part(const taylor::Plan& plan, const taylor::Factors& factors, double* x);
/// Parts of the functions of taylor::Recurrences: taylor/orders.cpp.
LIVENS_BOTH void project_part(const taylor::Plan& plan, const taylor::Factors& factors, double* rows,
                              std::ptrdiff_t stride, double* right);
LIVENS_BOTH void expand_part(const taylor::Plan& plan, const taylor::Factors& factors, int from, int to,
                             double* rows, std::ptrdiff_t stride, double* right);
LIVENS_BOTH Part length_of_part(const taylor::Plan& plan, int order, const double* rows,
                                std::ptrdiff_t stride, const Part& step);

}  // namespace livens::inline LIVENS_ISA
