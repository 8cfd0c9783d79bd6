#pragma once
// The record of an instance, or of W at once: all that is kept between two steps. Its columns follow from the
// rows of kernels/description/quantity_table.hpp.

#include "kernels/newton/scheme.hpp"
#include "kernels/systems/shared/walls.hpp"

namespace livens::inline LIVENS_ISA {

/// The part of a record that a system's own observables need; empty where it has none.
template <class System>
struct WatchOf {
  struct type {};
};
template <WatchedSystem System>
struct WatchOf<System> {
  using type = typename System::Watch;
};

/// Directions that a scheme carries and shows (tangents/tangent_scheme.hpp); most have none.
template <class Scheme>
inline constexpr int directions_of = 0;
template <class Scheme>
requires(requires { Scheme::directions; }) inline constexpr int directions_of<Scheme> = Scheme::directions;

/// What a record keeps of an instance that has met a stop condition, not a number before; empty for a system
/// without any.
template <class Scheme>
struct StopOf {
  static constexpr int size = 0;
  struct type {};
};
template <class Scheme>
requires StoppingSystem<typename Scheme::System>
struct StopOf<Scheme> {
  using Scalar = typename Scheme::Scalar;
  static constexpr int directions = directions_of<Scheme>, size = 2 + directions;
  struct type {
    Scalar time = not_a_number<Scalar>();       ///< s
    Scalar condition = not_a_number<Scalar>();  ///< which one, from 0
    /// Partials of the time.
    [[no_unique_address]] Vec<Scalar, directions> along = not_a_number_vector<Scalar, directions>();
  };
};

/// What a record keeps of events (EventInfo), one after another; empty for a system without any.
template <class Scheme>
struct EventsOf {
  static constexpr int size = 0;
  struct type {};
};
template <class Scheme>
requires EventfulSystem<typename Scheme::System>
struct EventsOf<Scheme> {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  static constexpr int entries = [] {
    int columns = 0;
    for (const EventInfo& event : System::events) columns += event.size(System::coordinates);
    return columns;
  }();
  static constexpr int partials = (entries - System::event_count) * directions_of<Scheme>,
                       size = entries + partials;
  struct type {
    Vec<Scalar, entries> kept;
    /// Partials of what is kept, a row an entry, but of the counts.
    [[no_unique_address]] Vec<Scalar, partials> along;
  };
};

/// What a record keeps of impacts; empty for a system without walls (stepping/impacts.hpp).
template <class Scheme>
struct ImpactsOf {
  static constexpr int size = 0;
  struct type {};
};
template <class Scheme>
requires WalledSystem<typename Scheme::System>
struct ImpactsOf<Scheme> {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  static constexpr int times = System::walls * System::kept_impacts, partials = times * directions_of<Scheme>,
                       size = System::walls + times + partials;
  struct type {
    Vec<Scalar, System::walls> count = zero_vector<Scalar, System::walls>();
    Vec<Scalar, times> time = not_a_number_vector<Scalar, times>();  ///< s; not a number behind the last
    /// Partials of the times, a row a time.
    [[no_unique_address]] Vec<Scalar, partials> along = not_a_number_vector<Scalar, partials>();
  };
};
/// The walls on which a mechanism rests; empty for a system without any.
template <class System>
struct ContactOf {
  struct type {};
};
template <WalledSystem System>
struct ContactOf<System> {
  struct type {
    Vec<typename System::Scalar, System::walls> touches;  ///< 1 where it rests on the wall, else 0
  };
};

/// What a record shows of directions that a scheme carries (tangents/tangent_scheme.hpp): partials at the node
/// where the instance stands, a row an entry, a column a direction; empty for other schemes.
template <class Scheme>
struct TangentsOf {
  static constexpr bool followed = false;
  static constexpr int size = 0;
  struct type {};
};
template <class Scheme>
requires(requires { Scheme::directions; }) struct TangentsOf<Scheme> {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  static constexpr bool followed = true;
  static constexpr int d = System::coordinates, directions = directions_of<Scheme>;
  static constexpr int own = [] {
    if constexpr (SampledSystem<System>)
      return System::sampled_count;
    else
      return 0;
  }();
  /// Entries of q, of p and of v; of the basis of the state, where that is what directions are, q, p, v at the start.
  static constexpr int entries = d * directions, basis = Scheme::Tangents::state ? 3 * entries : 0;
  static constexpr int sampled_from = 3 * entries, lyapunov_from = sampled_from + own * directions,
                       basis_from = lyapunov_from + Scheme::exponents, size = basis_from + basis;
  /// In one array: of empty members no two of a type have one address, and the next ones would stand further on.
  struct type {
    Vec<Scalar, size> kept;
    LIVENS_HD Scalar& q(int i, int j) { return kept[i * directions + j]; }
    LIVENS_HD Scalar& p(int i, int j) { return kept[entries + i * directions + j]; }
    LIVENS_HD Scalar& v(int i, int j) { return kept[2 * entries + i * directions + j]; }
    LIVENS_HD Scalar& sampled(int i, int j) { return kept[sampled_from + i * directions + j]; }
    LIVENS_HD Scalar& lyapunov(int i) { return kept[lyapunov_from + i]; }  ///< 1/s
    LIVENS_HD void keep_basis() {
      for (int i = 0; i < basis; ++i) kept[basis_from + i] = kept[i];
    }
  };
};

/// Everything that is kept of an instance between calls: Scalars, so that it can be stored column by column,
/// and in single precision the sums beside them.
template <class Scheme>
struct Record {
  using Scalar = typename Scheme::Scalar;
  static constexpr int momentum_maps = Scheme::System::momentum_maps;
  static constexpr int common = static_cast<int>(Column::count), shared = common + momentum_maps;
  static constexpr bool sums_apart = !std::is_same_v<Wide<Scalar>, Scalar>;
  struct NoSums {};

  Vec<Scalar, shared> columns;  ///< Column, then the initial momentum maps
  [[no_unique_address]] typename TangentsOf<Scheme>::type tangents;
  [[no_unique_address]] typename StopOf<Scheme>::type stop;
  [[no_unique_address]] typename EventsOf<Scheme>::type events;
  [[no_unique_address]] typename ImpactsOf<Scheme>::type impacts;
  [[no_unique_address]] typename WatchOf<typename Scheme::System>::type watch;  ///< the observables first
  [[no_unique_address]] typename ContactOf<typename Scheme::System>::type contact;
  typename Scheme::Carried carried;
  /// Those of Column that are sums; their places in `columns` are not used then.
  [[no_unique_address]] std::conditional_t<sums_apart, Vec<Wide<Scalar>, common>, NoSums> sums;

  static constexpr int width();
  LIVENS_HD Scalar& initial_momentum(int i) { return columns[common + i]; }
  LIVENS_HD const Scalar& initial_momentum(int i) const { return columns[common + i]; }
  LIVENS_HD Scalar& operator[](Column c) { return columns[static_cast<int>(c)]; }
  LIVENS_HD const Scalar& operator[](Column c) const { return columns[static_cast<int>(c)]; }
  LIVENS_HD Wide<Scalar>& sum(Column c) { return sum_of(*this, c); }
  LIVENS_HD const Wide<Scalar>& sum(Column c) const { return sum_of(*this, c); }

 private:
  template <class Self>
  static LIVENS_HD auto& sum_of(Self& self, Column c) {
    if constexpr (sums_apart)
      return self.sums[static_cast<int>(c)];
    else
      return self.columns[static_cast<int>(c)];
  }
};
template <class Part>
inline constexpr std::size_t bytes_of = std::is_empty_v<Part> ? 0 : sizeof(Part);
template <class Scheme>
constexpr int Record<Scheme>::width() {
  struct Stored {
    Vec<Scalar, shared> columns;
    [[no_unique_address]] typename TangentsOf<Scheme>::type tangents;
    [[no_unique_address]] typename StopOf<Scheme>::type stop;
    [[no_unique_address]] typename EventsOf<Scheme>::type events;
    [[no_unique_address]] typename ImpactsOf<Scheme>::type impacts;
    [[no_unique_address]] typename WatchOf<typename Scheme::System>::type watch;
    [[no_unique_address]] typename ContactOf<typename Scheme::System>::type contact;
    typename Scheme::Carried carried;
  };
  // No place between them: what is read of a record is found by the sizes of what stands before it.
  using Contact = typename ContactOf<typename Scheme::System>::type;
  static_assert(sizeof(Stored) == sizeof(Scalar) * (shared + TangentsOf<Scheme>::size + StopOf<Scheme>::size +
                                                    EventsOf<Scheme>::size + ImpactsOf<Scheme>::size) +
                                      bytes_of<typename WatchOf<typename Scheme::System>::type> +
                                      bytes_of<Contact> + sizeof(typename Scheme::Carried));
  return static_cast<int>(sizeof(Stored) / sizeof(Scalar));
}

/// b becomes a where the mask is set. For one instance no `b = mask ? a : b`: where a member is empty nvcc
/// makes that choice byte by byte, each byte in a register of its own. Lanes go place by place: g++ would
/// copy a struct as a string of bytes, through memory, which shows beside the step of a fast scheme.
template <class Scalar, class Many>
LIVENS_HD void assign_where(const Mask<Scalar>& mask, const Many& a, Many& b) {
  if constexpr (lanes_of<Scalar> == 1) {
    if (mask) b = a;
  } else {
    const bool everywhere = all(mask);
    unroll<static_cast<int>(sizeof(Many) / sizeof(Scalar))>([&](auto i) {
      constexpr std::size_t place = i.value * sizeof(Scalar);
      Scalar x, y;
      memcpy(&x, reinterpret_cast<const char*>(&a) + place, sizeof x);
      if (!everywhere) {
        memcpy(&y, reinterpret_cast<const char*>(&b) + place, sizeof y);
        x = select(mask, x, y);
      }
      memcpy(reinterpret_cast<char*>(&b) + place, &x, sizeof x);
    });
  }
}

/// The columns at node 0, where nothing has changed or added up yet. They are zero before.
template <class Scheme, class Measured>
LIVENS_HD void start_columns(const Measured& measured, Record<Scheme>& record) {
  using Scalar = typename Scheme::Scalar;
  using Sum = Wide<Scalar>;
  const ReachedNode<Scalar, Scheme::System::momentum_maps> start{measured, Sum(0.0), Sum(0.0), Scalar(0.0)};
  unroll<column_count>([&](auto c) {
    constexpr Column column = columns[c.value].column;
    constexpr Column source = columns[c.value].kind == Kind::largest ? columns[c.value].of : column;
    if constexpr (columns[static_cast<int>(source)].kind == Kind::at_node)
      record[column] = value_at<source>(start, record);
  });
}

/// True for a column that follows from the energies of a node alone.
constexpr bool of_energies(Column column) {
  return columns[static_cast<int>(column)].needs == Needs::nothing;
}

/// The columns of the lanes whose step was good, at the node that it has reached: those that follow from what
/// was measured there.
template <class Scheme, class Reached>
LIVENS_HD void update_columns(const Mask<typename Scheme::Scalar>& good, const Reached& reached,
                              Measuring measured, Record<Scheme>& record) {
  using System = typename Scheme::System;
  unroll<column_count>([&](auto c) {
    constexpr Column column = columns[c.value].column;
    constexpr Kind kind = columns[c.value].kind;
    if constexpr (has_formula(kind) && has<System>(columns[c.value].needs)) {
      if (!of_energies(column) && measured == Measuring::energies) return;
      const auto value = value_at<column>(reached, record);
      if constexpr (kind == Kind::added_up)
        record.sum(column) = select(good, value, record.sum(column));
      else
        record[column] = select(good, value, record[column]);
      unroll<column_count>([&](auto f) {
        // By a type of its own, so that no compiler looks at what is discarded below before f is known.
        constexpr std::integral_constant<Column, columns[f.value].column> follower{};
        constexpr Kind how = columns[f.value].kind;
        if constexpr (columns[f.value].of == column) {
          if constexpr (how == Kind::largest)
            record[follower] = select(good, max(value, record[follower]), record[follower]);
          else if constexpr (how == Kind::largest_magnitude)
            record[follower] = select(good, max(abs(value), record[follower]), record[follower]);
          else if constexpr (how == Kind::mean_square)
            record.sum(follower) =
                select(good, fma(widen(value), widen(value), record.sum(follower)), record.sum(follower));
        }
      });
    }
  });
}

/// The columns that steps without Measuring::all have left behind, of the lanes given, at the node where they
/// stand. Nothing is known of the nodes between: what is largest over all of them stays as it was.
template <class Scheme, class Measured>
LIVENS_HD void settle_columns(const Mask<typename Scheme::Scalar>& moved, const Measured& measured,
                              Record<Scheme>& record) {
  using System = typename Scheme::System;
  using Scalar = typename Scheme::Scalar;
  using Sum = Wide<Scalar>;
  const ReachedNode<Scalar, System::momentum_maps> here{measured, Sum(0.0), Sum(0.0), Scalar(0.0)};
  unroll<column_count>([&](auto c) {
    constexpr Column column = columns[c.value].column;
    if constexpr (has_formula(columns[c.value].kind) && !of_energies(column) &&
                  has<System>(columns[c.value].needs))
      record[column] = select(moved, value_at<column>(here, record), record[column]);
  });
}

}  // namespace livens::inline LIVENS_ISA
