#pragma once
// The increment of a contact step under rows A(q) v + b(q) = 0 of any form, for a constant M: Dq starts from
// the increment y without constraint and is brought onto the rows along A(q0)^T,
//   (a) x(lambda) = y + M^-1 A(q0)^T lambda
//   (b) f(lambda) = A(q_s) x + h b(q_s) = 0,  q_s = q0 + s x
//   (c) D f = [A(q_s) + s D_q (A(q_s) x + h b(q_s))] M^-1 A(q0)^T
// in m unknowns, by Newton's method from lambda = 0: of several roots the one that goes to y with h.

#include "kernels/systems/shared/nonholonomic.hpp"

namespace livens::inline LIVENS_ISA {

template <class Scalar, int D>
struct ConstrainedIncrement {
  Vec<Scalar, D> value;
  Mask<Scalar> exists;
};

/// s and h as in (b), y = `unconstrained`. There is none where Newton's updates do not come down to
/// round-off.
template <ContactSystem System, class Scalar = typename System::Scalar, int d = System::coordinates>
LIVENS_HD ConstrainedIncrement<Scalar, d> increment_along_rows(const System& system, const Vec<Scalar, d>& q,
                                                               const Vec<Scalar, d>& unconstrained,
                                                               const Scalar& s, const Scalar& h) {
  constexpr int m = System::constraints, most_updates = 25;
  // An update that no longer halves is round-off, if it is small beside x.
  const Scalar round_off = Scalar(is_single<Scalar> ? 0x1p-13 : 0x1p-42);  // 1024 eps
  const auto A = system.constraint_matrix(q);
  Vec<Scalar, d> mobile[m];
  unroll<m>([&](auto k) { mobile[k] = system.inertia.solve(row_of<k.value>(A)); });

  Vec<Scalar, d> x = unconstrained;
  Scalar last = Scalar(largest_number<Scalar>);
  Mask<Scalar> going = finite(norm_inf(x)), exists = going & !going;
  for (int update = 0; update < most_updates && any(going); ++update) {
    const Vec<Scalar, d> q_s = fma(s, x, q);
    const auto A_s = system.constraint_matrix(q_s);
    const auto slope = system.constraint_slope(q_s, x, h);
    Vec<Scalar, m> f = zero_vector<Scalar, m>();
    if constexpr (AffineConstraints<System>) f = h * system.constraint_offset(q_s);
    DenseMatrix<Scalar, m> J;
    unroll<m>([&](auto k) {
      const Vec<Scalar, d> row = fma(s, row_of<k.value>(slope), row_of<k.value>(A_s));
      f[k] = f[k] + dot(row_of<k.value>(A_s), x);
      unroll<m>([&](auto l) { J.at(k, l) = dot(row, mobile[l]); });
    });
    solve_unpivoted(J, f);
    Vec<Scalar, d> dx = zero_vector<Scalar, d>();
    unroll<m>([&](auto k) { dx = fma(f[k], mobile[k], dx); });
    const Scalar size = norm_inf(dx);
    x = select<Scalar>(going, x - dx, x);
    exists = exists | (going & (size <= round_off * norm_inf(x)));
    going = going & (size < Scalar(0.5) * last) & (size > Scalar(0.0));
    last = size;
  }
  return {x, exists};
}

}  // namespace livens::inline LIVENS_ISA
