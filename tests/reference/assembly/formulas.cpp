// Energies and constraints against docs/equations/assembly.md, written once more with vectors and
// differentiated automatically, and against deformations whose energy can be told by hand.

#include "assemblies.hpp"
#include "reference/derivatives.hpp"

namespace livens::reference {
namespace {

constexpr double le = 0.25;

/// One element from the origin along e3, its directors the inertial axes.
Assembly one_element() {
  Assembly beam;
  beam.bodies.resize(2);
  beam.bodies[1].position = {0.0, 0.0, le};
  beam.elements.push_back({0, 1, flail().elements[0].section});
  return beam;
}

template <class S>
Vector<S> entry(const Vector<S>& q, int body, int number) {  // phi, d1, d2, d3
  return q.segment(12 * body + 3 * number, 3);
}

/// (c), (d) of a beam whose elements are le long.
template <class S>
S elastic_energy(const Assembly& assembly, const Vector<S>& q) {
  S V(0.0);
  for (const BeamElement& element : assembly.elements) {
    const int a = element.start, b = element.end;
    const Section& section = element.section;
    const auto middle = [&](int i) { return Vector<S>(0.5 * (entry(q, a, i) + entry(q, b, i))); };
    const auto slope = [&](int i) { return Vector<S>((entry(q, b, i) - entry(q, a, i)) / le); };
    const S Gamma1 = middle(1).dot(slope(0)), Gamma2 = middle(2).dot(slope(0)),
            Gamma3 = middle(3).dot(slope(0)) - 1.0;
    const S K1 = 0.5 * (middle(3).dot(slope(2)) - middle(2).dot(slope(3))),
            K2 = 0.5 * (middle(1).dot(slope(3)) - middle(3).dot(slope(1))),
            K3 = 0.5 * (middle(2).dot(slope(1)) - middle(1).dot(slope(2)));
    V += 0.5 * le *
         (section.shear_stiffness * (Gamma1 * Gamma1 + Gamma2 * Gamma2) +
          section.axial_stiffness * Gamma3 * Gamma3 + section.bending_stiffness_1 * K1 * K1 +
          section.bending_stiffness_2 * K2 * K2 + section.torsional_stiffness * K3 * K3);
  }
  return V;
}

/// (e), (f) of the flail.
template <class S>
Vector<S> flail_constraint(const Vector<S>& q) {
  Vector<S> g(36 + 11);
  for (int b = 0; b < 6; ++b) {
    const Vector<S> d1 = entry(q, b, 1), d2 = entry(q, b, 2), d3 = entry(q, b, 3);
    g.segment(6 * b, 6) << 0.5 * (d1.squaredNorm() - 1.0), 0.5 * (d2.squaredNorm() - 1.0),
        0.5 * (d3.squaredNorm() - 1.0), d1.dot(d2), d1.dot(d3), d2.dot(d3);
  }
  g.tail(11) << entry(q, 5, 0) - 0.4 * entry(q, 5, 2) - entry(q, 4, 0),  // second rod on the beam's end
      entry(q, 1, 0) - entry(q, 0, 0) - 0.3 * entry(q, 0, 1),            // beam on the first rod
      entry(q, 0, 2).dot(entry(q, 1, 1)), entry(q, 0, 2).dot(entry(q, 1, 3)),
      entry(q, 0, 0) - 0.2 * entry(q, 0, 1);  // first rod on the ground
  return g;
}

/// Anywhere near, on no constraint.
VectorXd somewhere(const AssembledSystem& system) {
  return system.assembled() + 0.3 * random_vector(system.coordinates(), 7);
}

// Sums of some 1e4 products of size 1 to 1e4: eps times that is 2e-8 at worst, and 1e-10 as a random sum; a
// coefficient that is wrong by 1e-9 of the largest shows.
constexpr double rounding = 1e-10;

TEST(AssemblyFormulas, EnergyOfTheBeamAndItsDerivatives) {
  const Assembly assembly = flail();
  const AssembledSystem system(assembly);
  const auto V = [&](const auto& q) { return elastic_energy(assembly, q); };
  const VectorXd q = somewhere(system);
  EXPECT_NEAR(system.potential(q), V(q), rounding);
  EXPECT_LT((system.potential_gradient(q) - gradient(V, q)).lpNorm<Eigen::Infinity>(), rounding);
  const MatrixXd K = jacobian([&](const auto& x) { return gradient(V, x); }, q);
  EXPECT_LT((MatrixXd(system.potential_hessian(q)) - K).cwiseAbs().maxCoeff(), rounding);
  EXPECT_GT(K.cwiseAbs().maxCoeff(), 1e3) << "or there was nothing to compare";
}

TEST(AssemblyFormulas, ConstraintsAndTheirJacobian) {
  const AssembledSystem system(flail());
  const auto g = [](const auto& q) { return flail_constraint(q); };
  const VectorXd q = somewhere(system);
  EXPECT_LT((system.constraint(q) - g(q)).lpNorm<Eigen::Infinity>(), 16.0 * eps);
  EXPECT_LT((MatrixXd(system.constraint_jacobian(q)) - jacobian(g, q)).cwiseAbs().maxCoeff(), 16.0 * eps);
  EXPECT_LT(system.constraint(system.assembled()).lpNorm<Eigen::Infinity>(), eps);
}

/// V of one element whose nodes stand at the angles -+alpha/2 about an axis, their distance `along` e3 and
/// `across` e1.
double deformed(const Vector3d& axis, double alpha, double along, double across) {
  const AssembledSystem system(one_element());
  VectorXd q(24);
  for (const double side : {-0.5, 0.5}) {
    const Matrix3d d = Eigen::AngleAxisd(side * alpha, axis).toRotationMatrix();
    q.segment<12>(side < 0 ? 0 : 12) << side * across, 0.0, side * along, d.reshaped();
  }
  return system.potential(q);
}

// The strain of a turn by alpha from node to node is sin(alpha)/le, about d3 and about the others. In the arc
// the directors in the middle are shorter, by cos(alpha/2), and the chord longer by as much strains nothing.
TEST(AssemblyFormulas, EnergiesOfSimpleDeformations) {
  const Section section = flail().elements[0].section;
  const double alpha = 0.4, K = std::sin(alpha) / le, chord = le / std::cos(0.5 * alpha), strain = 0.03;
  EXPECT_NEAR(deformed(Vector3d::UnitX(), alpha, chord, 0.0), 0.5 * le * section.bending_stiffness_1 * K * K,
              1e-14);
  EXPECT_NEAR(deformed(Vector3d::UnitY(), alpha, chord, 0.0), 0.5 * le * section.bending_stiffness_2 * K * K,
              1e-14);
  EXPECT_NEAR(deformed(Vector3d::UnitZ(), alpha, le, 0.0), 0.5 * le * section.torsional_stiffness * K * K,
              1e-14);
  EXPECT_NEAR(deformed(Vector3d::UnitX(), 0.0, le * (1.0 + strain), 0.0),
              0.5 * le * section.axial_stiffness * strain * strain, 1e-14);
  EXPECT_NEAR(deformed(Vector3d::UnitX(), 0.0, le, le * strain),
              0.5 * le * section.shear_stiffness * strain * strain, 1e-14);
}

TEST(AssemblyFormulas, MassOfABeam) {
  const AssembledSystem system(one_element());
  const Section section = flail().elements[0].section;
  VectorXd v = VectorXd::Zero(24);
  const auto T = [&] { return 0.5 * v.dot(system.mass() * v); };
  v[15] = 1.0;  // d1' = s e1 along the beam, s from 0 to 1; its integral of s^2 is le/3
  EXPECT_NEAR(T(), 0.5 * section.line_inertia_1 * le / 3.0, 1e-15);
  v[3] = 1.0;  // d1' = e1
  EXPECT_NEAR(T(), 0.5 * section.line_inertia_1 * le, 1e-15);
  v.setZero();
  v[0] = v[12] = 1.0;  // phi' = e1
  EXPECT_NEAR(T(), 0.5 * section.line_mass * le, 1e-15);
  v.setZero();
  v[6] = v[18] = 1.0;  // d2' = e1
  EXPECT_NEAR(T(), 0.5 * section.line_inertia_2 * le, 1e-15);
  v.setZero();
  v.segment<3>(9).setOnes();
  EXPECT_EQ(T(), 0.0) << "d3 has no inertia";
}

// E_i of a body is the integral of x_i^2 over its mass, here slice by slice along the axis: of a square of
// edge b the mean of x^2 is b^2/12. The midpoint rule is off by 1/N^2.
TEST(AssemblyFormulas, RodsArePyramids) {
  const ThreeBarSwing swing;
  const double H = swing.height, a = swing.rod_edge;
  double mass = 0.0, first = 0.0, across = 0.0, along = 0.0;
  for (int k = 0; k < 10000; ++k) {
    const double s = (k + 0.5) / 10000.0, edge = a * (1.0 - s), slice = edge * edge;
    mass += slice;
    first += slice * s * H;
    across += slice * edge * edge / 12.0;
  }
  for (int k = 0; k < 10000; ++k) {
    const double s = (k + 0.5) / 10000.0, edge = a * (1.0 - s), x = s * H - first / mass;
    along += edge * edge * x * x;
  }
  const Body rod = three_bar_swing().bodies.front();
  EXPECT_NEAR(-rod.position[2], first / mass, 1e-8 * H);
  EXPECT_NEAR(rod.euler_inertia[0], rod.mass * across / mass, 1e-8 * rod.mass * a * a);
  EXPECT_NEAR(rod.euler_inertia[2], rod.mass * along / mass, 1e-8 * rod.mass * H * H);
}

TEST(AssemblyFormulas, LoadIsStraightBetweenItsEntries) {
  Assembly assembly = one_element();
  assembly.loads = {{1, {0, 2, 0}, {{0.1, 1.0}, {0.3, 5.0}, {0.4, 0.0}}}};
  const AssembledSystem system(assembly);
  for (const auto& [t, F] :
       {std::pair{0.0, 2.0}, {0.1, 2.0}, {0.2, 6.0}, {0.375, 2.5}, {0.4, 0.0}, {9.0, 0.0}}) {
    EXPECT_NEAR(system.load(t)[13], F, 16.0 * eps) << t;
    EXPECT_EQ(system.load(t).cwiseAbs().sum(), std::abs(system.load(t)[13]));
  }
}

TEST(AssemblyFormulas, PartsThatDoNotFitAreRefused) {
  const auto refused = [](auto&& spoil) {
    Assembly assembly = flail();
    spoil(assembly);
    EXPECT_THROW(AssembledSystem{assembly}, std::invalid_argument);
  };
  refused([](Assembly& a) { a.elements[0].end = 6; });
  refused([](Assembly& a) { a.elements[0].end = a.elements[0].start; });
  refused([](Assembly& a) { a.joints[0].of.body = ground; });
  refused([](Assembly& a) { a.joints[0].on.body = 5; });
  refused([](Assembly& a) { a.joints[1].axis = 3; });
  refused([](Assembly& a) { a.loads = {{0, Vector3d::UnitX(), {}}}; });
  refused([](Assembly& a) { a.loads = {{0, Vector3d::UnitX(), {{1.0, 0.0}, {0.5, 1.0}}}}; });
  EXPECT_THROW(three_bar_swing({.elements = 3}), std::invalid_argument);
  EXPECT_THROW(AssemblyIntegrator(flail(), {"ems", 1e-3}, at_rest(flail())), std::invalid_argument);
  EXPECT_THROW(AssemblyIntegrator(flail(), {"del_multiplier", 0.0}, at_rest(flail())), std::invalid_argument);
  EXPECT_THROW(AssemblyIntegrator(flail(), {"del_multiplier", 1e-3}, at_rest(one_element())),
               std::invalid_argument);
}

}  // namespace
}  // namespace livens::reference
