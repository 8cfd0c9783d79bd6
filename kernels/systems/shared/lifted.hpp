#pragma once
// Derivatives of V by dual numbers, for a system that has written down V alone. They cost d to d^2
// evaluations of V, built anew from the parameters each time: what a system gives itself is faster.

#include "kernels/math/dual.hpp"
#include "kernels/math/small_matrix.hpp"

namespace livens::inline LIVENS_ISA {

/// What is given, or has been made of it, among dual numbers.
template <class Dual, class Scalar, int N>
LIVENS_HD Vec<Dual, N> constants(const Vec<Scalar, N>& a) {
  Vec<Dual, N> r;
  for (int i = 0; i < N; ++i) r[i] = Dual(a[i]);
  return r;
}
/// The variables x_0, ..., x_{N-1} at a.
template <class Dual, class Scalar, int N>
LIVENS_HD Vec<Dual, N> variables(const Vec<Scalar, N>& a) {
  Vec<Dual, N> r;
  for (int i = 0; i < N; ++i) r[i] = Dual::variable(a[i], i);
  return r;
}

/// DV(q) of the system with these parameters.
template <class System, class Scalar, int P, int D>
LIVENS_HD Vec<Scalar, D> lifted_gradient(const Vec<Scalar, P>& parameters, const Vec<Scalar, D>& q) {
  using First = Dual<D, Scalar>;
  const typename System::template Over<First> system(constants<First>(parameters));
  const First V = system.potential(variables<First>(q));
  Vec<Scalar, D> r;
  for (int i = 0; i < D; ++i) r[i] = V.partial[i];
  return r;
}

/// D^2 V(q): the partial derivatives of DV, itself by dual numbers.
template <class System, class Scalar, int P, int D>
LIVENS_HD Mat<Scalar, D, D> lifted_hessian(const Vec<Scalar, P>& parameters, const Vec<Scalar, D>& q) {
  using First = Dual<D, Scalar>;
  const Vec<First, D> gradient = lifted_gradient<System>(constants<First>(parameters), variables<First>(q));
  Mat<Scalar, D, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r(i, j) = gradient[i].partial[j];
  return r;
}

}  // namespace livens::inline LIVENS_ISA
