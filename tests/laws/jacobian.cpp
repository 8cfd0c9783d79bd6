// Every analytic Jacobian is the derivative of its residual: column by column against dual numbers. The
// identity holds for any x, so x is random and of the size of the coordinates; damping is on, masses and
// lengths are not one.

#include "kernels/math/dual.hpp"
#include "tests/laws/inside.hpp"
#include "tests/laws/instance.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using D = Dual<1>;

template <class Scheme>
concept HasProblem = requires {
  typename Scheme::Problem;
};

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

    const Settings settings = standard_settings(Scheme::info());
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

const bool registered = [] {
  for_each_scheme<TestedSystem>([](auto type) {
    using Scheme = typename decltype(type)::type;
    if constexpr (HasProblem<Scheme>)
      register_check("Jacobian", tested_pair<Scheme>(), __FILE__, __LINE__,
                     jacobian_is_the_derivative<Scheme>);
  });
  return true;
}();

}  // namespace
}  // namespace livens::inline LIVENS_ISA
