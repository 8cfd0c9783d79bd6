// The geometry of unit vectors: tangent bases and the Cayley step.

#define LIVENS_ISA math_plain
#include "kernels/math/dual.hpp"
#include "kernels/systems/shared/vector_form.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace livens {
namespace {

constexpr double eps = 2.220446049250313e-16;

std::vector<Vec3<double>> directions() {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Vec3<double>> list;
  for (const double s : {1.0, -1.0})
    for (int i = 0; i < 3; ++i) {
      Vec3<double> u{{0.0, 0.0, 0.0}};
      u[i] = s;
      list.push_back(u);
      u[2] = i == 2 ? s : -0.0;
      list.push_back(u);
    }
  for (const double z : {1.0, -1.0})
    for (const double tilt : {1e-300, 1e-16, 1e-8, 1e-3})
      list.push_back({{tilt, -0.5 * tilt, z * std::sqrt(1.0 - 1.25 * tilt * tilt)}});
  for (int i = 0; i < 10000; ++i) {
    const Vec3<double> a{{normal(random), normal(random), normal(random)}};
    list.push_back((1.0 / std::sqrt(dot(a, a))) * a);
  }
  return list;
}

TEST(TangentBasis, IsOrthonormal) {
  for (const Vec3<double>& u : directions()) {
    Vec3<double> e1, e2;
    tangent_basis(u, e1, e2);
    // u itself is a unit vector to a few eps; each entry of the basis is three roundings from exact, and each
    // product sums three of them.
    const double bound = 8 * eps;
    EXPECT_NEAR(dot(e1, e1), 1.0, bound);
    EXPECT_NEAR(dot(e2, e2), 1.0, bound);
    EXPECT_NEAR(dot(e1, e2), 0.0, bound);
    EXPECT_NEAR(dot(e1, u), 0.0, bound);
    EXPECT_NEAR(dot(e2, u), 0.0, bound);
    EXPECT_NEAR(dot(cross(e1, e2), u), 1.0, bound) << "not right-handed";
  }
}

TEST(SphereStep, StaysOnTheSphereAndTurnsByTheAngle) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0), exponent(-12.0, 0.5);
  for (const Vec3<double>& u : directions()) {
    Vec3<double> e1, e2;
    tangent_basis(u, e1, e2);
    const double size = std::pow(10.0, exponent(random)), a1 = size * uniform(random),
                 a2 = size * uniform(random);
    const SphereStep<double> step(u, e1, e2, a1, a2);
    const Vec3<double> u1 = u + step.increment;
    EXPECT_NEAR(dot(u1, u1), 1.0, 16 * eps);
    // |increment| = 2 sin(angle/2) = 2 a/sqrt(1 + a^2), relative to itself however small it is.
    const double a = std::hypot(a1, a2), length = std::sqrt(dot(step.increment, step.increment));
    EXPECT_NEAR(length / (2.0 * a / std::sqrt(1.0 + a * a)), 1.0, 16 * eps);
  }
}

TEST(SphereStep, TangentsAreItsDerivatives) {
  using D = Dual<2>;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (const Vec3<double>& u : directions()) {
    Vec3<double> e1, e2, t1, t2;
    tangent_basis(u, e1, e2);
    const double a1 = uniform(random), a2 = uniform(random);
    SphereStep<double>(u, e1, e2, a1, a2).tangents(t1, t2);
    const auto lifted = [](const Vec3<double>& a) { return Vec3<D>{{D(a[0]), D(a[1]), D(a[2])}}; };
    const SphereStep<D> step(lifted(u), lifted(e1), lifted(e2), D::variable(a1, 0), D::variable(a2, 1));
    for (int i = 0; i < 3; ++i) {
      // w <= 2 and |a| < 3 bound the terms by about ten; the identity uses |u| = 1, good to a few eps.
      EXPECT_NEAR(t1[i], step.increment[i].partial[0], 64 * eps);
      EXPECT_NEAR(t2[i], step.increment[i].partial[1], 64 * eps);
    }
  }
}

TEST(NormInfinity, NoNanGoesUnseen) {
  const double nan = std::nan("");
  for (int i = 0; i < 4; ++i) {
    Vec<double, 4> a{{1.0, -3.0, 2.0, 0.5}};
    EXPECT_EQ(norm_inf(a), 3.0);
    a[i] = nan;
    EXPECT_TRUE(std::isnan(norm_inf(a))) << i;
    a[i] = -INFINITY;
    EXPECT_FALSE(finite(norm_inf(a))) << i;
  }
}

}  // namespace
}  // namespace livens
