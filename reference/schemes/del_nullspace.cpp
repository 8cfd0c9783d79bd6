// Discrete Euler-Lagrange equations by the discrete null space method. Paper: gamma-convergence-constrained,
// (14)-(18), in the notation of discrete_euler_lagrange.hpp. P(u): range P = ker G. Unknowns w, d - m:
//   (a)  P(u0)^T [ c0 + D1 L_d(u0,u1) + F- ] = 0,   u1 = F_d(w,u0)                               (16), (17)
//   (b)  c0 + D1 L_d(u0,u1) + F- + s G(u0)^T lambda = 0,   s = h, at node 0 h/2                  (14), (15)
// (b) only tells lambda. P is an orthonormal basis and F_d the exponential map of g = 0 along P w. Neither
// choice matters: (a) says that the bracket is in range G(u0)^T and g(u1) = 0, whatever coordinates w
// describe it.

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "../assembly/assembled_step.hpp"
#include "../discrete_euler_lagrange.hpp"

namespace livens::reference {
namespace {

/// Orthonormal basis of ker G, d x (d - m): in G^T = QR the last columns of Q.
MatrixXd null_space(const MatrixXd& G) {
  const Eigen::HouseholderQR<MatrixXd> factors(G.transpose());
  const MatrixXd Q = factors.householderQ();
  return Q.rightCols(G.cols() - G.rows());
}

Point del_nullspace_step(const System& system, const Options& options, const Point& node) {
  const DiscreteEulerLagrange del(system, options, node);
  const double h = options.step;
  const MatrixXd G = del.G0, P = null_space(G), PMPinv = (P.transpose() * (del.M * P)).inverse();

  const auto residual = [&]<class S>(const Vector<S>& w) -> Vector<S> {
    const Vector<S> Du = system.increment(Vector<S>(del.u0.cast<S>()), Vector<S>(P * w));
    return h * (PMPinv * (P.transpose() * del.bracket(Du)));  // (a), scaled to a length as w is
  };

  const Root root =
      newton(residual, VectorXd(P.transpose() * (h * node.v)), options.tolerance, options.max_iterations);
  const VectorXd Du = system.increment(del.u0, VectorXd(P * root.x));
  const VectorXd lambda = -(G * G.transpose()).ldlt().solve(G * del.bracket(Du)) / del.s;  // (b)
  return del.next(node, Du, lambda, root);
}

bool del_nullspace_runs(const System& system) { return is_holonomic(system) && system.increment; }

}  // namespace

Scheme del_nullspace() {
  return {.name = "del_nullspace",
          .runs = del_nullspace_runs,
          .step = del_nullspace_step,
          .legendre = discrete_legendre,
          .looks_ahead = true,
          .assembled = assembled_null_space_form};
}

}  // namespace livens::reference
