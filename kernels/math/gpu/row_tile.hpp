#pragma once
// Elimination of a sparse matrix with at most 32 rows by a tile of lanes: lane r keeps row r in registers,
// where only what the compiler knows to be stored exists, and the pivot row goes round through shared memory.

#include "kernels/math/gpu/warp_growth.hpp"
#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

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

}  // namespace livens::inline LIVENS_ISA
