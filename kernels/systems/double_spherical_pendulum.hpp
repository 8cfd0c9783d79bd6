#pragma once
// Double spherical pendulum in relative vectors u1, u2 (u2 from mass 1 to mass 2).
// gamma-convergence-constrained, section 4; equations/multibody.md, section 2.
//   (a) M = [[m1 + m2, m2], [m2, m2]] (x) I3
//   (b) V = (m1 + m2) g e3.u1 + m2 g e3.u2
//   (c) g_k = (|u_k|^2 - l_k^2)/2
//   (d) Rayleigh function 1/2 eta1 |u1'|^2 + 1/2 eta2 |u1' + u2'|^2
// Vector form: the directions u_k / l_k.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct DoubleSphericalPendulumDescription {
  static constexpr double mass[] = {10.0, 5.0};
  static constexpr double length[] = {1.0, 1.5};
  static constexpr double gravity[] = {9.81};
  static constexpr double damping[] = {0.0, 0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "masses, from the support outwards",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "length",
       .symbol = "l",
       .unit = "m",
       .meaning = "lengths of the rods",
       .domain = Domain::positive,
       .defaults = length},
      {.name = "gravity",
       .symbol = "g",
       .unit = "m/s^2",
       .meaning = "along -e3",
       .domain = Domain::real,
       .defaults = gravity},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous drag on the masses",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr ObservableInfo observables[] = {
      {"max_discrete_speed", "m/s", "largest |u_n+1 - u_n|/h of all steps, u in R^6"},
  };
  static constexpr SystemInfo info = {.name = "double_spherical_pendulum",
                                      .meaning = "two point masses on two massless rods, in space",
                                      .paper = "gamma-convergence-constrained, section 4",
                                      .layout = "u1, u2 in R^3, u2 relative to mass 1",
                                      .coordinates = 6,
                                      .constraints = 2,
                                      .momentum_maps = 1,
                                      .parameters = parameters,
                                      .default_scheme = "del_nullspace",
                                      .default_step = 0.01,
                                      .default_end = 10.0,
                                      .observables = observables};
};

template <class Scalar_>
struct DoubleSphericalPendulum : Described<DoubleSphericalPendulumDescription>, LinearPotential {
  using Scalar = Scalar_;
  template <class Other>
  using Over = DoubleSphericalPendulum<Other>;
  using Position = Vec<Scalar, 6>;

  using Inertia = CoupledInertia<Scalar, 2>;
  Inertia inertia;
  Vec<Scalar, 2> length, weight;  ///< weight: dV/d(e3.u_k), N
  Mat<Scalar, 2, 2> viscosity;    ///< C is this (x) I3

  LIVENS_HD explicit DoubleSphericalPendulum(const Vec<Scalar, 7>& parameter)
      : inertia(Mat<Scalar, 2, 2>{{parameter[0] + parameter[1], parameter[1], parameter[1], parameter[1]}}),
        length(part<2, 2>(parameter)),
        weight{{(parameter[0] + parameter[1]) * parameter[4], parameter[1] * parameter[4]}},
        viscosity{parameter[5] + parameter[6], parameter[6], parameter[6], parameter[6]} {}

  /// u1 = l1 e1, u2 = l2 e1, as the paper prints (its section 4.1).
  LIVENS_HD Position initial_position() const {
    const Scalar o = Scalar(0.0);
    return {{length[0], o, o, length[1], o, o}};
  }
  /// v = (e2; e3).
  LIVENS_HD Position initial_velocity() const {
    const Scalar o = Scalar(0.0), one = Scalar(1.0);
    return {{o, one, o, o, o, one}};
  }

  LIVENS_HD Scalar potential(const Position& q) const { return fma(weight[0], q[2], weight[1] * q[5]); }
  LIVENS_HD Scalar potential_scale(const Position& q) const {
    return abs(weight[0] * q[2]) + abs(weight[1] * q[5]);
  }
  LIVENS_HD Position gradient(const Position&) const {
    const Scalar o = Scalar(0.0);
    return {{o, o, weight[0], o, o, weight[1]}};
  }
  static constexpr bool stiff(int i, int j) { return i % 3 == j % 3; }
  LIVENS_HD Scalar damping(int i, int j) const { return stiff(i, j) ? viscosity(i / 3, j / 3) : Scalar(0.0); }

  LIVENS_HD Vec<Scalar, 2> constraints_at(const Position& q) const {
    Vec<Scalar, 2> g;
    unroll<2>([&](auto k) {
      const Vec3<Scalar> u = block<k.value>(q);
      g[k] = Scalar(0.5) * dot_near(u, u, -(length[k] * length[k]));
    });
    return g;
  }
  static constexpr bool constrains(int k, int i) { return i / 3 == k; }
  LIVENS_HD Mat<Scalar, 2, 6> constraint_jacobian(const Position& q) const {
    Mat<Scalar, 2, 6> G;
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < 6; ++i) G(k, i) = constrains(k, i) ? q[i] : Scalar(0.0);
    return G;
  }
  static constexpr bool curved(int k, int i, int j) { return i == j && i / 3 == k; }
  LIVENS_HD Scalar curvature(int k, int i, int j) const { return Scalar(curved(k, i, j) ? 1.0 : 0.0); }

  /// Angular momentum about e3; u_k x p_k is the cotangent lift whatever the coordinates.
  LIVENS_HD Vec<Scalar, 1> momentum_map(const Position& q, const Position& p) const {
    return {{cross(block<0>(q), block<0>(p))[2] + cross(block<1>(q), block<1>(p))[2]}};
  }

  /// Bounded independently of h: table 1 of the paper.
  struct Watch {
    static constexpr int observables = 1;
    Scalar max_discrete_speed;
  };
  LIVENS_HD Watch watch(const Position&) const { return {Scalar(0.0)}; }
  LIVENS_HD Watch watched(const Watch& before, const Position& q0, const Position& q1, const Scalar&,
                          const Scalar& h) const {
    const Position Du = q1 - q0;
    const Scalar square = dot(Du, Du), farthest = h * before.max_discrete_speed;
    // The root and the quotient are for those that may be faster, whatever rounds them.
    constexpr double nearly_one = is_single<Scalar> ? 1.0 - 1e-6 : 1.0 - 1e-14;
    if (!any(square > Scalar(nearly_one) * (farthest * farthest))) return before;
    return {max(sqrt(square) / h, before.max_discrete_speed)};
  }

  using Vectors = VectorForm<Scalar, CoupledInertia,
                             VectorShape{.unit = 2, .weighted = true, .dragged = true, .momentum_maps = 1}>;

  LIVENS_HD Vectors vector_form() const {
    Vectors f;
    Mat<Scalar, 2, 2> scaled;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        scaled(a, b) = inertia.mass(a, b) * length[a] * length[b];
        f.drag(a, b) = viscosity(a, b) * length[a] * length[b];
      }
    f.inertia = CoupledInertia<Scalar, 2>(scaled);
    f.weight = {{weight[0] * length[0], weight[1] * length[1]}};
    f.constraint_scale = {{length[0] * length[0], length[1] * length[1]}};
    return f;
  }
  LIVENS_HD DiagonalInertia<Scalar, 2> coordinate_metric() const {
    return DiagonalInertia<Scalar, 2>({{length[0] * length[0], length[1] * length[1]}});
  }
  LIVENS_HD typename Vectors::State to_vectors(const Position& q, const Position& p) const {
    typename Vectors::State s;
    unroll<2>([&](auto k) {
      set_block<k.value>(s.z, (Scalar(1.0) / length[k]) * block<k.value>(q));
      set_block<k.value>(s.p, length[k] * block<k.value>(p));
    });
    return s;
  }
  LIVENS_HD NodeState<Scalar, 6> from_vectors(const typename Vectors::State& s) const {
    NodeState<Scalar, 6> n;
    unroll<2>([&](auto k) {
      set_block<k.value>(n.q, length[k] * block<k.value>(s.z));
      set_block<k.value>(n.p, (Scalar(1.0) / length[k]) * block<k.value>(s.p));
    });
    n.v = inertia.solve(n.p);
    return n;
  }
};

}  // namespace livens::inline LIVENS_ISA
