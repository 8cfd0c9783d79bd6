#pragma once
// Walls of a mechanism: gap(q, t) >= 0 (equations/general.md, section 10). Between impacts they are no part of
// its motion; while it rests on some of them these are rows of g.

#include "kernels/systems/shared/general.hpp"

namespace livens::inline LIVENS_ISA {

/// `walls` gaps with N = D_q gap, their rates and discrete gradients as those of rows of g; restitutions(); the
/// number of times that a record keeps of each.
template <class System>
concept WalledSystem = GeneralTerms<System> &&
    requires(const System& system, const Vec<typename System::Scalar, System::coordinates>& q,
             const typename System::Scalar& t) {
  system.gaps_at(q, t);
  system.gap_jacobian(q, t);
  system.gap_rate(q, t);
  system.restitutions();
  { System::walls } -> std::convertible_to<int>;
  { System::kept_impacts } -> std::convertible_to<int>;
};

/// A mechanism that may rest on its walls: their gaps are rows behind those of g. `touches` is 1 for a wall on
/// which it rests; the row of any other one is empty, and a scheme sets its multiplier to zero
/// (forms/general/general_form.hpp). `touches` stands behind the parameters, so that whoever makes this system
/// anew over other numbers makes the same.
template <WalledSystem Free>
struct Touching : Free {
  using Scalar = typename Free::Scalar;
  template <class Other>
  using Over = Touching<typename Free::template Over<Other>>;
  using Position = Vec<Scalar, Free::coordinates>;
  static constexpr int d = Free::coordinates, walls = Free::walls, own_rows = Free::position_rows,
                       own_parameters = Free::parameter_count, parameter_count = own_parameters + walls,
                       position_rows = own_rows + walls, constraints = Free::constraints + walls;
  using Given = Vec<Scalar, parameter_count>;

  /// Its rows are written for all coordinates.
  static constexpr bool rows_couple(int, int) { return true; }

  Given parameters;
  Vec<Scalar, walls> touches;

  LIVENS_HD explicit Touching(const Given& given)
      : Free(part<0, own_parameters>(given)),
        parameters(given),
        touches(part<own_parameters, walls>(given)) {}

  template <class Q>
  LIVENS_HD Vec<Q, position_rows> constraints_at(const Vec<Q, d>& q, const Scalar& t) const {
    return stacked<Q>(positions_at(free(), q, t), free().gaps_at(q, t));
  }
  template <class Q>
  LIVENS_HD Mat<Q, position_rows, d> constraint_jacobian(const Vec<Q, d>& q, const Scalar& t) const {
    return stacked<Q, d>([&](const auto& f) { return f.constraint_jacobian(q, t); },
                         free().gap_jacobian(q, t));
  }
  template <class Q>
  LIVENS_HD Vec<Q, position_rows> constraint_rate(const Vec<Q, d>& q, const Scalar& t) const {
    if constexpr (own_rows > 0)
      return stacked<Q>(free().constraint_rate(q, t), free().gap_rate(q, t));
    else
      return stacked<Q>(Vec<Scalar, 0>{}, free().gap_rate(q, t));
  }
  template <class Q, class V>
  LIVENS_HD Mat<Sum<Q, V>, position_rows, d> constraint_jacobian_change(const Vec<Q, d>& q, const Scalar& t,
                                                                        const Vec<V, d>& v,
                                                                        const Scalar& h) const {
    return stacked<Sum<Q, V>, d>([&](const auto& f) { return f.constraint_jacobian_change(q, t, v, h); },
                                 free().gap_jacobian_change(q, t, v, h));
  }
  template <class Q>
  LIVENS_HD Mat<Q, position_rows, d + 1> discrete_constraint_jacobian(const Position& q0, const Scalar& t0,
                                                                      const Vec<Q, d>& q1,
                                                                      const Scalar& t1) const {
    return stacked<Q, d + 1>([&](const auto& f) { return f.discrete_constraint_jacobian(q0, t0, q1, t1); },
                             free().discrete_gap_jacobian(q0, t0, q1, t1));
  }
  template <class Q, class V, class W>
  LIVENS_HD auto discrete_constraint_change(const Position& q0, const Scalar& t0, const Vec<Q, d>& q1,
                                            const Scalar& t1, const Vec<V, d>& v0, const Vec<W, d>& v1,
                                            const Scalar& h) const {
    return stacked<Sum<Sum<Q, V>, W>, d + 1>(
        [&](const auto& f) { return f.discrete_constraint_change(q0, t0, q1, t1, v0, v1, h); },
        free().discrete_gap_change(q0, t0, q1, t1, v0, v1, h));
  }

 private:
  LIVENS_HD const Free& free() const { return *this; }
  template <class Number, class Rows, class Gaps>
  LIVENS_HD Vec<Number, position_rows> stacked(const Rows& above, const Gaps& below) const {
    Vec<Number, position_rows> r;
    set_part<0>(r, above);
    for (int k = 0; k < walls; ++k) r[own_rows + k] = touches[k] * below[k];
    return r;
  }
  /// A matrix of the rows of g, where there are any, above one of the gaps.
  template <class Number, int columns, class OfRows, class Gaps>
  LIVENS_HD Mat<Number, position_rows, columns> stacked(const OfRows& of_rows, const Gaps& below) const {
    Mat<Number, position_rows, columns> r;
    if constexpr (own_rows > 0) {
      const auto above = of_rows(free());
      for (int k = 0; k < own_rows; ++k)
        for (int i = 0; i < columns; ++i) r(k, i) = above(k, i);
    }
    for (int k = 0; k < walls; ++k)
      for (int i = 0; i < columns; ++i) r(own_rows + k, i) = touches[k] * below(k, i);
    return r;
  }
};

}  // namespace livens::inline LIVENS_ISA
