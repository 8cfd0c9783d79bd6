#include "discrete_euler_lagrange.hpp"

#include <Eigen/Eigenvalues>

namespace livens::reference {

/// Of the several roots of (a) the one continuous in h has G(u1) M^-1 G(u0)^T -> G M^-1 G^T > 0. A law of
/// this project, not of the paper, whose trajectories b and c on the circle solve (14) with a root for
/// which it is negative.
static bool keeps_orientation(const MatrixXd& G0, const MatrixXd& G1, const SparseMatrix& Minv) {
  if (G0.rows() == 0) return true;
  const MatrixXd S = G1 * (Minv * G0.transpose());
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(S + S.transpose()).eigenvalues().minCoeff() > 0.0;
}

/// True for a step that goes on as the one before, up to half of it: the spurious ones of the double
/// spherical pendulum differ by 1.3 times that and more, those of the circle by twice the radius. The law
/// above turns down such a step where G loses rank, as that of the linkage at theta = 0: a normal of g = 0
/// vanishes there and comes out reversed. The step across is physical all the same.
static bool goes_on(const VectorXd& Du, const VectorXd& Du_before, const SparseMatrix& M) {
  const VectorXd change = Du - Du_before;
  return change.dot(M * change) < 0.25 * Du_before.dot(M * Du_before);
}

DiscreteEulerLagrange::DiscreteEulerLagrange(const System& system, const Options& options, const Point& node)
    : system(system),
      h(options.step),
      s(node.first ? 0.5 * h : h),
      t0(node.time),
      t1(t0 + h),
      tm(t0 + 0.5 * h),
      u0(node.q),
      c0(node.p),
      M(mass_matrix(system, u0).sparseView()),
      Minv(inverse(M)),
      G0(constraint_jacobian(system, u0, t0).sparseView()) {}

Point DiscreteEulerLagrange::next(const Point& node, const VectorXd& Du, const VectorXd& lambda,
                                  const Root& root) const {
  const VectorXd um = u0 + 0.5 * Du, w = Du / h;
  Point next;
  next.q = u0 + Du;
  next.v = w;
  if (!keeps_orientation(G0, constraint_jacobian(system, next.q, t1), Minv) && !goes_on(Du, h * node.v, M)) {
    throw NewtonFailure{Failure::wrong_branch};
  }
  next.p = momentum(um, w) - 0.5 * h * resistance(um, w);  // (b)
  next.lambda = lambda;
  next.gamma = node.gamma;
  next.dissipated = node.dissipated + h * w.dot(viscous_force(system, um, w, tm));
  next.work = node.work + mean_force(system, um, w, t0, t1).dot(Du) - h * lagrangian_rate(system, um, w, tm);
  if (system.rows_move) {  // (d)
    next.work += normal_impulse(system, next.q, next.p, t1).dot(support_rate(system, next.q, t1)) -
                 (s * lambda + normal_impulse(system, u0, c0, t0)).dot(support_rate(system, u0, t0));
  }
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

Momentum discrete_legendre(const System& system, double h, const Point& here, const Point& ahead) {
  const VectorXd p = here.p + 0.5 * h * constraint_force(system, here.q, ahead.lambda, here.time);  // (c)
  return {.p = p,
          .v = mass_matrix(system, here.q).inverse() * (p - field_momentum(system, here.q, here.time))};
}

}  // namespace livens::reference
