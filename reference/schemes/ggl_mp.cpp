// The classical GGL stabilisation by the midpoint rule with the constraints at the end, order 2. Paper:
// ggl-structure-preserving-integrators, (8) and section 5; with all terms docs/equations/general.md, section
// 3. qm the mean of 0 and 1, vm = (q1-q0)/h, u_i = M^-1 (p_i - a(q_i,t_i)), unknowns (q1, p1, lambda, gamma),
// 2d + 2m:
//   (a)  q1 - q0 = h (u0 + u1)/2 + h G(qm,tm)^T gamma                                             (8a)
//   (b)  p1 - p0 = h L_q(qm,vm,tm) - h G(qm,tm)^T lambda - h D_v R(qm,vm,tm) + h F_m              (8b)
//   (c)  g(q1,t1) = 0                                                                             (8c)
//   (d)  G(q1,t1) u1 + g_t(q1,t1) = 0                                                             (8d)
// (8b) is printed without the force of lambda; (21b) of ggl-variational-principle has it. Damping and forces
// are not in the paper; F_m is the mean of F at t0 and t1.

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point ggl_mp_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, t0 = node.time, t1 = t0 + h, tm = t0 + 0.5 * h;
  const VectorXd &q0 = node.q, &p0 = node.p, Mu0 = p0 - field_momentum(system, q0, t0);
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);

  // Scaled unknowns (q1, h u1, h^2 lambda, h gamma); rows (b) times h M^-1 and (d) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), Mu1 = M * y.segment(d, d) / h;
    const Vector<S> lambda = y.segment(2 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> qm = 0.5 * (q0 + q1), vm = (q1 - q0) / h, u1 = Minv * Mu1;
    const Vector<S> p1 = Mu1 + field_momentum(system, q1, t1);
    const Vector<S> a =
        q1 - q0 - h * (Minv * (0.5 * (Mu0 + Mu1))) - h * constraint_force(system, qm, gamma, tm);
    const Vector<S> b =
        p1 - p0 +
        h * (-lagrangian_gradient(system, qm, vm, tm) + constraint_force(system, qm, lambda, tm) +
             viscous_force(system, qm, vm, tm) - mean_force(system, qm, vm, t0, t1));
    Vector<S> r(y.size());
    // rows (a) to (d)
    r << a, h * (Minv * b), system.constraint(q1, t1), h * constraint_rate(system, q1, u1, t1);
    return r;
  };

  VectorXd y(2 * d + 2 * m);
  y << q0 + h * node.v, h * node.v, h * h * guess(node.lambda), h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.v = root.x.segment(d, d) / h;
  next.p = M * next.v + field_momentum(system, next.q, t1);
  next.lambda = root.x.segment(2 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  const VectorXd Dq = next.q - q0, qm = 0.5 * (q0 + next.q), vm = Dq / h;
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qm, vm, tm));
  next.work = node.work + mean_force(system, qm, vm, t0, t1).dot(Dq) +
              h * (next.lambda.dot(support_rate(system, qm, tm)) - lagrangian_rate(system, qm, vm, tm));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme ggl_mp() { return {.name = "ggl_mp", .runs = is_holonomic, .step = ggl_mp_step, .meets_walls = true}; }

}  // namespace livens::reference
