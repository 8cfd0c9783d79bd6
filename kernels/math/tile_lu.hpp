#pragma once
// The Newton matrices of the 32 instances of a warp, eliminated one after the other by all its threads: each
// thread has set up the matrix of its own instance, which is too large for its registers (from 10 unknowns
// on). The matrices are copied to shared memory, as many at a time as fit. Up to 16 unknowns two tiles of 16
// lanes work side by side, up to 32 one of 32: lane r keeps row r in registers, and the pivot row goes round.
// Above that the lanes share out the operations on the entries that are not zero (warp_sparse_lu.hpp).
//
// The same chains of fma as solve_unpivoted() by one thread, the same reciprocals, the same flag: the same
// bits. Nobody touches an entry that is always zero.

#include "kernels/math/warp_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Unknowns up to which a thread keeps the matrix to itself, in registers.
inline constexpr int largest_in_thread = 9;
template <class Scalar, int N>
concept SharedOut = InWarp<Scalar> && N > largest_in_thread;
/// Bytes of matrices that a warp holds in shared memory: with 255 registers a thread there is room for eight
/// warps on a multiprocessor, and 227 KB.
inline constexpr int staged_bytes = 24 * 1024;

/// Elimination of matrices with at most 32 rows, a row to a lane.
template <class Scalar, class Pattern>
class RowTile {
 public:
  using Structure = Symbolic<Pattern>;
  static constexpr int n = Pattern::size, entries = Structure::table.count;
  static constexpr int lanes = n <= warp_size / 2 ? warp_size / 2 : warp_size;
  static constexpr int side_by_side = warp_size / lanes;
  static constexpr int pairs = (n + 2) / 2;  ///< of what a lane publishes
  static constexpr int work_size = 4 * side_by_side * pairs + Growth<Scalar>::memory;
  static constexpr int seat_size = (entries + n + 1) | 1;  ///< odd: neighbours in different banks

  /// Solves the systems of the seats [0, taken).
  static LIVENS_HD void solve(double* work, double* seats, int taken) {
    for (int first = 0; first < taken; first += side_by_side) RowTile(work, seats, first, taken).solve();
  }

 private:
  /// Two doubles, read as one.
  struct alignas(16) Pair {
    double first, second;
  };
  /// Rows as sets of columns, and where a row's first entry is stored.
  struct Rows {
    std::uint32_t columns[warp_size] = {};
    short first[warp_size] = {};
  };
  static constexpr Rows make_rows() {
    Rows rows;
    for (int i = 0; i < n; ++i)
      for (int j = n - 1; j >= 0; --j)
        if (Structure::stored(i, j)) {
          rows.columns[i] |= std::uint32_t{1} << j;
          rows.first[i] = static_cast<short>(Structure::slot(i, j));
        }
    return rows;
  }
  /// Rows beyond the diagonal that have column k, and rows before it.
  static constexpr std::uint32_t below(int k) {
    std::uint32_t rows = 0;
    for (int i = k + 1; i < n; ++i) rows |= std::uint32_t{Structure::stored(i, k)} << i;
    return rows;
  }
  static constexpr std::uint32_t above(int k) {
    std::uint32_t rows = 0;
    for (int i = 0; i < k; ++i) rows |= std::uint32_t{Structure::stored(i, k)} << i;
    return rows;
  }
  /// What lane k publishes, two to a pair: 1/a_kk, b_k, then the entries (k, j) beyond the diagonal; the j of
  /// one of them, -1 where there is none.
  static constexpr int published(int k) {
    int count = 2;
    for (int j = k + 1; j < n; ++j) count += Structure::stored(k, j);
    return count;
  }
  static constexpr int column(int k, int place) {
    int at = 2;
    for (int j = k + 1; j < n; ++j)
      if (Structure::stored(k, j) && at++ == place) return j;
    return -1;
  }
  static constexpr int last_multiplier() {
    int last = -1;
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i)
        if (Structure::stored(i, k)) last = k * n + i;
    return last;
  }

  LIVENS_HD RowTile(double* work, double* seats, int first, int taken)
      : pivots_(reinterpret_cast<Pair*>(work)),
        verdict_(work + 4 * side_by_side * pairs),
        seats_(seats),
        first_(first),
        taken_(taken) {}

  /// The row of a lane; one that no matrix has where the tile has nothing to do.
  LIVENS_HD int row_of(int l) const {
    return side_by_side == 1 || first_ + l / lanes < taken_ ? l % lanes : warp_size - 1;
  }
  LIVENS_HD double* seat_of(int l) const { return seats_ + (first_ + l / lanes) * seat_size; }
  /// Two buffers in turns: in one phase row k is read and row k + 1 written.
  LIVENS_HD Pair* pivot_row(int l, int k) const {
    return pivots_ + (k % 2 * side_by_side + l / lanes) * pairs;
  }

  LIVENS_HD void solve() {
    Scalar::each_lane([&](int l) {
      load(l);
      if (row_of(l) == 0) publish<0>(l);
    });
    unroll<n - 1>([&](auto k) {
      Scalar::each_lane([&](int l) {
        if (below(k.value) >> row_of(l) & 1) subtract<k.value>(l);
        if (row_of(l) == k.value + 1) publish<k.value + 1>(l);
      });
    });
    unroll<n>([&](auto reversed) {
      constexpr int k = n - 1 - reversed.value;
      Scalar::each_lane([&](int l) {
        double* const x = seat_of(l) + entries;
        if constexpr (k + 1 < n)
          if (above(k + 1) >> row_of(l) & 1)
            set_lane(b_, l, fnma(lane(row_[k + 1], l), x[k + 1], lane(b_, l)));
        if (row_of(l) == k) x[k] = lane(b_, l) * lane(reciprocal_, l);
      });
    });
    const Scalar raised = growth_.template raised<lanes>(verdict_, last_multiplier());
    Scalar::each_lane([&](int l) {
      if (row_of(l) == 0) seat_of(l)[entries + n] = lane(raised, l);
    });
  }

  LIVENS_HD void load(int l) {
    static constexpr Rows rows = make_rows();
    const int r = row_of(l);
    const double* const seat = seat_of(l);
    const double* next = seat + rows.first[r];
    unroll<n>([&](auto j) { set_lane(row_[j], l, rows.columns[r] >> j.value & 1 ? *next++ : 0.0); });
    set_lane(b_, l, r < n ? seat[entries + r] : 0.0);
  }

  template <int k>
  LIVENS_HD void publish(int l) {
    Pair* const pivot = pivot_row(l, k);
    const double reciprocal = 1.0 / lane(row_[k], l);
    set_lane(reciprocal_, l, reciprocal);
    pivot[0] = {reciprocal, lane(b_, l)};
    unroll<(published(k) + 1) / 2 - 1>([&](auto before) {
      constexpr int q = before.value + 1, i = column(k, 2 * q), j = column(k, 2 * q + 1);
      pivot[q] = {lane(row_[i], l), j < 0 ? 0.0 : lane(row_[j < 0 ? i : j], l)};
    });
  }

  /// Row k from the row of lane l.
  template <int k>
  LIVENS_HD void subtract(int l) {
    const Pair* const pivot = pivot_row(l, k);
    const Pair head = pivot[0];
    const double multiplier = lane(row_[k], l) * head.first;
    growth_.see(l, k * n + row_of(l), multiplier);
    set_lane(b_, l, fnma(multiplier, head.second, lane(b_, l)));
    unroll<(published(k) + 1) / 2 - 1>([&](auto before) {
      constexpr int q = before.value + 1, i = column(k, 2 * q), j = column(k, 2 * q + 1);
      const Pair entry = pivot[q];
      set_lane(row_[i], l, fnma(multiplier, entry.first, lane(row_[i], l)));
      if constexpr (j >= 0) set_lane(row_[j], l, fnma(multiplier, entry.second, lane(row_[j], l)));
    });
  }

  Pair* pivots_;
  double *verdict_, *seats_;
  int first_, taken_;
  Vec<Scalar, n> row_;
  Scalar b_, reciprocal_;
  Growth<Scalar> growth_;
};

/// The pattern and the entries of a matrix, by slot.
template <class Matrix>
struct Slots;
template <class Scalar, int N>
struct Slots<DenseMatrix<Scalar, N>> {
  struct Pattern {
    static constexpr int size = N;
    static constexpr bool nonzero(int, int) { return true; }
  };
  static LIVENS_HD const Scalar* of(const DenseMatrix<Scalar, N>& A) { return A.entries.data; }
};
template <class Scalar, class Pattern_>
struct Slots<SparseMatrix<Scalar, Pattern_>> {
  using Pattern = Pattern_;
  static LIVENS_HD const Scalar* of(const SparseMatrix<Scalar, Pattern>& A) { return A.entries; }
};

/// The slots that are not zero before fill-in: the part of a matrix that has to be copied.
template <class Pattern>
struct GivenSlots {
  static constexpr int n = Pattern::size;
  static constexpr bool given(int i, int j) { return i == j || Pattern::nonzero(i, j); }
  static constexpr int count = [] {
    int c = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) c += given(i, j);
    return c;
  }();
  struct List {
    short slot[count] = {};
  };
  static constexpr List make() {
    List list;
    int next = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (given(i, j)) list.slot[next++] = static_cast<short>(Symbolic<Pattern>::slot(i, j));
    return list;
  }
};

/// One thread after the other takes a seat in shared memory: its entries, its right-hand side, which becomes
/// the solution, and whether the flag was raised.
template <class Matrix, class Scalar, int N>
LIVENS_HD_COLD Mask<Scalar> solve_in_turns(const Matrix& A, Vec<Scalar, N>& b, const Mask<Scalar>& active) {
  using Pattern = typename Slots<Matrix>::Pattern;
  using Elimination =
      std::conditional_t<(N <= warp_size), RowTile<Scalar, Pattern>, WarpSparse<Scalar, Pattern>>;
  static constexpr auto list = GivenSlots<Pattern>::make();
  constexpr int given = GivenSlots<Pattern>::count;
  constexpr int entries = Elimination::entries, seat_size = Elimination::seat_size;
  constexpr int fitting = staged_bytes / static_cast<int>(sizeof(double)) / seat_size;
  constexpr int seats = fitting < 1 ? 1 : fitting < warp_size ? fitting : warp_size;
  double* const work = Scalar::template shared<Elimination::work_size + seats * seat_size>();
  double* const seat = work + Elimination::work_size;

  const std::uint32_t waiting = active.word();
  const int count = bits_in(waiting);
  Scalar raised = Scalar(0.0);
  for (int first = 0; first < count; first += seats) {
    const int taken = count - first < seats ? count - first : seats;
    // Lane by lane: its seat, or none in this turn.
    const auto take_seat = [&](int l) -> double* {
      const int place = bits_in(waiting & ((std::uint32_t{1} << l) - 1)) - first;
      return (waiting >> l & 1) && place >= 0 && place < taken ? seat + place * seat_size : nullptr;
    };
    if constexpr (given < entries)
      Scalar::each_lane([&](int l) {
        for (int e = l; e < taken * seat_size; e += warp_size) seat[e] = 0.0;
      });
    Scalar::each_lane([&](int l) {
      double* const own = take_seat(l);
      if (own == nullptr) return;
      for (int e = 0; e < given; ++e) own[list.slot[e]] = lane(Slots<Matrix>::of(A)[list.slot[e]], l);
      for (int i = 0; i < N; ++i) own[entries + i] = lane(b[i], l);
    });
    Elimination::solve(work, seat, taken);
    Scalar::each_lane([&](int l) {
      const double* const own = take_seat(l);
      if (own == nullptr) return;
      for (int i = 0; i < N; ++i) set_lane(b[i], l, own[entries + i]);
      set_lane(raised, l, own[entries + N]);
    });
  }
  return raised > Scalar(0.0);
}

/// As solve_unpivoted() in lu.hpp, by the whole warp.
template <class Matrix, class Scalar, int N>
requires SharedOut<Scalar, N> LIVENS_HD Mask<Scalar> solve_unpivoted(Matrix& A, Vec<Scalar, N>& b,
                                                                     const Mask<Scalar>& active) {
  return solve_in_turns(A, b, active);
}

}  // namespace livens::inline LIVENS_ISA
