// Every analytic Jacobian is the derivative of its residual: column by column against dual numbers. The
// identity holds for any x, so x is random and of the size of the coordinates; damping is on, masses and
// lengths are not one.

#include <cmath>
#include <utility>

#include "kernels/math/dual.hpp"
#include "tests/laws/inside.hpp"
#include "tests/laws/instance.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using D = Dual<1>;

template <class Scheme>
concept HasProblem = Scheme::unknowns >
0 && requires { typename Scheme::Problem; };

/// The problem of the step that leaves a carried state, whichever part of it the scheme's Problem takes.
template <class Scheme>
auto problem_of(const Scheme& scheme, const typename Scheme::Carried& carried) {
  using Problem = typename Scheme::Problem;
  if constexpr (requires { Problem(scheme, carried); })
    return Problem(scheme, carried);
  else if constexpr (requires { Problem(scheme, carried.state); })
    return Problem(scheme, carried.state);
  else
    return Problem(scheme, carried.z, carried.c);
}

template <class Many, class Single, int N>
Vec<Many, N> lifted(const Vec<Single, N>& a) {
  Vec<Many, N> r;
  for (int i = 0; i < N; ++i) r[i] = Many(a[i]);
  return r;
}

template <class Scheme>
void jacobian_is_the_derivative() {
  using DualScheme = typename Scheme::template Over<D>;
  constexpr int n = Scheme::Problem::unknowns;
  Random random(20);
  for (int sample = 0; sample < 5; ++sample) {
    const auto parameters = random_parameters(random);
    const TestedSystem system(parameters);
    const double spread = 0.3 * laws::length_scale(TestedSystem::info());
    auto q = system.initial_position() + random_vector<tested_coordinates>(random, spread);
    auto v = system.initial_velocity() + random_vector<tested_coordinates>(random, 0.5);
    ASSERT_EQ(make_consistent(system, Consistency::project, q, v), Status::ok);
    const auto p = momentum_of(system, q, v);
    const double h = uniform(random, 0.02, 0.1);
    const auto x = random_vector<n>(random, 0.4);

    Settings settings = standard_settings(Scheme::info());
    if constexpr (!requires { requires Scheme::fixed_options; })
      for (const SchemeOption& option : Scheme::info().options)
        if (option.is_word())
          settings.options[option.place] = static_cast<double>(sample % option.words.size());
    const Scheme scheme(system, h, settings);
    const auto carried = scheme.start({q, p, v});
    const auto problem = problem_of(scheme, carried);
    typename Scheme::Problem::Matrix J;
    problem.jacobian(x, problem.evaluate(x), J);

    const Tested<D> dual_system(lifted<D>(parameters));
    const DualScheme dual_scheme(dual_system, D(h), settings);
    const auto dual_carried = dual_scheme.start({lifted<D>(q), lifted<D>(p), lifted<D>(v)});
    const auto dual_problem = problem_of(dual_scheme, dual_carried);
    // An entry is a sum of some tens of products, rounded in different orders: 100 eps of the largest would
    // do; a forgotten term is of the size of h^2 at least.
    double largest = 1.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) largest = max(largest, abs(J.get(i, j)));
    for (int j = 0; j < n; ++j) {
      auto dual_x = lifted<D>(x);
      dual_x[j] = D::variable(x[j], 0);
      const auto residual = dual_problem.evaluate(dual_x).residual;
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(J.get(i, j), residual[i].partial[0], 1e-12 * largest) << "entry " << i << ", " << j;
    }
  }
}

template <class Scheme>
concept LooksAtItsBranch = requires(const Scheme& scheme, const Vec3<double>& w) {
  scheme.is_doubtful(w);
};

/// The determinant of J, by elimination with pivots.
template <class Matrix>
double determinant_of(Matrix J) {
  constexpr int n = Matrix::size;
  double determinant = 1.0;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (abs(J.at(i, k)) > abs(J.at(pivot, k))) pivot = i;
    for (int j = k; j < n; ++j) std::swap(J.at(k, j), J.at(pivot, j));
    determinant *= pivot == k ? J.at(k, k) : -J.at(k, k);
    for (int i = k + 1; i < n; ++i) {
      const double multiplier = J.at(i, k) / J.at(k, k);
      for (int j = k; j < n; ++j) J.at(i, j) -= multiplier * J.at(k, j);
    }
  }
  return determinant;
}

/// The determinant of the Jacobian has the sign of the branch from h = 0 wherever a scheme does not look at
/// the branch of a turn w. Any w is a root for some angular momentum: bodies and turns are random, and the
/// momentum, with the other unknowns, is solved for. The second root of a spin by theta a step is beyond
/// theta = 45 degrees, of rattle 90.
template <class Scheme>
void branch_is_looked_at_in_time() {
  using Problem = typename Scheme::Problem;
  constexpr int n = Problem::unknowns;
  const double h = 1.0;
  Random random(21);
  for (int sample = 0; sample < 20000; ++sample) {
    auto parameters = random_parameters(random);
    for (int i = 0; i < TestedSystem::parameter_count; ++i)
      parameters[i] *= std::exp(uniform(random, -1.5, 1.5));
    const TestedSystem system(parameters);
    const Settings settings = standard_settings(Scheme::info());
    const Scheme scheme(system, h, settings);
    const auto zero = zero_vector<double, tested_coordinates>();
    auto carried = scheme.start({system.initial_position(), zero, zero});
    auto w = random_vector<3>(random, 2.0);
    while (scheme.is_doubtful(w)) w = 0.99 * w;
    auto x = zero_vector<double, n>();
    set_part<0>(x, w);

    typename Problem::Matrix J;
    double size = 1.0;
    for (int iteration = 0; iteration < 50 && size > 1e-10; ++iteration) {
      const Problem problem(scheme, carried);
      const auto at = problem.evaluate(x);
      problem.jacobian(x, at, J);
      size = norm_inf(at.residual);
      // Rows of the momentum are linear in it, each in one component in the frame ...
      Vec3<double> missing;
      for (int i = 0; i < 3; ++i) {
        auto more = carried;
        auto unit = zero_vector<double, 3>();
        unit[i] = 1.0;
        more.L = more.L + Scheme::Body::in_space(carried.z, unit);
        const Problem displaced(scheme, more);
        missing[i] = at.residual[i] / (at.residual[i] - displaced.evaluate(x).residual[i]);
      }
      carried.L = carried.L + Scheme::Body::in_space(carried.z, missing);
      // ... and the others by the other unknowns.
      if constexpr (n == 6) {
        DenseMatrix<double, 3> rest;
        Vec3<double> update = part<3, 3>(at.residual);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) rest.at(i, j) = J.at(3 + i, 3 + j);
        solve_unpivoted(rest, update);
        set_part<3>(x, part<3, 3>(x) - update);
      }
    }
    ASSERT_LT(size, 1e-10) << "sample " << sample;
    EXPECT_GT(determinant_of(J), 0.0) << "sample " << sample;
  }
}

const bool jacobians_registered = [] {
  for_each_compiled<TestedSystem, Forms::LAWS_FORMS>([](auto type) {
    using Scheme = typename decltype(type)::type;
    if constexpr (HasProblem<Scheme>)
      register_check("Jacobian", tested_pair<Scheme>(), __FILE__, __LINE__,
                     jacobian_is_the_derivative<Scheme>);
    if constexpr (LooksAtItsBranch<Scheme>)
      register_check("Branch", tested_pair<Scheme>(), __FILE__, __LINE__,
                     branch_is_looked_at_in_time<Scheme>);
  });
  return true;
}();

}  // namespace
}  // namespace livens::inline LIVENS_ISA
