#pragma once
// The order in which the unknowns of a sparse matrix are eliminated without pivoting: the cheapest next
// (Markowitz 1957), of those whose turn it may be.

#include "kernels/math/bit_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// Of a Pattern: `static constexpr int size; static constexpr bool nonzero(int i, int j), after(int i, int
/// j)`: unknown i must not be eliminated before unknown j.
template <class Pattern>
struct EliminationOrder {
  static constexpr int n = Pattern::size;
  struct Table {
    short unknown[n + 1] = {};  ///< that is eliminated in place k
    short place[n + 1] = {};    ///< of an unknown
  };
  static constexpr Table make() {
    using Bits = BitMatrix<n, n>;
    Bits row = Bits::of([](int i, int j) { return i != j && Pattern::nonzero(i, j); });
    Bits column = row.transposed();
    Bits waits = Bits::of([](int i, int j) { return i != j && Pattern::after(i, j); });
    bool done[n + 1] = {};
    Table table;
    for (int k = 0; k < n; ++k) {
      int best = -1, best_cost = 0;
      for (int v = 0; v < n; ++v) {
        if (done[v] || waits.count(v) > 0) continue;
        const int cost = row.count(v) * column.count(v);
        if (best < 0 || cost < best_cost) {
          best = v;
          best_cost = cost;
        }
      }
      done[best] = true;
      table.unknown[k] = static_cast<short>(best);
      table.place[best] = static_cast<short>(k);
      for (int i = 0; i < n; ++i) {
        waits.clear(i, best);
        row.clear(i, best);
        column.clear(i, best);
      }
      for (int i = 0; i < n; ++i) {
        if (column(best, i)) row.add(i, row, best);
        if (row(best, i)) column.add(i, column, best);
      }
      for (int i = 0; i < n; ++i) {
        row.clear(i, i);
        column.clear(i, i);
      }
    }
    return table;
  }
  static constexpr Table table = make();
};

}  // namespace livens::inline LIVENS_ISA
