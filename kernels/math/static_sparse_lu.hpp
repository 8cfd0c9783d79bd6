#pragma once
// A x = b for matrices whose zeros are known to the compiler. A Pattern says where A may be non-zero; fill-in
// and the list of operations follow from it at compile time, and only the entries that can be non-zero are
// stored.

#include <cstdint>
#include <type_traits>

#include "kernels/math/listed_entries.hpp"
#include "kernels/math/lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Numbers the entries of a matrix of n rows: 181^2 are as many as a short can.
template <int n>
using Slot = std::conditional_t<(n <= 181), short, int>;

/// Symbolic factorization of a Pattern: `static constexpr int size; static constexpr bool nonzero(int i, int
/// j)`.
template <class Pattern>
struct Symbolic {
  static constexpr int n = Pattern::size;

  struct Table {
    Slot<n> slot[n][n] = {};  ///< where entry (i, j) is stored; -1 where it is always zero
    int count = 0;            ///< entries stored
  };
  /// Rows as sets of columns, 64 to a word: eliminating column k adds row k to every row below that has it.
  static constexpr Table make() {
    constexpr int words = (n + 63) / 64;
    std::uint64_t row[n][words] = {};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i == j || Pattern::nonzero(i, j)) row[i][j / 64] |= std::uint64_t{1} << (j % 64);
    const auto has = [&row](int i, int j) { return (row[i][j / 64] >> (j % 64) & 1) != 0; };
    for (int k = 0; k < n; ++k) {
      std::uint64_t right[words] = {};  // row k beyond the diagonal
      for (int w = k / 64; w < words; ++w) right[w] = row[k][w];
      right[k / 64] &= ~std::uint64_t{0} << (k % 64);
      for (int i = k + 1; i < n; ++i)
        if (has(i, k))
          for (int w = 0; w < words; ++w) row[i][w] |= right[w];
    }
    Table table;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        table.slot[i][j] = has(i, j) ? static_cast<Slot<n>>(table.count++) : Slot<n>(-1);
    return table;
  }
  static constexpr Table table = make();
  static constexpr int slot(int i, int j) { return table.slot[i][j]; }
  static constexpr bool stored(int i, int j) { return table.slot[i][j] >= 0; }
};

template <class Scalar, class Pattern>
struct SparseMatrix {
  template <class Other>
  using Over = SparseMatrix<Other, Pattern>;
  using Structure = Symbolic<Pattern>;
  static constexpr int size = Pattern::size, stored = Structure::table.count;
  Scalar entries[stored];

  LIVENS_HD void clear() {
    for (int e = 0; e < Structure::table.count; ++e) entries[e] = Scalar(0.0);
  }
  /// The stored entries, in whatever order.
  LIVENS_HD Scalar& value(int e) { return entries[e]; }
  LIVENS_HD const Scalar& value(int e) const { return entries[e]; }
  /// Entry (I, J), which the pattern must allow.
  template <int I, int J>
  LIVENS_HD Scalar& at() {
    static_assert(Structure::stored(I, J));
    return entries[Structure::slot(I, J)];
  }
  template <int I, int J>
  LIVENS_HD const Scalar& at() const {
    static_assert(Structure::stored(I, J));
    return entries[Structure::slot(I, J)];
  }
  /// Entry (i, j), zero where nothing is stored; not for the stepping core.
  LIVENS_HD Scalar get(int i, int j) const {
    static constexpr auto table =
        Structure::table;  // a copy: device code cannot index a static member at run time
    return table.slot[i][j] >= 0 ? entries[table.slot[i][j]] : Scalar(0.0);
  }
};

template <class Scalar, class Pattern>
LIVENS_HD Mask<Scalar> solve_unrolled(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b);
template <class Scalar, class Pattern>
LIVENS_HD_COLD Mask<Scalar> solve_listed(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b);

/// Up to this size the operations are unrolled, above it they are read from a list, unless the Pattern says
/// itself, as `unrolled`, which it is.
inline constexpr int largest_unrolled = 16;
template <class Pattern>
inline constexpr bool is_unrolled = Pattern::size <= largest_unrolled;
template <class Pattern>
requires(requires { Pattern::unrolled; }) inline constexpr bool is_unrolled<Pattern> = Pattern::unrolled;

/// A Pattern whose factors are used again, by solve_factored(): then the diagonal has reciprocals.
template <class Pattern>
inline constexpr bool keeps_reciprocals = false;
template <class Pattern>
requires(requires {
  Pattern::keeps_reciprocals;
}) inline constexpr bool keeps_reciprocals<Pattern> = Pattern::keeps_reciprocals && is_unrolled<Pattern> &&
                                                      (Pattern::size > 2);

/// The operations of a factorization and its solves as lists of slots.
template <class Pattern>
struct Operations {
  static constexpr int n = Pattern::size;
  using Structure = Symbolic<Pattern>;
  struct Counts {
    int multipliers = 0, updates = 0;
  };
  static constexpr Counts counts = [] {
    Counts c;
    for (int k = 0; k < n; ++k) {
      int right = 0;
      for (int j = k + 1; j < n; ++j) right += Structure::stored(k, j);
      for (int i = k + 1; i < n; ++i)
        if (Structure::stored(i, k)) {
          ++c.multipliers;
          c.updates += right;
        }
    }
    return c;
  }();
  struct Table {
    Slot<n> diagonal[n] = {};
    int first[n + 1] = {};                          ///< multipliers of column k: [first[k], first[k + 1])
    short row[counts.multipliers + 1] = {};         ///< i of a multiplier
    Slot<n> lower[counts.multipliers + 1] = {};     ///< its slot (i, k)
    int target_first[counts.multipliers + 1] = {};  ///< its first target
    int right_first[n + 1] = {};                    ///< entries of row k beyond the diagonal
    Slot<n> right[Structure::table.count] = {};     ///< their slots (k, j) ...
    short column[Structure::table.count] = {};      ///< ... and their j
    Slot<n> target[counts.updates + 1] = {};        ///< slots (i, j), multiplier by multiplier
    int above_first[n + 1] = {};                    ///< entries of column k above the diagonal
    Slot<n> above[Structure::table.count] = {};     ///< their slots (i, k) ...
    short above_row[Structure::table.count] = {};   ///< ... and their i
  };
  static constexpr Table make() {
    Table t;
    int multiplier = 0, right = 0, update = 0, above = 0;
    for (int k = 0; k < n; ++k) {
      t.diagonal[k] = static_cast<Slot<n>>(Structure::slot(k, k));
      t.first[k] = multiplier;
      t.right_first[k] = right;
      t.above_first[k] = above;
      for (int i = 0; i < k; ++i)
        if (Structure::stored(i, k)) {
          t.above[above] = static_cast<Slot<n>>(Structure::slot(i, k));
          t.above_row[above++] = static_cast<short>(i);
        }
      for (int j = k + 1; j < n; ++j)
        if (Structure::stored(k, j)) {
          t.right[right] = static_cast<Slot<n>>(Structure::slot(k, j));
          t.column[right++] = static_cast<short>(j);
        }
      for (int i = k + 1; i < n; ++i)
        if (Structure::stored(i, k)) {
          t.row[multiplier] = static_cast<short>(i);
          t.target_first[multiplier] = update;
          t.lower[multiplier++] = static_cast<Slot<n>>(Structure::slot(i, k));
          for (int r = t.right_first[k]; r < right; ++r)
            t.target[update++] = static_cast<Slot<n>>(Structure::slot(i, t.column[r]));
        }
    }
    t.first[n] = multiplier;
    t.right_first[n] = right;
    t.above_first[n] = above;
    return t;
  }
};

/// Their numbers as constants, which an unrolled solve has in place of functions of its own: a function for every update
/// would be most of what there is to compile.
template <class Pattern>
struct UnrolledOperations {
  static constexpr auto table = Operations<Pattern>::make();
  template <int k>
  static constexpr int diagonal = table.diagonal[k];
  template <int l>
  static constexpr int row = table.row[l];
  template <int l>
  static constexpr int lower = table.lower[l];
  template <int r>
  static constexpr int right = table.right[r];
  template <int u>
  static constexpr int target = table.target[u];
  template <int a>
  static constexpr int above = table.above[a];
  template <int a>
  static constexpr int above_row = table.above_row[a];
};

/// Two equations by Cramer's rule: one division, where elimination waits for two, one after the other. True
/// where three digits of the determinant cancel.
template <class Scalar, class Pattern>
LIVENS_HD Mask<Scalar> solve_two(const SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, 2>& b) {
  const Scalar &a00 = A.template at<0, 0>(), &a01 = A.template at<0, 1>(), &a10 = A.template at<1, 0>(),
               &a11 = A.template at<1, 1>();
  const Scalar along = a00 * a11, across = a01 * a10;
  const Scalar determinant = fnma(a01, a10, along), reciprocal = Scalar(1.0) / determinant;
  const Scalar x0 = fnma(a01, b[1], a11 * b[0]), x1 = fnma(a10, b[0], a00 * b[1]);
  b = {{x0 * reciprocal, x1 * reciprocal}};
  return !(abs(along) + abs(across) <= Scalar(growth_limit) * abs(determinant));
}

/// As solve_unpivoted for a DenseMatrix: the same chains of fma, less those whose factors are always zero;
/// but two full equations by solve_two(), which leaves A as it is.
template <class Scalar, class Pattern>
LIVENS_HD Mask<Scalar> solve_unpivoted(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  // In single precision the products may leave the range.
  constexpr bool two = Pattern::size == 2 && Symbolic<Pattern>::table.count == 4 && !is_single<Scalar>;
  if constexpr (two)
    return solve_two(A, b);
  else if constexpr (is_unrolled<Pattern>)
    return solve_unrolled(A, b);
  else
    return solve_listed(A, b);
}

template <class Scalar, class Pattern>
LIVENS_HD_COLD Mask<Scalar> solve_listed(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  constexpr int n = Pattern::size;
  static constexpr auto list = Operations<Pattern>::make();
  Scalar* const entry = A.entries;
  Vec<Scalar, n> reciprocal;
  Scalar growth = Scalar(0.0);
  const Slot<n>* target = list.target;
  for (int k = 0; k < n; ++k) {
    reciprocal[k] = Scalar(1.0) / entry[list.diagonal[k]];
    const int right_first = list.right_first[k], right_count = list.right_first[k + 1] - right_first;
    for (int l = list.first[k]; l < list.first[k + 1]; ++l) {
      const Scalar multiplier = entry[list.lower[l]] * reciprocal[k];
      growth = max(growth, abs(multiplier));
      for (int r = 0; r < right_count; ++r) {
        Scalar& updated = entry[target[r]];
        updated = fnma(multiplier, entry[list.right[right_first + r]], updated);
      }
      target += right_count;
      b[list.row[l]] = fnma(multiplier, b[k], b[list.row[l]]);
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int r = list.right_first[k + 1] - 1; r >= list.right_first[k]; --r)
      b[k] = fnma(entry[list.right[r]], b[list.column[r]], b[k]);
    b[k] = b[k] * reciprocal[k];
  }
  return !(growth <= Scalar(growth_limit));
}

/// b of the rows above less column k times b[k], which is known.
template <int k, class Scalar, class Pattern>
LIVENS_HD void take_from_above(const SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  using List = UnrolledOperations<Pattern>;
  constexpr int first = List::table.above_first[k];
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((b[List::template above_row<first + I>] =
          fnma(A.entries[List::template above<first + I>], b[k], b[List::template above_row<first + I>])),
     ...);
  }
  (std::make_integer_sequence<int, List::table.above_first[k + 1] - first>{});
}

template <class Scalar, class Pattern>
LIVENS_HD Mask<Scalar> solve_unrolled(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  constexpr int n = Pattern::size;
  using List = UnrolledOperations<Pattern>;
  Vec<Scalar, n> reciprocal;
  Scalar growth = Scalar(0.0);
  unroll<n>([&](auto k) {
    constexpr int first = List::table.first[k.value], right = List::table.right_first[k.value];
    reciprocal[k] = Scalar(1.0) / A.entries[List::template diagonal<k.value>];
    unroll<List::table.first[k.value + 1] - first>([&](auto below) {
      constexpr int l = first + below.value, target = List::table.target_first[l];
      const Scalar multiplier = A.entries[List::template lower<l>] * reciprocal[k];
      growth = max(growth, abs(multiplier));
      [&]<int... J>(std::integer_sequence<int, J...>) {
        ((A.entries[List::template target<target + J>] =
              fnma(multiplier, A.entries[List::template right<right + J>],
                   A.entries[List::template target<target + J>])),
         ...);
      }
      (std::make_integer_sequence<int, List::table.right_first[k.value + 1] - right>{});
      b[List::template row<l>] = fnma(multiplier, b[k], b[List::template row<l>]);
    });
    if constexpr (keeps_reciprocals<Pattern>) A.entries[List::template diagonal<k.value>] = reciprocal[k];
  });
  unroll<n>([&](auto reversed) {
    constexpr int k = n - 1 - reversed.value;
    b[k] = b[k] * reciprocal[k];
    take_from_above<k>(A, b);
  });
  return !(growth <= Scalar(growth_limit));
}

/// Overwrites b with the solution of A x = b, A being what solve_unpivoted() has left.
template <class Scalar, class Pattern>
LIVENS_HD void solve_factored(const SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  static_assert(keeps_reciprocals<Pattern>);
  constexpr int n = Pattern::size;
  using List = UnrolledOperations<Pattern>;
  unroll<n>([&](auto k) {
    constexpr int first = List::table.first[k.value];
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((b[List::template row<first + I>] =
            fnma(A.entries[List::template lower<first + I>] * A.entries[List::template diagonal<k.value>],
                 b[k], b[List::template row<first + I>])),
       ...);
    }
    (std::make_integer_sequence<int, List::table.first[k.value + 1] - first>{});
  });
  unroll<n>([&](auto reversed) {
    constexpr int k = n - 1 - reversed.value;
    b[k] = b[k] * A.entries[List::template diagonal<k>];
    take_from_above<k>(A, b);
  });
}

struct AllOfThem {
  constexpr bool operator()(int) const { return true; }
};

/// The factors of a symmetric A that is positive definite, so that it needs no pivoting, for several
/// right-hand sides: one unrolled solve each.
template <class Scalar, class Pattern>
class SparseFactors {
 public:
  using Vector = Vec<Scalar, Pattern::size>;

  LIVENS_HD explicit SparseFactors(const SparseMatrix<Scalar, Pattern>& A)
      : A_(A), least_pivot_(Scalar(largest_number<Scalar>)) {
    unroll<n>([&](auto k) {
      least_pivot_ = min(least_pivot_, A_.template at<k.value, k.value>());
      reciprocal_[k] = Scalar(1.0) / A_.template at<k.value, k.value>();
      for_each_entry<1, n, Below<k.value>>([&](auto, auto i) {
        Scalar& multiplier = A_.template at<i.value, k.value>();
        multiplier = multiplier * reciprocal_[k];
        for_each_entry<1, n, Right<k.value>>([&](auto, auto j) {
          A_.template at<i.value, j.value>() =
              fnma(multiplier, A_.template at<k.value, j.value>(), A_.template at<i.value, j.value>());
        });
      });
    });
  }
  /// A is positive definite: where it is not, solve() must not be used.
  LIVENS_HD Mask<Scalar> positive_definite() const { return least_pivot_ > Scalar(0.0); }
  /// A^-1 b.
  LIVENS_HD Vector solve(Vector b) const {
    solve_among<AllOfThem>(b);
    return b;
  }
  /// Overwrites b with A^-1 b, of which the entries i are wanted for which Among{}(i): A couples them with no others.
  template <class Among>
  LIVENS_HD void solve_among(Vector& b) const {
    for_each_entry<n, n, Forward<Among>>(
        [&](auto k, auto i) { b[i] = fnma(A_.template at<i.value, k.value>(), b[k], b[i]); });
    for_each_entry<n, n + 1, Backward<Among>>([&](auto reversed, auto j) {
      constexpr int k = n - 1 - reversed.value;
      if constexpr (j.value < n)
        b[k] = fnma(A_.template at<k, j.value>(), b[j], b[k]);
      else
        b[k] = b[k] * reciprocal_[k];
    });
  }

 private:
  static constexpr int n = Pattern::size;
  using Structure = Symbolic<Pattern>;

  /// The rows below the diagonal that column K is stored in, and the columns beyond it that row K is.
  template <int K>
  struct Below {
    constexpr bool operator()(int, int i) const { return i > K && Structure::stored(i, K); }
  };
  template <int K>
  struct Right {
    constexpr bool operator()(int, int j) const { return j > K && Structure::stored(K, j); }
  };
  /// Updates of b, column by column; then row by row from the last, with the division at the end of each.
  template <class Among>
  struct Forward {
    constexpr bool operator()(int k, int i) const { return i > k && Among{}(k) && Structure::stored(i, k); }
  };
  template <class Among>
  struct Backward {
    constexpr bool operator()(int reversed, int j) const {
      const int k = n - 1 - reversed;
      return Among{}(k) && (j == n || (j > k && Structure::stored(k, j)));
    }
  };

  SparseMatrix<Scalar, Pattern> A_;
  Vec<Scalar, n> reciprocal_;
  Scalar least_pivot_;
};

}  // namespace livens::inline LIVENS_ISA
