// P and F_d of gamma-convergence-constrained (16), (17) for assemblies.

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>

#include "assemblies.hpp"

namespace livens::reference {
namespace {

TEST(AssemblyNullSpace, SizesOfTheSwing) {
  const Assembly swing = three_bar_swing();
  const AssembledSystem system(swing);
  EXPECT_EQ(system.coordinates(), 156);
  EXPECT_EQ(system.constraints(), 94);
  EXPECT_EQ(Reparametrisation(swing).unknowns(), 62);
  EXPECT_EQ(Eigen::ColPivHouseholderQR<MatrixXd>(system.mass()).rank(), 156 - 33) << "d3 of eleven nodes";
  const MatrixXd P = Reparametrisation(swing).null_space(system.assembled());
  EXPECT_EQ(Eigen::LLT<MatrixXd>(P.transpose() * system.mass() * P).info(), Eigen::Success)
      << "regular there";
  EXPECT_EQ(Eigen::ColPivHouseholderQR<MatrixXd>(system.constraint_jacobian(system.assembled())).rank(), 94);
}

// Any w, not a small one: the rotations are finite.
TEST(AssemblyNullSpace, ReparametrisationStaysOnTheConstraints) {
  for (const Assembly& assembly : {three_bar_swing(), three_bar_swing({.elements = 4}), flail()}) {
    const AssembledSystem system(assembly);
    const Reparametrisation to(assembly);
    const VectorXd u0 = system.assembled(), w = random_vector(to.unknowns(), 3),
                   u1 = u0 + to.increment(u0, w);
    EXPECT_LT(system.constraint(u1).lpNorm<Eigen::Infinity>(), 32.0 * eps) << "some twenty operations each";
    EXPECT_GT((u1 - u0).lpNorm<Eigen::Infinity>(), 0.5);
    const MatrixXd P = to.null_space(u1), G = system.constraint_jacobian(u1);
    EXPECT_LT((G * P).cwiseAbs().maxCoeff(), 32.0 * eps);
    EXPECT_EQ(Eigen::ColPivHouseholderQR<MatrixXd>(P).rank(), G.cols() - G.rows());
    const auto along = [&](const auto& x) { return to.increment(u0, x); };
    EXPECT_LT((G * jacobian(along, w)).cwiseAbs().maxCoeff(), 64.0 * eps);
  }
}

// docs/equations/assembly.md: rod A with w, th of the first node, v and w of the others, th, w of rod B.
TEST(AssemblyNullSpace, IsThatOfTheText) {
  const Assembly swing = three_bar_swing();
  const VectorXd u = random_start(swing, 5).q, nu = random_vector(62, 6),
                 v = Reparametrisation(swing).null_space(u) * nu;
  const auto x = [&](int body, int number) { return Vector3d(u.segment<3>(12 * body + 3 * number)); };
  const auto dot = [&](int body, int number) { return Vector3d(v.segment<3>(12 * body + 3 * number)); };
  const double H[] = {0.36, 0.36 * std::sqrt(2.0)};
  const auto expect = [](const Vector3d& a, const Vector3d& b) { EXPECT_LT((a - b).norm(), 16.0 * eps); };
  for (const auto& [rod, end, w, th, height] : {std::tuple{0, 1, 0, 3, H[0]}, {12, 11, 59, 58, H[1]}}) {
    const Vector3d wr = nu.segment<3>(w), n = x(rod, 2);
    const double zg = -0.25 * height, zb = height + zg;
    expect(dot(rod, 0), wr.cross(-zg * x(rod, 3)));
    expect(dot(end, 0), wr.cross((zb - zg) * x(rod, 3)));
    for (int i = 1; i <= 3; ++i) {
      expect(dot(rod, i), wr.cross(x(rod, i)));
      expect(dot(end, i), wr.cross(x(end, i)) + nu[th] * n.cross(x(end, i)));
    }
  }
  for (int node = 2; node <= 10; ++node) {
    const Eigen::Index k = 4 + 6 * (node - 2);
    expect(dot(node, 0), nu.segment<3>(k));
    for (int i = 1; i <= 3; ++i) expect(dot(node, i), Vector3d(nu.segment<3>(k + 3)).cross(x(node, i)));
  }
}

// What an elimination without fill needs: blocks 4, nine times 6, and 4 unknowns, coupled to the next alone.
TEST(AssemblyNullSpace, MatrixOfTheSwingIsBanded) {
  const Assembly swing = three_bar_swing();
  const AssembledSystem system(swing);
  const VectorXd u = random_start(swing, 8).q;
  const MatrixXd P = Reparametrisation(swing).null_space(u),
                 A = P.transpose() * ((system.mass() + 1e-6 * system.potential_hessian(u)) * P);
  Eigen::Index half = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (A(i, j) != 0.0) half = std::max(half, std::abs(i - j));
    }
  }
  EXPECT_EQ(half, 11);
}

TEST(AssemblyNullSpace, JointsThatMakeALoopAreRefused) {
  Assembly loop = flail();
  loop.joints.push_back({.on = {ground, {0.5, 0.8, 0.75}}, .of = {5, {0, 0.4, 0}}, .axis = {}});
  EXPECT_THROW(Reparametrisation{loop}, std::invalid_argument) << "two joints carry the second rod";
  EXPECT_NO_THROW(AssemblyIntegrator(loop, {"del_multiplier", 1e-3}, at_rest(loop)).advance());
  Assembly cycle = flail();
  cycle.joints[2].on = {1, {0, 0, 0}};
  EXPECT_THROW(Reparametrisation{cycle}, std::invalid_argument);
}

}  // namespace
}  // namespace livens::reference
