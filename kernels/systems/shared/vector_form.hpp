#pragma once
// A system in vector form: its configuration as vectors in R^3, or R^2, of which some drift (no force acts on
// them), some are free, some are unit vectors and some come in threes as orthonormal frames: every constraint
// of the system has become |u| = 1 or d_i.d_j = delta_ij. Order: drift, free, unit, frames. Springs act on
// linear combinations of the vectors, weights along the last coordinate. This is what the reduced schemes are
// written against; a system offers it with vector_form(), to_vectors() and from_vectors().

#include "kernels/systems/shared/inertia.hpp"
#include "kernels/systems/shared/spring.hpp"

namespace livens::inline LIVENS_ISA {

/// Positions z and conjugate momenta p of the blocks, flat.
template <class Scalar, int N>
struct VectorState {
  Vec<Scalar, N> z, p;
};

struct VectorShape {
  int dimension = 3;
  int drifting = 0, free = 0, unit = 0, frames = 0;
  bool weighted = false, dragged = false;
  bool raised = false;  ///< V is not zero where all vectors are
  /// 3: the angular momentum; 1: its component along the last axis of space, or in the plane. 0: the maps of the
  /// system, if it has any, are evaluated at its nodes.
  int momentum_maps = 0;
};

template <class Scalar_, template <class, int, int> class Inertia_, VectorShape Shape,
          class Springs = SpringList<>>
struct VectorForm {
  using Scalar = Scalar_;
  static constexpr int dimension = Shape.dimension;
  static constexpr int drifting = Shape.drifting, free = Shape.free, unit = Shape.unit, frames = Shape.frames;
  static constexpr bool dragged = Shape.dragged, raised = Shape.raised;
  static constexpr int springs = Springs::count, momentum_maps = Shape.momentum_maps;
  static constexpr int first_free = drifting, first_unit = first_free + free, first_frame = first_unit + unit;
  static constexpr int blocks = first_frame + 3 * frames;
  static constexpr int size = dimension * blocks;
  static constexpr int degrees_of_freedom = dimension * free + (dimension - 1) * unit + 3 * frames;
  using Inertia = Inertia_<Scalar, blocks, dimension>;
  using State = VectorState<Scalar, size>;
  using Flat = Vec<Scalar, size>;
  using Vector = Vec<Scalar, dimension>;

  Inertia inertia;
  static constexpr int spring_slots = springs > 0 ? springs : 1;
  [[no_unique_address]] Springs spring;
  Mat<Scalar, spring_slots, blocks> coefficient;  ///< s_k = sum_b coefficient(k, b) z_b
  Vec<Scalar, blocks> weight;                     ///< V contains weight_b times the last entry of z_b, J
  Scalar level;                                   ///< and this, J, where it is raised
  Mat<Scalar, blocks, blocks> drag;  ///< Rayleigh function 1/2 drag(a, b) z_a'.z_b', coupled as the inertia
  Vec<Scalar, blocks> constraint_scale;  ///< g = constraint_scale (|u|^2 - 1)/2

  /// The same system, without springs, in the unit of time tau: its energies are tau^2 as large, its drag is tau times as
  /// large.
  LIVENS_HD VectorForm in_unit_of_time(const Scalar& tau) const {
    static_assert(springs == 0);
    VectorForm r = *this;
    const Scalar squared = tau * tau;
    if constexpr (Shape.weighted) r.weight = squared * weight;
    if constexpr (Shape.raised) r.level = squared * level;
    if constexpr (Shape.dragged)
      for (int a = 0; a < blocks; ++a)
        for (int b = 0; b < blocks; ++b) r.drag(a, b) = tau * drag(a, b);
    return r;
  }

  template <int B>
  static LIVENS_HD Vector at(const Flat& z) {
    return block<B, dimension>(z);
  }

  /// s_k.
  template <int K>
  LIVENS_HD Vector spring_vector(const Flat& z) const {
    Vector s = coefficient(K, first_free) * at<first_free>(z);
    unroll<blocks - first_free - 1>([&](auto i) {
      constexpr int b = first_free + 1 + i.value;
      s = fma(coefficient(K, b), at<b>(z), s);
    });
    return s;
  }
  LIVENS_HD Scalar potential(const Flat& z) const {
    Scalar V = Scalar(0.0);
    if constexpr (Shape.raised) V = level;
    unroll<springs>([&](auto k) { V = V + spring[k].potential(spring_vector<k.value>(z)); });
    if constexpr (Shape.weighted)
      unroll<blocks - first_free>([&](auto i) {
        constexpr int b = first_free + i.value;
        V = fma(weight[b], z[dimension * b + dimension - 1], V);
      });
    return V;
  }
  /// DV(z), flat over the blocks; zero on those that drift.
  LIVENS_HD Flat gradient(const Flat& z) const {
    Flat r = weights();
    unroll<springs>([&](auto k) { spread<k.value>(spring[k].gradient(spring_vector<k.value>(z)), r); });
    return r;
  }
  /// The discrete gradient of V through the invariants of the springs.
  LIVENS_HD Flat discrete_gradient(const Flat& z0, const Flat& z1) const {
    Flat r = weights();
    unroll<springs>([&](auto k) {
      spread<k.value>(spring[k].discrete_gradient(spring_vector<k.value>(z0), spring_vector<k.value>(z1)), r);
    });
    return r;
  }
  /// Its derivative by z1 along a direction.
  LIVENS_HD Flat discrete_gradient_times(const Flat& z0, const Flat& z1, const Flat& direction) const {
    Flat r = zero_vector<Scalar, size>();
    unroll<springs>([&](auto k) {
      const auto K =
          spring[k].discrete_gradient_jacobian(spring_vector<k.value>(z0), spring_vector<k.value>(z1));
      spread<k.value>(times_vector(K, spring_vector<k.value>(direction)), r);
    });
    return r;
  }
  /// D^2 V(z) direction.
  LIVENS_HD Flat hessian_times(const Flat& z, const Flat& direction) const {
    Flat r = zero_vector<Scalar, size>();
    unroll<springs>([&](auto k) {
      const auto K = spring[k].hessian(spring_vector<k.value>(z));
      spread<k.value>(times_vector(K, spring_vector<k.value>(direction)), r);
    });
    return r;
  }
  /// The viscous force of the velocity z'.
  LIVENS_HD Flat viscous(const Flat& rate) const {
    Flat r = zero_vector<Scalar, size>();
    unroll<springs>([&](auto k) { spread<k.value>(spring[k].viscosity * spring_vector<k.value>(rate), r); });
    if constexpr (Shape.dragged)
      unroll<blocks>([&](auto a) {
        unroll<blocks>([&](auto b) {
          if constexpr (a.value == b.value || Inertia::coupled)
            set_block<a.value>(r, fma(drag(a, b), at<b.value>(rate), at<a.value>(r)));
        });
      });
    return r;
  }
  /// The constant part of DV.
  LIVENS_HD Flat weights() const {
    Flat r = zero_vector<Scalar, size>();
    if constexpr (Shape.weighted)
      for (int b = first_free; b < blocks; ++b) r[dimension * b + dimension - 1] = weight[b];
    return r;
  }
  /// Adds the force covector F of spring K to the blocks it acts on.
  template <int K>
  LIVENS_HD void spread(const Vector& F, Flat& r) const {
    unroll<blocks - first_free>([&](auto i) {
      constexpr int b = first_free + i.value;
      set_block<b>(r, fma(coefficient(K, b), F, at<b>(r)));
    });
  }

 private:
  template <int N>
  static LIVENS_HD Vec<Scalar, N> times_vector(const Mat<Scalar, N, N>& A, const Vec<Scalar, N>& x) {
    Vec<Scalar, N> r;
    for (int i = 0; i < N; ++i) {
      r[i] = A(i, 0) * x[0];
      for (int j = 1; j < N; ++j) r[i] = fma(A(i, j), x[j], r[i]);
    }
    return r;
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
