// Every derivative in a generated class against dual numbers over what it is the derivative of.

#define LIVENS_ISA text_derivatives
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernels/math/dual.hpp"
#include "kernels/systems/shared/check_system.hpp"
#include "text_all_functions.hpp"
#include "text_bead_on_catenary.hpp"
#include "text_cart_pendulum.hpp"
#include "text_chaplygin_sleigh.hpp"
#include "text_charged_particle.hpp"
#include "text_double_pendulum_angles.hpp"
#include "text_double_spherical_pendulum.hpp"
#include "text_driven_cart.hpp"
#include "text_foucault_pendulum.hpp"
#include "text_four_particle.hpp"
#include "text_four_pendulum.hpp"
#include "text_heavy_top.hpp"
#include "text_mass_spring.hpp"
#include "text_n_pendulum.hpp"
#include "text_rolling_disk.hpp"
#include "text_slider_crank.hpp"
#include "text_spring_pendulum.hpp"
#include "text_unit_circle.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

template <template <class> class System_>
struct Case {
  template <class Scalar>
  using System = System_<Scalar>;
};

template <class Case>
class GeneratedDerivatives : public testing::Test {
 public:
  using System = typename Case::template System<double>;
  static constexpr int d = System::coordinates, m = System::constraints, P = System::parameter_count;
  using D = Dual<d>;
  using DualSystem = typename Case::template System<D>;
  static_assert(check_system<System>());

  Vec<double, P> parameters() {
    Vec<double, P> r;
    int k = 0;
    for (const ParameterInfo& parameter : System::info().parameters)
      for (const double value : parameter.defaults) r[k++] = value * uniform(0.8, 1.2);
    return System::completed(r);
  }
  Vec<double, d> near(const Vec<double, d>& q, double spread) {
    Vec<double, d> r;
    for (int i = 0; i < d; ++i) r[i] = q[i] + uniform(-spread, spread);
    return r;
  }
  static Vec<D, d> variables(const Vec<double, d>& q) {
    Vec<D, d> r;
    for (int i = 0; i < d; ++i) r[i] = D::variable(q[i], i);
    return r;
  }
  template <int N>
  static Vec<D, N> constants(const Vec<double, N>& a) {
    Vec<D, N> r;
    for (int i = 0; i < N; ++i) r[i] = D(a[i]);
    return r;
  }
  /// The two differ by round-off: some hundred operations on numbers of the size of the largest entry.
  static void expect_same(double a, double b, double size, const char* what) {
    EXPECT_NEAR(a, b, 500 * 0x1p-53 * (1.0 + size)) << what;
  }
  static double size_of(const D& a) {
    double r = std::abs(a.value);
    for (const double partial : a.partial) r += std::abs(partial);
    return r;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  std::mt19937 random_{7};
};

using Cases = testing::Types<
    Case<text_all_functions>, Case<text_bead_on_catenary>, Case<text_driven_cart>, Case<text_n_pendulum>,
    Case<text_cart_pendulum>, Case<text_charged_particle>, Case<text_chaplygin_sleigh>,
    Case<text_double_pendulum_angles>, Case<text_double_spherical_pendulum>, Case<text_foucault_pendulum>,
    Case<text_four_particle>, Case<text_four_pendulum>, Case<text_heavy_top>, Case<text_mass_spring>,
    Case<text_rolling_disk>, Case<text_slider_crank>, Case<text_spring_pendulum>, Case<text_unit_circle>>;
TYPED_TEST_SUITE(GeneratedDerivatives, Cases);

TYPED_TEST(GeneratedDerivatives, AreThoseOfDualNumbers) {
  using System = typename TestFixture::System;
  using DualSystem = typename TestFixture::DualSystem;
  using D = typename TestFixture::D;
  constexpr int d = TestFixture::d, m = TestFixture::m;
  for (int sample = 0; sample < 20; ++sample) {
    const auto parameters = this->parameters();
    const System system(parameters);
    const DualSystem dual(this->constants(parameters));
    const auto q0 = this->near(system.initial_position(), 0.2), q1 = this->near(q0, 0.2),
               v = this->near(system.initial_velocity(), 1.0);
    const auto q = this->variables(q1);
    const auto same = [&](double a, const D& of, int i, const char* what) {
      this->expect_same(a, of.partial[i], this->size_of(of), what);
    };

    const D V = dual.potential(q);
    const auto DV = system.gradient(q1);
    for (int i = 0; i < d; ++i) same(DV[i], V, i, "gradient");
    if constexpr (requires { system.hessian(q1); }) {
      const auto H = system.hessian(q1), J = system.discrete_gradient_jacobian(q0, q1);
      const auto gradient = dual.gradient(q), discrete = dual.discrete_gradient(this->constants(q0), q);
      for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
          same(H(i, j), gradient[i], j, "hessian");
          same(J(i, j), discrete[i], j, "discrete_gradient_jacobian");
          if (!System::stiff(i, j)) {
            EXPECT_EQ(H(i, j), 0.0);
            EXPECT_EQ(J(i, j), 0.0);
          }
        }
    }
    if constexpr (requires { system.discrete_gradient(q0, q1); }) {
      const auto Dbar = system.discrete_gradient(q0, q1);
      double along = 0.0, size = system.potential_scale(q0) + system.potential_scale(q1);
      for (int i = 0; i < d; ++i) {
        along += Dbar[i] * (q1[i] - q0[i]);
        size += std::abs(Dbar[i] * (q1[i] - q0[i]));
      }
      this->expect_same(along, system.potential(q1) - system.potential(q0), size, "discrete_gradient");
    }
    if constexpr (requires { system.constraint_jacobian(q1); }) {
      if constexpr (m > 0) {
        const auto g = dual.constraints_at(q);
        const auto G = system.constraint_jacobian(q1);
        const auto dual_G = dual.constraint_jacobian(q);
        const auto curvature = [&](int k, int i, int j) {
          if constexpr (QuadraticConstraints<System>)
            return system.curvature(k, i, j);
          else
            return system.curvature_at(q1)(d * k + i, j);
        };
        for (int k = 0; k < m; ++k)
          for (int i = 0; i < d; ++i) {
            const bool constrains = System::constrains(k, i);  // of other entries nothing may be read
            same(constrains ? G(k, i) : 0.0, g[k], i, "constraint_jacobian");
            for (int j = 0; j < d; ++j) {
              if (constrains) same(curvature(k, i, j), dual_G(k, i), j, "curvature");
              if (!constrains || !System::curved(k, i, j)) {
                EXPECT_EQ(curvature(k, i, j), 0.0);
              }
            }
          }
      }
    }
    if constexpr (requires { system.kinetic_gradient(q1, v); }) {
      const auto constant_v = this->constants(v);
      const auto momentum = dual.inertia_of(q).times(constant_v);
      const D T = D(0.5) * dot(constant_v, momentum);
      const auto DT = system.kinetic_gradient(q1, v);
      for (int i = 0; i < d; ++i) {
        same(DT[i], T, i, "kinetic_gradient");
        if (System::cyclic(i)) {
          EXPECT_EQ(DT[i], 0.0);
          EXPECT_EQ(DV[i], 0.0);
        }
      }
      const auto M = system.inertia_of(q1);
      const auto back = M.times(M.solve(v));
      for (int i = 0; i < d; ++i) EXPECT_NEAR(back[i], v[i], 1e-12);
      if constexpr (requires { system.inertia_slope(q1, v); }) {
        const auto slope = system.inertia_slope(q1, v), hessian = system.kinetic_hessian(q1, v);
        const auto dual_DT = dual.kinetic_gradient(q, constant_v);
        for (int i = 0; i < d; ++i)
          for (int j = 0; j < d; ++j) {
            same(slope(i, j), momentum[i], j, "inertia_slope");
            same(hessian(i, j), dual_DT[i], j, "kinetic_hessian");
            if (!System::inertia_varies(i)) {
              EXPECT_EQ(slope(i, j), 0.0);
            }
          }
      }
    }
    if constexpr (GeneralTerms<System>) {
      const auto v1 = this->near(v, 0.5);
      const auto Dbar = system.discrete_lagrangian_gradient(q0, 0.1, q1, 0.3, v),
                 other = system.discrete_lagrangian_gradient(q0, 0.1, q1, 0.3, v1),
                 mean = system.mean_discrete_gradient(q0, 0.1, q1, 0.3, v, v1);
      const auto lagrangian = [&](const auto& at, double t) {
        return lagrangian_kinetic(system, at, v, t) - system.potential(at, t);
      };
      double along = 0.2 * Dbar[d], size = std::abs(along) + std::abs(lagrangian(q0, 0.1));
      for (int i = 0; i < d; ++i) {
        along += Dbar[i] * (q1[i] - q0[i]);
        size += std::abs(Dbar[i] * (q1[i] - q0[i]));
      }
      this->expect_same(along, lagrangian(q1, 0.3) - lagrangian(q0, 0.1), size,
                        "discrete_lagrangian_gradient");
      for (int i = 0; i <= d; ++i)
        this->expect_same(mean[i], 0.5 * (Dbar[i] + other[i]), norm_inf(Dbar) + norm_inf(other),
                          "mean_discrete_gradient");
    }
    if constexpr (ContactSystem<System>) {
      const double h = 0.3;
      const auto A = dual.constraint_matrix(q);
      const auto slope = system.constraint_slope(q1, v, h);
      for (int k = 0; k < m; ++k) {
        D rate = D(0.0);
        if constexpr (AffineConstraints<System>) rate = D(h) * dual.constraint_offset(q)[k];
        for (int i = 0; i < d; ++i) rate = rate + A(k, i) * D(v[i]);
        for (int j = 0; j < d; ++j) {
          same(slope(k, j), rate, j, "constraint_slope");
          if constexpr (ChaplyginSystem<System>) {
            EXPECT_TRUE(System::bends(j) || slope(k, j) == 0.0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
