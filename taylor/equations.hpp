#pragma once
// The equations of motion of a system written as text, in the form of which the Taylor coefficients follow
// one after the other (docs/equations/taylor.md, section 2; d coordinates, m constraints):
//   (a)  d/dt (M(q, t) v) + A(q, t)^T lambda = Q(q, v, t)
//   (b)  A(q, t) v + b(q, t) = 0, where A = D_q g and b = g_t for g(q, t) = 0; these rows first
// Q = F - V_q + D_q T - D_v R - alpha p - a_q v - a_t, where T = 1/2 v.M v + a.v + c and p = M v + a.

#include <string>
#include <vector>

#include "expressions/mechanics.hpp"
#include "taylor/plan.hpp"
#include "taylor/tape.hpp"

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

/// The items stay where they are.
template <class Items>
List<typename Items::value_type> list_of(const Items& items) {
  return {items.data(), items.data() + items.size()};
}

struct Equations {
  /// `observed` and `stops`: expressions of q, v, p, t and parameters over `scope`. `zeros`: parameters that
  /// are zero whenever these equations are used; their terms are none of the motion's. Empty: no such. Throws
  /// RequestError, and expressions::TooLarge.
  Equations(const expressions::Mechanics& mechanics, int parameters, const expressions::Scope& scope,
            const std::vector<std::string>& observed, const std::vector<std::string>& stops,
            const std::vector<bool>& zeros = {});

  /// What a step computes; lives as long as these equations.
  Plan plan() const;

  StateRows state;
  int parameters;

  /// Of the motion, at all orders.
  Tape motion;
  std::vector<Entry> force;             ///< Q, of one column
  std::vector<Entry> mass, constraint;  ///< M, A
  std::vector<int> drift;               ///< b, m rows, or none where it is zero
  int dissipation;                      ///< row of v.D_v R + alpha p.v, or no_row
  int power;                            ///< row of F.v - L_t, or no_row
  std::vector<int> violation;           ///< g, and 0 for rows of velocities, m rows, or none; values alone

  /// Of what is measured at a node: numbers, not series.
  Tape measured;
  int kinetic, potential;            ///< p.v - T, V
  int kinetic_energy;                ///< T
  std::vector<int> potential_terms;  ///< V_k
  std::vector<int> constraints;      ///< g, or none
  std::vector<int> rates;            ///< A v + b, m rows
  std::vector<int> momentum, maps;   ///< p, d rows; J, s rows
  std::vector<int> observed, stops;  ///< of the expressions

  int time_row() const { return state.count(); }
  int parameter_row() const { return state.count() + 1; }

 private:
  struct Nodes;
  /// Groups' items.
  template <class Item>
  struct Grouped {
    std::vector<int> begin{0};
    std::vector<Item> of;
    void end_group() { begin.push_back(static_cast<int>(of.size())); }
    Groups<Item> groups() const { return {begin.data(), of.data()}; }
  };
  struct Convolutions {
    std::vector<Product> all;
    Grouped<Share> shares;
    /// For the entry of the right side whose group has not ended.
    void add(const Product& product, double sign);
    Products products() const { return {list_of(all), shares.groups()}; }
  };
  Convolutions changes_, reactions_;
  Grouped<int> below_, left_;
  void add_products(const Nodes& nodes);
  void find_pattern();
  Equations(const expressions::Mechanics& mechanics, int parameters, Nodes nodes);
};

}  // namespace livens::taylor
