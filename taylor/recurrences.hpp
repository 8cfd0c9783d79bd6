#pragma once
// Truncated power series of a group of instances: the recurrence of every operation (Griewank and Walther,
// Evaluating Derivatives, 2nd ed., chapter 13; Jorba and Zou, Experimental Mathematics 14 (2005), section 2),
// the orders of a motion, and what else of a step is done for all instances at once. Compiled for every
// instruction set; the bits are the same, since fusion is written out and nothing depends on the neighbours
// in a register.
//
// A row is coefficients 0, 1, ..., each `lanes` doubles; `length` is the places of a row, row_length where
// nothing is said.

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

/// Sums, which are finite where all terms are: of q and v at the end of a series, of the acceleration there.
/// Then largest sizes: of the difference between that acceleration and the slope of v, of these two, of v and
/// of q.
enum Arrival {
  state_sum,
  acceleration_sum,
  mismatch_size,
  acceleration_size,
  velocity_size,
  position_size,
  arrival_entries
};

struct Recurrences {
  /// Coefficient k of the result of each instruction, from coefficients 0..k of its operands and 0..k-1 of
  /// its own; with k > 0 there is a place more behind them.
  void (*run)(const List<Instruction>& instructions, int k, double* rows, int length);

  /// Brings coefficients 0 of q and v onto the constraints and leaves the factors of the matrix there, with
  /// M_ii and the rows of A M^-1/2 scaled to sizes near 1. `room`: Plan::room_entries().
  void (*project)(const Plan& plan, const Factors& factors, double* rows, double* room);

  /// For k = from, ..., to - 1: from coefficients 0..k of q, v and 0..k-1 of lambda to k + 1 and k.
  void (*expand)(const Plan& plan, const Factors& factors, int from, int to, double* rows, double* room);

  /// Jorba and Zou 2005, section 3.2: the length of a step of a series of this order, s. `step`: that of a
  /// motion that is a polynomial.
  void (*length)(const Plan& plan, int order, const double* rows, const double* step, double* length);

  /// The polynomials of degree `order` of the first `count` rows at tau, `lanes` doubles each.
  void (*value)(const double* rows, int count, int order, const double* tau, double* values);

  /// What says whether a step of the length tau has ended where its series led: the Arrival of every lane.
  /// `series`: that of the step; `state`: its values at tau; `rows`: of the motion, expanded to order 1 from
  /// there.
  void (*arrival)(const Plan& plan, int order, const double* series, const double* tau, const double* state,
                  const double* rows, double* found);

  /// Copies the first `count` rows, up to this order, in lanes where `copied` is 1.
  void (*keep)(const double* rows, int count, int order, const double* copied, double* to);
};

/// Functions of the same names that are written out for one plan (taylor/fixed_series.hpp): they give the
/// same bits.
struct FixedSeries {
  decltype(Recurrences::project) project;
  decltype(Recurrences::expand) expand;
};

/// Those compiled for an instruction set ("plain", "avx2", "avx512"), or null; plain ones are always there.
const Recurrences* recurrences(std::string_view instruction_set);

}  // namespace livens::taylor
