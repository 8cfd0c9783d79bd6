#pragma once
// Elimination of sparse matrices with at most 32 rows by tiles of eight lanes, four matrices side by side:
// row r is kept by lane r % 8, in registers, where only what the compiler knows to be stored exists, and the
// pivot row goes round through shared memory. A warp spends its time waiting for the next pivot (a product, a
// sum, a reciprocal, shared memory), so the more matrices share a wait the better; four rows of 28 fill the
// registers.

#include "kernels/math/gpu/given_entries.hpp"
#include "kernels/math/gpu/warp_growth.hpp"

namespace livens::inline LIVENS_ISA {

/// Elimination of matrices with at most 32 rows. A seat holds the given entries of a matrix, row by row, its
/// right-hand side, which becomes the solution, and the flag.
template <class Scalar, class Pattern>
class RowTile {
 public:
  using Structure = Symbolic<Pattern>;
  using Given = GivenSlots<Pattern>;
  static constexpr int n = Pattern::size;
  static constexpr int lanes = 8, side_by_side = warp_size / lanes;
  static constexpr int rows = (n + lanes - 1) / lanes;  ///< of a lane
  static constexpr int pairs = (n + 2) / 2;             ///< of what a lane publishes
  static constexpr int work_size = 4 * side_by_side * pairs + Growth<Scalar>::memory;
  static constexpr int matrix_size = Given::count;
  static constexpr int seat_size = (matrix_size + n + 1) | 1;  ///< odd: neighbours in different banks
  /// The place of the e-th given entry in a seat.
  static constexpr LIVENS_HD int place(int e, int) { return e; }

  /// Solves the systems of the seats [0, taken).
  static LIVENS_HD void solve(double* work, double* seats, int taken) {
    for (int first = 0; first < taken; first += side_by_side) RowTile(work, seats, first, taken).solve();
  }

 private:
  /// Two doubles, read as one.
  struct alignas(16) Pair {
    double first, second;
  };
  /// The given entries of a row as a set of columns, and the place of the first.
  struct Rows {
    std::uint32_t columns[rows * lanes] = {};
    short first[rows * lanes] = {};
  };
  static constexpr Rows make_rows() {
    Rows given;
    int next = 0;
    for (int i = 0; i < n; ++i) {
      given.first[i] = static_cast<short>(next);
      for (int j = 0; j < n; ++j)
        if (Given::given(i, j)) {
          given.columns[i] |= std::uint32_t{1} << j;
          ++next;
        }
    }
    return given;
  }
  /// The lanes whose row number g has column k and stands behind row k, or before it; those where that entry
  /// is given.
  static constexpr std::uint32_t below(int k, int g) {
    return lanes_where(g, [k](int i) { return i > k && Structure::stored(i, k); });
  }
  static constexpr std::uint32_t above(int k, int g) {
    return lanes_where(g, [k](int i) { return i < k && Structure::stored(i, k); });
  }
  static constexpr std::uint32_t given(int k, int g) {
    return lanes_where(g, [k](int i) { return Given::given(i, k); });
  }
  template <class Condition>
  static constexpr std::uint32_t lanes_where(int g, Condition&& condition) {
    std::uint32_t found = 0;
    for (int l = 0; l < lanes; ++l)
      if (const int i = g * lanes + l; i < n) found |= std::uint32_t{condition(i)} << l;
    return found;
  }
  /// The number of values that the lane of row k publishes: 1/a_kk, b_k, then the entries (k, j) beyond the
  /// diagonal; and the j of the one at `place`.
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

  /// The place of a lane in its tile; beyond it where the tile has nothing to do.
  LIVENS_HD int lane_of(int l) const { return first_ + l / lanes < taken_ ? l % lanes : lanes; }
  LIVENS_HD bool is_one_of(std::uint32_t some, int l) const { return some >> lane_of(l) & 1; }
  LIVENS_HD double* seat_of(int l) const { return seats_ + (first_ + l / lanes) * seat_size; }
  /// Two buffers in turns: in one phase row k is read and row k + 1 written.
  LIVENS_HD Pair* pivot_row(int l, int k) const {
    return pivots_ + (k % 2 * side_by_side + l / lanes) * pairs;
  }

  LIVENS_HD void solve() {
    Scalar::each_lane([&](int l) {
      load(l);
      publish<0>(l);
    });
    unroll<n - 1>([&](auto k) { Scalar::each_lane([&](int l) { eliminate<k.value>(l); }); });
    unroll<n>([&](auto reversed) {
      constexpr int k = n - 1 - reversed.value;
      Scalar::each_lane([&](int l) {
        double* const x = seat_of(l) + matrix_size;
        if constexpr (k + 1 < n)
          unroll<rows>([&](auto g) {
            if constexpr (above(k + 1, g.value) != 0)
              if (is_one_of(above(k + 1, g.value), l))
                set_lane(b_[g], l, fnma(lane(row_[g][k + 1], l), x[k + 1], lane(b_[g], l)));
          });
        if (lane_of(l) == k % lanes) x[k] = lane(b_[k / lanes], l) * lane(reciprocal_[k / lanes], l);
      });
    });
    const Scalar raised = growth_.template raised<lanes>(verdict_, last_multiplier());
    Scalar::each_lane([&](int l) {
      if (lane_of(l) == 0) seat_of(l)[matrix_size + n] = lane(raised, l);
    });
  }

  LIVENS_HD void load(int l) {
    static constexpr Rows table = make_rows();
    if (lane_of(l) == lanes) return;
    const double* const seat = seat_of(l);
    unroll<rows>([&](auto g) {
      const int r = g * lanes + lane_of(l);
      const double* next = seat + table.first[r];
      unroll<n>([&](auto j) {
        set_lane(row_[g][j], l,
                 given(j.value, g.value) != 0 && table.columns[r] >> j.value & 1 ? *next++ : 0.0);
      });
      set_lane(b_[g], l, r < n ? seat[matrix_size + r] : 0.0);
    });
  }

  template <int k>
  LIVENS_HD void publish(int l) {
    constexpr int g = k / lanes;
    if (lane_of(l) != k % lanes) return;
    Pair* const pivot = pivot_row(l, k);
    const double reciprocal = 1.0 / lane(row_[g][k], l);
    set_lane(reciprocal_[g], l, reciprocal);
    pivot[0] = {reciprocal, lane(b_[g], l)};
    unroll<(published(k) + 1) / 2 - 1>([&](auto before) {
      constexpr int q = before.value + 1, i = column(k, 2 * q), j = column(k, 2 * q + 1);
      pivot[q] = {lane(row_[g][i], l), j < 0 ? 0.0 : lane(row_[g][j < 0 ? i : j], l)};
    });
  }

  /// Row k from all rows of lane l behind it, that of the next pivot first: the others wait for it.
  template <int k>
  LIVENS_HD void eliminate(int l) {
    constexpr int next = (k + 1) / lanes;
    const Pair* const pivot = pivot_row(l, k);
    Vec<double, published(k) + 1> row;
    unroll<(published(k) + 1) / 2>([&](auto q) {
      const Pair two = pivot[q];
      row[2 * q] = two.first;
      row[2 * q + 1] = two.second;
    });
    subtract<k, next>(l, row);
    publish<k + 1>(l);
    unroll<rows>([&](auto g) {
      if constexpr (g.value != next) subtract<k, g.value>(l, row);
    });
  }
  template <int k, int g>
  LIVENS_HD void subtract(int l, const Vec<double, published(k) + 1>& pivot) {
    if constexpr (below(k, g) != 0) {
      if (!is_one_of(below(k, g), l)) return;
      const double multiplier = lane(row_[g][k], l) * pivot[0];
      growth_.see(l, k * n + g * lanes + lane_of(l), multiplier);
      set_lane(b_[g], l, fnma(multiplier, pivot[1], lane(b_[g], l)));
      unroll<published(k) - 2>([&](auto before) {
        constexpr int j = column(k, before.value + 2);
        set_lane(row_[g][j], l, fnma(multiplier, pivot[before + 2], lane(row_[g][j], l)));
      });
    }
  }

  Pair* pivots_;
  double *verdict_, *seats_;
  int first_, taken_;
  Vec<Scalar, n> row_[rows];
  Scalar b_[rows], reciprocal_[rows];
  Growth<Scalar> growth_;
};

}  // namespace livens::inline LIVENS_ISA
