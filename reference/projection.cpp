#include "projection.hpp"

#include <Eigen/LU>

#include "mechanism.hpp"

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

/// G(q) for a position, and with A(q) beside it for a velocity.
MatrixXd position_normals(const System& system, const VectorXd& q) { return constraint_jacobian(system, q); }
MatrixXd position_normals(const AssembledSystem& system, const VectorXd& q) {
  return system.constraint_jacobian(q);
}
MatrixXd velocity_normals(const System& system, const VectorXd& q) { return velocity_rows(system, q).J; }
MatrixXd velocity_normals(const AssembledSystem& system, const VectorXd& q) {
  return system.constraint_jacobian(q);
}

template <class Kind>
ProjectionError error_of(const Kind& system, const State& given, const VectorXd& q, const State& projected) {
  const VectorXd v = project_velocity(system, projected.q, given.v);
  ProjectionError r{largest(projected.q - q), largest(projected.v - v), 0.0, 0.0};
  const MatrixXd G = position_normals(system, q), J = velocity_normals(system, projected.q);
  if (G.rows() > 0) r.q_bound = round_off(metric(system, given.q), G, given.q, q);
  if (J.rows() > 0) r.v_bound = round_off(metric(system, projected.q), J, given.v, v);
  return r;
}

}  // namespace

VectorXd field_momentum(const Model& model, const VectorXd& q) {
  const Mechanism mechanism = make_mechanism(model);
  const System* const system = std::get_if<System>(&mechanism);
  return system ? field_momentum(*system, q, 0.0) : VectorXd(VectorXd::Zero(q.size()));
}

ProjectionError projection_error(const Model& model, const State& given, const State& projected) {
  const VectorXd q = project(model, given).q;
  return std::visit([&](const auto& system) { return error_of(system, given, q, projected); },
                    make_mechanism(model));
}

}  // namespace livens::reference
