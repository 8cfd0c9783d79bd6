// Discrete Euler-Lagrange equations with the midpoint rule, by the discrete null space method; order 2,
// symplectic. Paper: gamma-convergence-constrained, (14)-(18). Du = u1 - u0, um = (u0+u1)/2,
//   L_d(u0,u1) = Du.M Du/(2h) - h V(um)                                                          (18)
//   D1 L_d = -M Du/h - h/2 DV(um),   D2 L_d = M Du/h - h/2 DV(um)
// P(u): range P = ker G. c: the momentum left of a node, c = p at node 0. Unknowns w, d - m:
//   (a)  P(u0)^T [ c0 + D1 L_d(u0,u1) + F- ] = 0,   u1 = F_d(w,u0)                               (16), (17)
//   (b)  c1 = D2 L_d(u0,u1) + F+
//   (c)  c0 + D1 L_d(u0,u1) + F- + s G(u0)^T lambda = 0,   s = h, at node 0 h/2                  (14), (15)
//   (d)  p = c + h/2 G(u)^T lambda,   lambda of the step after the node
// (c) only tells lambda; (d) is the constrained discrete Legendre transform. Viscous forces are split
// evenly, F- = F+ = -h/2 C(um) Du/h.
// P is an orthonormal basis and F_d the exponential map of g = 0 along P w. Neither choice matters: (a) says
// that the bracket is in range G(u0)^T and g(u1) = 0, whatever coordinates w describe it.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "../scheme.hpp"

namespace livens::reference {
namespace {

/// Orthonormal basis of ker G, d x (d - m): in G^T = QR the last columns of Q.
MatrixXd null_space(const MatrixXd& G) {
  const Eigen::HouseholderQR<MatrixXd> factors(G.transpose());
  const MatrixXd Q = factors.householderQ();
  return Q.rightCols(G.cols() - G.rows());
}

/// Of the several roots of (a) the one continuous in h has G(u1) M^-1 G(u0)^T -> G M^-1 G^T > 0. A law of
/// this project, not of the paper, whose trajectories b and c on the circle solve (14) with a root for
/// which it is negative.
bool on_physical_branch(const MatrixXd& G0, const MatrixXd& G1, const MatrixXd& Minv) {
  const MatrixXd S = G1 * Minv * G0.transpose();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(S + S.transpose()).eigenvalues().minCoeff() > 0.0;
}

Point step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const VectorXd &u0 = node.q, &c0 = node.p;
  const MatrixXd M = mass_matrix(system, u0), Minv = M.inverse();
  const MatrixXd G0 = constraint_jacobian(system, u0), P = null_space(G0);
  const MatrixXd PMPinv = (P.transpose() * M * P).inverse();

  // Du comes from the system and u1 = u0 + Du, not the other way round: M Du/h would else magnify the
  // rounding of u1 by 1/h.
  const auto left_of_step = [&]<class S>(const Vector<S>& Du) -> Vector<S> {  // D1 L_d + F-
    const Vector<S> um = u0 + 0.5 * Du, vm = Du / h;
    return -(M * vm) - 0.5 * h * (potential_gradient(system, um) + viscous_force(system, um, vm));
  };
  const auto residual = [&]<class S>(const Vector<S>& w) -> Vector<S> {
    const Vector<S> Du = system.increment(Vector<S>(u0.cast<S>()), Vector<S>(P * w));
    return h * (PMPinv * (P.transpose() * (c0 + left_of_step(Du))));  // (a), scaled to a length as w is
  };

  const Root root =
      newton(residual, VectorXd(P.transpose() * (h * node.v)), options.tolerance, options.max_iterations);
  const VectorXd Du = system.increment(u0, VectorXd(P * root.x)), um = u0 + 0.5 * Du, vm = Du / h;
  const VectorXd viscous = viscous_force(system, um, vm);
  const VectorXd bracket = c0 + left_of_step(Du);

  Point next;
  next.q = u0 + Du;
  next.v = vm;
  const MatrixXd G1 = constraint_jacobian(system, next.q);
  if (!on_physical_branch(G0, G1, Minv)) throw NewtonFailure{Failure::wrong_branch};
  next.p = M * vm - 0.5 * h * (potential_gradient(system, um) + viscous);  // (b)
  const double s = node.step == 0 ? 0.5 * h : h;
  next.lambda = -(G0 * G0.transpose()).ldlt().solve(G0 * bracket) / s;  // (c)
  next.gamma = node.gamma;
  next.dissipated = node.dissipated + h * vm.dot(viscous);
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

Momentum legendre(const System& system, double h, const Point& here, const Point& ahead) {
  const VectorXd p = here.p + 0.5 * h * constraint_force(system, here.q, ahead.lambda);  // (d)
  return {.p = p, .v = mass_matrix(system, here.q).inverse() * p};
}

bool runs(const System& system) { return is_holonomic(system) && system.increment; }

}  // namespace

Scheme del_nullspace() {
  return {.name = "del_nullspace", .runs = runs, .step = step, .legendre = legendre, .looks_ahead = true};
}

}  // namespace livens::reference
