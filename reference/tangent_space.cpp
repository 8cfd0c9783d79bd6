#include "tangent_space.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include "system.hpp"

namespace livens::reference {
namespace {

/// (a): of the projections of the unit vectors the one of which M leaves most, and again of what is left of the others.
MatrixXd tangential_positions(const MatrixXd& M, const MatrixXd& P, Eigen::Index count) {
  constexpr double alike = 1e-9;  // of what rounding alone makes the larger one the first is taken
  const auto norm = [&](const VectorXd& x) { return std::sqrt(x.dot(M * x)); };
  MatrixXd basis(M.rows(), count), left = P;
  for (Eigen::Index j = 0; j < count; ++j) {
    Eigen::Index most = 0;
    for (Eigen::Index i = 1; i < left.cols(); ++i)
      if (norm(left.col(i)) > (1.0 + alike) * norm(left.col(most))) most = i;
    VectorXd n = left.col(most) / norm(left.col(most));
    n -= basis.leftCols(j) * (basis.leftCols(j).transpose() * (M * n));
    basis.col(j) = n / norm(n);
    left -= basis.col(j) * (basis.col(j).transpose() * M * left);
  }
  return basis;
}

}  // namespace

MatrixXd tangent_space(const Model& model, const State& state) {
  const System system = make_system(model);
  const auto& [q, v] = state;
  const Eigen::Index d = q.size(), m = position_constraint_count(system);
  const MatrixXd M = mass_matrix(system, q), Minv = M.inverse(), G = constraint_jacobian(system, q);
  // Where G loses rank the pseudoinverse keeps the rows that are left.
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> rows;
  rows.setThreshold(1e-12);
  MatrixXd inverse_rows(m, m);
  if (m > 0) inverse_rows = rows.compute(G * Minv * G.transpose()).pseudoInverse();
  const MatrixXd P = MatrixXd::Identity(d, d) - Minv * G.transpose() * inverse_rows * G;
  const MatrixXd n = tangential_positions(M, P, d - m);

  // How v moves along n_j with p fixed, and what G v + g_t is moved by then and b_j has to take back: (b).
  const MatrixXd Dp = jacobian(
      [&](const Vector<Chunk>& x) { return momentum_of(system, x, constant<Chunk>(v), Chunk(0.0)); }, q);
  const MatrixXd v_of_n = -Minv * Dp * n;
  VectorXd place(2 * d);
  place << q, v;
  MatrixXd b = MatrixXd::Zero(d, d - m);
  if (m > 0) {
    const MatrixXd Drate = jacobian(
        [&](const Vector<Chunk>& x) {
          return constraint_rate(system, Vector<Chunk>(x.head(d)), Vector<Chunk>(x.tail(d)));
        },
        place);
    b = -G.transpose() * inverse_rows * (Drate.leftCols(d) * n + Drate.rightCols(d) * v_of_n);
  }

  MatrixXd basis = MatrixXd::Zero(3 * d, 2 * (d - m));
  basis.leftCols(d - m) << n, b, v_of_n + Minv * b;
  basis.rightCols(d - m) << MatrixXd::Zero(d, d - m), M * n, n;
  return basis;
}

}  // namespace livens::reference
