#pragma once
// Double four-bar linkage in the plane: bars 1, 2, 3 stand on the ground at (0, 0), (l, 0), (2l, 0), bars 4
// and 5 join their tops. ggl-variational-principle, section 5.2; equations/holonomic.md, section 6.
//   (a) per bar phi, d1, d2 in R^2 and M = diag(m, J/2, J/2) (x) I2,  J = m l^2/12
//   (b) V = m g sum_i phi_i,2
//   (c) per bar (|d1|^2 - 1)/2, (|d2|^2 - 1)/2, d1.d2                                                   (73)
//   (d) joints, the ends of a bar being phi -+ l/2 d1: P1-P3 with the ground, P4 [1-4], P5 [2-4], P5' [2-5],
//       P6 [3-5]                                                                                        (74)
//   (e) viscous elements from P1 to P5, the end of bar 4, and from P2 to P6, the end of bar 5 (section 5.3)
// One degree of freedom: the inclination theta of bars 1-3, singular at theta = 0.

#include "kernels/systems/shared/concept.hpp"

namespace livens::inline LIVENS_ISA {

struct DoubleFourBarDescription {
  static constexpr double mass[] = {1.0};
  static constexpr double length[] = {1.0};
  static constexpr double gravity[] = {9.81};
  static constexpr double velocity[] = {1.0};
  static constexpr double damping[] = {0.0, 0.0};
  static constexpr ParameterInfo parameters[] = {
      {.name = "mass",
       .symbol = "m",
       .unit = "kg",
       .meaning = "mass of every bar",
       .domain = Domain::positive,
       .defaults = mass},
      {.name = "length",
       .symbol = "l",
       .unit = "m",
       .meaning = "length of every bar",
       .domain = Domain::positive,
       .defaults = length},
      {.name = "gravity",
       .symbol = "g",
       .unit = "m/s^2",
       .meaning = "along -e2",
       .domain = Domain::real,
       .defaults = gravity},
      {.name = "velocity",
       .symbol = "v0",
       .unit = "m/s",
       .meaning = "initial velocity of the upper bars",
       .domain = Domain::real,
       .defaults = velocity},
      {.name = "damping",
       .symbol = "eta",
       .unit = "N s/m",
       .meaning = "viscous elements P1-P5 and P2-P6",
       .domain = Domain::non_negative,
       .defaults = damping,
       .damps = true},
  };
  static constexpr ObservableInfo observables[] = {
      {"singular_crossings", "1", "steps in which all bars passed through one line, theta = 0 or pi"},
  };
  static constexpr ObservableInfo sampled[] = {
      {"angular_momentum", "kg m^2/s", "angular momentum about the first ground joint, (75) of the paper"},
  };
  static constexpr SystemInfo info = {.name = "double_four_bar",
                                      .meaning = "double four-bar linkage in the plane",
                                      .paper = "ggl-variational-principle, section 5.2",
                                      .layout = "bars 1 to 5, each phi, d1, d2 in R^2",
                                      .coordinates = 30,
                                      .constraints = 29,
                                      .parameters = parameters,
                                      .default_scheme = "ems",
                                      .default_step = 0.001,
                                      .default_end = 10.0,
                                      .observables = observables,
                                      .sampled = sampled};
};

template <class Scalar_>
struct DoubleFourBar : Described<DoubleFourBarDescription>, LinearPotential, NoMomentumMaps<Scalar_, 30> {
  using Scalar = Scalar_;
  template <class Other>
  using Over = DoubleFourBar<Other>;
  using Position = Vec<Scalar, 30>;

  using Inertia = DiagonalInertia<Scalar, 15, 2>;
  Inertia inertia;
  Scalar length, weight, velocity;  ///< l; m g, N; v0
  Vec<Scalar, 2> viscosity;

  LIVENS_HD explicit DoubleFourBar(const Vec<Scalar, 6>& parameter)
      : length(parameter[1]),
        weight(parameter[0] * parameter[2]),
        velocity(parameter[3]),
        viscosity(part<4, 2>(parameter)) {
    const Scalar m = parameter[0], E = m * length * length / Scalar(24.0);
    Vec<Scalar, 15> masses;
    for (int bar = 0; bar < 5; ++bar) {
      masses[3 * bar] = m;
      masses[3 * bar + 1] = E;
      masses[3 * bar + 2] = E;
    }
    inertia = Inertia(masses);
  }

  /// Upright.
  LIVENS_HD Position initial_position() const {
    const Scalar o = Scalar(0.0), one = Scalar(1.0), half = Scalar(0.5) * length;
    Position q;
    unroll<3>([&](auto bar) {
      const Scalar foot = Scalar(1.0 * bar.value) * length;
      set_part<6 * bar.value>(q, Vec<Scalar, 6>{{foot, half, o, one, -one, o}});
    });
    unroll<2>([&](auto bar) {
      const Scalar middle = fma(Scalar(1.0 * bar.value), length, half);
      set_part<18 + 6 * bar.value>(q, Vec<Scalar, 6>{{middle, length, one, o, o, one}});
    });
    return q;
  }
  LIVENS_HD Position initial_velocity() const {
    const Scalar o = Scalar(0.0), turn = velocity / length;
    Position v;
    unroll<3>([&](auto bar) {
      set_part<6 * bar.value>(v, Vec<Scalar, 6>{{Scalar(0.5) * velocity, o, turn, o, o, turn}});
    });
    unroll<2>([&](auto bar) { set_part<18 + 6 * bar.value>(v, Vec<Scalar, 6>{{velocity, o, o, o, o, o}}); });
    return v;
  }

  LIVENS_HD Scalar potential(const Position& q) const {
    return weight * ((q[1] + q[7]) + (q[13] + q[19]) + q[25]);
  }
  LIVENS_HD Scalar potential_scale(const Position& q) const {
    return weight * ((abs(q[1]) + abs(q[7])) + (abs(q[13]) + abs(q[19])) + abs(q[25]));
  }
  LIVENS_HD Position gradient(const Position&) const {
    Position r = zero_vector<Scalar, 30>();
    for (int bar = 0; bar < 5; ++bar) r[6 * bar + 1] = weight;
    return r;
  }
  /// C = eta A^T A with A = [I, l/2 I, 0] on bars 4 and 5.
  static constexpr bool stiff(int i, int j) {
    return i / 6 == j / 6 && i / 6 >= 3 && i % 6 < 4 && j % 6 < 4 && i % 2 == j % 2;
  }
  LIVENS_HD Scalar damping(int i, int j) const {
    if (!stiff(i, j)) return Scalar(0.0);
    const Scalar half = Scalar(0.5) * length;
    const Scalar arm = (i % 6 < 2 ? Scalar(1.0) : half) * (j % 6 < 2 ? Scalar(1.0) : half);
    return viscosity[i / 6 - 3] * arm;
  }

  /// Joint j: end of bar a, less the end of bar b where there is one. The signs are those of l/2 d1.
  struct Joint {
    int a, sign_a, b, sign_b;
  };
  static constexpr Joint joint(int j) {
    constexpr Joint joints[] = {{0, -1, -1, 0}, {1, -1, -1, 0}, {2, -1, -1, 0}, {0, 1, 3, -1},
                                {1, 1, 3, 1},   {1, 1, 4, -1},  {2, 1, 4, 1}};
    return joints[j];
  }
  // Constraints 0-14: three per bar, as (c); 15-28: two per joint.
  static constexpr int internal(int k) { return k < 15 ? k % 3 : -1; }
  static constexpr bool constrains(int k, int i) {
    if (k < 15) {
      const int vector = i % 6 / 2;
      return i / 6 == k / 3 && vector > 0 && (internal(k) == 2 || vector == internal(k) + 1);
    }
    const Joint J = joint((k - 15) / 2);
    return (i / 6 == J.a || i / 6 == J.b) && i % 6 < 4 && i % 2 == (k - 15) % 2;
  }
  static constexpr bool curved(int k, int i, int j) {
    if (k >= 15 || i / 6 != k / 3 || j / 6 != k / 3 || i % 2 != j % 2) return false;
    const int u = i % 6 / 2, v = j % 6 / 2;
    return internal(k) == 2 ? (u == 1 && v == 2) || (u == 2 && v == 1) : u == internal(k) + 1 && v == u;
  }
  LIVENS_HD Scalar curvature(int k, int i, int j) const { return Scalar(curved(k, i, j) ? 1.0 : 0.0); }

  LIVENS_HD Vec<Scalar, 29> constraints_at(const Position& q) const {
    Vec<Scalar, 29> g;
    const Scalar half = Scalar(0.5), one = Scalar(1.0);
    unroll<5>([&](auto bar) {
      const auto d1 = block<3 * bar.value + 1, 2>(q), d2 = block<3 * bar.value + 2, 2>(q);
      g[3 * bar] = half * dot_near(d1, d1, -one);
      g[3 * bar + 1] = half * dot_near(d2, d2, -one);
      g[3 * bar + 2] = dot(d1, d2);
    });
    unroll<7>([&](auto j) {
      constexpr Joint J = joint(j.value);
      auto gap = end<J.a, J.sign_a>(q);
      if constexpr (J.b >= 0)
        gap = gap - end<J.b, J.sign_b>(q);
      else
        gap[0] = gap[0] - Scalar(1.0 * J.a) * length;
      set_part<15 + 2 * j.value>(g, gap);
    });
    return g;
  }
  LIVENS_HD Mat<Scalar, 29, 30> constraint_jacobian(const Position& q) const {
    Mat<Scalar, 29, 30> G;
    const Scalar half = Scalar(0.5) * length;
    unroll<5>([&](auto bar) {
      for (int c = 0; c < 2; ++c) {
        const int d1 = 6 * bar + 2 + c, d2 = d1 + 2;
        G(3 * bar, d1) = q[d1];
        G(3 * bar + 1, d2) = q[d2];
        G(3 * bar + 2, d1) = q[d2];
        G(3 * bar + 2, d2) = q[d1];
      }
    });
    unroll<7>([&](auto j) {
      constexpr Joint J = joint(j.value);
      for (int c = 0; c < 2; ++c) {
        const int row = 15 + 2 * j + c;
        G(row, 6 * J.a + c) = Scalar(1.0);
        G(row, 6 * J.a + 2 + c) = Scalar(1.0 * J.sign_a) * half;
        if constexpr (J.b >= 0) {
          G(row, 6 * J.b + c) = Scalar(-1.0);
          G(row, 6 * J.b + 2 + c) = Scalar(-1.0 * J.sign_b) * half;
        }
      }
    });
    return G;
  }

  // q = S u + constant with the direction u of bars 1-3: phi = foot + l/2 u, d1 = u, d2 = J u on bars 1-3 and
  // phi = constant + l u on bars 4 and 5.
  using Vectors = VectorForm<Scalar, DiagonalInertia,
                             VectorShape{.dimension = 2, .unit = 1, .weighted = true, .dragged = true}>;

  LIVENS_HD Vectors vector_form() const {
    Vectors f;
    const Scalar m = inertia.value[0], E = inertia.value[1], l2 = length * length;
    f.inertia = DiagonalInertia<Scalar, 1, 2>(Vec<Scalar, 1>{{fma(Scalar(2.75) * m, l2, Scalar(6.0) * E)}});
    f.weight = {{Scalar(3.5) * weight * length}};
    f.drag = {{(viscosity[0] + viscosity[1]) * l2}};
    f.constraint_scale = {{Scalar(1.0)}};
    return f;
  }
  LIVENS_HD DiagonalInertia<Scalar, 1, 2> coordinate_metric() const {
    return DiagonalInertia<Scalar, 1, 2>(Vec<Scalar, 1>{{fma(Scalar(2.75) * length, length, Scalar(6.0))}});
  }
  LIVENS_HD typename Vectors::State to_vectors(const Position& q, const Position& p) const {
    // S^T p.
    Vec<Scalar, 2> sum = zero_vector<Scalar, 2>();
    const Scalar half = Scalar(0.5) * length;
    unroll<3>([&](auto bar) {
      const auto d2 = block<3 * bar.value + 2, 2>(p);
      sum = fma(half, block<3 * bar.value, 2>(p), sum) + block<3 * bar.value + 1, 2>(p);
      sum = sum + Vec<Scalar, 2>{{d2[1], -d2[0]}};
    });
    unroll<2>([&](auto bar) { sum = fma(length, block<9 + 3 * bar.value, 2>(p), sum); });
    return {block<1, 2>(q), sum};
  }
  LIVENS_HD NodeState<Scalar, 30> from_vectors(const typename Vectors::State& s) const {
    NodeState<Scalar, 30> n;
    const Vec<Scalar, 2> v = vector_form().inertia.solve(s.p);
    n.q = initial_position();
    n.v = zero_vector<Scalar, 30>();
    const Scalar half = Scalar(0.5) * length;
    unroll<3>([&](auto bar) {
      constexpr int b = 3 * bar.value;
      Vec<Scalar, 2> foot = zero_vector<Scalar, 2>();
      foot[0] = Scalar(1.0 * bar.value) * length;
      set_block<b>(n.q, fma(half, s.z, foot));
      set_block<b + 1>(n.q, s.z);
      set_block<b + 2>(n.q, Vec<Scalar, 2>{{-s.z[1], s.z[0]}});
      set_block<b>(n.v, half * v);
      set_block<b + 1>(n.v, v);
      set_block<b + 2>(n.v, Vec<Scalar, 2>{{-v[1], v[0]}});
    });
    unroll<2>([&](auto bar) {
      constexpr int b = 9 + 3 * bar.value;
      Vec<Scalar, 2> middle = zero_vector<Scalar, 2>();
      middle[0] = Scalar(bar.value + 0.5) * length;
      set_block<b>(n.q, fma(length, s.z, middle));
      set_block<b>(n.v, length * v);
    });
    n.p = inertia.times(n.v);
    return n;
  }

  static constexpr int cranks = 3;
  LIVENS_HD CrankRow<Scalar, cranks> crank_row() const {
    return {length, inertia.value[0], inertia.value[1], viscosity};
  }

  /// L = sum over phi, d1, d2 of all bars of z . K (M z'), K = (0 1; -1 0): (75), (76). The weight turns it.
  static constexpr int sampled_count = 1;
  LIVENS_HD Vec<Scalar, 1> sampled(const NodeState<Scalar, 30>& n, const Scalar&) const {
    const Position Mv = inertia.times(n.v);
    Scalar L = Scalar(0.0);
    for (int i = 0; i < 30; i += 2) L = fma(n.q[i], Mv[i + 1], fnma(n.q[i + 1], Mv[i], L));
    return {{L}};
  }

  /// sin theta is the second component of bar 1's d1.
  struct Watch {
    static constexpr int observables = 1;
    Scalar singular_crossings;
  };
  LIVENS_HD Watch watch(const Position&) const { return {Scalar(0.0)}; }
  LIVENS_HD Watch watched(const Watch& before, const Position& q0, const Position& q1, const Scalar&,
                          const Scalar&) const {
    const Scalar one = Scalar(1.0), zero = Scalar(0.0);
    const Scalar above0 = select(q0[3] > zero, one, zero), above1 = select(q1[3] > zero, one, zero);
    return {before.singular_crossings + abs(above1 - above0)};
  }

 private:
  /// phi +- l/2 d1 of a bar.
  template <int Bar, int Sign>
  LIVENS_HD Vec<Scalar, 2> end(const Position& q) const {
    return fma(Scalar(0.5 * Sign) * length, block<3 * Bar + 1, 2>(q), block<3 * Bar, 2>(q));
  }
};

}  // namespace livens::inline LIVENS_ISA
