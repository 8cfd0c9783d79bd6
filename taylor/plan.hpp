#pragma once
// What a step computes, as lists of rows: for code that is compiled once for every instruction set, and takes
// no templates of the standard library (the linker keeps one copy of each, of whichever set).

#include <cstddef>

#include "expressions/operation.hpp"
#include "taylor/on_both.hpp"

namespace livens::taylor {

using expressions::Op;

/// Instances that are computed side by side: a register of AVX-512 has as many, and a place of a row is a line
/// of a cache.
inline constexpr int lanes = 8;

/// One operation. `partner` is the row of what has to be known beside the result: the cosine of a sine,
/// 1 - tanh^2 of a tanh, what the slope of an inverse function divides by. What does not move has no coefficients
/// but the first. Of an inverse power `b` is no row: its exponent is -b/2.
struct Instruction {
  Op op;
  bool moves_a, moves_b;
  int a, b, to, partner;
  int alike = 1;  ///< 4, 2: so many from here on are of one kind, and none takes another's result

  /// Most are of these few kinds.
  LIVENS_BOTH constexpr bool may_be_alike() const {
    return (op >= Op::add && op <= Op::divide) || op == Op::sqrt || op == Op::inverse_power;
  }
};

/// Places of a row of coefficients of a motion: those of the highest order, 28 for a tolerance of 1e-16, and
/// one more, which recurrences use.
inline constexpr int highest_order = 28, row_length = highest_order + 2;

/// In place of the row of what is zero.
inline constexpr int no_row = -1;

template <class Item>
struct List {
  const Item *first, *last;
  LIVENS_BOTH const Item& operator[](int i) const { return first[i]; }
};
template <class Item>
LIVENS_BOTH int length_of(const List<Item>& list) {
  return static_cast<int>(list.last - list.first);
}

/// Those of group g are of[begin[g]], ..., of[begin[g + 1] - 1].
template <class Item>
struct Groups {
  const int* begin;
  const Item* of;
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
  int product;
  double sign;
};
/// Convolutions, and the parts that the entries of the right side have of them.
struct Products {
  List<Product> all;
  Groups<Share> shares;
};

/// Where a symmetric pattern has entries, once the columns before have filled it: by column the rows below
/// the diagonal, by row the columns left of it.
struct Pattern {
  Groups<int> below, left;
};

/// Sizes, rows on the tape, and the lists of docs/equations/taylor.md, section 2.
struct Plan {
  int d, m;
  int position, velocity, multiplier, dissipated, work;  ///< first rows of the state
  List<Instruction> of_position, of_velocity;
  List<Instruction> of_violation;  ///< g, at order 0
  List<int> violation;             ///< rows of g, m, or none
  List<Entry> mass, constraint;    ///< M, A
  Products changes;                ///< M_j v and A_j v, j > 0
  Products reactions;              ///< A_j^T lambda, j > 0
  List<Entry> force;               ///< Q, of one column
  List<int> drift;                 ///< rows of b, m, or none where it is zero
  int dissipation, power;          ///< rows of 2 R(v) + 2 alpha T, of F.v; no_row
  Pattern pattern;                 ///< of (M A^T; A 0)

  /// Entries of room that an order takes: a right side, twice, and sums of products with what is known of the
  /// next.
  LIVENS_BOTH std::ptrdiff_t room_entries() const {
    return 2 * (d + m + length_of(changes.all) + length_of(reactions.all));
  }
};

}  // namespace livens::taylor
