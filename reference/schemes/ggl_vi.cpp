// GGL variational integrator, order 1. Paper: ggl-variational-principle, (41), with viscous damping (57).
// qb = q0 + h v, unknowns (q1, p1, v, lambda, gamma), 3d + 2m:
//   (a)  q1 = q0 + h v + h M^-1 G(qb)^T gamma                                              (41a)
//   (b)  p1 = p0 - h DV(q0) - h G(q0)^T lambda - h W(gamma,qb) M^-1 p1 - h C(q0) v         (57b)
//   (c)  M v = p1 + h W(gamma,qb) M^-1 p1                                                  (41c)
//   (d)  g(q1) = 0                                                                         (41d)
//   (e)  G(qb) M^-1 p1 = 0                                                                 (41e)
// (57b) is printed with p0 behind W; the variation (40b) and the symplecticity proof (42b) have p1, and so
// has (b).

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point ggl_vi_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const VectorXd DV0 = potential_gradient(system, q0);
  const SparseMatrix G0 = constraint_jacobian(system, q0).sparseView();

  // Scaled unknowns (q1, h M^-1 p1, h v, h^2 lambda, h gamma); rows (b), (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.segment(3 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> q = q0.cast<S>(), qb = q0 + h * v, u1 = Minv * p1;
    const Vector<S> Wu1 = constraint_curvature(system, qb, gamma, u1);
    const Vector<S> a = q1 - q0 - h * v - h * (Minv * constraint_force(system, qb, gamma));
    const Vector<S> b = p1 - p0 + h * (DV0 + G0.transpose() * lambda + Wu1 + viscous_force(system, q, v));
    const Vector<S> c = M * v - p1 - h * Wu1;
    Vector<S> r(y.size());
    // rows (a) to (e)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(q1), h * constraint_rate(system, qb, u1);
    return r;
  };

  VectorXd y(3 * d + 2 * m);
  y << q0 + h * node.v, h * node.v, h * node.v, h * h * guess(node.lambda), h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  const VectorXd v = root.x.segment(2 * d, d) / h;
  Point next;
  next.q = root.x.head(d);
  next.v = root.x.segment(d, d) / h;
  next.p = M * next.v;
  next.lambda = root.x.segment(3 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  next.dissipated = node.dissipated + h * v.dot(viscous_force(system, q0, v));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

bool ggl_vi_runs(const System& system) { return is_holonomic(system) && !system.load; }

}  // namespace

Scheme ggl_vi() { return {.name = "ggl_vi", .runs = ggl_vi_runs, .step = ggl_vi_step}; }

}  // namespace livens::reference
