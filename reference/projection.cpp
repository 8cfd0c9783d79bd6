#include "projection.hpp"

#include <Eigen/LU>

#include "system.hpp"

namespace livens::reference {
namespace {

double largest(const VectorXd& x) { return x.lpNorm<Eigen::Infinity>(); }

/// The rounding of the x nearest to x^ on A (x - x^) = c. K = [M A^T; A 0] takes (x - x^, mu) to (0, c). With
/// w = (|x| + |x^|, |mu|), a residual of these n equations is rounded by at most some n eps |K| w, and an
/// elimination with pivoting does as much as 3 n eps |L| |U| w (Higham, Accuracy and Stability of Numerical
/// Algorithms, Theorem 9.4), of which |L| |U| is taken for 2 |K|: 7 n for one solution, 14 n for two.
double round_off(const MatrixXd& M, const MatrixXd& A, const VectorXd& given, const VectorXd& x) {
  const Eigen::Index d = x.size(), m = A.rows(), n = d + m;
  MatrixXd K = MatrixXd::Zero(n, n);
  K.topLeftCorner(d, d) = M;
  K.topRightCorner(d, m) = A.transpose();
  K.bottomLeftCorner(m, d) = A;
  const MatrixXd inverse = K.inverse();
  VectorXd w(n);
  w << x.cwiseAbs() + given.cwiseAbs(), (inverse.bottomRightCorner(m, m) * (A * (x - given))).cwiseAbs();
  const VectorXd error = inverse.cwiseAbs() * (K.cwiseAbs() * w);
  return 14.0 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * largest(error.head(d));
}

}  // namespace

ProjectionError projection_error(const Model& model, const State& given, const State& projected) {
  const System system = make_system(model);
  const VectorXd q = project(model, given).q, v = project_velocity(system, projected.q, given.v);
  ProjectionError r{largest(projected.q - q), largest(projected.v - v), 0.0, 0.0};
  if (constraint_count(system) == 0) return r;
  const bool holonomic = !system.velocity_constraint;
  const auto jacobian_at = [&](const VectorXd& at) {
    return holonomic ? constraint_jacobian(system, at) : nonholonomic_jacobian(system, at);
  };
  if (holonomic) r.q_bound = round_off(metric(system, given.q), jacobian_at(q), given.q, q);
  r.v_bound = round_off(metric(system, projected.q), jacobian_at(projected.q), given.v, v);
  return r;
}

}  // namespace livens::reference
