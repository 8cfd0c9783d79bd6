#pragma once
// What a step computes, as lists of rows: for code that is compiled once for every instruction set, and takes
// no templates of the standard library (the linker keeps one copy of each, of whichever set).

#include <cstddef>

#include "taylor/on_both.hpp"
#include "taylor/tape.hpp"

namespace livens::taylor {

template <class Item>
struct List {
  const Item *first, *last;
};

/// An entry of a matrix that is not zero by form: sign times what the tape has in a row.
struct Entry {
  int row, column;
  int place;    ///< that row
  double sign;  ///< 1 or -1
};

/// A convolution of two rows of coefficients.
struct Product {
  int a, b;
};
/// What an entry of the right side has of a product: sign times its value.
struct Share {
  int entry, product;
  double sign;
};
/// Convolutions, and the parts of the right side that they make, entry by entry.
struct Products {
  List<Product> all;
  List<Share> shares;
};

/// Where a symmetric pattern has entries, once the columns before have filled it: below the diagonal of
/// column c in rows[below[c]], ..., rows[below[c + 1] - 1], left of that of row c likewise in
/// columns[left[c]], ...
struct Pattern {
  const int *below, *rows, *left, *columns;
};

/// Sizes, rows on the tape, and the lists of docs/equations/taylor.md, section 2.
struct Plan {
  int d, m;
  int position, velocity, multiplier, dissipated, work;  ///< first rows of the state
  List<Instruction> of_position, of_velocity;
  List<Instruction> of_violation;  ///< g, at order 0
  const int* violation;            ///< rows of g, m, or null
  List<Entry> mass, constraint;    ///< M, A
  Products changes;                ///< M_j v and A_j v, j > 0
  Products reactions;              ///< A_j^T lambda, j > 0
  List<Entry> force;               ///< Q, of one column
  const int* drift;                ///< b, m rows, or null where it is zero
  int dissipation, power;          ///< 2 R(v) + 2 alpha T; F.v
  Pattern in_order, in_any_order;  ///< (M A^T; A 0) by diagonal pivots, and by others

  /// Entries that the sums of changes take, and the right side with all sums.
  LIVENS_BOTH std::ptrdiff_t change_entries() const { return 2 * (changes.all.last - changes.all.first); }
  LIVENS_BOTH std::ptrdiff_t right_entries() const {
    return 2 * (d + m) + change_entries() + 2 * (reactions.all.last - reactions.all.first);
  }
};

}  // namespace livens::taylor
