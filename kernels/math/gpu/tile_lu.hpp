#pragma once
// The Newton matrices of the 32 instances of a warp, eliminated by all its threads: each thread has set up
// the matrix of its own instance. What is not zero of them is copied to shared memory, as many at a time as
// fit. Up to 32 unknowns tiles of eight lanes take four side by side, in registers (row_tile.hpp); above that
// the lanes share out the operations on one matrix (warp_sparse_lu.hpp).
//
// The same chains of fma as solve_unpivoted() by one thread, the same reciprocals, the same flag: the same
// bits. Nobody touches an entry that is always zero.

#include <algorithm>

#include "kernels/math/gpu/row_tile.hpp"
#include "kernels/math/gpu/warp_sparse_lu.hpp"
#include "kernels/math/shared_storage.hpp"

namespace livens::inline LIVENS_ISA {

/// Unknowns from which on a warp eliminates together: fewer fit in the registers of a thread.
inline constexpr int smallest_shared_out = 10;
template <class Scalar, int N>
concept SharedOut = InWarp<Scalar> && N >= smallest_shared_out;

/// Matrices that have room in shared memory at a time: whole rows of tiles, if one fits.
template <class Elimination>
constexpr int seats_of() {
  constexpr int beside = Elimination::side_by_side;
  constexpr int room = block_bytes / static_cast<int>(sizeof(double)) - Elimination::work_size;
  constexpr int fitting = std::clamp(room / Elimination::seat_size, 1, warp_size);
  return fitting < beside ? fitting : fitting / beside * beside;
}

/// One thread after the other takes a seat in shared memory: its entries, its right-hand side, which becomes
/// the solution, and whether the flag was raised.
template <class Matrix, class Scalar, int N>
LIVENS_HD_COLD Mask<Scalar> solve_in_turns(const Matrix& A, Vec<Scalar, N>& b, const Mask<Scalar>& active) {
  using Pattern = typename Slots<Matrix>::Pattern;
  using Elimination =
      std::conditional_t<(N <= warp_size), RowTile<Scalar, Pattern>, WarpSparse<Scalar, Pattern>>;
  static constexpr auto list = GivenSlots<Pattern>::make();
  constexpr int given = GivenSlots<Pattern>::count;
  constexpr int entries = Elimination::matrix_size, seat_size = Elimination::seat_size;
  constexpr int seats = seats_of<Elimination>();
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
      const auto copy = [&](int e) {
        own[Elimination::place(e, list.slot[e])] = lane(Slots<Matrix>::of(A)[list.slot[e]], l);
      };
      // One after the other in a loop every entry would be waited for.
      if constexpr (N <= warp_size)
        unroll<given>(copy);
      else
        for (int e = 0; e < given; ++e) copy(e);
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
