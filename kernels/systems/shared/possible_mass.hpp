#pragma once
// Whether a mass matrix is one: parameters, each in its domain, may be those of no body.

#include "kernels/systems/shared/general.hpp"

namespace livens::inline LIVENS_ISA {

/// False where M(q), at the time 0, has a negative eigenvalue or, constant and with an inverse for other parameters, the
/// eigenvalue 0. Cholesky's elimination: pivot k is zero where it is no more than what d differences round,
/// d eps M_kk, and what is left of its column has to be as small. True where an entry is not a number, which
/// is found where it is used; an assembly's parts have masses of their own.
template <class System, int D>
LIVENS_HD_COLD bool mass_is_possible(const System& system, const Vec<double, D>& q) {
  constexpr double round_off = D * 0x1p-52;
  constexpr bool definite = requires(const Vec<double, D>& p) {
    system.inertia;
    system.inertia.solve(p);
  };
  const auto M = mass_at(system, q);
  if constexpr (!requires { M.entry(0, 0); })
    return true;
  else {
    double A[D * D];
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) A[i * D + j] = M.entry(i, j);
    for (int k = 0; k < D; ++k) {
      const double pivot = A[k * D + k];
      if (pivot != pivot) return true;
      const bool zero = !(pivot > round_off * M.entry(k, k));
      if (zero && (definite || pivot < -round_off * abs(M.entry(k, k)))) return false;
      for (int i = k + 1; i < D; ++i) {
        const double below = A[i * D + k];
        if (below == 0.0) continue;
        if (zero) {
          const double rounding = round_off * round_off * M.entry(k, k) * M.entry(i, i);
          if (below * below > rounding) return false;
          continue;
        }
        const double factor = below / pivot;
        for (int j = k + 1; j < D; ++j) A[i * D + j] = fnma(factor, A[k * D + j], A[i * D + j]);
      }
    }
    return true;
  }
}

}  // namespace livens::inline LIVENS_ISA
