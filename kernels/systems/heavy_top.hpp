#pragma once
// Symmetric heavy top: a cone that spins on its tip, centre of mass phi and directors d1, d2, d3. By hand, since radius and
// spin follow from others where they are not given.
// ggl-variational-principle, section 5.1; equations/systems.md.
//   (a) M = diag(m, E1, E2, E3) (x) I3,  E_i = (J_j + J_k - J_i)/2
//       m = rho pi r^2 a/3,  J1 = J2 = 3/80 m (4 r^2 + a^2),  J3 = 3/10 m r^2,  l = 3a/4
//   (b) V = m g phi_3
//   (c) g = (|d1|^2 - 1)/2, (|d2|^2 - 1)/2, (|d3|^2 - 1)/2, d1.d2, d1.d3, d2.d3, phi - l d3        (61), (64)
//   (d) omega_0 = omega_p e3 + omega_s d3,  d_i = R0 e_i, a rotation by the nutation about e1    (65), (67)
//       omega_s = m g l/(J3 omega_p) + (J1 + m l^2 - J3)/J3 omega_p cos(nutation): steady precession    (66)
//   (e) Rayleigh function 1/2 eta times the mean of |x'|^2 on the rim of the base, x = a d3 + r (d1, d2):
//       1/2 eta [a^2 |d3'|^2 + r^2/2 (|d1'|^2 + |d2'|^2)]

#include "kernels/math/elementary.hpp"
#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct HeavyTopDescription {
  static constexpr double follows = __builtin_nan("");
  static constexpr double density[] = {2700.0};
  static constexpr double height[] = {0.1};
  static constexpr double radius[] = {follows};
  static constexpr double gravity[] = {9.81};
  static constexpr double nutation[] = {1.04719755119659774615};
  static constexpr double precession_rate[] = {10.0};
  static constexpr double spin_rate[] = {follows};
  static constexpr double damping[] = {0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "density",
       .symbol = "rho",
       .unit = "kg/m^3",
       .meaning = "density of the cone",
       .domain = Domain::positive,
       .defaults = density},
      {.name = "height",
       .symbol = "a",
       .unit = "m",
       .meaning = "height of the cone",
       .domain = Domain::positive,
       .defaults = height},
      {.name = "radius",
       .symbol = "r",
       .unit = "m",
       .meaning = "radius of its base",
       .domain = Domain::positive,
       .defaults = radius,
       .derived = "height/2"},
      {.name = "gravity",
       .symbol = "g",
       .unit = "m/s^2",
       .meaning = "along -e3",
       .domain = Domain::real,
       .defaults = gravity},
      {.name = "nutation",
       .symbol = "alpha_0",
       .unit = "rad",
       .meaning = "initial angle between e3 and the axis",
       .domain = Domain::real,
       .defaults = nutation},
      {.name = "precession_rate",
       .symbol = "omega_p",
       .unit = "rad/s",
       .meaning = "initial angular velocity about e3",
       .domain = Domain::real,
       .defaults = precession_rate},
      {.name = "spin_rate",
       .symbol = "omega_s",
       .unit = "rad/s",
       .meaning = "initial angular velocity about the axis, by default of steady precession (66)",
       .domain = Domain::real,
       .defaults = spin_rate,
       .derived = "5/2 * gravity * height / (radius^2 * precession_rate) + "
                  "(2 * height^2 / radius^2 - 1/2) * precession_rate * cos(nutation)"},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous drag on the rim of the base",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr SystemInfo info = {.name = "heavy_top",
                                      .meaning = "a cone that spins on its tip",
                                      .paper = "ggl-variational-principle, section 5.1",
                                      .layout = "phi, d1, d2, d3 in R^3",
                                      .coordinates = 12,
                                      .constraints = 9,
                                      .momentum_maps = 1,
                                      .parameters = parameters,
                                      .default_scheme = "ggl_vi",
                                      .default_step = 0.002,
                                      .default_end = 2.0};
};

template <class Scalar_>
struct HeavyTop : Described<HeavyTopDescription>, LinearPotential {
  using Scalar = Scalar_;
  template <class Other>
  using Over = HeavyTop<Other>;
  using Position = Vec<Scalar, 12>;

  using Inertia = DiagonalInertia<Scalar, 4>;
  Inertia inertia;
  Scalar length, weight;  ///< l; m g, N
  Scalar nutation, precession_rate, spin_rate;
  Vec<Scalar, 3> viscosity;  ///< of d1, d2, d3, N m s

  LIVENS_HD explicit HeavyTop(const Vec<Scalar, 8>& parameter)
      : nutation(parameter[4]), precession_rate(parameter[5]) {
    const Scalar a = parameter[1], g = parameter[3];
    const Scalar r = given_or(parameter[2], Scalar(0.5) * a);
    const Scalar m = parameter[0] * Scalar(3.14159265358979323846) * r * r * a / Scalar(3.0);
    const Scalar J1 = Scalar(3.0 / 80.0) * m * fma(Scalar(4.0) * r, r, a * a), J3 = Scalar(0.3) * m * r * r;
    const Scalar E3 = J1 - Scalar(0.5) * J3, E1 = Scalar(0.5) * J3;
    inertia = Inertia(Vec<Scalar, 4>{{m, E1, E1, E3}});
    length = Scalar(0.75) * a;
    weight = m * g;
    const Scalar steady = weight * length / (J3 * precession_rate) +
                          fma(m * length, length, J1 - J3) / J3 * precession_rate * cos(nutation);  // (66)
    spin_rate = given_or(parameter[6], steady);
    const Scalar across = Scalar(0.5) * parameter[7] * r * r;
    viscosity = {{across, across, parameter[7] * a * a}};
  }

  LIVENS_HD Position initial_position() const {
    const Scalar o = Scalar(0.0), c = cos(nutation), s = sin(nutation);
    return {{o, -(length * s), length * c, Scalar(1.0), o, o, o, c, s, o, -s, c}};
  }
  LIVENS_HD Position initial_velocity() const {
    const Position q = initial_position();
    const Vec3<Scalar> axis = block<3>(q);
    Vec3<Scalar> omega = spin_rate * axis;
    omega[2] = omega[2] + precession_rate;
    Position v;
    unroll<4>([&](auto b) { set_block<b.value>(v, cross(omega, block<b.value>(q))); });
    return v;
  }

  LIVENS_HD Scalar potential(const Position& q) const { return weight * q[2]; }
  LIVENS_HD Scalar potential_scale(const Position& q) const { return abs(potential(q)); }
  LIVENS_HD Position gradient(const Position&) const {
    Position r = zero_vector<Scalar, 12>();
    r[2] = weight;
    return r;
  }
  /// C is diagonal, and zero on phi.
  static constexpr bool stiff(int i, int j) { return i == j && i >= 3; }
  LIVENS_HD Scalar damping(int i, int j) const { return stiff(i, j) ? viscosity[i / 3 - 1] : Scalar(0.0); }

  // Constraint k < 6 is between the directors first(k) and second(k); 6, 7, 8 are the components of phi - l
  // d3.
  static constexpr int first(int k) { return k < 3 ? k + 1 : (k < 5 ? 1 : 2); }
  static constexpr int second(int k) { return k < 3 ? k + 1 : (k == 3 ? 2 : 3); }
  static constexpr bool constrains(int k, int i) {
    if (k < 6) return i / 3 == first(k) || i / 3 == second(k);
    return i == k - 6 || i == k + 3;
  }
  static constexpr bool curved(int k, int i, int j) {
    return k < 6 && i % 3 == j % 3 &&
           ((i / 3 == first(k) && j / 3 == second(k)) || (i / 3 == second(k) && j / 3 == first(k)));
  }
  LIVENS_HD Scalar curvature(int k, int i, int j) const { return Scalar(curved(k, i, j) ? 1.0 : 0.0); }
  LIVENS_HD Vec<Scalar, 9> constraints_at(const Position& q) const {
    Vec<Scalar, 9> g;
    unroll<6>([&](auto k) {
      const auto a = block<first(k.value)>(q), b = block<second(k.value)>(q);
      g[k] = k.value < 3 ? Scalar(0.5) * dot_near(a, b, Scalar(-1.0)) : dot(a, b);
    });
    for (int c = 0; c < 3; ++c) g[6 + c] = fnma(length, q[9 + c], q[c]);
    return g;
  }
  LIVENS_HD Mat<Scalar, 9, 12> constraint_jacobian(const Position& q) const {
    Mat<Scalar, 9, 12> G;
    unroll<6>([&](auto k) {
      constexpr int a = first(k.value), b = second(k.value);
      for (int c = 0; c < 3; ++c) {
        G(k, 3 * a + c) = q[3 * b + c];
        G(k, 3 * b + c) = q[3 * a + c];
      }
    });
    for (int c = 0; c < 3; ++c) {
      G(6 + c, c) = Scalar(1.0);
      G(6 + c, 9 + c) = -length;
    }
    return G;
  }

  /// Angular momentum about e3.
  LIVENS_HD Vec<Scalar, 1> momentum_map(const Position& q, const Position& p) const {
    Scalar L3 = Scalar(0.0);
    unroll<4>([&](auto b) {
      const Vec3<Scalar> x = block<b.value>(q), y = block<b.value>(p);
      L3 = fma(x[0], y[1], fnma(x[1], y[0], L3));
    });
    return {{L3}};
  }

  // phi = l d3 leaves a frame; the third director carries the centre of mass.
  using Vectors = VectorForm<Scalar, DiagonalInertia,
                             VectorShape{.frames = 1, .weighted = true, .dragged = true, .momentum_maps = 1}>;

  LIVENS_HD Vectors vector_form() const {
    Vectors f;
    const auto& M = inertia.value;
    f.inertia = DiagonalInertia<Scalar, 3>(Vec<Scalar, 3>{{M[1], M[2], fma(M[0] * length, length, M[3])}});
    f.weight = {{Scalar(0.0), Scalar(0.0), weight * length}};
    for (int b = 0; b < 3; ++b) f.drag(b, b) = viscosity[b];
    f.constraint_scale = {{Scalar(1.0), Scalar(1.0), Scalar(1.0)}};
    return f;
  }
  LIVENS_HD TiedPoint<Scalar> tied_point() const { return {inertia.value[0], length}; }
  /// S^T S of q = S z: what "no M^-1" in ggl_mp means in the vectors.
  LIVENS_HD DiagonalInertia<Scalar, 3> coordinate_metric() const {
    const Scalar one = Scalar(1.0);
    return DiagonalInertia<Scalar, 3>(Vec<Scalar, 3>{{one, one, fma(length, length, one)}});
  }
  LIVENS_HD typename Vectors::State to_vectors(const Position& q, const Position& p) const {
    typename Vectors::State s{part<3, 9>(q), part<3, 9>(p)};
    set_block<2>(s.p, fma(length, block<0>(p), block<3>(p)));
    return s;
  }
  LIVENS_HD NodeState<Scalar, 12> from_vectors(const typename Vectors::State& s) const {
    NodeState<Scalar, 12> n;
    const Vec3<Scalar> v3 = vector_form().inertia.reciprocal[2] * block<2>(s.p);
    set_part<3>(n.q, s.z);
    set_block<0>(n.q, length * block<2>(s.z));
    set_part<3>(n.p, s.p);
    set_block<0>(n.p, (inertia.value[0] * length) * v3);
    set_block<3>(n.p, inertia.value[3] * v3);
    n.v = inertia.solve(n.p);
    return n;
  }
};

}  // namespace livens::inline LIVENS_ISA
