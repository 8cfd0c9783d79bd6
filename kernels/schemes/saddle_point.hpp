#pragma once
// The unknowns of the full forms: two vectors a, b in R^d and the multipliers Lambda, Gamma in R^m. Where
// they stand in the Newton matrix, and products with constraint Jacobians and curvatures whose zeros the
// system declares.

#include "kernels/math/static_sparse_lu.hpp"
#include "kernels/schemes/concept.hpp"

namespace livens::inline LIVENS_ISA {

enum class Unknown : short { a, b, lambda, gamma };

/// Elimination order without zero pivots: a_i, b_i coordinate by coordinate, and Lambda_k, Gamma_k after the
/// last coordinate that constraint k touches, by when elimination has filled their diagonal.
template <class System>
struct SaddlePointLayout {
  static constexpr int d = System::coordinates, m = System::constraints, size = 2 * d + 2 * m;

  struct Table {
    short a[d] = {}, b[d] = {}, lambda[m] = {}, gamma[m] = {};
    Unknown kind[size] = {};
    short number[size] = {};
  };
  static constexpr int last_coordinate(int k) {
    int last = 0;
    for (int i = 0; i < d; ++i)
      if (System::constrains(k, i)) last = i;
    return last;
  }
  static constexpr Table make() {
    Table table;
    short next = 0;
    auto place = [&](short& where, Unknown kind, int number) {
      table.kind[next] = kind;
      table.number[next] = static_cast<short>(number);
      where = next++;
    };
    for (int i = 0; i < d; ++i) {
      place(table.a[i], Unknown::a, i);
      place(table.b[i], Unknown::b, i);
      for (int k = 0; k < m; ++k)
        if (last_coordinate(k) == i) {
          place(table.lambda[k], Unknown::lambda, k);
          place(table.gamma[k], Unknown::gamma, k);
        }
    }
    return table;
  }
  static constexpr Table table = make();
  static constexpr int a(int i) { return table.a[i]; }
  static constexpr int b(int i) { return table.b[i]; }
  static constexpr int lambda(int k) { return table.lambda[k]; }
  static constexpr int gamma(int k) { return table.gamma[k]; }
};

/// Whether any constraint's second derivative couples coordinates i and j.
template <class System>
constexpr bool any_curvature(int i, int j) {
  for (int k = 0; k < System::constraints; ++k)
    if (System::curved(k, i, j)) return true;
  return false;
}

/// The unknowns apart.
template <class System>
struct SaddlePoint {
  using Scalar = typename System::Scalar;
  using Layout = SaddlePointLayout<System>;
  static constexpr int d = System::coordinates, m = System::constraints;
  Vec<Scalar, d> a, b;
  Vec<Scalar, m> lambda, gamma;

  static LIVENS_HD SaddlePoint unpack(const Vec<Scalar, Layout::size>& x) {
    SaddlePoint r;
    unroll<d>([&](auto i) {
      r.a[i] = x[Layout::a(i.value)];
      r.b[i] = x[Layout::b(i.value)];
    });
    unroll<m>([&](auto k) {
      r.lambda[k] = x[Layout::lambda(k.value)];
      r.gamma[k] = x[Layout::gamma(k.value)];
    });
    return r;
  }
  LIVENS_HD Vec<Scalar, Layout::size> pack() const {
    Vec<Scalar, Layout::size> x;
    unroll<d>([&](auto i) {
      x[Layout::a(i.value)] = a[i];
      x[Layout::b(i.value)] = b[i];
    });
    unroll<m>([&](auto k) {
      x[Layout::lambda(k.value)] = lambda[k];
      x[Layout::gamma(k.value)] = gamma[k];
    });
    return x;
  }
};

/// G v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::constraints> times(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::constraints> r = zero_vector<Scalar, System::constraints>();
  unroll<System::constraints>([&](auto k) {
    unroll<System::coordinates>([&](auto i) {
      if constexpr (System::constrains(k.value, i.value)) r[k] = fma(G(k, i), v[i], r[k]);
    });
  });
  return r;
}
/// G^T multiplier.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> transpose_times(
    const Mat<Scalar, System::constraints, System::coordinates>& G,
    const Vec<Scalar, System::constraints>& multiplier) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  unroll<System::constraints>([&](auto k) {
    unroll<System::coordinates>([&](auto i) {
      if constexpr (System::constrains(k.value, i.value)) r[i] = fma(G(k, i), multiplier[k], r[i]);
    });
  });
  return r;
}
/// Row k of the second derivative applied to v: A_k v.
template <class System, int K, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> curvature_times(const System& system,
                                                           const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  unroll<System::coordinates>([&](auto i) {
    unroll<System::coordinates>([&](auto j) {
      if constexpr (System::curved(K, i.value, j.value)) r[i] = fma(system.curvature(K, i, j), v[j], r[i]);
    });
  });
  return r;
}
/// W(multiplier) v = sum_k multiplier_k A_k v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> weighted_curvature_times(
    const System& system, const Vec<Scalar, System::constraints>& multiplier,
    const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  unroll<System::constraints>(
      [&](auto k) { r = fma(multiplier[k], curvature_times<System, k.value>(system, v), r); });
  return r;
}
/// Entry (I, J) of W(multiplier).
template <class System, int I, int J, class Scalar = typename System::Scalar>
LIVENS_HD Scalar weighted_curvature(const System& system,
                                    const Vec<Scalar, System::constraints>& multiplier) {
  Scalar r = Scalar(0.0);
  unroll<System::constraints>([&](auto k) {
    if constexpr (System::curved(k.value, I, J)) r = fma(multiplier[k], system.curvature(k, I, J), r);
  });
  return r;
}
/// C v.
template <class System, class Scalar = typename System::Scalar>
LIVENS_HD Vec<Scalar, System::coordinates> viscous_force(const System& system,
                                                         const Vec<Scalar, System::coordinates>& v) {
  Vec<Scalar, System::coordinates> r = zero_vector<Scalar, System::coordinates>();
  unroll<System::coordinates>([&](auto i) {
    unroll<System::coordinates>([&](auto j) {
      if constexpr (System::stiff(i.value, j.value)) r[i] = fma(system.damping(i, j), v[j], r[i]);
    });
  });
  return r;
}

}  // namespace livens::inline LIVENS_ISA
