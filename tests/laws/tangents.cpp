// Directions that a scheme carries (kernels/tangents) obey the laws of equations/tangents.md, section 6: they are
// derivatives of what is computed, from the projection of the start on.

#define LIVENS_ISA laws_tangents
#include <gtest/gtest.h>

#include <random>

#include "kernels/forms/spheres/ems_sphere.hpp"
#include "kernels/forms/spheres/ggl_vi_sphere.hpp"
#include "kernels/forms/spheres/livens_sphere.hpp"
#include "kernels/forms/spheres/vi_a_sphere.hpp"
#include "kernels/schemes/del_multiplier.hpp"
#include "kernels/schemes/ems.hpp"
#include "kernels/schemes/ggl_vi.hpp"
#include "kernels/schemes/livens.hpp"
#include "kernels/schemes/rattle.hpp"
#include "kernels/schemes/vi_a.hpp"
#include "kernels/schemes/vi_b.hpp"
#include "kernels/stepping/advance.hpp"
#include "kernels/systems/double_spherical_pendulum.hpp"
#include "kernels/tangents/tangent_scheme.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

constexpr double u = 0x1p-53;
constexpr int d = 6, m = 2, free = d - m;

/// The double spherical pendulum with directions: all of the state, or some that a spec may name.
template <class Scalar_, class Tangents_>
struct Differentiated : DoubleSphericalPendulum<Scalar_> {
  using Scalar = Scalar_;
  using Base = DoubleSphericalPendulum<Scalar>;
  using Tangents = Tangents_;
  template <class Other>
  using Over = Differentiated<Other, Tangents>;
  Vec<Scalar, Base::parameter_count> given;
  LIVENS_HD explicit Differentiated(const Vec<Scalar, Base::parameter_count>& parameters)
      : Base(parameters), given(parameters) {}
};
struct State {
  static constexpr bool state = true, momentum = false, projected = true;
  static constexpr int directions = 2 * free, exponents = 0, every = 0;
};
struct Named {
  static constexpr bool state = false, momentum = false, projected = true;
  static constexpr int directions = 6, exponents = 0, every = 0;
  static constexpr std::array<Direction, 6> of = {{{WithRespectTo::q, 0},
                                                   {WithRespectTo::v, 1},
                                                   {WithRespectTo::parameter, 0},
                                                   {WithRespectTo::parameter, 3},
                                                   {WithRespectTo::parameter, 4},
                                                   {WithRespectTo::step, 0}}};
  static constexpr std::array<Origin, d> q = {}, v = {};
};

double levels[2] = {};  // of the events below
/// With two events, of a position and of a velocity, a parameter and the time, and a stop.
template <class Scalar_, class Tangents_>
struct Watched : Differentiated<Scalar_, Tangents_> {
  using Scalar = Scalar_;
  using Base = Differentiated<Scalar, Tangents_>;
  template <class Other>
  using Over = Watched<Other, Tangents_>;
  using Base::Base;
  static constexpr int event_count = 2, stop_count = 1;
  static constexpr EventInfo events[] = {{0, 2, true}, {0, 1, false}};
  LIVENS_HD Vec<Scalar, 2> event_values(const NodeState<Scalar, d>& n, const Scalar& t) const {
    return {{n.q[2] - Scalar(levels[0]),
             n.v[4] + Scalar(0.1) * t + Scalar(0.01) * this->given[3] - Scalar(levels[1])}};
  }
  LIVENS_HD Vec<Scalar, 1> stop_values(const NodeState<Scalar, d>& n, const Scalar& t) const {
    return {{t - Scalar(0.5) + Scalar(0.02) * n.v[1]}};
  }
};

using Parameters = Vec<double, DoubleSphericalPendulum<double>::parameter_count>;
using Position = Vec<double, d>;
using Node = NodeState<double, d>;

/// Where an instance starts, off its constraints, and with what.
struct Start {
  Parameters parameters;
  Position q, v;
  double h;
  int order = 0;  ///< of a composed step; 0: it is not

  Composition composition() const { return order > 0 ? composition_of(order) : Composition{}; }
};
Start drawn(int seed, double damping = 0.0) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> factor(0.7, 1.4), offset(-0.05, 0.05), speed(-1.0, 1.0);
  Start r;
  int k = 0;
  for (const ParameterInfo& parameter : DoubleSphericalPendulum<double>::info().parameters)
    for (int i = 0; i < parameter.size(); ++i)
      r.parameters[k++] = parameter.damps ? damping : factor(random) * parameter.defaults[i];
  r.q = DoubleSphericalPendulum<double>(r.parameters).initial_position();
  for (int i = 0; i < d; ++i) {
    r.q[i] += offset(random);
    r.v[i] = speed(random);
  }
  r.h = 0.01;
  return r;
}

template <class System>
Node consistent_node(const System& system, const Start& start) {
  Position q = start.q, v = start.v;
  EXPECT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
  return {q, momentum_of(system, q, v), v};
}

Settings to_round_off(const SchemeInfo& info, const Start& start) {
  Settings settings = standard_settings(info);
  settings.tolerance = 0.0;
  settings.order = static_cast<std::uint8_t>(start.order);
  return settings;
}

/// An instance with its directions, after some steps.
template <class Case, class Tangents, template <class, class> class Of = Differentiated>
struct Run {
  using System = Taped<Of<double, Tangents>>;
  using Scheme = TangentScheme<typename Case::template Scheme<System>>;
  System system;
  Settings settings;
  Record<Scheme> record;
  Node along[Scheme::all];

  Run(const Start& start, int steps)
      : system(start.parameters), settings(to_round_off(Scheme::info(), start)) {
    const Scheme scheme(system, start.h, settings);
    const Node n = consistent_node(system, start);
    EXPECT_TRUE((StartingDirections<System>(system, start.q, start.v, n).fill(along)));
    start_record(system, scheme, n, 0.0, record);
    scheme.set_directions(n, along, record.carried);
    show_directions(scheme, start.h, record);
    advance(start, steps);
  }
  void advance(const Start& start, int steps) {
    advance_record<Scheme, DifficultSteps::redone>(start.parameters, start.h, start.composition(), settings,
                                                   record.sum(Column::steps) + steps, record);
    EXPECT_EQ(record[Column::status], 0.0);
  }
  Node node(const Start& start) const { return Scheme(system, start.h, settings).node(record.carried); }
  Node direction(int j) const {
    Node r;
    auto shown = record.tangents;
    for (int i = 0; i < d; ++i) {
      r.q[i] = shown.q(i, j);
      r.p[i] = shown.p(i, j);
      r.v[i] = shown.v(i, j);
    }
    return r;
  }
};

/// The same without directions, at its start.
template <class Case, class System>
struct Plain {
  using Scheme = typename Case::template Scheme<System>;
  System system;
  Settings settings;
  Scheme scheme;
  Record<Scheme> record;

  explicit Plain(const Start& start)
      : system(start.parameters),
        settings(to_round_off(Scheme::info(), start)),
        scheme(system, start.h, settings) {
    start_record(system, scheme, consistent_node(system, start), 0.0, record);
  }
};
/// And after some steps.
template <class Case>
Node without_directions(const Start& start, int steps) {
  Plain<Case, DoubleSphericalPendulum<double>> run(start);
  using Scheme = typename decltype(run)::Scheme;
  advance_record<Scheme, DifficultSteps::redone>(start.parameters, start.h, start.composition(), run.settings,
                                                 steps, run.record);
  return run.scheme.node(run.record.carried);
}

double symplectic(const Node& a, const Node& b) { return dot(a.q, b.p) - dot(a.p, b.q); }
double size(const Node& a) { return sqrt(dot(a.q, a.q) + dot(a.p, a.p)); }
template <class System>
double energy_along(const System& system, const Node& n, const Node& a) {
  return dot(system.gradient(n.q), a.q) + dot(n.v, a.p);
}
double vertical_along(const Node& n, const Node& a) {
  double sum = 0.0;
  for (int b = 0; b < d; b += 3)
    sum += a.q[b] * n.p[b + 1] + n.q[b] * a.p[b + 1] - a.q[b + 1] * n.p[b] - n.q[b + 1] * a.p[b];
  return sum;
}

enum class Keeps { symplectic_form, energy };
#define LIVENS_CASE(name, form, full, keeps)    \
  struct name {                                 \
    template <class System>                     \
    using Scheme = form<System>;                \
    template <class System>                     \
    using Full = full<System>;                  \
    static constexpr Keeps what = Keeps::keeps; \
  }
LIVENS_CASE(OfEms, EmsSphere, Ems, energy);
LIVENS_CASE(OfLivens, LivensSphere, Livens, energy);
LIVENS_CASE(OfGglVi, GglViSphere, GglVi, symplectic_form);
LIVENS_CASE(OfViA, ViASphere, ViA, symplectic_form);
LIVENS_CASE(OfViB, ViB, ViB, symplectic_form);
LIVENS_CASE(OfRattle, Rattle, Rattle, symplectic_form);
LIVENS_CASE(OfDelMultiplier, DelMultiplier, DelMultiplier, symplectic_form);
#undef LIVENS_CASE
template <class Case>
struct InFull {
  template <class System>
  using Scheme = typename Case::template Full<System>;
};

template <class Case>
class Tangents : public ::testing::Test {};
using Cases = ::testing::Types<OfEms, OfLivens, OfGglVi, OfViA, OfViB, OfRattle, OfDelMultiplier>;
TYPED_TEST_SUITE(Tangents, Cases);

TYPED_TEST(Tangents, of_the_state_are_tangential_orthonormal_and_canonical) {
  const Start start = drawn(1);
  const Run<TypeParam, State> run(start, 0);
  const Node n = run.node(start);
  const auto G = run.system.constraint_jacobian(n.q);
  for (int i = 0; i < 2 * free; ++i) {
    const Node a = run.along[i];
    EXPECT_LE(norm_inf(times<typename Run<TypeParam, State>::System>(G, a.q)), 1e-14);
    for (int j = 0; j < free; ++j) {
      const Node &x = run.along[j], &c = run.along[free + j];
      EXPECT_NEAR(symplectic(a, c), i == j ? 1.0 : 0.0, 1e-14);
      if (i < free) {
        EXPECT_NEAR(symplectic(a, x), 0.0, 1e-14);
        EXPECT_NEAR(dot(a.q, run.system.inertia.times(x.q)), i == j ? 1.0 : 0.0, 1e-14);
      }
    }
  }
}

TYPED_TEST(Tangents, keep_what_the_scheme_keeps) {
  constexpr int steps = 100;
  for (int seed = 1; seed <= 3; ++seed) {
    const Start start = drawn(seed);
    Run<TypeParam, State> run(start, 0);
    const Node n0 = run.node(start);
    Node before[2 * free];
    for (int j = 0; j < 2 * free; ++j) before[j] = run.direction(j);
    run.advance(start, steps);
    const Node n1 = run.node(start);
    double largest = 0.0, broken_form = 0.0, broken_energy = 0.0;
    for (int j = 0; j < 2 * free; ++j) largest = std::max(largest, size(run.direction(j)));
    const double bound = 1e2 * u * steps;
    for (int i = 0; i < 2 * free; ++i) {
      const Node a = run.direction(i);
      const double change = energy_along(run.system, n1, a) - energy_along(run.system, n0, before[i]);
      const double scale = sqrt(dot(run.system.gradient(n1.q), run.system.gradient(n1.q)) + dot(n1.v, n1.v));
      broken_energy = std::max(broken_energy, std::abs(change) / (scale * largest));
      EXPECT_LE(std::abs(vertical_along(n1, a) - vertical_along(n0, before[i])),
                bound * (sqrt(dot(n1.q, n1.q)) + sqrt(dot(n1.p, n1.p))) * largest);
      for (int j = 0; j < 2 * free; ++j)
        broken_form = std::max(broken_form,
                               std::abs(symplectic(a, run.direction(j)) - symplectic(before[i], before[j])) /
                                   (largest * largest));
    }
    // What a scheme does not keep must show: the other law is the control.
    if (TypeParam::what == Keeps::symplectic_form) {
      EXPECT_LE(broken_form, bound);
      EXPECT_GT(broken_energy, 1e-7);
    } else {
      EXPECT_LE(broken_energy, bound);
      EXPECT_GT(broken_form, 1e-9);
    }
  }
}

/// What direction j of Named is of.
double& entry(Start& s, int j) {
  return j == 0   ? s.q[0]
         : j == 1 ? s.v[1]
         : j == 2 ? s.parameters[0]
         : j == 3 ? s.parameters[3]
         : j == 4 ? s.parameters[4]
                  : s.h;
}

/// Sixth-order central differences of the whole map, from the projection on, with two increments: the better one.
template <class Case>
void expect_derivatives(const Start& start, int steps) {
  const Run<Case, Named> run(start, steps);
  for (int j = 0; j < Named::directions; ++j) {
    const Node exact = run.direction(j);
    double best = 1e300, largest = 0.0;
    for (const double part : {1e-3, 3e-4}) {
      Start at = start;
      const double delta = part * std::max(std::abs(entry(at, j)), 0.1);
      double worst = 0.0;
      Node moved[7];
      for (int k = -3; k <= 3; ++k) {
        at = start;
        entry(at, j) += k * delta;
        moved[k + 3] = without_directions<Case>(at, steps);
      }
      const auto difference = [&](const Position Node::*of, int i) {
        const auto pair = [&](int k) { return (moved[3 + k].*of)[i] - (moved[3 - k].*of)[i]; };
        return (45.0 * pair(1) - 9.0 * pair(2) + pair(3)) / (60.0 * delta);
      };
      for (int i = 0; i < d; ++i) {
        worst = std::max(worst, std::abs(difference(&Node::q, i) - exact.q[i]));
        worst = std::max(worst, std::abs(difference(&Node::p, i) - exact.p[i]));
        largest = std::max({largest, std::abs(exact.q[i]), std::abs(exact.p[i])});
      }
      best = std::min(best, worst);
    }
    // Rounding of the nodes, 1e2 u of their size of some ones, over the smaller increment; delta^6 is below that.
    EXPECT_LE(best, 1e-8 * std::max(largest, 1.0)) << "direction " << j;
  }
}
TYPED_TEST(Tangents, are_derivatives_of_start_and_run) { expect_derivatives<TypeParam>(drawn(2), 60); }
TYPED_TEST(Tangents, are_derivatives_with_dampers) { expect_derivatives<TypeParam>(drawn(5, 0.3), 40); }
TYPED_TEST(Tangents, are_derivatives_of_composed_steps) {
  Start start = drawn(6);
  start.order = 4;
  expect_derivatives<TypeParam>(start, 20);
}

TYPED_TEST(Tangents, leave_values_to_the_bit_and_go_on_where_a_run_was_split) {
  const Start start = drawn(3);
  const Run<TypeParam, Named> whole(start, 40);
  Run<TypeParam, Named> split(start, 25);
  split.advance(start, 15);
  const Node plain = without_directions<TypeParam>(start, 40), n = whole.node(start);
  EXPECT_EQ(std::memcmp(&plain, &n, sizeof n), 0);
  for (int j = 0; j < Named::directions; ++j) {
    const Node a = whole.direction(j), b = split.direction(j);
    for (int i = 0; i < d; ++i) {
      EXPECT_EQ(a.q[i], b.q[i]);
      EXPECT_EQ(a.p[i], b.p[i]);
      EXPECT_EQ(a.v[i], b.v[i]);
    }
  }
}

TYPED_TEST(Tangents, of_a_reduced_form_are_those_of_the_full_one) {
  const Start start = drawn(4);
  const Run<TypeParam, State> reduced(start, 60);
  const Run<InFull<TypeParam>, State> full(start, 60);
  for (int j = 0; j < 2 * free; ++j) {
    const Node a = reduced.direction(j), b = full.direction(j);
    for (int i = 0; i < d; ++i) {
      EXPECT_NEAR(a.q[i], b.q[i], 1e-11 * std::max(size(a), 1.0));
      EXPECT_NEAR(a.p[i], b.p[i], 1e-11 * std::max(size(a), 1.0));
    }
  }
}

/// Those of livens, 2 Dq/h - v, alternate in the shorter steps that look for a zero: a zero of one has no slope there.
template <class Case>
constexpr bool velocities_are_smooth = !std::is_same_v<Case, OfLivens>;

/// What a run of 60 steps keeps of its events and its stop.
template <class Scheme>
void watch(const Start& start, const Settings& settings, Record<Scheme>& record) {
  advance_record<Scheme, DifficultSteps::redone>(start.parameters, start.h, start.composition(), settings,
                                                 60.0, record);
  EXPECT_EQ(record[Column::status], static_cast<double>(Status::stopped));
}
template <class Case>
std::vector<double> times_and_states(const Start& start) {
  Plain<Case, Watched<double, Named>> run(start);
  watch(start, run.settings, run.record);
  const auto& kept = run.record.events.kept;
  std::vector<double> found = {kept[1]};
  for (int i = 0; i < d; ++i) found.push_back(kept[3 + i]);
  if (!velocities_are_smooth<Case>) return found;
  found.insert(found.end(), {run.record.stop.time, kept[3 + 4 * d + 1]});
  for (int i = 0; i < d; ++i) found.push_back(kept[3 + 2 * d + i]);
  return found;
}
template <class Case>
void expect_derivatives_of_times(const Start& start) {
  const auto here = [&](int steps) { return without_directions<Case>(start, steps); };
  // Both events lie between the same two nodes.
  const Node before = here(30), after = here(31);
  levels[0] = 0.5 * (before.q[2] + after.q[2]);
  levels[1] = 0.5 * (before.v[4] + after.v[4]) + 0.1 * 30.4 * start.h + 0.01 * start.parameters[3];
  Run<Case, Named, Watched> run(start, 0);
  watch(start, run.settings, run.record);
  ASSERT_GE(run.record.events.kept[0], 1.0);
  ASSERT_GE(run.record.events.kept[3 + 4 * d], 1.0);
  constexpr int K = Named::directions;
  const auto& along = run.record.events.along;
  for (int j = 0; j < K; ++j) {
    std::vector<double> exact = {along[j]};
    for (int i = 0; i < d; ++i) exact.push_back(along[(2 + i) * K + j]);
    if (velocities_are_smooth<Case>) {
      exact.insert(exact.end(), {run.record.stop.along[j], along[(2 + 4 * d) * K + j]});
      for (int i = 0; i < d; ++i) exact.push_back(along[(2 + 2 * d + i) * K + j]);
    }
    // In the same shorter steps, of h/4096: with increments that leave the zero there.
    double best = 1e300, largest = 1.0;
    for (const double one : exact) {
      EXPECT_TRUE(std::isfinite(one));
      largest = std::max(largest, std::abs(one));
    }
    for (const double delta : {1e-6, 1e-7, 1e-8}) {
      Start there = start, back = start;
      for (auto [moved, by] : {std::pair{&there, delta}, {&back, -delta}}) entry(*moved, j) += by;
      const std::vector<double> a = times_and_states<Case>(there), b = times_and_states<Case>(back);
      double worst = 0.0;
      for (std::size_t k = 0; k < exact.size(); ++k)
        worst = std::max(worst, std::abs((a[k] - b[k]) / (2.0 * delta) - exact[k]));
      best = std::min(best, worst);
    }
    // Times and states round by some 1e3 u, over the increment; nodes move by 30 times that of the step, which stays in the
    // same shorter steps where it is the smallest.
    EXPECT_LE(best, (j == 5 ? 1e3 * u / 1e-8 : 1e-7) * largest) << "direction " << j;
    EXPECT_NEAR(along[(2 + 2) * K + j], 0.0, 1e-7 * largest);  // q[2] is the level
  }
}
TEST(TangentsOfTimes, AreThoseOfEventsAndStops) {
  Start composed = drawn(8);
  composed.order = 4;
  for (const Start& start : {drawn(7), composed}) {
    expect_derivatives_of_times<OfEms>(start);
    expect_derivatives_of_times<OfLivens>(start);
  }
}

/// The derivative of a discrete gradient's power by its exponent, against differences in double precision of
/// (a^e - b^e)/(a - b) as it stands, and near 0 of the derivative of the power itself, e.
TEST(PowerExponents, AreDifferentiated) {
  for (const double e : {-0.5, 0.75, 2.3, 5.0})
    for (const double x : {0.0, 1e-9, 0.01, 0.3, 0.49, 0.51, -0.51, 0.9, -0.2, 1.0}) {
      if (e < 1.0 && x == 1.0) continue;  // it, or its slope by x, is infinite there
      Dual<2> base(x), exponent = Dual<2>::variable(e, 1);
      base.partial[0] = 1.0;
      const Dual<2> found = power_quotient(base, exponent);
      EXPECT_DOUBLE_EQ(found.value, power_quotient(x, e));
      EXPECT_DOUBLE_EQ(found.partial[0], power_quotient(Dual<2>::variable(x, 0), Dual<2>(e)).partial[0]);
      const auto at = [&](double k) { return power_quotient(x, e + k * 1e-3); };
      const double slope = (45.0 * (at(1) - at(-1)) - 9.0 * (at(2) - at(-2)) + (at(3) - at(-3))) / 60e-3;
      // Rounding of the quotients, 1e2 u of their size, over the increment; its sixth power is below that.
      EXPECT_NEAR(found.partial[1], slope, 1e2 * u * std::max(1.0, std::abs(found.value)) / 1e-3)
          << x << ' ' << e;
    }
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
