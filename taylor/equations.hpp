#pragma once
// The equations of motion of a system written as text, in the form of which the Taylor coefficients follow
// one after the other (docs/equations/taylor.md, section 2; d coordinates, m constraints):
//   (a)  d/dt (M(q) v) + A(q)^T lambda = Q(q, v, t)
//   (b)  A(q) v + b(q) = 0, where A = D g and b = 0 for g(q) = 0
// Q = F(t) - DV(q) + D_q T(q, v) - C v - alpha M v.

#include <string>
#include <vector>

#include "expressions/mechanics.hpp"
#include "taylor/plan.hpp"

namespace livens::taylor {

/// Rows of the state, first on every tape: those of q, v, lambda, and of the energy dissipated D and the work
/// W.
struct StateRows {
  int d, m;
  int position() const { return 0; }
  int velocity() const { return d; }
  int multiplier() const { return 2 * d; }
  int dissipated() const { return 2 * d + m; }
  int work() const { return 2 * d + m + 1; }
  int count() const { return 2 * d + m + 2; }
};

struct Equations {
  /// `observed` and `stops`: expressions of q, v, p, t and parameters over `scope`. Throws TextError, and
  /// expressions::TooLarge.
  Equations(const expressions::Mechanics& mechanics, int parameters, const expressions::Scope& scope,
            const std::vector<std::string>& observed, const std::vector<std::string>& stops);

  /// What a step computes; lives as long as these equations.
  Plan plan() const;

  StateRows state;
  int parameters;

  /// Of the motion, at all orders.
  Tape motion;
  std::vector<Entry> mass, constraint;      ///< M, A
  std::vector<int> force;                   ///< Q, d rows
  std::vector<int> drift;                   ///< b, m rows, or none where it is zero
  int dissipation;                          ///< row of 2 R(v) + 2 alpha T(q, v)
  int power;                                ///< row of F.v
  std::vector<int> violation;               ///< g, m rows, or none; values alone
  std::vector<Product> changes, reactions;  ///< M_j v with A_j v, and A_j^T lambda, of what moves

  /// Of what is measured at a node: numbers, not series.
  Tape measured;
  int kinetic, potential;            ///< T, V
  std::vector<int> potential_terms;  ///< V_k
  std::vector<int> constraints;      ///< g, m rows, or none
  std::vector<int> rates;            ///< A v + b, m rows
  std::vector<int> momentum, maps;   ///< p, d rows; J, s rows
  std::vector<int> observed, stops;  ///< of the expressions

  int time_row() const { return state.count(); }
  int parameter_row() const { return state.count() + 1; }

 private:
  struct Nodes;
  /// Pattern's numbers.
  struct Filled {
    std::vector<int> begin, rows;
    Pattern pattern() const { return {begin.data(), rows.data()}; }
  };
  Filled filled(bool in_order) const;
  Filled in_order_, in_any_order_;
  Equations(const expressions::Mechanics& mechanics, int parameters, Nodes nodes);
};

}  // namespace livens::taylor
