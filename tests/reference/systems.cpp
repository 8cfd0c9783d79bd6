// The formulas of the systems against the same by hand, and their documented numbers.

#include <numbers>

#include "reference/equations_of_motion.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

// Formulas by hand and automatic derivatives each take some tens of operations on values below 100: 1e3 eps
// x 100 leaves room for their rounding.
constexpr double rounding = 1e5 * eps;

TEST(Systems, FourParticle) {
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

TEST(Systems, DoubleSphericalPendulum) {  // multibody.md section 2: M and f
  const System system = make_system(general_model("double_spherical_pendulum"));
  const MatrixXd I = MatrixXd::Identity(3, 3);
  MatrixXd M(6, 6);
  M << 5.0 * I, 2.0 * I, 2.0 * I, 2.0 * I;
  EXPECT_LT((mass_matrix(system, system.initial.q) - M).norm(), rounding);
  const VectorXd f{{0.0, 0.0, 25.0, 0.0, 0.0, 10.0}};
  EXPECT_LT((potential_gradient(system, system.initial.q) - f).norm(), rounding);
}

// holonomic.md section 6 and (60)-(68) of the paper, which rounds to four digits.
TEST(Systems, HeavyTop) {
  const Model model{"heavy_top", {}};
  const System system = make_system(model);
  const State& state = system.initial;
  const MatrixXd M = mass_matrix(system, state.q), I = MatrixXd::Identity(3, 3);
  EXPECT_NEAR(M(0, 0), 0.706858, 5e-7);
  for (int i = 1; i < 4; ++i) {
    EXPECT_NEAR(2.0 * M(3 * i, 3 * i), 5.30144e-4, 5e-10);  // J1 = J2 = J3, so E_i = J/2
    EXPECT_LT((M.block(3 * i, 3 * i, 3, 3) - M(3 * i, 3 * i) * I).norm(), rounding);
  }
  EXPECT_NEAR(state.q[2], 0.0375, rounding);  // below (68)
  // (65): of d3 and e3, along d1 x d2 and d2 x d3 the angular velocity has these components.
  const Eigen::Vector3d d1 = state.q.segment<3>(3), d2 = state.q.segment<3>(6), d3 = state.q.tail<3>();
  const Eigen::Vector3d w(state.v.segment<3>(6).dot(d3), state.v.tail<3>().dot(d1),
                          state.v.segment<3>(3).dot(d2));  // in the frame of the directors
  EXPECT_NEAR(w[2] - 10.0 * std::cos(std::numbers::pi / 3.0), 135.6, 0.05);
  EXPECT_NEAR(w[1], 10.0 * std::sin(std::numbers::pi / 3.0), rounding);
  EXPECT_NEAR(w[0], 0.0, rounding);
  const VectorXd x = project(model, state).q - state.q, u = project(model, state).v - state.v;
  EXPECT_LT(x.norm(), rounding);
  EXPECT_LT(u.norm(), rounding);
  // (66) makes the precession steady. Accelerations are of the size l spin^2, 700.
  EXPECT_NEAR(equations_of_motion(system, state).acceleration[2], 0.0, 10.0 * rounding);
  EXPECT_EQ(default_state({"heavy_top", {{"radius", {0.05}}}}).v, state.v) << "half the height";
}

TEST(Systems, DoubleFourBar) {
  const Model model{"double_four_bar", {{"damping", {0.5, 0.7}}, {"mass", {2.0}}, {"length", {0.6}}}};
  const System system = make_system(model);
  const State& state = system.initial;
  const MatrixXd M = mass_matrix(system, state.q), I = MatrixXd::Identity(2, 2);
  const double E = 0.5 * 2.0 * 0.6 * 0.6 / 12.0;
  MatrixXd Mi = MatrixXd::Zero(6, 6), A(2, 6);
  Mi.diagonal() << 2.0, 2.0, E, E, E, E;
  A << I, 0.3 * I, 0.0 * I;
  MatrixXd C(30, 30);
  for (int j = 0; j < 30; ++j) C.col(j) = viscous_force(system, state.q, VectorXd(VectorXd::Unit(30, j)));
  MatrixXd expected = MatrixXd::Zero(30, 30);
  expected.block(18, 18, 6, 6) = 0.5 * A.transpose() * A;
  expected.block(24, 24, 6, 6) = 0.7 * A.transpose() * A;
  EXPECT_LT((C - expected).norm(), rounding);
  for (int i = 0; i < 5; ++i) EXPECT_LT((M.block(6 * i, 6 * i, 6, 6) - Mi).norm(), rounding);
  EXPECT_EQ(constraint_count(system), 29);
  EXPECT_LT(system.constraint(state.q).lpNorm<Eigen::Infinity>(), 4.0 * eps);
  EXPECT_LT((constraint_jacobian(system, state.q) * state.v).lpNorm<Eigen::Infinity>(), 4.0 * eps);
  EXPECT_EQ(state.v[18], 1.0);
  EXPECT_EQ(state.v[0], 0.5);
  // Kinetic energy of one degree of freedom: 3 bars with m l^2/3 and 2 with m l^2, theta' = -v0/l.
  EXPECT_NEAR(system.kinetic_energy(state.q, state.v), 0.5 * 3.0 * 2.0, rounding);
}

// 3 theta'' = -3.5 g/l cos theta (holonomic.md section 6, l = 1), integrated with steps a tenth as long by
// Stoermer's method; both are of order two with constants below one.
TEST(Systems, DoubleFourBarMovesAsItsOneDegreeOfFreedom) {
  const Model model{"double_four_bar", {}};
  const double h = 0.01;
  const int steps = 50;
  const Node node = run(model, {"livens", h, 0.0}, default_state(model), steps).back();
  double theta = 0.5 * std::numbers::pi, rate = -1.0;
  const double dt = 0.1 * h;
  for (int n = 0; n < 10 * steps; ++n) {
    rate -= 0.5 * dt * 3.5 / 3.0 * 9.81 * std::cos(theta);
    theta += dt * rate;
    rate -= 0.5 * dt * 3.5 / 3.0 * 9.81 * std::cos(theta);
  }
  EXPECT_NEAR(std::atan2(node.q[3], node.q[2]), theta, h * h);
  EXPECT_NEAR(node.q[18] - 0.5, std::cos(theta), h * h);
}

TEST(Systems, MassSpring) {  // (40), (41)
  const System system = make_system(general_model("mass_spring"));
  const MatrixXd M{{1.4, 0, 0}, {0, 0.6, 0.6}, {0, 0.6, 0.6}};
  EXPECT_LT((mass_matrix(system, system.initial.q) - M).norm(), rounding);
  const VectorXd q{{0.7, 1.6, -0.4}};
  const VectorXd DV{{2.0 / 4 * (2 * 0.7 + 4 * 0.343), 0.0, -5.0 / 4 * (2 * 0.4 + 4 * 0.064)}};
  EXPECT_LT((potential_gradient(system, q) - DV).norm(), rounding);
  EXPECT_NEAR(system.constraint(q)[0], 0.0, rounding);
  const Model paper{"mass_spring", {}};
  EXPECT_EQ(Integrator(paper, {"livens", 0.1, 0.0}, default_state(paper)).node().energy, 1.0);
}

TEST(Systems, SpringPendulum) {  // (43)-(45)
  const System system = make_system(general_model("spring_pendulum"));
  const VectorXd q{{0.9, 0.6, 2.0}}, v{{0.3, -0.7, 1.1}};
  const double r = 0.9, s = std::sin(0.6), c = std::cos(0.6);
  const MatrixXd M = 1.7 * VectorXd{{1.0, r * r, r * r * s * s}}.asDiagonal();
  EXPECT_LT((mass_matrix(system, q) - M).norm(), rounding);
  const VectorXd DT{{1.7 * r * (0.49 + s * s * 1.21), 1.7 * r * r * s * c * 1.21, 0.0}};
  const auto T = [&]<class R>(const Vector<R>& x) { return system.kinetic_energy(x, constant<R>(v)); };
  EXPECT_LT((gradient(T, q) - DT).norm(), rounding);
  const double strain = (r * r - 0.64) / 1.28;
  EXPECT_LT((potential_gradient(system, q) - 90.0 * strain * r / 0.64 * VectorXd::Unit(3, 0)).norm(),
            rounding);
}

// The declared number of coordinates in T: D_1 T vanishes behind it, and not for the last of them.
TEST(Systems, MassDependsOnTheDeclaredCoordinates) {
  for (const std::string& name : systems()) {
    const Model model = general_model(name);
    const System system = make_system(model);
    const State state = general_state(model);
    const VectorXd DT = gradient(
        [&]<class R>(const Vector<R>& x) { return system.kinetic_energy(x, constant<R>(state.v)); }, state.q);
    const Eigen::Index count = system.mass_coordinates;
    EXPECT_EQ(DT.tail(DT.size() - count), VectorXd(VectorXd::Zero(DT.size() - count))) << name;
    if (count > 0) {
      EXPECT_NE(DT[count - 1], 0.0) << name;
    }
  }
}

TEST(Systems, IncrementsStayOnTheConstraintAndStartAlongTheTangent) {
  for (const auto& [name, scheme] : pairs({"del_nullspace"})) {
    const Model model = general_model(name);
    const System system = make_system(model);
    const State state = general_state(model);
    for (const double length : {1e-9, 1e-3, 0.3, 3.0}) {  // both branches of sin t / t
      const VectorXd xi = length * state.v;
      const VectorXd x = state.q + system.increment(state.q, xi);
      EXPECT_LT(system.constraint(x).lpNorm<Eigen::Infinity>(), 64.0 * eps * x.squaredNorm())
          << name << " " << length;
    }
    const VectorXd tangent = derivative_along(
        [&]<class R>(const Vector<R>& xi) { return system.increment(constant<R>(state.q), xi); },
        VectorXd(VectorXd::Zero(state.q.size())), state.v);
    EXPECT_LT((tangent - state.v).norm(), rounding) << name;
  }
}

}  // namespace
}  // namespace livens::reference
