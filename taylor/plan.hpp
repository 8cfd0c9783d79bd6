#pragma once
// What a step computes, as lists of rows: for code that is compiled once for every instruction set, and takes
// no templates of the standard library (the linker keeps one copy of each, of whichever set).

#include "taylor/tape.hpp"

namespace livens::taylor {

template <class Item>
struct List {
  const Item *first, *last;
};

/// An entry of M or A that is not zero by form.
struct Entry {
  int row, column;
  int place;   ///< row of its coefficients on the tape
  bool moves;  ///< it is no constant
};

/// The convolution of two rows of coefficients, as a part of an entry of the right side.
struct Product {
  int a, b, entry;
};

/// Where a symmetric pattern has entries below the diagonal of column c, once the columns before have filled
/// it: rows[begin[c]], ..., rows[begin[c + 1] - 1].
struct Pattern {
  const int *begin, *rows;
};

/// Sizes, rows on the tape, and the lists of docs/equations/taylor.md, section 2.
struct Plan {
  int d, m;
  int position, velocity, multiplier, dissipated, work;  ///< first rows of the state
  List<Instruction> of_position, of_velocity;
  List<Instruction> of_violation;  ///< g, at order 0
  const int* violation;            ///< rows of g, m, or null
  List<Entry> mass, constraint;    ///< M, A
  List<Product> changes;           ///< M_j v and A_j v, j > 0
  List<Product> reactions;         ///< A_j^T lambda, j > 0
  const int *force, *drift;        ///< Q, d rows; b, m rows, or null where it is zero
  int dissipation, power;          ///< 2 R(v) + 2 alpha T; F.v
  Pattern in_order, in_any_order;  ///< (M A^T; A 0) by diagonal pivots, and by others
};

}  // namespace livens::taylor
