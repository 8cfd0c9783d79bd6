// GGL variational integrator VI-A, order 2 for alpha = 1/2, symplectic for every alpha. Paper:
// ggl-structure-preserving-integrators, stationarity of (14) with (16)-(19); with all terms
// docs/equations/general.md, section 4. qa = (1-alpha) q0 + alpha q1, ta = t0 + alpha h, w = (q1-q0)/h, all
// below at (qa,ta) but for what says otherwise, unknowns (q1, p1, v, lambda, gamma), 3d + 2m:
//   (a)  q1 = q0 + h v + h M^-1 G^T gamma
//   (b)  M v + a = p0 + h (1-alpha) (f - G^T lambda)
//   (c)  p1 = M v + a + h alpha (f - G^T lambda),   f = L_q(w) - G'(v)^T gamma + F(w) - D_v R(w)
//   (d)  g = 0
//   (e)  G v + g_t = 0
// Damping and forces are not in the paper. For alpha /= 1/2 the constraints at the nodes grow without bound.

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point vi_a_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, alpha = options.number("alpha", 0.5);
  const double t0 = node.time, t1 = t0 + h, ta = t0 + alpha * h;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);

  // Scaled unknowns (q1, h M^-1 p1, h v, h^2 lambda, h gamma); rows (b), (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.segment(3 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> qa = (1.0 - alpha) * q0 + alpha * q1, w = (q1 - q0) / h;
    const Vector<S> pa = M * v + field_momentum(system, qa, ta);
    const Vector<S> force = lagrangian_gradient(system, qa, w, ta) -
                            constraint_curvature(system, qa, gamma, v, ta) -
                            viscous_force(system, qa, w, ta) - constraint_force(system, qa, lambda, ta) +
                            applied_force(system, qa, w, ta);
    const Vector<S> a = q1 - q0 - h * v - h * (Minv * constraint_force(system, qa, gamma, ta));
    const Vector<S> b = pa - p0 - h * (1.0 - alpha) * force;
    const Vector<S> c = p1 - pa - h * alpha * force;
    Vector<S> r(y.size());
    // rows (a) to (e)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(qa, ta), h * constraint_rate(system, qa, v, ta);
    return r;
  };

  VectorXd y(3 * d + 2 * m);
  y << q0 + h * node.v, h * (node.v + Minv * field_momentum(system, q0, t0)), h * node.v,
      h * h * guess(node.lambda), h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  const VectorXd momentum = root.x.segment(d, d) / h;
  next.v = momentum - Minv * field_momentum(system, next.q, t1);
  next.p = M * momentum;
  next.lambda = root.x.segment(3 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  const VectorXd qa = (1.0 - alpha) * q0 + alpha * next.q, w = (next.q - q0) / h;
  next.dissipated = node.dissipated + h * w.dot(viscous_force(system, qa, w, ta));
  next.work =
      node.work + h * (w.dot(applied_force(system, qa, w, ta)) +
                       next.lambda.dot(support_rate(system, qa, ta)) - lagrangian_rate(system, qa, w, ta));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme vi_a() {
  return {.name = "vi_a", .runs = is_holonomic, .step = vi_a_step, .options = {{"alpha", {}}}};
}

}  // namespace livens::reference
