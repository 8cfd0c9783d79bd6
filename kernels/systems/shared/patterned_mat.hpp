#pragma once
// The derivatives of a mechanism's rows: matrices with a few entries in each row.

#include "kernels/systems/shared/entries.hpp"

namespace livens::inline LIVENS_ISA {

/// Of a matrix the entries that may be non-zero, row by row: those for which `static constexpr bool
/// Pattern::nonzero(int i, int j)` holds. The others read as zero.
template <class Scalar, int Rows, int Columns, class Pattern>
struct PatternedMat {
  struct Declared {
    constexpr bool operator()(int i, int j) const { return Pattern::nonzero(i, j); }
  };
  using List = Entries<Rows, Columns, Declared>;
  static constexpr int stored = List::count;
  Scalar data[stored > 0 ? stored : 1];

  static constexpr bool nonzero(int i, int j) { return Pattern::nonzero(i, j); }
  LIVENS_HD Scalar operator()(int i, int j) const {
    static constexpr auto slots = places();
    const int slot = slots.of[i][j];
    return slot < 0 ? Scalar(0.0) : data[slot];
  }
  /// Calls body(i, j, entry) for what is stored, row by row.
  template <class Body>
  LIVENS_HD void for_each(Body&& body) const {
    constexpr int most_unrolled = 32;
    if constexpr (stored <= most_unrolled) {
      unroll<stored>([&](auto n) {
        constexpr int i = List::table.row[n.value], j = List::table.column[n.value];
        body(i, j, data[n]);
      });
    } else {
      static constexpr auto list = List::table;
      for (int n = 0; n < stored; ++n) body(list.row[n], list.column[n], data[n]);
    }
  }

 private:
  struct Places {
    short of[Rows][Columns] = {};
  };
  static constexpr Places places() {
    Places r;
    short next = 0;
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) r.of[i][j] = Pattern::nonzero(i, j) ? next++ : short(-1);
    return r;
  }
};

}  // namespace livens::inline LIVENS_ISA
