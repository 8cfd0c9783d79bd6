#pragma once
// A sparse matrix whose unknowns are eliminated in the cheapest order (elimination_order.hpp), and stand in
// their own everywhere else.

#include "kernels/math/elimination_order.hpp"
#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar, class Unordered>
struct OrderedMatrix {
  template <class Other>
  using Over = OrderedMatrix<Other, Unordered>;
  static constexpr int size = Unordered::size;
  using Order = EliminationOrder<Unordered>;
  struct Pattern {
    static constexpr int size = Unordered::size;
    static constexpr bool keeps_reciprocals = requires { requires Unordered::keeps_reciprocals; };
    static constexpr bool nonzero(int row, int column) {
      return Unordered::nonzero(Order::table.unknown[row], Order::table.unknown[column]);
    }
  };
  using Ordered = SparseMatrix<Scalar, Pattern>;
  static constexpr int stored = Ordered::stored;
  Ordered ordered;

  LIVENS_HD void clear() { ordered.clear(); }
  LIVENS_HD Scalar& value(int e) { return ordered.value(e); }
  LIVENS_HD const Scalar& value(int e) const { return ordered.value(e); }
  /// Entry (i, j), which the pattern must allow.
  LIVENS_HD Scalar& at(int i, int j) {
    static constexpr auto order = Order::table;
    static constexpr auto structure = Symbolic<Pattern>::table;
    return ordered.entries[structure.slot[order.place[i]][order.place[j]]];
  }
  /// Any entry; not for the stepping core.
  LIVENS_HD Scalar get(int i, int j) const {
    static constexpr auto order = Order::table;
    return ordered.get(order.place[i], order.place[j]);
  }

  /// b in the order of elimination, and back.
  template <class Number>
  static LIVENS_HD Vec<Number, size> into_order(const Vec<Number, size>& b) {
    Vec<Number, size> r;
    unroll<size>([&](auto k) {
      constexpr int i = Order::table.unknown[k.value];
      r[k] = b[i];
    });
    return r;
  }
  template <class Number>
  static LIVENS_HD Vec<Number, size> out_of_order(const Vec<Number, size>& b) {
    Vec<Number, size> r;
    unroll<size>([&](auto i) {
      constexpr int k = Order::table.place[i.value];
      r[i] = b[k];
    });
    return r;
  }
};

template <class Scalar, class Unordered>
LIVENS_HD Mask<Scalar> solve_unpivoted(OrderedMatrix<Scalar, Unordered>& A, Vec<Scalar, Unordered::size>& b) {
  auto ordered = A.into_order(b);
  const Mask<Scalar> grown = solve_unpivoted(A.ordered, ordered);
  b = A.out_of_order(ordered);
  return grown;
}
template <class Scalar, class Unordered>
LIVENS_HD void solve_factored(const OrderedMatrix<Scalar, Unordered>& A, Vec<Scalar, Unordered::size>& b) {
  auto ordered = A.into_order(b);
  solve_factored(A.ordered, ordered);
  b = A.out_of_order(ordered);
}

}  // namespace livens::inline LIVENS_ISA
