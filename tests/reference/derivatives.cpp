// Derivatives by dual numbers against derivatives by hand, on values without symmetry.

#include "reference/discrete_gradient.hpp"
#include "reference/sphere.hpp"
#include "reference/system.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

// The hand formulas and the duals each take some tens of operations on values below 100: 1e3 eps x 100
// leaves room for their rounding.
constexpr double rounding = 1e5 * eps;

TEST(Derivatives, ElementaryFunctionsToThirdOrder) {
  const double x = 0.7;
  const auto third = [&](const auto& f) {
    Dual3 a(Dual2(Dual1(x, 1.0), Dual1(1.0)), Dual2(1.0));
    return f(a).slope.slope.slope;
  };
  EXPECT_NEAR(third([](const auto& a) { return sin(a); }), -std::cos(x), rounding);
  EXPECT_NEAR(third([](const auto& a) { return cos(a); }), std::sin(x), rounding);
  EXPECT_NEAR(third([](const auto& a) { return sqrt(a); }), 0.375 * std::pow(x, -2.5), rounding);
  EXPECT_NEAR(third([](const auto& a) { return 1.0 / a; }), -6.0 * std::pow(x, -4.0), rounding);
  EXPECT_NEAR(third([](const auto& a) { return a * a * a / 2.0; }), 3.0, rounding);
}

TEST(Derivatives, FourParticle) {
  const Model model = general_model("four_particle");
  const System system = make_system(model);
  const VectorXd q = general_state(model).q;
  const Eigen::Vector3d r12 = q.segment<3>(3) - q.segment<3>(0), r34 = q.segment<3>(9) - q.segment<3>(6);
  const Eigen::Vector3d r13 = q.segment<3>(6) - q.segment<3>(0), r24 = q.segment<3>(9) - q.segment<3>(3);

  VectorXd m(12), DV(12), u(12), Wu(12);
  m << 1.3, 1.3, 1.3, 0.7, 0.7, 0.7, 2.1, 2.1, 2.1, 1.6, 1.6, 1.6;
  EXPECT_LT((mass_matrix(system, q) - MatrixXd(m.asDiagonal())).norm(), rounding);

  const Eigen::Vector3d F13 = 2.0 * 3.0 * (r13.squaredNorm() - 1.1 * 1.1) * r13,
                        F24 = 2.0 * 8.0 * (r24.squaredNorm() - 0.9 * 0.9) * r24;
  DV << -F13, -F24, F13, F24;
  EXPECT_LT((potential_gradient(system, q) - DV).norm(), rounding);

  MatrixXd G = MatrixXd::Zero(2, 12);
  G.block<1, 3>(0, 0) = -r12.transpose() / (1.2 * 1.2);
  G.block<1, 3>(0, 3) = -G.block<1, 3>(0, 0);
  G.block<1, 3>(1, 6) = -r34.transpose() / (0.8 * 0.8);
  G.block<1, 3>(1, 9) = -G.block<1, 3>(1, 6);
  EXPECT_LT((constraint_jacobian(system, q) - G).norm(), rounding);

  const VectorXd gamma{{0.3, -0.8}};
  for (int i = 0; i < 12; ++i) u[i] = std::sin(3.0 * i);
  const Eigen::Vector3d u12 = gamma[0] / (1.2 * 1.2) * (u.segment<3>(3) - u.segment<3>(0));
  const Eigen::Vector3d u34 = gamma[1] / (0.8 * 0.8) * (u.segment<3>(9) - u.segment<3>(6));
  Wu << -u12, u12, -u34, u34;
  EXPECT_LT((constraint_curvature(system, q, gamma, u) - Wu).norm(), rounding);
  EXPECT_LT((constraint_force(system, q, gamma) - G.transpose() * gamma).norm(), rounding);
  EXPECT_LT((constraint_rate(system, q, u) - G * u).norm(), rounding);
}

TEST(Derivatives, DoubleSphericalPendulum) {  // multibody.md section 2: M and f
  const System system = make_system(general_model("double_spherical_pendulum"));
  const MatrixXd I = MatrixXd::Identity(3, 3);
  MatrixXd M(6, 6);
  M << 5.0 * I, 2.0 * I, 2.0 * I, 2.0 * I;
  EXPECT_LT((mass_matrix(system, system.initial.q) - M).norm(), rounding);
  const VectorXd f{{0.0, 0.0, 25.0, 0.0, 0.0, 10.0}};
  EXPECT_LT((potential_gradient(system, system.initial.q) - f).norm(), rounding);
}

TEST(Derivatives, IncrementsStayOnTheConstraintAndStartAlongTheTangent) {
  for (const std::string name : {"four_particle", "double_spherical_pendulum"}) {
    const Model model = general_model(name);
    const System system = make_system(model);
    const State state = general_state(model);
    for (const double length : {1e-9, 1e-3, 0.3, 3.0}) {  // both branches of sin t / t
      const VectorXd xi = length * state.v;
      const VectorXd x = state.q + system.increment(state.q, xi);
      EXPECT_LT(system.constraint(x).lpNorm<Eigen::Infinity>(), 64.0 * eps * x.squaredNorm())
          << name << " " << length;
    }
    const VectorXd tangent =
        derivative_along([&](const auto& xi) { return system.increment(constant(state.q), xi); },
                         VectorXd(VectorXd::Zero(state.q.size())), state.v);
    EXPECT_LT((tangent - state.v).norm(), rounding) << name;
  }
}

TEST(Derivatives, SincOfRootIsSmoothWhereItChangesFormula) {
  for (const double s : {1e-12, 0.5, 1.0 - 1e-12, 1.0 + 1e-12, 4.0}) {
    const double t = std::sqrt(s);
    const Dual1 y = sinc_of_root(Dual1(s, 1.0));
    EXPECT_NEAR(y.value, std::sin(t) / t, 8.0 * eps);
    // (cos t - sin t/t)/(2 t^2) loses eps/t^2 by cancellation; near t = 0 the limit is -1/6 + s/60.
    const double slope = s < 1e-6 ? -1.0 / 6.0 + s / 60.0 : (std::cos(t) - std::sin(t) / t) / (2.0 * s);
    EXPECT_NEAR(y.slope, slope, 16.0 * eps / std::max(s, 0.1));
  }
}

TEST(DiscreteGradient, SatisfiesTheDirectionalityCondition) {  // (23), for a potential that is not quadratic
  const auto f = [](const auto& x) { return sin(x[0]) * x[1] + x[0] * x[1] * x[1] * x[1]; };
  const VectorXd x{{0.4, 1.7}}, y{{0.9, 1.1}};
  const auto value = [](const VectorXd& a) { return std::sin(a[0]) * a[1] + a[0] * a[1] * a[1] * a[1]; };
  const auto g = [&]<class S>(const Vector<S>& a) -> S {
    if constexpr (std::is_same_v<S, double>) {
      return value(a);
    } else {
      return f(a);
    }
  };
  EXPECT_NEAR(discrete_gradient(g, x, y).dot(y - x), value(y) - value(x), rounding);
  EXPECT_LT((discrete_gradient(g, x, x) - gradient(g, x)).norm(), rounding);
}

}  // namespace
}  // namespace livens::reference
