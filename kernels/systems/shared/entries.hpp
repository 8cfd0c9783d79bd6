#pragma once
// The entries of G and of D^2 g that a system declares to be possibly non-zero (listed_entries.hpp).

#include "kernels/math/listed_entries.hpp"

namespace livens::inline LIVENS_ISA {

template <class System>
struct DeclaredConstraints {
  constexpr bool operator()(int k, int i) const { return System::constrains(k, i); }
};
template <class System, int K>
struct DeclaredCurvature {
  constexpr bool operator()(int i, int j) const { return System::curved(K, i, j); }
};
/// The constraints whose second derivatives have an entry (I, J), as a column.
template <class System, int I, int J>
struct DeclaredCurving {
  constexpr bool operator()(int k, int) const { return System::curved(k, I, J); }
};
/// True if any constraint's second derivative couples coordinates i and j.
template <class System>
constexpr bool any_curvature(int i, int j) {
  for (int k = 0; k < System::constraints; ++k)
    if (System::curved(k, i, j)) return true;
  return false;
}
template <class System>
struct DeclaredAnyCurvature {
  constexpr bool operator()(int i, int j) const { return any_curvature<System>(i, j); }
};
template <class System>
struct DeclaredStiffness {
  constexpr bool operator()(int i, int j) const { return System::stiff(i, j); }
};

/// Calls body(k, i) for every entry of G.
template <class System, class Body>
LIVENS_HD constexpr void for_each_constraint_entry(Body&& body) {
  for_each_entry<System::constraints, System::coordinates, DeclaredConstraints<System>>(body);
}
/// Calls body(i, j) for every entry of D^2 g_K.
template <class System, int K, class Body>
LIVENS_HD constexpr void for_each_curvature_entry(Body&& body) {
  for_each_entry<System::coordinates, System::coordinates, DeclaredCurvature<System, K>>(body);
}

/// Row K of G as a vector.
template <class System, int K, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> constraint_row(
    const Mat<Scalar, System::constraints, System::coordinates>& G) {
  Vec<Scalar, System::coordinates> row = zero_vector<Scalar, System::coordinates>();
  unroll<System::coordinates>([&](auto i) {
    if constexpr (System::constrains(K, i.value)) row[i] = G(K, i);
  });
  return row;
}
/// G v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> times(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::constraints> r = zero_vector<Scalar, System::constraints>();
  for_each_constraint_entry<System>([&](auto k, auto i) { r[k] = fma(G(k, i), v[i], r[k]); });
  return r;
}
/// G^T multiplier.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> transpose_times(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::constraints>& multiplier) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  for_each_constraint_entry<System>([&](auto k, auto i) { r[i] = fma(G(k, i), multiplier[k], r[i]); });
  return r;
}
/// A_K v with A_K = D^2 g_K.
template <class System, int K, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> curvature_times(const System& system,
                                                           const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  for_each_curvature_entry<System, K>(
      [&](auto i, auto j) { r[i] = fma(system.curvature(K, i, j), v[j], r[i]); });
  return r;
}
/// W(multiplier) v = sum_k multiplier_k A_k v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> weighted_curvature_times(
    const System& system, const Vec<Scalar, System::constraints>& multiplier,
    const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  unroll<System::constraints>([&](auto k) {
    for_each_curvature_entry<System, k.value>(
        [&](auto i, auto j) { r[i] = fma(multiplier[k] * system.curvature(k, i, j), v[j], r[i]); });
  });
  return r;
}
/// Entry (I, J) of W(multiplier).
template <class System, int I, int J, class Scalar = typename System::Scalar>
LIVENS_HD Scalar weighted_curvature(const System& system,
                                    const Vec<Scalar, System::constraints>& multiplier) {
  Scalar r = Scalar(0.0);
  for_each_entry<System::constraints, 1, DeclaredCurving<System, I, J>>(
      [&](auto k, auto) { r = fma(multiplier[k], system.curvature(k, I, J), r); });
  return r;
}
/// C v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> viscous_force(const System& system,
                                                         const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  for_each_entry<System::coordinates, System::coordinates, DeclaredStiffness<System>>(
      [&](auto i, auto j) { r[i] = fma(system.damping(i, j), v[j], r[i]); });
  return r;
}

}  // namespace livens::inline LIVENS_ISA
