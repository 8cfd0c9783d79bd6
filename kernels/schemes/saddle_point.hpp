#pragma once
// The unknowns of the full forms and where they stand in the Newton matrix: an increment b in R^d and
// multipliers Lambda in R^m; with a velocity level also a velocity a in R^d and multipliers Gamma in R^m.

#include "kernels/math/static_sparse_lu.hpp"
#include "kernels/newton/scheme.hpp"
#include "kernels/systems/shared/entries.hpp"

namespace livens::inline LIVENS_ISA {

enum class Unknown : short { a, b, lambda, gamma };

/// Elimination order without zero pivots: a_i, b_i coordinate by coordinate, and Lambda_k, Gamma_k after the
/// last coordinate that constraint k touches, by when elimination has filled their diagonal.
template <class System, bool VelocityLevel>
struct SaddlePointLayout {
  static constexpr int d = System::coordinates, m = System::constraints;
  static constexpr int size = (VelocityLevel ? 2 : 1) * (d + m);

  struct Table {
    short a[d] = {}, b[d] = {}, lambda[m + 1] = {}, gamma[m + 1] = {};  // m may be 0
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
      if (VelocityLevel) place(table.a[i], Unknown::a, i);
      place(table.b[i], Unknown::b, i);
      for (int k = 0; k < m; ++k)
        if (last_coordinate(k) == i) {
          place(table.lambda[k], Unknown::lambda, k);
          if (VelocityLevel) place(table.gamma[k], Unknown::gamma, k);
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

/// The unknowns apart; a and gamma are zero without a velocity level.
template <class System, bool VelocityLevel>
struct SaddlePoint {
  using Scalar = typename System::Scalar;
  using Layout = SaddlePointLayout<System, VelocityLevel>;
  static constexpr int d = System::coordinates, m = System::constraints;
  Vec<Scalar, d> a, b;
  Vec<Scalar, m> lambda, gamma;

  static LIVENS_HD SaddlePoint unpack(const Vec<Scalar, Layout::size>& x) {
    SaddlePoint r;
    unroll<d>([&](auto i) {
      r.b[i] = x[Layout::b(i.value)];
      if constexpr (VelocityLevel)
        r.a[i] = x[Layout::a(i.value)];
      else
        r.a[i] = Scalar(0.0);
    });
    unroll<m>([&](auto k) {
      r.lambda[k] = x[Layout::lambda(k.value)];
      if constexpr (VelocityLevel)
        r.gamma[k] = x[Layout::gamma(k.value)];
      else
        r.gamma[k] = Scalar(0.0);
    });
    return r;
  }
  LIVENS_HD Vec<Scalar, Layout::size> pack() const {
    Vec<Scalar, Layout::size> x;
    unroll<d>([&](auto i) {
      x[Layout::b(i.value)] = b[i];
      if constexpr (VelocityLevel) x[Layout::a(i.value)] = a[i];
    });
    unroll<m>([&](auto k) {
      x[Layout::lambda(k.value)] = lambda[k];
      if constexpr (VelocityLevel) x[Layout::gamma(k.value)] = gamma[k];
    });
    return x;
  }
};

}  // namespace livens::inline LIVENS_ISA
