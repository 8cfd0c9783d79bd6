// The classical GGL stabilisation by the midpoint rule with the constraints at the end, order 2. Paper:
// ggl-structure-preserving-integrators, (8) and section 5. qm, pm the means of 0 and 1, unknowns
// (q1, p1, lambda, gamma), 2d + 2m:
//   (a)  q1 - q0 = h M^-1 pm + h G(qm)^T gamma                            (8a)
//   (b)  p1 - p0 = -h DV(qm) - h G(qm)^T lambda - h C(qm) (q1-q0)/h       (8b)
//   (c)  g(q1) = 0                                                        (8c)
//   (d)  G(q1) M^-1 p1 = 0                                                (8d)
// (8b) is printed without the force of lambda; (21b) of ggl-variational-principle has it. Damping is not in
// the paper, nor is the load, h times the mean of F(t0) and F(t1) on the right of (b).

#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point ggl_mp_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const VectorXd F = mean_load(system, h, node);

  // Scaled unknowns (q1, h M^-1 p1, h^2 lambda, h gamma); rows (b) times h M^-1 and (d) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h;
    const Vector<S> lambda = y.segment(2 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> qm = 0.5 * (q0 + q1), pm = 0.5 * (p0 + p1), vm = (q1 - q0) / h, u1 = Minv * p1;
    const Vector<S> a = q1 - q0 - h * (Minv * pm) - h * constraint_force(system, qm, gamma);
    const Vector<S> b = p1 - p0 +
                        h * (potential_gradient(system, qm) + constraint_force(system, qm, lambda) +
                             viscous_force(system, qm, vm) - F);
    Vector<S> r(y.size());
    // rows (a) to (d)
    r << a, h * (Minv * b), system.constraint(q1), h * constraint_rate(system, q1, u1);
    return r;
  };

  VectorXd y(2 * d + 2 * m);
  y << q0 + h * node.v, h * node.v, h * h * guess(node.lambda), h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.v = root.x.segment(d, d) / h;
  next.p = M * next.v;
  next.lambda = root.x.segment(2 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / h;
  const VectorXd qm = 0.5 * (q0 + next.q), vm = (next.q - q0) / h;
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qm, vm));
  next.work = node.work + F.dot(next.q - node.q);
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme ggl_mp() { return {.name = "ggl_mp", .runs = is_holonomic, .step = ggl_mp_step}; }

}  // namespace livens::reference
