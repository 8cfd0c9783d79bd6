#pragma once
// Elimination of one large sparse matrix in shared memory by the lanes of a warp: pivot by pivot first the
// multipliers, then the updates, as many at a time as there are lanes. What they are is listed at compile
// time, as for solve_listed(), in the same order.

#include "kernels/math/gpu/warp_growth.hpp"
#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// The operations as the lanes take them: every update with its three slots, and the columns of the upper
/// factor.
template <class Pattern>
struct SharedOperations {
  static constexpr int n = Pattern::size;
  using Listed = Operations<Pattern>;
  static constexpr int multipliers = Listed::counts.multipliers, updates = Listed::counts.updates;
  static constexpr int uppers = Symbolic<Pattern>::table.count - n - multipliers;
  struct Update {
    short target, multiplier, pivot;  ///< slots (i, j), (i, k), (k, j)
  };
  struct Table {
    short diagonal[n] = {};
    int first[n + 1] = {};              ///< multipliers of column k: [first[k], first[k + 1])
    short row[multipliers + 1] = {};    ///< i of a multiplier
    short lower[multipliers + 1] = {};  ///< its slot (i, k)
    int update_first[n + 1] = {};       ///< updates of pivot k
    Update update[updates + 1] = {};
    int above_first[n + 1] = {};       ///< entries of column k before the diagonal
    short above[uppers + 1] = {};      ///< their slots (i, k) ...
    short above_row[uppers + 1] = {};  ///< ... and their i
  };
  static constexpr Table make() {
    const auto listed = Listed::make();
    Table t;
    int update = 0, above = 0;
    for (int k = 0; k < n; ++k) {
      t.diagonal[k] = listed.diagonal[k];
      t.first[k] = listed.first[k];
      t.update_first[k] = update;
      for (int l = listed.first[k]; l < listed.first[k + 1]; ++l) {
        t.row[l] = listed.row[l];
        t.lower[l] = listed.lower[l];
        for (int r = listed.right_first[k]; r < listed.right_first[k + 1]; ++r, ++update)
          t.update[update] = {listed.target[update], listed.lower[l], listed.right[r]};
      }
      t.above_first[k] = above;
      for (int i = 0; i < k; ++i)
        if (Symbolic<Pattern>::stored(i, k)) {
          t.above[above] = static_cast<short>(Symbolic<Pattern>::slot(i, k));
          t.above_row[above++] = static_cast<short>(i);
        }
    }
    t.first[n] = multipliers;
    t.update_first[n] = update;
    t.above_first[n] = above;
    return t;
  }
};

template <class Scalar, class Pattern>
class WarpSparse {
 public:
  static constexpr int n = Pattern::size, matrix_size = Symbolic<Pattern>::table.count, side_by_side = 1;
  static constexpr int work_size = 2 * n + Growth<Scalar>::memory;
  static constexpr int seat_size = (matrix_size + n + 1) | 1;  ///< odd: neighbours in different banks
  /// The place of the given entry of a slot in a seat.
  static constexpr LIVENS_HD int place(int, int slot) { return slot; }

  /// Solves the systems of the seats [0, taken).
  static LIVENS_HD void solve(double* work, double* seats, int taken) {
    for (int seat = 0; seat < taken; ++seat) solve(work, seats + seat * seat_size);
  }

 private:
  static LIVENS_HD void solve(double* work, double* entry) {
    static constexpr auto list = SharedOperations<Pattern>::make();
    double *const b = work, *const reciprocal = work + n, *const x = entry + matrix_size;
    Growth<Scalar> growth;
    Scalar::each_lane([&](int l) {
      for (int i = l; i < n; i += warp_size) b[i] = x[i];
    });
    for (int k = 0; k < n; ++k) {
      Scalar::each_lane([&](int l) {
        const double per_pivot = 1.0 / entry[list.diagonal[k]];
        if (l == 0) reciprocal[k] = per_pivot;
        for (int at = list.first[k] + l; at < list.first[k + 1]; at += warp_size) {
          const double multiplier = entry[list.lower[at]] * per_pivot;
          growth.see(l, at, multiplier);
          entry[list.lower[at]] = multiplier;
          b[list.row[at]] = fnma(multiplier, b[k], b[list.row[at]]);
        }
      });
      Scalar::each_lane([&](int l) {
        for (int at = list.update_first[k] + l; at < list.update_first[k + 1]; at += warp_size) {
          const auto update = list.update[at];
          entry[update.target] = fnma(entry[update.multiplier], entry[update.pivot], entry[update.target]);
        }
      });
    }
    for (int k = n - 1; k >= 0; --k)
      Scalar::each_lane([&](int l) {
        const double x_k = b[k] * reciprocal[k];
        if (l == 0) x[k] = x_k;
        for (int at = list.above_first[k] + l; at < list.above_first[k + 1]; at += warp_size)
          b[list.above_row[at]] = fnma(entry[list.above[at]], x_k, b[list.above_row[at]]);
      });
    const Scalar raised =
        growth.template raised<warp_size>(work + 2 * n, SharedOperations<Pattern>::multipliers - 1);
    Scalar::each_lane([&](int l) {
      if (l == 0) entry[matrix_size + n] = lane(raised, l);
    });
  }
};

}  // namespace livens::inline LIVENS_ISA
