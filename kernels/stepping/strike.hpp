#pragma once
// What a wall does to a mechanism that meets it (equations/general.md, section 10, text.md, section 6):
//   (b) Lambda = [-(1 + e) nu + N M^-1 J^T S r]/(N K N^T),  mu = S (J M^-1 N^T Lambda + r),
//       p+ = p- + N^T Lambda - J^T mu,        J the rows of the mechanism, nu = N v- + gap_t, r = J v- + b,
//       S = (J M^-1 J^T)^-1,  K = M^-1 - M^-1 J^T S J M^-1,  N = D_q gap
//   (c) D += -(1 - e) nu Lambda/2 + mu.r/2,   W += -Lambda gap_t + mu.b

#include "kernels/math/lu.hpp"
#include "kernels/systems/shared/walls.hpp"

namespace livens::inline LIVENS_ISA {

/// y = A^-1 x in the place of x, by pivots; over dual numbers A y. = x. - A. y. False where A has no inverse.
template <class Scalar, int n>
bool solve_rows(const Mat<Scalar, n, n>& A, Vec<Scalar, n>& x) {
  const auto solve = [&](const auto& entry, const auto& right, const auto& keep) {
    double of_A[n * n], b[n];
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < n; ++l) of_A[k * n + l] = entry(A(k, l));
      b[k] = right(k);
    }
    const bool solved = solve_pivoted<n>(of_A, b);
    for (int k = 0; k < n; ++k) keep(x[k], b[k]);
    return solved;
  };
  if constexpr (requires { x[0].partial; }) {
    const auto value = [](const Scalar& a) { return a.value; };
    bool solved = solve(
        value, [&](int k) { return x[k].value; }, [](Scalar& a, double b) { a.value = b; });
    for (int j = 0; j < static_cast<int>(std::size(x[0].partial)); ++j)
      solved &= solve(
          value,
          [&](int k) {
            double b = x[k].partial[j];
            for (int l = 0; l < n; ++l) b = fnma(A(k, l).partial[j], x[l].value, b);
            return b;
          },
          [&](Scalar& a, double b) { a.partial[j] = b; });
    return solved;
  } else {
    return solve([](const Scalar& a) { return widen(a); }, [&](int k) { return widen(x[k]); },
                 [](Scalar& a, double b) { a = Scalar(b); });
  }
}

/// What an impact does to p, (b), what it loses and what moving walls and rows give, (c). Over numbers that may be dual.
template <class System>
class Strike {
 public:
  using Scalar = typename System::Scalar;
  static constexpr int d = System::coordinates, rows = System::constraints, own_rows = System::position_rows;

  template <class Node>
  Strike(const System& system, int wall, const Scalar& e, const Node& at) {
    const auto M = inertia_at(system, at.q, at.time);
    const auto all = system.gap_jacobian(at.q, at.time);
    Vec<Scalar, d> N;
    for (int i = 0; i < d; ++i) N[i] = all(wall, i);
    const Scalar gap_t = system.gap_rate(at.q, at.time)[wall], nu = dot(N, at.v) + gap_t, half = Scalar(0.5);
    const Vec<Scalar, d> MN = M.solve(N);
    const Scalar free_part = dot(N, MN);
    if constexpr (rows > 0) {
      Mat<Scalar, rows, d> J;
      Vec<Scalar, rows> b;
      all_rows(system, at, J, b);
      Mat<Scalar, rows, rows> JMJ;
      for (int l = 0; l < rows; ++l) {
        Vec<Scalar, d> row;
        for (int i = 0; i < d; ++i) row[i] = J(l, i);
        const Vec<Scalar, rows> column = rows_times(J, M.solve(row));
        for (int k = 0; k < rows; ++k) JMJ(k, l) = column[k];
      }
      const Vec<Scalar, rows> r = rows_times(J, at.v) + b, c = rows_times(J, MN);
      Vec<Scalar, rows> y = c, z = r;  // S c, S r
      solved = solve_rows(JMJ, y) && solve_rows(JMJ, z);
      const Scalar NKN = free_part - dot(c, y);
      solved = solved && NKN > Scalar(0x1p-40) * free_part;
      const Scalar Lambda = (dot(c, z) - (Scalar(1.0) + e) * nu) / NKN;
      const Vec<Scalar, rows> mu = Lambda * y + z;
      kick = Lambda * N;
      add_transposed(J, Scalar(-1.0) * mu, kick);
      loss = half * (dot(mu, r) - (Scalar(1.0) - e) * nu * Lambda);
      work = dot(mu, b) - Lambda * gap_t;
    } else {
      solved = free_part > Scalar(0.0);
      const Scalar Lambda = -(Scalar(1.0) + e) * nu / free_part;
      kick = Lambda * N;
      loss = -half * (Scalar(1.0) - e) * nu * Lambda;
      work = -Lambda * gap_t;
    }
    change = M.solve(kick);
  }

  Vec<Scalar, d> kick, change;  ///< p+ - p-, v+ - v-
  Scalar loss, work;
  bool solved;

 private:
  /// J and (g_t; b).
  template <class Node>
  static void all_rows(const System& system, const Node& at, Mat<Scalar, rows, d>& J, Vec<Scalar, rows>& b) {
    if constexpr (own_rows > 0) {
      const auto G = system.constraint_jacobian(at.q, at.time);
      set_part<0>(b, system.constraint_rate(at.q, at.time));
      for (int k = 0; k < own_rows; ++k)
        for (int i = 0; i < d; ++i) J(k, i) = G(k, i);
    }
    if constexpr (System::velocity_rows > 0) {
      const auto A = system.rate_matrix(at.q, at.time);
      set_part<own_rows>(b, system.rate_offset(at.q, at.time));
      for (int k = 0; k < System::velocity_rows; ++k)
        for (int i = 0; i < d; ++i) J(own_rows + k, i) = A(k, i);
    }
  }
};

}  // namespace livens::inline LIVENS_ISA
