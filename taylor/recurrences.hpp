#pragma once
// Truncated power series of a group of instances: the recurrence of every operation (Griewank and Walther,
// Evaluating Derivatives, 2nd ed., chapter 13; Jorba and Zou, Experimental Mathematics 14 (2005), section 2),
// and what else of a step is done for all instances at once. Compiled for every instruction set; the bits are
// the same, since nothing is fused and nothing depends on the neighbours in a register.
//
// A row is coefficients 0, 1, ..., each `lanes` doubles.

#include <cstddef>
#include <string_view>

#include "taylor/tape.hpp"

namespace livens::taylor {

struct Recurrences {
  /// Coefficient k of the result of each instruction, from coefficients 0..k of its operands and 0..k-1 of
  /// its own. `stride`: doubles from row to row.
  void (*run)(const Instruction* instructions, std::size_t count, int k, double* rows, std::ptrdiff_t stride);

  /// sum += a_j b_{k-j} over j = from, ..., k.
  void (*convolve)(const double* a, const double* b, int from, int k, double* sum);

  /// The polynomials of degree `order` of `count` rows at tau, `lanes` doubles each.
  void (*value)(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
                double* values);
  /// Their derivatives.
  void (*slope)(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
                double* values);

  /// LU with partial pivoting of n x n matrices, row by row, each entry `lanes` doubles: in place, `pivots`
  /// n rows of `lanes`. regular[lane]: no pivot is below n 2^-52 in size.
  void (*factor)(int n, double* matrix, int* pivots, bool* regular);
  /// The solutions for the right sides x, in place. Lanes that are not regular get what comes.
  void (*solve)(int n, const double* matrix, const int* pivots, double* x);
};

/// Those compiled for an instruction set ("plain", "avx2", "avx512"), or null; plain ones are always there.
const Recurrences* recurrences(std::string_view instruction_set);

}  // namespace livens::taylor
