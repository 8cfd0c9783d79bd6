// The condensed forms of texts (kernels/forms/condensed) on systems of livens, which are of their class, too: their
// Jacobians are the derivatives of their residuals, column by column against dual numbers, and their steps are those of
// the full form, multipliers included.

#define LIVENS_ISA laws_condensed
#include <gtest/gtest.h>

#include <random>

#include "kernels/forms/condensed/condensed_ems.hpp"
#include "kernels/forms/condensed/condensed_ggl_mp.hpp"
#include "kernels/forms/condensed/condensed_ggl_vi.hpp"
#include "kernels/forms/condensed/condensed_livens.hpp"
#include "kernels/forms/condensed/condensed_vi_a.hpp"
#include "kernels/forms/condensed/condensed_vi_b.hpp"
#include "kernels/math/dual.hpp"
#include "kernels/stepping/projection.hpp"
#include "kernels/systems/double_spherical_pendulum.hpp"
#include "kernels/systems/four_particle.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using D = Dual<1>;

template <class Many, class Single, int N>
Vec<Many, N> lifted(const Vec<Single, N>& a) {
  Vec<Many, N> r;
  for (int i = 0; i < N; ++i) r[i] = Many(a[i]);
  return r;
}

/// Masses and lengths that are not one, and dampers.
template <class System>
Vec<double, System::parameter_count> drawn_parameters(std::mt19937_64& random) {
  std::uniform_real_distribution<double> factor(0.7, 1.4);
  Vec<double, System::parameter_count> r;
  int k = 0;
  for (const ParameterInfo& parameter : System::info().parameters)
    for (int i = 0; i < parameter.size(); ++i)
      r[k++] = factor(random) * (parameter.damps ? 0.3 : parameter.defaults[i]);
  return r;
}

template <class Condensed_, class Full_>
struct Pair {
  using Condensed = Condensed_;
  using Full = Full_;
};
template <class Of>
class CondensedForms : public ::testing::Test {};
using Cases = ::testing::Types<
    Pair<CondensedEms<FourParticle<double>>, Ems<FourParticle<double>>>,
    Pair<CondensedGglMp<FourParticle<double>>, GglMp<FourParticle<double>>>,
    Pair<CondensedViA<FourParticle<double>>, ViA<FourParticle<double>>>,
    Pair<CondensedGglVi<FourParticle<double>>, GglVi<FourParticle<double>>>,
    Pair<CondensedViB<FourParticle<double>>, ViB<FourParticle<double>>>,
    Pair<CondensedEms<DoubleSphericalPendulum<double>>, Ems<DoubleSphericalPendulum<double>>>,
    Pair<CondensedLivens<DoubleSphericalPendulum<double>>, Livens<DoubleSphericalPendulum<double>>>>;
TYPED_TEST_SUITE(CondensedForms, Cases);

template <class System>
struct Start {
  Vec<double, System::parameter_count> parameters;
  System system;
  NodeState<double, System::coordinates> node;

  explicit Start(std::mt19937_64& random) : parameters(drawn_parameters<System>(random)), system(parameters) {
    std::uniform_real_distribution<double> disturbance(-0.3, 0.3);
    node.q = system.initial_position();
    node.v = system.initial_velocity();
    for (int i = 0; i < System::coordinates; ++i) {
      node.q[i] += disturbance(random);
      node.v[i] += disturbance(random);
    }
    EXPECT_EQ(make_consistent(system, Consistency::project, node.q, node.v), Status::ok);
    node.p = momentum_of(system, node.q, node.v);
  }
};

TYPED_TEST(CondensedForms, JacobianIsTheDerivative) {
  using Form = typename TypeParam::Condensed;
  using System = typename Form::System;
  using DualSystem = typename System::template Over<D>;
  using DualForm = typename Form::template Over<D>;
  constexpr int n = Form::unknowns;
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> of_size(-0.4, 0.4);
  for (int sample = 0; sample < 3; ++sample) {
    const Start<System> start(random);
    const double h = 0.05;
    const Settings settings = standard_settings(Form::info());
    Vec<double, n> x;
    for (int i = 0; i < n; ++i) x[i] = of_size(random);

    const Form form(start.system, h, settings);
    const auto carried = form.start(start.node);
    const typename Form::Problem problem(form, carried);
    typename Form::Problem::Matrix J;
    problem.jacobian(x, problem.evaluate(x), J);

    const DualSystem dual_system(lifted<D>(start.parameters));
    const DualForm dual_form(dual_system, D(h), settings);
    const auto dual_carried =
        dual_form.start({lifted<D>(start.node.q), lifted<D>(start.node.p), lifted<D>(start.node.v)});
    const typename DualForm::Problem dual_problem(dual_form, dual_carried);
    // A sum of some tens of products in another order; a forgotten term is of the size of h^2 at least.
    double largest = 1.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) largest = max(largest, abs(J.get(i, j)));
    for (int j = 0; j < n; ++j) {
      auto moved = lifted<D>(x);
      moved[j] = D::variable(x[j], 0);
      const auto residual = dual_problem.evaluate(moved).residual;
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(J.get(i, j), residual[i].partial[0], 1e-13 * largest) << "entry " << i << ", " << j;
    }
  }
}

TYPED_TEST(CondensedForms, StepsAreThoseOfTheFullForm) {
  using Form = typename TypeParam::Condensed;
  using Full = typename TypeParam::Full;
  using System = typename Form::System;
  std::mt19937_64 random(8);
  // A step of half a second is difficult: it must come to the full form, or to the same root.
  for (const double h : {0.01, 0.05, 0.5}) {
    const Start<System> start(random);
    Settings settings = standard_settings(Form::info());
    settings.tolerance = 0.0;
    const Form form(start.system, h, settings);
    const Full full(start.system, h, settings);
    auto a = form.start(start.node);
    auto b = full.start(start.node);
    for (int step = 0; step < (h < 0.1 ? 20 : 1); ++step) {
      auto a1 = a;
      auto b1 = b;
      const auto of_a = form.template step<Pivoting::where_needed>(a, true, a1);
      const auto of_b = full.template step<Pivoting::where_needed>(b, true, b1);
      if (!of_b.outcome.good()) break;
      ASSERT_TRUE(of_a.outcome.good()) << "h " << h << ", step " << step;
      const auto x = form.node(a1), y = full.node(b1);
      const auto l = form.multipliers(a, a1), k = full.multipliers(b, b1);
      // Newton's method ends below 1e-9, squared; twenty steps let a rounding grow by less than a hundred.
      const double bound = 1e-12 * max(1.0, max(norm_inf(y.q), norm_inf(y.p)));
      EXPECT_LT(norm_inf(x.q - y.q), bound) << "h " << h << ", step " << step;
      EXPECT_LT(norm_inf(x.p - y.p), bound / h) << "h " << h << ", step " << step;
      EXPECT_LT(norm_inf(l.lambda - k.lambda), bound / (h * h)) << "h " << h << ", step " << step;
      if (k.gamma[0] == k.gamma[0]) {
        EXPECT_LT(norm_inf(l.gamma - k.gamma), bound / h) << "h " << h << ", step " << step;
      }
      EXPECT_NEAR(of_a.dissipated, of_b.dissipated, bound / h);
      a = a1;
      b = b1;
    }
  }
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
