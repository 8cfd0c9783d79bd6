// GGL variational integrator, order 1. Paper: ggl-variational-principle, (41), with viscous damping (57); with
// all terms docs/equations/general.md, section 5. qb = q0 + h v, G = G(qb,t1), u = M^-1 (p1 - a(qb,t1)),
// k = M^-1 G^T gamma, unknowns (q1, p1, v, lambda, gamma), 3d + 2m:
//   (a)  q1 = q0 + h v + h k                                                               (41a)
//   (b)  p1 = p0 + h [L_q + F - D_v R](q0,v,t0) - h G(q0,t0)^T lambda - h Y                (57b)
//   (c)  M v + a(q0,t0) = p1 + h Y,   Y = G'(u)(qb,t1)^T gamma - D_q (a.k)(qb,t1)          (41c)
//   (d)  g(q1,t1) = 0                                                                      (41d)
//   (e)  G u + g_t(qb,t1) = 0                                                              (41e)
// (57b) is printed with p0 behind W; the variation (40b) and the symplecticity proof (42b) have p1, and so
// has (b).

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point ggl_vi_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, t0 = node.time, t1 = t0 + h;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const VectorXd a0 = field_momentum(system, q0, t0);
  const SparseMatrix G0 = constraint_jacobian(system, q0, t0).sparseView();

  // Scaled unknowns (q1, h M^-1 p1, h v, h^2 lambda, h gamma); rows (b), (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.segment(3 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> q = q0.cast<S>(), qb = q0 + h * v, u = Minv * (p1 - field_momentum(system, qb, t1));
    const Vector<S> k = Minv * constraint_force(system, qb, gamma, t1);
    const Vector<S> Y = constraint_curvature(system, qb, gamma, u, t1) - field_curvature(system, qb, k, t1);
    const Vector<S> a = q1 - q0 - h * v - h * k;
    const Vector<S> b = p1 - p0 +
                        h * (-lagrangian_gradient(system, q, v, t0) + G0.transpose() * lambda + Y +
                             viscous_force(system, q, v, t0) - applied_force(system, q, v, t0));
    const Vector<S> c = M * v + a0 - p1 - h * Y;
    Vector<S> r(y.size());
    // rows (a) to (e)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(q1, t1), h * constraint_rate(system, qb, u, t1);
    return r;
  };

  VectorXd y(3 * d + 2 * m);
  y << q0 + h * node.v, h * (node.v + Minv * a0), h * node.v, h * h * guess(node.lambda),
      h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  const VectorXd v = root.x.segment(2 * d, d) / h;
  Point next;
  next.q = root.x.head(d);
  const VectorXd momentum = root.x.segment(d, d) / h;
  next.v = momentum - Minv * field_momentum(system, next.q, t1);
  next.p = M * momentum;
  next.lambda = root.x.segment(3 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  next.dissipated = node.dissipated + h * v.dot(viscous_force(system, q0, v, t0));
  next.work =
      node.work + h * (v.dot(applied_force(system, q0, v, t0)) +
                       next.lambda.dot(support_rate(system, q0, t0)) - lagrangian_rate(system, q0, v, t0));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme ggl_vi() { return {.name = "ggl_vi", .runs = is_holonomic, .step = ggl_vi_step}; }

}  // namespace livens::reference
