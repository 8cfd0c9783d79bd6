#pragma once
// Four particles: two rigid bars 1-2 and 3-4, two springs 1-3 and 2-4.
// ggl-structure-preserving-integrators, section 5; equations/systems.md.
//   (a) T = sum_i 1/2 m_i |v_i|^2
//   (b) V = 1/2 k1 (|q3 - q1|^2 - l13^2)^2 + 1/2 k2 (|q4 - q2|^2 - l24^2)^2
//   (c) g1 = (|q2 - q1|^2/l12^2 - 1)/2,  g2 = (|q4 - q3|^2/l34^2 - 1)/2
//   (d) Rayleigh function 1/2 eta1 |v3 - v1|^2 + 1/2 eta2 |v4 - v2|^2
// Vector form (reduced.md, section 2): X centre of mass of all, drifting; Y = X34 - X12 free; u12, u34 unit
// bars.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct FourParticleDescription {
  static constexpr double mass[] = {1.0, 3.0, 2.3, 1.7};
  static constexpr double stiffness[] = {1.0, 10.0};
  static constexpr double length[] = {1.0, 1.0, 1.0, 1.0};
  static constexpr double damping[] = {0.0, 0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "masses of the particles",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "stiffness",
       .symbol = "k",
       .unit = "N/m^3",
       .meaning = "springs 1-3 and 2-4",
       .domain = Domain::non_negative,
       .defaults = stiffness},
      {.name = "length",
       .symbol = "l",
       .unit = "m",
       .meaning = "bars 1-2, 3-4, rest lengths of springs 1-3, 2-4",
       .domain = Domain::positive,
       .defaults = length},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous elements beside the springs",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr SystemInfo info = {.name = "four_particle",
                                      .meaning = "four particles, two rigid bars, two springs",
                                      .paper = "ggl-structure-preserving-integrators, section 5",
                                      .layout = "q1, q2, q3, q4 in R^3",
                                      .coordinates = 12,
                                      .constraints = 2,
                                      .momentum_maps = 3,
                                      .parameters = parameters,
                                      .default_scheme = "ems",
                                      .default_step = 0.05,
                                      .default_end = 10.0};
};

template <class Scalar_>
struct FourParticle : Described<FourParticleDescription> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = FourParticle<Other>;
  static constexpr bool linear_potential = false;
  using Position = Vec<Scalar, 12>;

  using Inertia = DiagonalInertia<Scalar, 4>;
  Inertia inertia;
  using Law = QuarticLaw<Scalar>;
  Spring<Law> spring[2];
  Vec<Scalar, 4> length;
  Vec<Scalar, 2> inverse_square;  ///< 1/l12^2, 1/l34^2

  LIVENS_HD explicit FourParticle(const Vec<Scalar, 12>& parameter)
      : inertia(part<0, 4>(parameter)), length(part<6, 4>(parameter)) {
    for (int k = 0; k < 2; ++k) {
      spring[k] = {{parameter[4 + k], length[2 + k] * length[2 + k]}, parameter[10 + k]};
      inverse_square[k] = Scalar(1.0) / (length[k] * length[k]);
    }
  }

  /// Printed for unit lengths; for others the bars keep their directions and particle 1 and 3 their places.
  LIVENS_HD Position initial_position() const {
    const Scalar o = Scalar(0.0), one = Scalar(1.0);
    return {{o, o, o, length[0], o, o, o, one, o, length[1], one, o}};
  }
  /// p = 0 except p4 = (0, 3, 2).
  LIVENS_HD Position initial_velocity() const {
    Position v = zero_vector<Scalar, 12>();
    v[10] = Scalar(3.0) * inertia.reciprocal[3];
    v[11] = Scalar(2.0) * inertia.reciprocal[3];
    return v;
  }

  /// Spring K joins particles K and K + 2.
  template <int K>
  LIVENS_HD Vec3<Scalar> spring_vector(const Position& q) const {
    return block<K + 2>(q) - block<K>(q);
  }
  LIVENS_HD Scalar potential(const Position& q) const {
    return spring[0].potential(spring_vector<0>(q)) + spring[1].potential(spring_vector<1>(q));
  }
  /// sum_k |V_k|.
  LIVENS_HD Scalar potential_scale(const Position& q) const { return potential(q); }
  LIVENS_HD Position gradient(const Position& q) const {
    Position r;
    unroll<2>([&](auto k) { spread<k.value>(spring[k].gradient(spring_vector<k.value>(q)), r); });
    return r;
  }
  LIVENS_HD Position discrete_gradient(const Position& q0, const Position& q1) const {
    Position r;
    unroll<2>([&](auto k) {
      spread<k.value>(spring[k].discrete_gradient(spring_vector<k.value>(q0), spring_vector<k.value>(q1)), r);
    });
    return r;
  }
  /// Derivative of discrete_gradient by q1.
  LIVENS_HD Mat<Scalar, 12, 12> discrete_gradient_jacobian(const Position& q0, const Position& q1) const {
    return spring_matrix([&](auto k) {
      return spring[k].discrete_gradient_jacobian(spring_vector<k.value>(q0), spring_vector<k.value>(q1));
    });
  }
  LIVENS_HD Mat<Scalar, 12, 12> hessian(const Position& q) const {
    return spring_matrix([&](auto k) { return spring[k].hessian(spring_vector<k.value>(q)); });
  }
  /// True where these two and damping may be non-zero: within a particle, and between particles i and i +- 2.
  static constexpr bool stiff(int i, int j) { return (i / 3) % 2 == (j / 3) % 2; }
  /// Entry of C: C v is the viscous force of (d).
  LIVENS_HD Scalar damping(int i, int j) const {
    if (i % 3 != j % 3 || !stiff(i, j)) return Scalar(0.0);
    const Scalar eta = spring[(i / 3) % 2].viscosity;
    return i == j ? eta : -eta;
  }

  LIVENS_HD Vec<Scalar, 2> constraints_at(const Position& q) const {
    const Vec3<Scalar> r12 = block<1>(q) - block<0>(q), r34 = block<3>(q) - block<2>(q);
    return {{Scalar(0.5) * fma(dot(r12, r12), inverse_square[0], Scalar(-1.0)),
             Scalar(0.5) * fma(dot(r34, r34), inverse_square[1], Scalar(-1.0))}};
  }
  static constexpr bool constrains(int k, int i) { return i / 6 == k; }
  LIVENS_HD Mat<Scalar, 2, 12> constraint_jacobian(const Position& q) const {
    Mat<Scalar, 2, 12> G;
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 12; ++i) G(k, i) = Scalar(0.0);
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 3; ++i) {
        const Scalar entry = (q[6 * k + 3 + i] - q[6 * k + i]) * inverse_square[k];
        G(k, 6 * k + 3 + i) = entry;
        G(k, 6 * k + i) = -entry;
      }
    return G;
  }
  static constexpr bool curved(int k, int i, int j) { return i / 6 == k && j / 6 == k && i % 3 == j % 3; }
  /// Entry (i, j) of D^2 g_k.
  LIVENS_HD Scalar curvature(int k, int i, int j) const {
    if (!curved(k, i, j)) return Scalar(0.0);
    return i == j ? inverse_square[k] : -inverse_square[k];
  }

  /// Angular momentum sum_i q_i x p_i.
  LIVENS_HD Vec3<Scalar> momentum_map(const Position& q, const Position& p) const {
    Vec3<Scalar> L = cross(block<0>(q), block<0>(p));
    unroll<3>([&](auto i) { L = L + cross(block<i.value + 1>(q), block<i.value + 1>(p)); });
    return L;
  }

  using Vectors = VectorForm<Scalar, DiagonalInertia,
                             VectorShape{.drifting = 1, .free = 1, .unit = 2, .momentum_maps = 3},
                             SpringList<Spring<Law>, Spring<Law>>>;

  LIVENS_HD Vectors vector_form() const {
    const auto& m = inertia.value;
    const Scalar m12 = m[0] + m[1], m34 = m[2] + m[3];
    Vectors f;
    f.inertia =
        Inertia(Vec<Scalar, 4>{{m12 + m34, m12 * m34 / (m12 + m34), m[0] * m[1] / m12 * length[0] * length[0],
                                m[2] * m[3] / m34 * length[1] * length[1]}});
    const Scalar one = Scalar(1.0), o = Scalar(0.0);
    f.spring = {spring[0], {spring[1], {}}};
    f.coefficient = {{o, one, m[1] / m12 * length[0], -(m[3] / m34 * length[1]),  //
                      o, one, -(m[0] / m12 * length[0]), m[2] / m34 * length[1]}};
    f.weight = zero_vector<Scalar, 4>();
    f.constraint_scale = {{one, one, one, one}};
    return f;
  }
  /// What moves beside u12 and u34, and by what part of their way, where forces along the bars move all
  /// particles as if they had one mass, as in ggl_mp: X, and Y.
  LIVENS_HD Mat<Scalar, 2, 2> coordinate_slip() const {
    const auto& m = inertia.value;
    const Scalar m12 = m[0] + m[1], m34 = m[2] + m[3], M = m12 + m34, half = Scalar(0.5);
    const Scalar s12 = half * (m[1] - m[0]) / m12 * length[0], s34 = half * (m[3] - m[2]) / m34 * length[1];
    return {{m12 / M * s12, m34 / M * s34, -s12, s34}};
  }
  LIVENS_HD typename Vectors::State to_vectors(const Position& q, const Position& p) const {
    const auto& m = inertia.value;
    const Scalar m12 = m[0] + m[1], m34 = m[2] + m[3], M = m12 + m34;
    typename Vectors::State s;
    const Vec3<Scalar> x12 = fma(m[0] / m12, block<0>(q), (m[1] / m12) * block<1>(q));
    const Vec3<Scalar> x34 = fma(m[2] / m34, block<2>(q), (m[3] / m34) * block<3>(q));
    set_block<0>(s.z, fma(m12 / M, x12, (m34 / M) * x34));
    set_block<1>(s.z, x34 - x12);
    set_block<2>(s.z, (Scalar(1.0) / length[0]) * (block<1>(q) - block<0>(q)));
    set_block<3>(s.z, (Scalar(1.0) / length[1]) * (block<3>(q) - block<2>(q)));
    const Vec3<Scalar> p12 = block<0>(p) + block<1>(p), p34 = block<2>(p) + block<3>(p);
    set_block<0>(s.p, p12 + p34);
    set_block<1>(s.p, fnma(m34 / M, p12, (m12 / M) * p34));
    set_block<2>(s.p, length[0] * fnma(m[1] / m12, block<0>(p), (m[0] / m12) * block<1>(p)));
    set_block<3>(s.p, length[1] * fnma(m[3] / m34, block<2>(p), (m[2] / m34) * block<3>(p)));
    return s;
  }
  LIVENS_HD NodeState<Scalar, 12> from_vectors(const typename Vectors::State& s) const {
    const auto& m = inertia.value;
    const Scalar m12 = m[0] + m[1], m34 = m[2] + m[3], M = m12 + m34;
    NodeState<Scalar, 12> n;
    const Vec3<Scalar> x12 = fnma(m34 / M, block<1>(s.z), block<0>(s.z));
    const Vec3<Scalar> x34 = fma(m12 / M, block<1>(s.z), block<0>(s.z));
    set_block<0>(n.q, fnma(m[1] / m12 * length[0], block<2>(s.z), x12));
    set_block<1>(n.q, fma(m[0] / m12 * length[0], block<2>(s.z), x12));
    set_block<2>(n.q, fnma(m[3] / m34 * length[1], block<3>(s.z), x34));
    set_block<3>(n.q, fma(m[2] / m34 * length[1], block<3>(s.z), x34));
    const Vec3<Scalar> p12 = fnma(Scalar(1.0), block<1>(s.p), (m12 / M) * block<0>(s.p));
    const Vec3<Scalar> p34 = fma(m34 / M, block<0>(s.p), block<1>(s.p));
    const Vec3<Scalar> bar12 = (Scalar(1.0) / length[0]) * block<2>(s.p);
    const Vec3<Scalar> bar34 = (Scalar(1.0) / length[1]) * block<3>(s.p);
    set_block<0>(n.p, fma(m[0] / m12, p12, Scalar(-1.0) * bar12));
    set_block<1>(n.p, fma(m[1] / m12, p12, bar12));
    set_block<2>(n.p, fma(m[2] / m34, p34, Scalar(-1.0) * bar34));
    set_block<3>(n.p, fma(m[3] / m34, p34, bar34));
    n.v = inertia.solve(n.p);
    return n;
  }

 private:
  /// The matrix of both springs from the 3 x 3 matrix of each, with the signs of their ends.
  template <class MatrixOf>
  static LIVENS_HD Mat<Scalar, 12, 12> spring_matrix(const MatrixOf& matrix_of) {
    Mat<Scalar, 12, 12> r;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) r(i, j) = Scalar(0.0);
    unroll<2>([&](auto k) {
      const Mat<Scalar, 3, 3> K = matrix_of(k);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int a = 3 * k.value + i, b = 3 * k.value + j;
          r(a, b) = K(i, j);
          r(a + 6, b + 6) = K(i, j);
          r(a + 6, b) = -K(i, j);
          r(a, b + 6) = -K(i, j);
        }
    });
    return r;
  }
  template <int K>
  static LIVENS_HD void spread(const Vec3<Scalar>& F, Position& r) {
    set_block<K>(r, Scalar(-1.0) * F);
    set_block<K + 2>(r, F);
  }
};

}  // namespace livens::inline LIVENS_ISA
