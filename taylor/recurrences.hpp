#pragma once
// Truncated power series of a group of instances: the recurrence of every operation (Griewank and Walther,
// Evaluating Derivatives, 2nd ed., chapter 13; Jorba and Zou, Experimental Mathematics 14 (2005), section 2),
// the orders of a motion, and what else of a step is done for all instances at once. Compiled for every
// instruction set; the bits are the same, since fusion is written out and nothing depends on the neighbours
// in a register.
//
// A row is coefficients 0, 1, ..., each `lanes` doubles; `stride` is the doubles from row to row.

#include <cstddef>
#include <string_view>

#include "taylor/plan.hpp"

namespace livens::taylor {

/// (M A^T; A 0) of d + m = n unknowns, scaled by powers of two and factorized: every entry `lanes` doubles.
struct Factors {
  double* matrix;     ///< n x n, row by row: L, and U with the reciprocals of its diagonal
  double* scale;      ///< n
  double* pivots;     ///< n: the row that took the place of each
  double* exchanged;  ///< 1: rows changed places, in this lane or in one that is computed with it
  double* regular;    ///< 0: a pivot is below n 2^-52 in size
};

struct Recurrences {
  /// Coefficient k of the result of each instruction, from coefficients 0..k of its operands and 0..k-1 of
  /// its own.
  void (*run)(const List<Instruction>& instructions, int k, double* rows, std::ptrdiff_t stride);

  /// Brings coefficients 0 of q and v onto the constraints and leaves the factors of the matrix there, with
  /// M_ii and the rows of A M^-1/2 scaled to sizes near 1. `right`: n entries of room.
  void (*project)(const Plan& plan, const Factors& factors, double* rows, std::ptrdiff_t stride,
                  double* right);

  /// For k = from, ..., to - 1: from coefficients 0..k of q, v and 0..k-1 of lambda to k + 1 and k.
  void (*expand)(const Plan& plan, const Factors& factors, int from, int to, double* rows,
                 std::ptrdiff_t stride, double* right);

  /// Jorba and Zou 2005, section 3.2: the length of a step of a series of this order, s. `step`: that of a
  /// motion that is a polynomial.
  void (*length)(const Plan& plan, int order, const double* rows, std::ptrdiff_t stride, const double* step,
                 double* length);

  /// The polynomials of degree `order` of `count` rows at tau, `lanes` doubles each.
  void (*value)(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
                double* values);
  /// Their derivatives.
  void (*slope)(const double* rows, std::ptrdiff_t stride, int count, int order, const double* tau,
                double* values);

  /// Copies coefficients of lanes where `active` is 1; `sum` gets the sum of those given, of every lane.
  void (*keep)(const double* from, std::ptrdiff_t count, const double* active, double* to, double* sum);
};

/// Those compiled for an instruction set ("plain", "avx2", "avx512"), or null; plain ones are always there.
const Recurrences* recurrences(std::string_view instruction_set);

}  // namespace livens::taylor
