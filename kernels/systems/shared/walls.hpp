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

  LIVENS_HD Vec<Scalar, position_rows> constraints_at(const Position& q, const Scalar& t) const {
    return stacked(positions_at(free(), q, t), free().gaps_at(q, t));
  }
  LIVENS_HD Mat<Scalar, position_rows, d> constraint_jacobian(const Position& q, const Scalar& t) const {
    return stacked<d>([&](const auto& f) { return f.constraint_jacobian(q, t); }, free().gap_jacobian(q, t));
  }
  LIVENS_HD Vec<Scalar, position_rows> constraint_rate(const Position& q, const Scalar& t) const {
    if constexpr (own_rows > 0)
      return stacked(free().constraint_rate(q, t), free().gap_rate(q, t));
    else
      return stacked(Vec<Scalar, 0>{}, free().gap_rate(q, t));
  }
  LIVENS_HD Mat<Scalar, position_rows, d> constraint_jacobian_change(const Position& q, const Scalar& t,
                                                                     const Position& v,
                                                                     const Scalar& h) const {
    return stacked<d>([&](const auto& f) { return f.constraint_jacobian_change(q, t, v, h); },
                      free().gap_jacobian_change(q, t, v, h));
  }
  LIVENS_HD Mat<Scalar, position_rows, d + 1> discrete_constraint_jacobian(const Position& q0,
                                                                           const Scalar& t0,
                                                                           const Position& q1,
                                                                           const Scalar& t1) const {
    return stacked<d + 1>([&](const auto& f) { return f.discrete_constraint_jacobian(q0, t0, q1, t1); },
                          free().discrete_gap_jacobian(q0, t0, q1, t1));
  }
  LIVENS_HD Mat<Scalar, position_rows, d + 1> discrete_constraint_change(const Position& q0, const Scalar& t0,
                                                                         const Position& q1, const Scalar& t1,
                                                                         const Position& v0,
                                                                         const Position& v1,
                                                                         const Scalar& h) const {
    return stacked<d + 1>(
        [&](const auto& f) { return f.discrete_constraint_change(q0, t0, q1, t1, v0, v1, h); },
        free().discrete_gap_change(q0, t0, q1, t1, v0, v1, h));
  }

 private:
  LIVENS_HD const Free& free() const { return *this; }
  LIVENS_HD Vec<Scalar, position_rows> stacked(const Vec<Scalar, own_rows>& above,
                                               const Vec<Scalar, walls>& below) const {
    Vec<Scalar, position_rows> r;
    set_part<0>(r, above);
    for (int k = 0; k < walls; ++k) r[own_rows + k] = touches[k] * below[k];
    return r;
  }
  /// A matrix of the rows of g, where there are any, above one of the gaps.
  template <int columns, class OfRows, class Gaps>
  LIVENS_HD Mat<Scalar, position_rows, columns> stacked(const OfRows& of_rows, const Gaps& below) const {
    Mat<Scalar, position_rows, columns> r;
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
