#pragma once
// The Newton matrix of a form for any mechanism (general_form.hpp): what may be non-zero in it, which of its
// columns one derivative gives together (Curtis, Powell, Reid 1974: those that share no row), and the order in
// which its unknowns are eliminated; all of it known to the compiler.

#include <utility>

#include "kernels/math/ordered_matrix.hpp"
#include "kernels/systems/shared/general.hpp"

namespace livens::inline LIVENS_ISA {

/// Of a Pattern: a colour for every column, so that columns of one colour share no row, and the entries by
/// blocks of `directions` colours.
template <class Pattern, int directions>
struct Coloring {
  static constexpr int n = Pattern::size;
  static constexpr BitMatrix<n, n> nonzero = BitMatrix<n, n>::of(Pattern::nonzero);
  static constexpr int entries = [] {
    int count = 0;
    for (int i = 0; i < n; ++i) count += nonzero.count(i);
    return count;
  }();
  struct Table {
    int blocks = 0;
    short color[n] = {};
    int first[n + 1] = {};  ///< entry of a block
    short row[entries + 1] = {}, column[entries + 1] = {};
  };
  static constexpr Table table = [] {
    Table t;
    const BitMatrix<n, n> rows = nonzero.transposed();  // of each column
    BitMatrix<n, n> taken;                              // of each colour
    int colors = 0;
    for (int j = 0; j < n; ++j) {
      int color = 0;
      while (rows.meets(j, taken, color)) ++color;
      taken.add(color, rows, j);
      t.color[j] = static_cast<short>(color);
      if (color == colors) ++colors;
    }
    t.blocks = (colors + directions - 1) / directions;
    int entry = 0;
    for (int b = 0; b < t.blocks; ++b) {
      for (int j = 0; j < n; ++j) {
        if (t.color[j] / directions != b) continue;
        for (int i = 0; i < n; ++i)
          if (nonzero(i, j)) {
            t.row[entry] = static_cast<short>(i);
            t.column[entry++] = static_cast<short>(j);
          }
      }
      t.first[b + 1] = entry;
    }
    return t;
  }();
};

/// The pattern of a Rule's equations (general_form.hpp): increments of the coordinates, one or two of each, and
/// then one or two levels of multipliers of the rows; the equations in the same order. E: what M^-1 couples;
/// W: coordinates that the entries of rows couple; C: rows and their coordinates. A rule with two levels has
/// M^-1 G^T gamma in its velocity, and one with two increments of each coordinate in its position, too:
///   (1 + W) E (1 + W) among coordinates,  C E (1 + W) with rows,  C E C^T in the columns of gamma.
template <class System, class Rule>
struct GeneralCouplings {
  using Scalar = typename System::Scalar;
  static constexpr int d = System::coordinates, positions = System::position_rows,
                       rows = positions + System::velocity_rows, size = Rule::unknowns,
                       momenta = Rule::momentum_rows, per_level = rows > 0 ? rows : 1;
  /// keeps_factors of newton.hpp.
  static constexpr bool keeps_reciprocals = [] {
    if constexpr (requires { Rule::info(); })
      return Rule::info().exact_energy;
    else
      return false;
  }();
  static constexpr bool slips = size == momenta + 2 * rows && rows > 0;
  using Square = BitMatrix<d, d>;
  using Rows = BitMatrix<rows, d>;

  template <class Matrix>
  static constexpr bool may_be_nonzero(int i, int j) {
    if constexpr (requires { Matrix::nonzero(0, 0); })
      return Matrix::nonzero(i, j);
    else
      return true;
  }
  static constexpr Rows constrained = [] {
    Rows r;
    if constexpr (positions > 0) {
      using Position = Vec<Scalar, d>;
      using Jacobian = decltype(std::declval<System>().constraint_jacobian(std::declval<Position>(),
                                                                           std::declval<Scalar>()));
      using Discrete = decltype(std::declval<System>().discrete_constraint_jacobian(
          std::declval<Position>(), std::declval<Scalar>(), std::declval<Position>(),
          std::declval<Scalar>()));
      for (int k = 0; k < positions; ++k)
        for (int i = 0; i < d; ++i)
          if (may_be_nonzero<Jacobian>(k, i) || may_be_nonzero<Discrete>(k, i)) r.set(k, i);
    }
    if constexpr (System::velocity_rows > 0)
      for (int k = positions; k < rows; ++k)
        for (int i = 0; i < d; ++i)
          if (System::rate_involves(k - positions, i)) r.set(k, i);
    return r;
  }();
  static constexpr Square itself = Square::of([](int i, int j) { return i == j; });
  static constexpr Square mass = itself | Square::of(System::Inertia::nonzero);
  static constexpr Square inverse = [] {
    Square r = mass;
    for (int k = 0; k < d; ++k)
      for (int i = 0; i < d; ++i)
        if (r(i, k)) r.add(i, r, k);
    return r;
  }();
  static constexpr Square coupled = [] {
    const Square r = Square::of(System::couples);
    return r | r.transposed();
  }();
  static constexpr Square bent = [] {
    if constexpr (rows > 0) {
      const Square r = Square::of(System::rows_couple);
      return r | r.transposed();
    } else {
      return Square{};
    }
  }();
  static constexpr Square slip = inverse * (itself | bent);
  /// Of ggl_vi, D_q (a.x) of a slip x.
  static constexpr bool shifted = requires(const System& system, const Vec<Scalar, d>& q, const Scalar& t) {
    system.shift(q, t);
  };
  static constexpr Square reached = shifted ? itself | bent | coupled : itself | bent;

  /// Sigma G^T G of GeneralStep::regularize().
  static constexpr Square regular =
      HasRegularMass<System> ? Square{} : constrained.transposed() * constrained;
  static constexpr Square b_b = slips ? mass | coupled | reached * slip : mass | regular | coupled | bent;
  static constexpr Rows row_b = constrained * slip;
  static constexpr BitMatrix<d, rows> b_row = reached * inverse * constrained.transposed();
  static constexpr BitMatrix<rows, rows> row_row = constrained * inverse * constrained.transposed();

  static constexpr bool is_row(int v) { return v >= momenta; }
  /// A multiplier that is in a slip, and an equation that has one.
  static constexpr bool is_gamma(int v) { return slips && v >= momenta + rows; }
  static constexpr bool has_slip(int v) { return slips && (v >= momenta + rows || momenta == 2 * d); }
  /// Of the coordinate, or the row.
  static constexpr int number(int v) { return is_row(v) ? (v - momenta) % per_level : v % d; }

  /// A row's own entry is that of a wall on which the mechanism does not rest.
  static constexpr bool nonzero(int equation, int unknown) {
    const int i = number(equation), j = number(unknown);
    if (is_row(equation) && is_row(unknown))
      return equation == unknown || (has_slip(equation) && is_gamma(unknown) && row_row(i, j));
    if (is_row(equation)) return has_slip(equation) ? row_b(i, j) : constrained(i, j);
    if (is_row(unknown)) return is_gamma(unknown) ? b_row(i, j) : constrained(j, i);
    return b_b(i, j);
  }
  /// A multiplier has nothing on its diagonal before the coordinates of its row are eliminated; gamma waits
  /// for lambda, too (forms/condensed/couplings.hpp).
  static constexpr bool after(int v, int u) {
    if (!is_row(v)) return false;
    if (!is_row(u)) return constrained(number(v), number(u));
    return is_gamma(v) && !is_gamma(u) && number(u) == number(v);
  }
};

}  // namespace livens::inline LIVENS_ISA
