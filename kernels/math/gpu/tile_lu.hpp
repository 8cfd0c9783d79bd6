#pragma once
// The Newton matrices of the 32 instances of a warp, eliminated one after the other by all its threads: each
// thread has set up the matrix of its own instance, which is too large for its registers (from 10 unknowns
// on). The matrices are copied to shared memory, as many at a time as fit. Up to 16 unknowns two tiles of 16
// lanes work side by side, up to 32 one of 32 (row_tile.hpp); above that the lanes share out the operations
// on the entries that are not zero (warp_sparse_lu.hpp).
//
// The same chains of fma as solve_unpivoted() by one thread, the same reciprocals, the same flag: the same
// bits. Nobody touches an entry that is always zero.

#include "kernels/math/gpu/row_tile.hpp"
#include "kernels/math/gpu/warp_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// Unknowns up to which a thread keeps the matrix to itself, in registers.
inline constexpr int largest_in_thread = 9;
template <class Scalar, int N>
concept SharedOut = InWarp<Scalar> && N > largest_in_thread;
/// Bytes of matrices that a warp holds in shared memory: with 255 registers a thread there is room for eight
/// warps on a multiprocessor, and 227 KB.
inline constexpr int staged_bytes = 24 * 1024;

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
