// GGL variational integrator VI-B with both constraints exact, order 1 for alpha = 1, symplectic for every
// alpha and theta. Paper: ggl-structure-preserving-integrators, stationarity of (14) with (16)-(18), (20);
// with all terms docs/equations/general.md, section 4. qa = (1-alpha) q0 + alpha q1, ta = t0 + alpha h,
// w = (q1-q0)/h, all below at (qa,ta) but for what says otherwise, unknowns (q1, p1, v, lambda, gamma),
// 3d + 2m:
//   (a)  q1 = q0 + h v + h M^-1 G^T gamma
//   (b)  M v + a = p0 + h (1-alpha) f - h (1-theta) G(q0,t0)^T lambda
//   (c)  p1 = M v + a + h alpha f - h theta G(q1,t1)^T lambda,   f = L_q(w) - G'(v)^T gamma + F(w) - D_v R(w)
//   (d)  g(q1,t1) = 0
//   (e)  G v + g_t = 0
// For (20), (1-theta) g(q0) + theta g(q1) = 0, stands (d): the same from a consistent state, while (20)
// amplifies round-off by (1-theta)/theta a step. The velocity of a node is v, which satisfies (e); p1 has a
// normal part that only lambda depends on. Damping and forces are not in the paper.

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point vi_b_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, theta = options.number("theta", 0.0);
  const double alpha = options.number("alpha", 1.0);
  const double t0 = node.time, t1 = t0 + h, ta = t0 + alpha * h;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const SparseMatrix G0 = constraint_jacobian(system, q0, t0).sparseView();

  // Scaled unknowns (q1, h M^-1 p1, h v, h^2 lambda, h gamma); rows (b), (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.segment(3 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> qa = (1.0 - alpha) * q0 + alpha * q1, w = (q1 - q0) / h;
    const Vector<S> pa = M * v + field_momentum(system, qa, ta);
    const Vector<S> f = lagrangian_gradient(system, qa, w, ta) -
                        constraint_curvature(system, qa, gamma, v, ta) - viscous_force(system, qa, w, ta) +
                        applied_force(system, qa, w, ta);
    const Vector<S> a = q1 - q0 - h * v - h * (Minv * constraint_force(system, qa, gamma, ta));
    const Vector<S> b = pa - p0 - h * (1.0 - alpha) * f + h * (1.0 - theta) * (G0.transpose() * lambda);
    const Vector<S> c = p1 - pa - h * alpha * f + h * theta * constraint_force(system, q1, lambda, t1);
    Vector<S> r(y.size());
    // rows (a) to (e)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(q1, t1), h * constraint_rate(system, qa, v, ta);
    return r;
  };

  VectorXd y(3 * d + 2 * m);
  y << q0 + h * node.v, h * (node.v + Minv * field_momentum(system, q0, t0)), h * node.v,
      h * h * guess(node.lambda), h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.p = M * root.x.segment(d, d) / h;
  next.v = root.x.segment(2 * d, d) / h;
  next.lambda = root.x.segment(3 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  const VectorXd qa = (1.0 - alpha) * q0 + alpha * next.q, w = (next.q - q0) / h;
  const VectorXd support =
      (1.0 - theta) * support_rate(system, q0, t0) + theta * support_rate(system, next.q, t1);
  next.dissipated = node.dissipated + h * w.dot(viscous_force(system, qa, w, ta));
  next.work = node.work + h * (w.dot(applied_force(system, qa, w, ta)) + next.lambda.dot(support) -
                               lagrangian_rate(system, qa, w, ta));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme vi_b() {
  return {.name = "vi_b", .runs = is_holonomic, .step = vi_b_step, .options = {{"alpha", {}}, {"theta", {}}}};
}

}  // namespace livens::reference
