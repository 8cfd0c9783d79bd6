#pragma once
// What couples what in the condensed forms (condensed_form.hpp), and the order in which their unknowns are
// eliminated; all of it known to the compiler. W: second derivatives of the constraints; K: M^-1, or 1 where
// a scheme has G^T gamma without it.

#include "kernels/math/elimination_order.hpp"
#include "kernels/math/static_sparse_lu.hpp"
#include "kernels/systems/shared/entries.hpp"

namespace livens::inline LIVENS_ISA {

/// Updates of an elimination up to which it is unrolled: beyond, its code no longer fits the cache.
inline constexpr int most_unrolled_updates = 1000;

template <class System, class Rule>
struct Couplings {
  static constexpr int d = System::coordinates, m = System::constraints;
  using Square = BitMatrix<d, d>;
  using Rows = BitMatrix<m, d>;
  static constexpr bool gamma = Rule::velocity_level && m > 0;

  static constexpr Square mass = Square::of([](int i, int j) { return System::Inertia::nonzero(i, j); });
  static constexpr Square mobility =
      Rule::kinematic_mass ? mass : Square::of([](int i, int j) { return i == j; });
  static constexpr Square curved = Square::of([](int i, int j) { return any_curvature<System>(i, j); });
  static constexpr Square stiff = Square::of([](int i, int j) { return System::stiff(i, j); });
  static constexpr Rows constrained = Rows::of([](int k, int i) { return System::constrains(k, i); });
  static constexpr Rows bent = Rows::of([](int k, int i) {
    for (int j = 0; j < d; ++j)
      if (System::curved(k, i, j)) return true;
    return false;
  });
  static constexpr Rows moved = constrained * mobility;                        ///< K G_k
  static constexpr Rows turned = moved * curved;                               ///< W K G_k
  static constexpr Square swung = mobility * curved;                           ///< K W
  static constexpr Square twice_curved = curved * swung;                       ///< W K W
  static constexpr BitMatrix<m, m> normal = constrained * moved.transposed();  ///< G K G^T

  /// Blocks of the Newton matrix.
  static constexpr Square b_b = [] {
    Square r = mass | stiff | curved;
    if (gamma) r = Rule::curvature ? r | twice_curved : r | (mass * curved);
    return r;
  }();
  static constexpr Rows b_gamma = Rule::curvature ? bent | turned : constrained * mass;  ///< transposed
  static constexpr Rows gamma_b = constrained | bent | turned;

  // As types, for lists of entries.
  struct Mass {
    constexpr bool operator()(int i, int j) const { return mass(i, j); }
  };
  struct Mobility {
    constexpr bool operator()(int i, int j) const { return mobility(i, j); }
  };
  struct Curved {
    constexpr bool operator()(int i, int j) const { return curved(i, j); }
  };
  struct Swung {
    constexpr bool operator()(int i, int j) const { return swung(i, j); }
  };
  struct Moved {
    constexpr bool operator()(int k, int i) const { return moved(k, i); }
  };
  struct ConstrainedTransposed {
    constexpr bool operator()(int i, int k) const { return constrained(k, i); }
  };
  struct MovedTransposed {
    constexpr bool operator()(int i, int k) const { return moved(k, i); }
  };
};

/// The unknowns: increments b, multipliers lambda and, with a velocity level, gamma.
template <class System, class Rule>
struct CondensedLayout {
  using With = Couplings<System, Rule>;
  static constexpr int d = With::d, m = With::m;
  static constexpr int size = d + (With::gamma ? 2 : 1) * m;

  /// b, lambda, gamma one after the other.
  struct Unordered {
    static constexpr int size = CondensedLayout::size;
    static constexpr int kind(int v) { return v < d ? 0 : v < d + m ? 1 : 2; }
    static constexpr int number(int v) { return v < d ? v : v < d + m ? v - d : v - d - m; }
    static constexpr bool nonzero(int row, int column) {
      const int i = number(row), j = number(column);
      switch (3 * kind(row) + kind(column)) {
        case 0:
          return With::b_b(i, j);
        case 1:
          return With::constrained(j, i);
        case 2:
          return With::b_gamma(j, i);
        case 3:
          return With::constrained(i, j);
        case 6:
          return With::gamma_b(i, j);
        case 8:
          return With::normal(i, j);
        default:
          return false;
      }
    }
    /// lambda_k has nothing on its diagonal before the coordinates of constraint k are eliminated. gamma_k
    /// has: where W couples b and gamma it may be eliminated at any time. Without W (ggl_mp) the block of b
    /// would be M(1 - P) after gamma, with the projector P, and singular: there gamma_k comes after lambda_k.
    static constexpr bool after(int v, int u) {
      if (kind(v) == 1) return kind(u) == 0 && With::constrained(number(v), number(u));
      return kind(v) == 2 && !Rule::curvature && kind(u) == 1 && number(u) == number(v);
    }
  };
  using Order = EliminationOrder<Unordered>;
  static constexpr int b(int i) { return Order::table.place[i]; }
  static constexpr int lambda(int k) { return Order::table.place[d + k]; }
  static constexpr int gamma(int k) { return Order::table.place[d + m + k]; }

  struct Places {
    static constexpr int size = CondensedLayout::size;
    static constexpr bool nonzero(int row, int column) {
      return Unordered::nonzero(Order::table.unknown[row], Order::table.unknown[column]);
    }
  };
  struct Pattern : Places {
    static constexpr bool unrolled = Operations<Places>::counts.updates <= most_unrolled_updates;
    static constexpr bool keeps_reciprocals = Rule::info().exact_energy;
  };
};

}  // namespace livens::inline LIVENS_ISA
