// Consistent initial states: on the constraints, nearest in the norm of the mass matrix, and left alone once
// there.

#include <cstring>

#include "tests/laws/inside.hpp"
#include "tests/laws/instance.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using Position = Vec<double, tested_coordinates>;
constexpr int d = tested_coordinates, m = TestedSystem::constraints;
constexpr double eps = 2.220446049250313e-16;

struct Given {
  TestedSystem system;
  Position q, v;
};
Given given(Random& random, double spread = 0.1) {
  const TestedSystem system(random_parameters(random));
  spread *= laws::length_scale(TestedSystem::info());
  return {system, system.initial_position() + random_vector<d>(random, spread),
          system.initial_velocity() + random_vector<d>(random, 1.0)};
}

/// The metric of the projection, M or where that is singular the identity, times x; and its inverse.
template <class System>
Position metric_times(const System& system, const Position& q, const Position& x) {
  const auto M = inertia_at(system, q);
  if constexpr (requires { M.solve(x); }) return M.times(x);
  return x;
}
template <class System>
Position metric_solve(const System& system, const Position& q, const Position& x) {
  const auto M = inertia_at(system, q);
  if constexpr (requires { M.solve(x); }) return M.solve(x);
  return x;
}

/// Largest component of x that no combination G^T mu explains, by the normal equations of the
/// mobility-weighted fit.
double outside_range(const TestedSystem& system, const Position& q, const Mat<double, m, d>& G,
                     const Position& x) {
  double S[m * m + 1], mu[m + 1];
  for (int k = 0; k < m; ++k) {
    Position row;
    for (int i = 0; i < d; ++i) row[i] = G(k, i);
    const Position mobility = metric_solve(system, q, row);
    mu[k] = dot(mobility, x);
    for (int l = 0; l < m; ++l) {
      S[l * m + k] = 0.0;
      for (int i = 0; i < d; ++i) S[l * m + k] += G(l, i) * mobility[i];
    }
  }
  EXPECT_TRUE(solve_pivoted<m>(S, mu));
  Position rest = x;
  for (int k = 0; k < m; ++k)
    for (int i = 0; i < d; ++i) rest[i] -= G(k, i) * mu[k];
  return norm_inf(rest);
}

template <class System>
Mat<double, m, d> jacobian(const System& system, const Position& q) {
  if constexpr (PositionConstraints<System>) {
    auto G = system.constraint_jacobian(q);
    for (int k = 0; k < m; ++k)
      for (int i = 0; i < d; ++i)
        if (!System::constrains(k, i)) G(k, i) = 0.0;
    return G;
  } else {
    return system.constraint_matrix(q);
  }
}

void ends_on_the_constraints() {
  Random random(30);
  for (int sample = 0; sample < 200; ++sample) {
    auto [system, q, v] = given(random);
    ASSERT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
    const double size = max(1.0, norm_inf(q));
    // The update that is applied last was below 1e-8; its square is below round-off, so that what is left is
    // the rounding of g (some products of coordinates, or of those over a length of at least 0.6, so times
    // 3).
    const auto at =
        measure_node(system, NodeState<double, d>{q, momentum_of(system, q, v), v}, Measuring::all);
    EXPECT_LE(at.constraint, 24 * eps * size * size);
    EXPECT_LE(at.velocity_constraint, 24 * eps * size * max(1.0, norm_inf(v)));
  }
}

void is_the_nearest_state() {
  Random random(31);
  const int samples = 200;
  int projected = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const auto [system, given_q, given_v] = given(random);
    Position q = given_q, v = given_v;
    ASSERT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
    // Stationarity: M (q - q^) and M (v - v^) are combinations of the rows of G. The bound is the rounding of
    // M q.
    const auto G = jacobian(system, q);
    const Position moved = metric_times(system, q, q - given_q),
                   turned = metric_times(system, q, v - given_v);
    const double mass = norm_inf(metric_times(system, q, q)),
                 momentum = norm_inf(metric_times(system, q, given_v));
    if (m == 0) {
      EXPECT_EQ(norm_inf(moved) + norm_inf(turned), 0.0);
      continue;
    }
    if (PositionConstraints<TestedSystem>) {
      EXPECT_LE(outside_range(system, q, G, moved), 64 * eps * mass);
    } else {
      EXPECT_EQ(norm_inf(moved), 0.0);  // any position will do
    }
    EXPECT_LE(outside_range(system, q, G, turned), 64 * eps * max(mass, momentum));
    projected += norm_inf(turned) > 1e-3 * momentum;
  }
  // There was something to project, but for velocities that happen to be consistent, one in some hundreds.
  if (m > 0) {
    EXPECT_GT(projected, samples - 10);
  }
}

void leaves_consistent_states_alone() {
  Random random(32);
  for (int sample = 0; sample < 200; ++sample) {
    auto [system, q, v] = given(random);
    ASSERT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
    const Position q1 = q, v1 = v;
    ASSERT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
    // One more Newton step on a residual that is round-off: two units in the last place of the largest
    // coordinate.
    // In a closed loop a rounding is passed on from bar to bar.
    const double loops = m > 20 ? 4.0 : 1.0;
    EXPECT_LE(norm_inf(q - q1), loops * 2 * eps * max(1.0, norm_inf(q)));
    EXPECT_LE(norm_inf(v - v1), loops * 4 * eps * max(1.0, norm_inf(v)));
    Position kept_q = q, kept_v = v;
    EXPECT_EQ(make_consistent(system, Consistency::require, kept_q, kept_v), Status::ok);
    EXPECT_EQ(std::memcmp(&kept_q, &q, sizeof q), 0);
    EXPECT_EQ(std::memcmp(&kept_v, &v, sizeof v), 0);
  }
}

void require_and_keep_do_not_touch_the_state() {
  if (m == 0) GTEST_SKIP() << "every state is consistent";
  Random random(33);
  const auto [system, given_q, given_v] = given(random);
  Position q = given_q, v = given_v;
  EXPECT_EQ(make_consistent(system, Consistency::require, q, v), Status::inconsistent_initial);
  EXPECT_EQ(make_consistent(system, Consistency::keep, q, v), Status::ok);
  EXPECT_EQ(std::memcmp(&given_q, &q, sizeof q), 0);
  EXPECT_EQ(std::memcmp(&given_v, &v, sizeof v), 0);
}

/// The mirror image of a body is another one: no form is asked to turn it.
template <class System>
void refuses_left_handed_directors(const System&) {
  GTEST_SKIP() << "it has no frames in space";
}
template <VectorSystem System>
requires(System::Vectors::frames > 0 &&
         System::Vectors::dimension == 3) void refuses_left_handed_directors(const System& system) {
  constexpr int first = 3 * System::Vectors::first_frame;
  Position q = system.initial_position(), v = system.initial_velocity();
  EXPECT_EQ(make_consistent(system, Consistency::keep, q, v), Status::ok);
  auto state = system.to_vectors(q, momentum_of(system, q, v));
  for (int i = 0; i < 3; ++i) state.z[first + i] = -state.z[first + i];
  q = system.from_vectors(state).q;
  for (const Consistency consistency : {Consistency::keep, Consistency::require, Consistency::project})
    EXPECT_EQ(make_consistent(system, consistency, q, v), Status::inconsistent_initial);
}
void refuses_left_handed_directors() {
  Random random(36);
  const auto [system, q, v] = given(random);
  refuses_left_handed_directors(system);
}

void finds_a_state_from_afar() {
  // Up to 0.15 m off in every coordinate, so that a rod of 0.6 m or more is off by at most 2 sqrt(3) 0.15 m =
  // 0.52 m: the nearest state is unique, since no vector comes near the centre of its sphere.
  Random random(34);
  int lost = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    auto [system, q, v] = given(random, 0.15);
    if (make_consistent(system, Consistency::project, q, v) != Status::ok) ++lost;
  }
  EXPECT_EQ(lost, 0) << "of 2000 states";
}

const bool projections_registered =
    register_check("Projection", tested_system() + "_EndsOnTheConstraints", __FILE__, __LINE__,
                   ends_on_the_constraints) &&
    register_check("Projection", tested_system() + "_IsTheNearestState", __FILE__, __LINE__,
                   is_the_nearest_state) &&
    register_check("Projection", tested_system() + "_LeavesConsistentStatesAlone", __FILE__, __LINE__,
                   leaves_consistent_states_alone) &&
    register_check("Projection", tested_system() + "_FindsAStateFromAfar", __FILE__, __LINE__,
                   finds_a_state_from_afar) &&
    register_check("Projection", tested_system() + "_RequireAndKeepDoNotTouchTheState", __FILE__, __LINE__,
                   require_and_keep_do_not_touch_the_state) &&
    register_check("Projection", tested_system() + "_RefusesLeftHandedDirectors", __FILE__, __LINE__,
                   refuses_left_handed_directors);

}  // namespace
}  // namespace livens::inline LIVENS_ISA
