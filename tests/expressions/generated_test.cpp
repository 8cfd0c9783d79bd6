// A built-in system with a header of its own, written as text, is that system: the same energies, forces, constraints and
// momentum maps at random states with random parameters. And a text has the capabilities that its facts promise.

#define LIVENS_ISA text_generated
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <random>

#include "expressions/text_system.hpp"
#include "kernels/systems/foucault_pendulum.hpp"
#include "kernels/systems/heavy_top.hpp"
#include "kernels/systems/rolling_disk.hpp"
#include "kernels/systems/shared/capabilities.hpp"
#include "kernels/systems/spring_pendulum.hpp"
#include "text_bead_on_catenary.hpp"
#include "text_cart_pendulum.hpp"
#include "text_chaplygin_sleigh.hpp"
#include "text_charged_particle.hpp"
#include "text_double_four_bar.hpp"
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

TextSystem example(const std::string& name) {
  const std::string path = LIVENS_EXAMPLES "/" + name + ".toml";
  std::ifstream file(path);
  return read_text_system(std::string((std::istreambuf_iterator<char>(file)), {}), path);
}

class Random {
 public:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  template <int N>
  Vec<double, N> near(const Vec<double, N>& a, double spread) {
    Vec<double, N> r;
    for (int i = 0; i < N; ++i) r[i] = a[i] + uniform(-spread, spread);
    return r;
  }

 private:
  std::mt19937 engine_{11};
};

/// Sums of at most some fifty products in two orders: they differ by round-off of the largest part.
void expect_equal(double text, double built_in, double size, const char* what) {
  EXPECT_NEAR(text, built_in, 100 * 0x1p-53 * (std::abs(size) + std::abs(built_in))) << what;
}

/// A system whose M has no inverse or depends on q, and its text.
template <class Text, class BuiltIn>
void expect_same_system(const std::string& name) {
  constexpr int d = Text::coordinates, m = Text::constraints, s = Text::momentum_maps,
                P = Text::parameter_count;
  static_assert(d == BuiltIn::coordinates && m == BuiltIn::constraints && s == BuiltIn::momentum_maps);
  static_assert(P == BuiltIn::parameter_count);
  const TextSystem described = example(name);
  Random random;
  for (int sample = 0; sample < 50; ++sample) {
    Vec<double, P> parameters;
    int k = 0;
    for (const ParameterInfo& parameter : BuiltIn::info().parameters)
      for (const double value : parameter.defaults)
        parameters[k++] = (parameter.damps ? 0.3 : value) * random.uniform(0.7, 1.4);
    const Text text(parameters);
    const BuiltIn built_in(parameters);
    const auto q_start = built_in.initial_position(), v_start = built_in.initial_velocity();
    const auto told_q = described.initial_position(std::span(parameters.data)),
               told_v = described.initial_velocity(std::span(parameters.data));
    for (int i = 0; i < d; ++i) {
      expect_equal(text.initial_position()[i], q_start[i], 1.0, "initial_position");
      expect_equal(text.initial_velocity()[i], v_start[i], 1.0, "initial_velocity");
      // The host's are the kernels' to the bit.
      EXPECT_EQ(told_q[static_cast<std::size_t>(i)], text.initial_position()[i]);
      EXPECT_EQ(told_v[static_cast<std::size_t>(i)], text.initial_velocity()[i]);
    }
    const auto q0 = random.near(q_start, 0.5), q1 = random.near(q0, 0.3), v = random.near(v_start, 1.0);
    const double scale = built_in.potential_scale(q0) + built_in.potential_scale(q1) + 1.0;
    expect_equal(text.potential(q0), built_in.potential(q0), scale, "potential");
    const auto DV = text.gradient(q0), built_in_DV = built_in.gradient(q0);
    for (int i = 0; i < d; ++i) expect_equal(DV[i], built_in_DV[i], norm_inf(built_in_DV), "gradient");
    const auto p = momentum_of(text, q0, v), built_in_p = momentum_of(built_in, q0, v);
    for (int i = 0; i < d; ++i) expect_equal(p[i], built_in_p[i], norm_inf(built_in_p), "momentum");
    if constexpr (s > 0) {
      const auto J = text.momentum_map(q0, p), built_in_J = built_in.momentum_map(q0, p);
      for (int l = 0; l < s; ++l)
        expect_equal(J[l], built_in_J[l], norm_inf(p) * norm_inf(q0), "momentum_map");
    }
    const Vec<double, d> at_rest = zero_vector<double, d>();
    const auto Dbar_L = text.discrete_lagrangian_gradient(q0, 0.0, q1, 0.0, at_rest);
    const auto Dbar_V = built_in.discrete_gradient(q0, q1);
    for (int i = 0; i < d; ++i)
      expect_equal(-Dbar_L[i], Dbar_V[i], norm_inf(Dbar_V), "discrete gradient of V");
    if constexpr (m > 0) {
      const auto g = text.constraints_at(q0, 0.0), built_in_g = built_in.constraints_at(q0);
      const auto G = text.constraint_jacobian(q0, 0.0);
      const auto built_in_G = built_in.constraint_jacobian(q0);
      const auto change = text.constraint_jacobian_change(q0, 0.0, v, 0.0);
      for (int row = 0; row < m; ++row) {
        expect_equal(g[row], built_in_g[row], 10.0, "constraints_at");
        for (int i = 0; i < d; ++i) {
          if (!BuiltIn::constrains(row, i)) continue;
          expect_equal(G(row, i), built_in_G(row, i), 4.0, "constraint_jacobian");
          double bend = 0.0;
          for (int j = 0; j < d; ++j) bend += built_in.curvature(row, i, j) * v[j];
          expect_equal(change(row, i), bend, 4.0 * norm_inf(v), "constraint_jacobian_change");
        }
      }
    }
    const auto lost = text.resistance(q0, v, 0.0), built_in_lost = viscous_force(built_in, v);
    for (int i = 0; i < d; ++i) expect_equal(lost[i], built_in_lost[i], norm_inf(v), "resistance");
  }
}

TEST(GeneratedHeader, SpringPendulum) {
  expect_same_system<text_spring_pendulum<double>, SpringPendulum<double>>("spring_pendulum");
}

TEST(GeneratedHeader, WhatIsNotGivenFollows) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Random random;
  for (int sample = 0; sample < 20; ++sample) {
    const double rho = random.uniform(1000, 3000), a = random.uniform(0.05, 0.2), g = random.uniform(9, 10),
                 nutation = random.uniform(0.1, 1.4), precession = random.uniform(3, 12);
    const double given = sample % 2 == 0 ? nan : 0.3 * a, r = sample % 2 == 0 ? 0.5 * a : given;
    const auto top =
        HeavyTop<double>::completed(Vec<double, 8>{{rho, a, given, g, nutation, precession, nan, 0.1}});
    EXPECT_EQ(top[2], r);
    // ggl-variational-principle, (66).
    const double m = rho * std::numbers::pi * r * r * a / 3, l = 0.75 * a,
                 J1 = 3.0 / 80 * m * (4 * r * r + a * a), J3 = 0.3 * m * r * r;
    const double steady =
        m * g * l / (J3 * precession) + (J1 + m * l * l - J3) / J3 * precession * std::cos(nutation);
    expect_equal(top[6], steady, steady, "spin_rate");
    const text_heavy_top<double> text(top);
    const HeavyTop<double> built_in(Vec<double, 8>{{rho, a, given, g, nutation, precession, nan, 0.1}});
    for (int i = 0; i < 12; ++i) {
      EXPECT_EQ(text.initial_position()[i], built_in.initial_position()[i]);
      EXPECT_EQ(text.initial_velocity()[i], built_in.initial_velocity()[i]);
    }
    Vec<double, 16> disk{{random.uniform(1, 5), random.uniform(0.3, 1), nan, 0.2}};
    const double axial = disk[0] * disk[1] * disk[1] / 2;
    disk = text_rolling_disk<double>::completed(disk);
    expect_equal(disk[2], axial, axial, "inertia_axial");
    EXPECT_EQ(disk[3], 0.2);
  }
}

TEST(GeneratedHeader, FoucaultPendulum) {
  // The built-in one has its increment on the constraint in closed form, the text one by Newton's method;
  // with an Earth so fast that the constraint matters.
  using Text = text_foucault_pendulum<double>;
  using BuiltIn = FoucaultPendulum<double>;
  static_assert(SolvedContactSystem<Text> && !ChaplyginSystem<Text>);
  Random random;
  for (int sample = 0; sample < 200; ++sample) {
    Vec<double, 6> parameters;
    for (int k = 0; k < 6; ++k) parameters[k] = random.uniform(0.5, 1.5);
    const Text text(parameters);
    const BuiltIn built_in(parameters);
    const Vec<double, 2> q = random.near(Vec<double, 2>{{1.0, -1.0}}, 0.5),
                         dq = random.near(Vec<double, 2>{{0.0, 0.0}}, 0.2);
    for (const double s : {0.0, 0.5}) {
      const double h = random.uniform(0.01, 0.2);
      const auto closed = built_in.constrained_increment(q, dq, s, h);
      const auto solved = text.constrained_increment(q, dq, s, h);
      EXPECT_TRUE(closed.exists && solved.exists);
      for (int i = 0; i < 2; ++i)
        expect_equal(solved.value[i], closed.value[i], 1.0, "constrained_increment");
    }
  }
  // Far from q the two curves do not meet.
  const Text text(Vec<double, 6>{{1, 1, 1.5, 10, 9.81, 0}});
  EXPECT_FALSE(text.constrained_increment({{1.0, 0.0}}, {{0.5, 0.0}}, 0.5, 0.5).exists);
}

/// What the text says of itself without a compiler is what the concepts find.
template <class System>
void expect_the_faces_of(const std::string& name) {
  const TextSystem text = example(name);
  const Capabilities told = text.capabilities(), found = capabilities_of<System>();
  for (int i = 0; i < capability_count; ++i)
    EXPECT_EQ(told.has(static_cast<Capability>(i)), found.has(static_cast<Capability>(i)))
        << name << ": " << missing_capability[i];
  const SystemInfo &by_text = text.info(), &compiled = System::info();
  EXPECT_EQ(by_text.coordinates, compiled.coordinates);
  EXPECT_EQ(by_text.constraints, compiled.constraints);
  EXPECT_EQ(by_text.momentum_maps, compiled.momentum_maps);
  EXPECT_EQ(by_text.nonholonomic, compiled.nonholonomic);
  EXPECT_EQ(by_text.singular_mass, compiled.singular_mass);
  ASSERT_EQ(by_text.parameters.size(), compiled.parameters.size());
  for (std::size_t k = 0; k < compiled.parameters.size(); ++k) {
    EXPECT_EQ(by_text.parameters[k].damps, compiled.parameters[k].damps);
    EXPECT_EQ(by_text.parameters[k].domain, compiled.parameters[k].domain);
    EXPECT_TRUE(
        std::ranges::equal(by_text.parameters[k].defaults, compiled.parameters[k].defaults,
                           [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
  }
  EXPECT_TRUE(text.warnings().empty());
}

TEST(GeneratedHeader, HasTheFacesThatTheTextPromises) {
  expect_the_faces_of<text_bead_on_catenary<double>>("bead_on_catenary");
  expect_the_faces_of<text_driven_cart<double>>("driven_cart");
  expect_the_faces_of<text_n_pendulum<double>>("n_pendulum");
  expect_the_faces_of<text_cart_pendulum<double>>("cart_pendulum");
  expect_the_faces_of<text_charged_particle<double>>("charged_particle");
  expect_the_faces_of<text_chaplygin_sleigh<double>>("chaplygin_sleigh");
  expect_the_faces_of<text_double_pendulum_angles<double>>("double_pendulum_angles");
  expect_the_faces_of<text_double_four_bar<double>>("double_four_bar");
  expect_the_faces_of<text_double_spherical_pendulum<double>>("double_spherical_pendulum");
  expect_the_faces_of<text_foucault_pendulum<double>>("foucault_pendulum");
  expect_the_faces_of<text_four_particle<double>>("four_particle");
  expect_the_faces_of<text_four_pendulum<double>>("four_pendulum");
  expect_the_faces_of<text_heavy_top<double>>("heavy_top");
  expect_the_faces_of<text_mass_spring<double>>("mass_spring");
  expect_the_faces_of<text_rolling_disk<double>>("rolling_disk");
  expect_the_faces_of<text_slider_crank<double>>("slider_crank");
  expect_the_faces_of<text_spring_pendulum<double>>("spring_pendulum");
  expect_the_faces_of<text_unit_circle<double>>("unit_circle");
}

TEST(GeneratedHeader, HasTheInertiaOfItsStructure) {
  static_assert(std::is_same_v<text_double_spherical_pendulum<double>::Inertia, CoupledInertia<double, 2>>);
  static_assert(std::is_same_v<text_four_particle<double>::Inertia, DiagonalInertia<double, 4>>);
  static_assert(std::is_same_v<text_unit_circle<double>::Inertia, DiagonalInertia<double, 1, 2>>);
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
