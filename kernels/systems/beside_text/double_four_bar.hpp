#pragma once
// Behind the class of the text, what nothing that reads the text can know: its bars 1 to 3 turn alike, and all follows the
// direction u of these (the rows have another branch, too). ggl-variational-principle, section 5.2;
// equations/holonomic.md, section 6. One degree of freedom: the inclination theta of bars 1-3, singular at theta = 0.

namespace livens::inline LIVENS_ISA {

struct DoubleFourBarDescription {
  static constexpr ObservableInfo observables[] = {
      {"singular_crossings", "1", "steps in which all bars passed through one line, theta = 0 or pi"},
  };
  static constexpr ObservableInfo sampled[] = {
      {"angular_momentum", "kg m^2/s", "angular momentum about the first ground joint, (75) of the paper"},
  };
  static constexpr SystemInfo info = [] {
    SystemInfo info = DoubleFourBarTextDescription::info;
    info.observables = observables;
    info.sampled = sampled;
    return info;
  }();
};

template <class Scalar_>
struct DoubleFourBar : DoubleFourBarText<Scalar_> {
  using Text = DoubleFourBarText<Scalar_>;
  using Text::inertia, Text::initial_position;
  using typename Text::Position, typename Text::Scalar;
  template <class Other>
  using Over = DoubleFourBar<Other>;
  static const SystemInfo& info() { return DoubleFourBarDescription::info; }
  Scalar mass, moment;    ///< of every bar, and of its directors: m l^2/24
  Scalar length, weight;  ///< l; m g, N
  Vec<Scalar, 2> viscosity;

  LIVENS_HD explicit DoubleFourBar(const Vec<Scalar, 6>& parameter)
      : Text(parameter),
        mass(parameter[0]),
        moment(parameter[0] * parameter[1] * parameter[1] / Scalar(24.0)),
        length(parameter[1]),
        weight(parameter[0] * parameter[2]),
        viscosity(part<4, 2>(parameter)) {}

  // q = S u + constant with the direction u of bars 1-3: phi = foot + l/2 u, d1 = u, d2 = J u on bars 1-3 and
  // phi = constant + l u on bars 4 and 5.
  using Vectors = VectorForm<Scalar, DiagonalInertia,
                             VectorShape{.dimension = 2, .unit = 1, .weighted = true, .dragged = true}>;

  LIVENS_HD Vectors vector_form() const {
    Vectors f;
    const Scalar m = mass, E = moment, l2 = length * length;
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
  LIVENS_HD CrankRow<Scalar, cranks> crank_row() const { return {length, mass, moment, viscosity}; }

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
};

}  // namespace livens::inline LIVENS_ISA
