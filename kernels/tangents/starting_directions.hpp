#pragma once
// The directions at the start: how the consistent initial state follows what derivatives are taken of.
// equations/tangents.md, sections 2 and 3; labels are those of section 2. One instance at a time, in double
// precision, with dual numbers of one partial for what moves.

#include "kernels/description/tangent_info.hpp"
#include "kernels/stepping/general_nodes.hpp"
#include "kernels/tangents/power_exponents.hpp"

namespace livens::inline LIVENS_ISA {

/// <a, b> = a_q.M b_q + a_p.M^-1 b_p at a node of time t, where M has an inverse; without, <a, b> = a_q.b_q + a_v.b_v.
template <class System, class Scalar, int D>
LIVENS_HD Scalar tangent_product(const System& system, const NodeState<Scalar, D>& n, const Scalar& t,
                                 const NodeState<Scalar, D>& a, const NodeState<Scalar, D>& b) {
  const auto M = mass_at(system, n.q, t);
  if constexpr (requires { M.solve(n.q); })
    return dot(a.q, M.times(b.q)) + dot(a.p, M.solve(b.p));
  else
    return dot(a.q, b.q) + dot(a.v, b.v);
}

/// Moves x, a root of n residuals r, whose Jacobian is J; false where that is singular.
template <int n>
LIVENS_HD bool move_root(const double* J, const Dual<1, double>* r, Dual<1, double>* x) {
  double A[n * n], right[n];
  for (int i = 0; i < n * n; ++i) A[i] = J[i];
  for (int i = 0; i < n; ++i) right[i] = -r[i].partial[0];
  if (!solve_pivoted<n>(A, right)) return false;
  for (int i = 0; i < n; ++i) x[i].partial[0] = right[i];
  return true;
}

/// The directions of a system over double.
template <class System>
class StartingDirections {
 public:
  using Tangents = typename System::Tangents;
  static constexpr int d = System::coordinates, m = System::constraints;
  using Node = NodeState<double, d>;
  using Position = Vec<double, d>;

  /// At a consistent state n; q^, v^ are what it was projected from.
  LIVENS_HD StartingDirections(const System& system, const Position& given_q, const Position& given_v,
                               const Node& n)
      : system_(system), given_q_(given_q), given_v_(given_v), n_(n) {}

  /// All of them: `directions`, and then the first of the state for every exponent. False where the rows have
  /// lost rank: they are not numbers then.
  LIVENS_HD bool fill(Node* along) const {
    bool found = true;
    Node* next = along;
    if constexpr (Tangents::state) {
      found = fill_state(next, Tangents::directions);
    } else {
      static constexpr auto of =
          Tangents::of;  // a copy: device code cannot index a static member at run time
      for (int j = 0; j < Tangents::directions; ++j) found = from_given(of[j], next[j]) && found;
    }
    next += Tangents::directions;
    if constexpr (Tangents::exponents > 0) found = fill_state(next, Tangents::exponents) && found;
    return found;
  }

  /// The state n on numbers that move, with what it was projected from: (a), (b) and (c). False in `found` where the rows
  /// have lost rank.
  template <class Number>
  LIVENS_HD NodeState<Number, d> consistent(const typename System::template Over<Number>& moved,
                                            Vec<Number, d> q, Vec<Number, d> v, bool& found) const {
    found = true;
    if constexpr (Tangents::projected) {
      found = project_position(moved, q);
      for (int i = 0; i < d; ++i) q[i].value = n_.q[i];
      found = project_velocity(moved, q, v) && found;
    }
    for (int i = 0; i < d; ++i) {
      q[i].value = n_.q[i];
      v[i].value = n_.v[i];
    }
    return {q, momentum_of(moved, q, v), v};
  }

 private:
  using D = Dual<1, double>;
  using Moved = typename System::template Over<D>;
  using MovedPosition = Vec<D, d>;

  /// KKT matrix of the projection, [B, A^T; A, 0]: B the metric, A rows of positions or all rows of velocities.
  template <int rows>
  struct Kkt {
    static constexpr int n = d + rows;
    double entries[n * n];
    /// Solves for a copy of `right`; false where it is singular.
    LIVENS_HD bool solve(const double* right, double* x) const {
      double A[n * n];
      for (int i = 0; i < n * n; ++i) A[i] = entries[i];
      for (int i = 0; i < n; ++i) x[i] = right[i];
      return solve_pivoted<n>(A, x);
    }
  };
  static constexpr int position_rows = [] {
    if constexpr (GeneralSystem<System>)
      return System::position_rows;
    else if constexpr (PositionConstraints<System>)
      return m;
    else
      return 0;
  }();

  template <class Of, class Place>
  static LIVENS_HD Place metric_times(const Of& system, const Place& at, const Place& x) {
    const auto M = mass_at(system, at);
    if constexpr (requires { M.solve(x); })
      return M.times(x);
    else
      return x;
  }
  /// Column j of the metric.
  static LIVENS_HD Position metric_column(const System& system, const Position& at, int j) {
    Position one = zero_vector<double, d>();
    one[j] = 1.0;
    return metric_times(system, at, one);
  }
  /// Entry (k, i) of the rows that hold velocities: those of positions first.
  template <int rows, class Of, class Place>
  static LIVENS_HD auto rows_at(const Of& system, const Place& q) {
    using T = typename Of::Scalar;
    Mat<T, rows, d> A;
    for (int k = 0; k < rows; ++k)
      for (int i = 0; i < d; ++i) A(k, i) = T(0.0);
    if constexpr (GeneralSystem<Of>) {
      if constexpr (position_rows > 0) {
        const auto G = system.constraint_jacobian(q, T(0.0));
        for (int k = 0; k < position_rows; ++k)
          for (int i = 0; i < d; ++i) A(k, i) = G(k, i);
      }
      if constexpr (rows > position_rows) {
        const auto R = system.rate_matrix(q, T(0.0));
        for (int k = position_rows; k < rows; ++k)
          for (int i = 0; i < d; ++i) A(k, i) = R(k - position_rows, i);
      }
    } else if constexpr (PositionConstraints<Of>) {
      const auto G = system.constraint_jacobian(q);
      for (int k = 0; k < rows; ++k)
        for (int i = 0; i < d; ++i)
          if (Of::constrains(k, i)) A(k, i) = G(k, i);
    } else if constexpr (rows > 0) {
      const auto R = system.constraint_matrix(q);
      for (int k = 0; k < rows; ++k)
        for (int i = 0; i < d; ++i) A(k, i) = R(k, i);
    }
    return A;
  }
  template <class Of, class Place>
  static LIVENS_HD auto positions(const Of& system, const Place& q) {
    if constexpr (GeneralSystem<Of>)
      return positions_at(system, q, typename Of::Scalar(0.0));
    else
      return system.constraints_at(q);
  }
  /// What the rows make of a velocity: zero where it is consistent.
  template <class Of, class Place>
  static LIVENS_HD auto rates(const Of& system, const Place& q, const Place& v) {
    if constexpr (GeneralSystem<Of>)
      return rates_at(system, q, v, typename Of::Scalar(0.0));
    else if constexpr (ContactSystem<Of>)
      return constraint_rates(system, q, v);
    else
      return rows_times(rows_at<m>(system, q), v);
  }

  template <int rows>
  LIVENS_HD Kkt<rows> kkt(const Position& metric_at, const Position& q) const {
    constexpr int n = d + rows;
    Kkt<rows> r;
    const auto A = rows_at<rows>(system_, q);
    for (double& entry : r.entries) entry = 0.0;
    for (int i = 0; i < d; ++i) {
      const Position column = metric_column(system_, metric_at, i);
      for (int j = 0; j < d; ++j) r.entries[j * n + i] = column[j];
      for (int k = 0; k < rows; ++k) r.entries[i * n + d + k] = r.entries[(d + k) * n + i] = A(k, i);
    }
    return r;
  }
  /// The multipliers of a projection: A^T mu = -B (x - x^).
  template <int rows>
  static LIVENS_HD bool multipliers(const Kkt<rows>& matrix, const Position& normal, double* mu) {
    double right[d + rows], x[d + rows];
    for (int i = 0; i < d; ++i) right[i] = -normal[i];
    for (int k = 0; k < rows; ++k) right[d + k] = 0.0;
    if (!matrix.solve(right, x)) return false;
    for (int k = 0; k < rows; ++k) mu[k] = x[d + k];
    return true;
  }

  /// One that the spec names: q. by (a), v. by (b), p. by (c).
  LIVENS_HD_COLD bool from_given(const Direction& direction, Node& along) const {
    auto parameters = constants<D>(system_.given);
    if (direction.of == WithRespectTo::parameter) parameters[direction.entry].partial[0] = 1.0;
    const Moved moved(parameters);
    MovedPosition q = constants<D>(given_q_), v = constants<D>(given_v_);
    if (direction.of == WithRespectTo::parameter) {
      static constexpr auto of_q = Tangents::q, of_v = Tangents::v;
      follow(moved.initial_position(), of_q, q);
      if constexpr (!Tangents::momentum) follow(moved.initial_velocity(), of_v, v);
    }
    if (direction.of == WithRespectTo::q) q[direction.entry].partial[0] = 1.0;
    if (direction.of == WithRespectTo::v) v[direction.entry].partial[0] = 1.0;
    if constexpr (Tangents::momentum) {
      MovedPosition p = constants<D>(momentum_of(system_, given_q_, given_v_));
      if (direction.of == WithRespectTo::p) p[direction.entry].partial[0] = 1.0;
      v = velocity_of(moved, q, p);
    }
    bool found;
    const NodeState<D, d> n = consistent(moved, q, v, found);
    for (int i = 0; i < d; ++i) {
      along.q[i] = found ? n.q[i].partial[0] : __builtin_nan("");
      along.p[i] = found ? n.p[i].partial[0] : __builtin_nan("");
      along.v[i] = found ? n.v[i].partial[0] : __builtin_nan("");
    }
    return found;
  }
  /// Entries that the system has by itself move with its parameters; by what 0 is multiplied nobody knows.
  static LIVENS_HD void follow(const MovedPosition& own, const std::array<Origin, d>& from,
                               MovedPosition& x) {
    for (int i = 0; i < d; ++i) {
      if (from[i] == Origin::own) x[i].partial[0] = own[i].partial[0];
      if (from[i] == Origin::multiplied)
        x[i].partial[0] = own[i].partial[0] == 0.0 ? 0.0 : x[i].value / own[i].value * own[i].partial[0];
    }
  }

  /// (a): one more iteration of M (q - q^) + G^T mu = 0, g = 0 on numbers that move, M at q^. q is q^ before.
  template <class Of, class Number>
  LIVENS_HD_COLD bool project_position(const Of& moved, Vec<Number, d>& q) const {
    if constexpr (position_rows == 0) {
      return true;
    } else {
      constexpr int n = d + position_rows;
      Kkt<position_rows> matrix = kkt<position_rows>(given_q_, n_.q);
      double mu[position_rows];
      if (!multipliers<position_rows>(matrix, metric_times(system_, given_q_, n_.q - given_q_), mu))
        return false;
      for (int j = 0; j < d; ++j) {  // W(mu), column by column
        MovedPosition x = constants<D>(n_.q);
        x[j].partial[0] = 1.0;
        const auto G = rows_at<position_rows>(Moved(constants<D>(system_.given)), x);
        for (int k = 0; k < position_rows; ++k)
          for (int i = 0; i < d; ++i)
            matrix.entries[i * n + j] = fma(mu[k], G(k, i).partial[0], matrix.entries[i * n + j]);
      }
      const Vec<Number, d> fixed = constants<Number>(n_.q);
      const Vec<Number, d> pulled = metric_times(moved, q, fixed - q);
      const auto G = rows_at<position_rows>(moved, fixed);
      const auto g = positions(moved, fixed);
      Number r[n], x[n];
      for (int i = 0; i < d; ++i) {
        r[i] = pulled[i];
        for (int k = 0; k < position_rows; ++k) r[i] = fma(Number(mu[k]), G(k, i), r[i]);
      }
      for (int k = 0; k < position_rows; ++k) r[d + k] = g[k];
      if (!move_root<n>(matrix.entries, r, x)) return false;
      for (int i = 0; i < d; ++i) q[i] = x[i];
      return true;
    }
  }
  /// (b), at q with its partials. v is v^ before.
  template <class Of, class Number>
  LIVENS_HD_COLD bool project_velocity(const Of& moved, const Vec<Number, d>& q, Vec<Number, d>& v) const {
    if constexpr (m == 0) {
      return true;
    } else {
      constexpr int n = d + m;
      const Kkt<m> matrix = kkt<m>(n_.q, n_.q);
      double nu[m];
      if (!multipliers<m>(matrix, metric_times(system_, n_.q, n_.v - given_v_), nu)) return false;
      const Vec<Number, d> fixed = constants<Number>(n_.v);
      const Vec<Number, d> pulled = metric_times(moved, q, fixed - v);
      const auto A = rows_at<m>(moved, q);
      const auto rate = rates(moved, q, fixed);
      Number r[n], x[n];
      for (int i = 0; i < d; ++i) {
        r[i] = pulled[i];
        for (int k = 0; k < m; ++k) r[i] = fma(Number(nu[k]), A(k, i), r[i]);
      }
      for (int k = 0; k < m; ++k) r[d + k] = rate[k];
      if (!move_root<n>(matrix.entries, r, x)) return false;
      for (int i = 0; i < d; ++i) v[i] = x[i];
      return true;
    }
  }

  /// The first `count` of the basis of section 3: a_1, ..., then c_1, ...
  LIVENS_HD_COLD bool fill_state(Node* along, int count) const {
    constexpr int free = d - m;
    const Kkt<m> matrix = kkt<m>(n_.q, n_.q);
    const auto M = mass_at(system_, n_.q);
    // P e_i, column by column.
    Position column[d], tangent[free > 0 ? free : 1];
    bool found = true;
    for (int i = 0; i < d; ++i) {
      double right[d + m], x[d + m];
      const Position metric = metric_column(system_, n_.q, i);
      for (int r = 0; r < d + m; ++r) right[r] = r < d ? metric[r] : 0.0;
      found = matrix.solve(right, x) && found;
      for (int r = 0; r < d; ++r) column[i][r] = x[r];
    }
    // The one of which most is left first, each orthonormalised twice.
    bool taken[d] = {};
    for (int j = 0; j < free; ++j) {
      int best = -1;
      double most = -1.0;
      Position left[d];
      for (int i = 0; i < d; ++i) {
        if (taken[i]) continue;
        left[i] = column[i];
        for (int time = 0; time < 2; ++time)
          for (int f = 0; f < j; ++f)
            left[i] = fnma(dot(tangent[f], metric_times(system_, n_.q, left[i])), tangent[f], left[i]);
        const double size = dot(left[i], metric_times(system_, n_.q, left[i]));
        if (size > most) best = i, most = size;
      }
      found = found && best >= 0 && most > 0.0;
      if (!found) break;
      taken[best] = true;
      tangent[j] = (1.0 / sqrt(most)) * left[best];
    }
    for (int j = 0; j < count; ++j) {
      Node& node = along[j];
      const Position none = zero_vector<double, d>();
      node = {none, none, none};
      if (!found) {
        for (int i = 0; i < d; ++i) node.q[i] = node.p[i] = node.v[i] = __builtin_nan("");
      } else if (j >= free) {
        node.v = tangent[j - free];
        node.p = M.times(node.v);
      } else {
        node.q = tangent[j];
        follow_rows(matrix, node);
      }
    }
    return found;
  }
  /// b_j: what keeps the velocity of a direction in q on the rows; it is normal to them.
  LIVENS_HD_COLD void follow_rows(const Kkt<m>& matrix, Node& node) const {
    const Moved moved(constants<D>(system_.given));
    MovedPosition q = constants<D>(n_.q), p = constants<D>(n_.p);
    for (int i = 0; i < d; ++i) q[i].partial[0] = node.q[i];
    if constexpr (m > 0) {
      const auto rate = rates(moved, q, MovedPosition(velocity_of(moved, q, p)));
      double right[d + m], x[d + m];
      for (int i = 0; i < d; ++i) right[i] = 0.0;
      for (int k = 0; k < m; ++k) right[d + k] = rate[k].partial[0];
      if (!matrix.solve(right, x)) x[d] = __builtin_nan("");
      const auto A = rows_at<m>(system_, n_.q);
      for (int k = 0; k < m; ++k)
        for (int i = 0; i < d; ++i) node.p[i] = fma(A(k, i), x[d + k], node.p[i]);
    }
    for (int i = 0; i < d; ++i) p[i].partial[0] = node.p[i];
    const MovedPosition v = velocity_of(moved, q, p);
    for (int i = 0; i < d; ++i) node.v[i] = v[i].partial[0];
  }

  const System& system_;
  Position given_q_, given_v_;
  Node n_;
};

}  // namespace livens::inline LIVENS_ISA
