// GGL variational integrator VI-A, order 2 for alpha = 1/2, symplectic for every alpha. Paper:
// ggl-structure-preserving-integrators, stationarity of (14) with (16)-(19). qa = (1-alpha) q0 + alpha q1,
// unknowns (q1, p1, v, lambda, gamma), 3d + 2m:
//   (a)  q1 = q0 + h v + h M^-1 G(qa)^T gamma
//   (b)  M v = p0 + h (1-alpha) (F - G(qa)^T lambda)
//   (c)  p1 = M v + h alpha (F - G(qa)^T lambda),   F = -DV(qa) - W(gamma,qa) v - C(qa) (q1-q0)/h
//   (d)  g(qa) = 0
//   (e)  G(qa) v = 0
// Damping is not in the paper. For alpha /= 1/2 the constraints at the nodes grow without bound.

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point vi_a_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, alpha = options.number("alpha", 0.5);
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);

  // Scaled unknowns (q1, h M^-1 p1, h v, h^2 lambda, h gamma); rows (b), (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.segment(3 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> qa = (1.0 - alpha) * q0 + alpha * q1, vm = (q1 - q0) / h, Mv = M * v;
    const Vector<S> force = -potential_gradient(system, qa) - constraint_curvature(system, qa, gamma, v) -
                            viscous_force(system, qa, vm) - constraint_force(system, qa, lambda);
    const Vector<S> a = q1 - q0 - h * v - h * (Minv * constraint_force(system, qa, gamma));
    const Vector<S> b = Mv - p0 - h * (1.0 - alpha) * force;
    const Vector<S> c = p1 - Mv - h * alpha * force;
    Vector<S> r(y.size());
    // rows (a) to (e)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(qa), h * constraint_rate(system, qa, v);
    return r;
  };

  VectorXd y(3 * d + 2 * m);
  y << q0 + h * node.v, h * node.v, h * node.v, h * h * guess(node.lambda), h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.v = root.x.segment(d, d) / h;
  next.p = M * next.v;
  next.lambda = root.x.segment(3 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  const VectorXd qa = (1.0 - alpha) * q0 + alpha * next.q, vm = (next.q - q0) / h;
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qa, vm));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

bool vi_a_runs(const System& system) { return is_holonomic(system) && !system.load; }

}  // namespace

Scheme vi_a() { return {.name = "vi_a", .runs = vi_a_runs, .step = vi_a_step, .options = {{"alpha", {}}}}; }

}  // namespace livens::reference
