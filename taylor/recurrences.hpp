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
#include <cstdint>
#include <string_view>

#include "taylor/plan.hpp"

namespace livens::taylor {

/// (M A^T; A 0) of d + m = n unknowns, factorized: every entry `lanes` doubles.
struct Factors {
  double* matrix;     ///< n x n, row by row: L, and U with the reciprocals of its diagonal
  double* scale;      ///< n powers of two: with rows and columns times these, sizes are near 1
  double* row_scale;  ///< the same of the rows in the order of the pivots, where rows changed places
  double* pivots;     ///< n: the row that took the place of each
  double* exchanged;  ///< 1: rows changed places, in this lane or in one that is computed with it
  double* regular;    ///< 0: a pivot is below n 2^-52 in scale
};

/// Why a lane cannot go on.
enum class Obstacle : std::uint8_t {
  none,
  singular,    ///< (M A^T; A 0) has no inverse in double precision
  not_finite,  ///< a value is not
  unresolved   ///< no step, or none of a length that leads on, ends with the acceleration that is there
};

/// What a series has beside its coefficients, `lanes` doubles each: start and length of the step, the length
/// that was proposed, the steps in a row that became shorter than that.
enum SeriesEntry { start_entry, length_entry, proposed_entry, halved_entry, series_header };

/// Steps in a row that are halved before a lane counts as stuck. A kink takes some fifty.
inline constexpr int most_halved_steps = 1000;

struct Recurrences {
  /// Coefficient k of the result of each instruction, from coefficients 0..k of its operands and 0..k-1 of
  /// its own; with k > 0 there is a place more behind them.
  void (*run)(const List<Instruction>& instructions, int k, double* rows, int length);

  /// Brings coefficients 0 of q and v onto the constraints and leaves the factors of the matrix there.
  /// `room`: Plan::room_entries().
  void (*project)(const Plan& plan, const Factors& factors, double* rows, double* room);

  /// For k = from, ..., to - 1: from coefficients 0..k of q, v and 0..k-1 of lambda to k + 1 and k.
  void (*expand)(const Plan& plan, const Factors& factors, int from, int to, double* rows, double* room);

  /// The polynomials of degree `order` of the first `count` rows at tau, `lanes` doubles each.
  void (*value)(const double* rows, int count, int order, const double* tau, double* values);

  /// The same of q and v, and the slope of v.
  void (*end)(const Plan& plan, int order, const double* series, const double* tau, double* state,
              double* slope);

  /// The Obstacle of every lane at the end of its step, as a number. `header`: SeriesEntry; `state`, `slope`:
  /// where the series led; `rows`: of the motion, expanded to order 1 from there.
  void (*arrival)(const Plan& plan, double tolerance, const double* header, const double* state,
                  const double* slope, const Factors& factors, const double* rows, double* obstacle);

  /// In lanes that are `active`, which is 1 or 0, and not stuck: `rows` are a series that begins at their time,
  /// row `time`, and whose length Jorba and Zou 2005, section 3.2, give. Then `left` is 0, else 1. `step`: the
  /// length for a motion that is a polynomial.
  void (*begin)(const Plan& plan, int order, double part_of_radius, int time, const double* rows,
                const double* step, const double* active, double* header, double* obstacle, double* left);

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
