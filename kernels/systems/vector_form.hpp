#pragma once
// A system in vector form: its configuration as vectors in R^3 of which some drift (no force acts on them),
// some are free, and some are unit vectors -- every constraint of the system has become |u| = 1. Order:
// drift, free, unit. Springs act on linear combinations of the vectors, weights along e3. This is what the
// reduced schemes are written against; a system offers it with vector_form(), to_vectors() and
// from_vectors().

#include "kernels/systems/inertia.hpp"
#include "kernels/systems/spring.hpp"

namespace livens::inline LIVENS_ISA {

/// Positions z and conjugate momenta p of the blocks, flat.
template <class Scalar, int N>
struct VectorState {
  Vec<Scalar, N> z, p;
};

template <class Scalar_, template <class, int> class Inertia_, int Drifting, int Free, int Unit, int Springs,
          int MomentumMaps>
struct VectorForm {
  using Scalar = Scalar_;
  static constexpr int blocks = Drifting + Free + Unit;
  static constexpr int size = 3 * blocks;
  static constexpr int drifting = Drifting, free = Free, unit = Unit, springs = Springs;
  static constexpr int first_free = Drifting, first_unit = Drifting + Free;
  /// 3: the angular momentum; 1: its component along e3, the direction of the weights.
  static constexpr int momentum_maps = MomentumMaps;
  static constexpr int degrees_of_freedom = 3 * Free + 2 * Unit;
  using Inertia = Inertia_<Scalar, blocks>;
  using State = VectorState<Scalar, size>;

  Inertia inertia;
  static constexpr int spring_slots = Springs > 0 ? Springs : 1;
  Spring<Scalar> spring[spring_slots];
  Mat<Scalar, spring_slots, blocks> coefficient;  ///< s_k = sum_b coefficient(k, b) z_b
  Vec<Scalar, blocks> weight;                     ///< V contains weight_b e3 . z_b, J
  Vec<Scalar, blocks> constraint_scale;           ///< g = constraint_scale (|u|^2 - 1)/2

  /// s_k.
  template <int K>
  LIVENS_HD Vec3<Scalar> spring_vector(const Vec<Scalar, size>& z) const {
    Vec3<Scalar> s = coefficient(K, first_free) * block<first_free>(z);
    unroll<blocks - first_free - 1>([&](auto i) {
      constexpr int b = first_free + 1 + i.value;
      s = fma(coefficient(K, b), block<b>(z), s);
    });
    return s;
  }
  LIVENS_HD Scalar potential(const Vec<Scalar, size>& z) const {
    Scalar V = Scalar(0.0);
    unroll<Springs>([&](auto k) { V = V + spring[k].potential(spring_vector<k.value>(z)); });
    if constexpr (MomentumMaps == 1)
      unroll<blocks - first_free>([&](auto i) {
        constexpr int b = first_free + i.value;
        V = fma(weight[b], z[3 * b + 2], V);
      });
    return V;
  }
  /// DV(z), flat over the blocks; zero on those that drift.
  LIVENS_HD Vec<Scalar, size> gradient(const Vec<Scalar, size>& z) const {
    Vec<Scalar, size> r = weights();
    unroll<Springs>([&](auto k) { spread<k.value>(spring[k].gradient(spring_vector<k.value>(z)), r); });
    return r;
  }
  /// The constant part of DV.
  LIVENS_HD Vec<Scalar, size> weights() const {
    Vec<Scalar, size> r = zero_vector<Scalar, size>();
    if constexpr (MomentumMaps == 1)
      for (int b = first_free; b < blocks; ++b) r[3 * b + 2] = weight[b];
    return r;
  }
  /// Adds the force covector F of spring K to the blocks it acts on.
  template <int K>
  LIVENS_HD void spread(const Vec3<Scalar>& F, Vec<Scalar, size>& r) const {
    unroll<blocks - first_free>([&](auto i) {
      constexpr int b = first_free + i.value;
      set_block<b>(r, fma(coefficient(K, b), F, block<b>(r)));
    });
  }
};

/// The Cayley (stereographic) step on the unit sphere: u1 = u0 + w (a - |a|^2 u0), w = 2/(1 + |a|^2), with a
/// = a1 e1 + a2 e2 tangent at u0 and |a| = tan(angle/2). Exact, no trigonometry (equations/reduced.md,
/// section 1).
template <class Scalar>
struct SphereStep {
  Vec3<Scalar> u0, e1, e2, a;
  Scalar a1, a2, a_squared, w;
  Vec3<Scalar> increment;  ///< u1 - u0, to full relative accuracy

  SphereStep() = default;
  LIVENS_HD SphereStep(const Vec3<Scalar>& u, const Vec3<Scalar>& basis1, const Vec3<Scalar>& basis2,
                       const Scalar& c1, const Scalar& c2)
      : u0(u), e1(basis1), e2(basis2), a1(c1), a2(c2) {
    a = fma(a1, e1, a2 * e2);
    a_squared = fma(a1, a1, a2 * a2);
    w = Scalar(2.0) / (Scalar(1.0) + a_squared);
    increment = w * fnma(a_squared, u0, a);
  }
  /// d u1 / d a_i = w e_i - w a_i (u0 + u1).
  LIVENS_HD void tangents(Vec3<Scalar>& t1, Vec3<Scalar>& t2) const {
    const Vec3<Scalar> sum = u0 + (u0 + increment);
    t1 = w * fnma(a1, sum, e1);
    t2 = w * fnma(a2, sum, e2);
  }
};

}  // namespace livens::inline LIVENS_ISA
