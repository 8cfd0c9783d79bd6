// The implicit midpoint rule with the constraints at the end of the step. qm, vm the means of 0 and 1,
// unknowns (q1, lambda):
//   (a)  p1 - p0 = -h DV(qm) - h G(qm)^T lambda - h C(qm) (q1 - q0)/h,  p1 = 2 M (q1 - q0)/h - p0
//   (b)  g(q1) = 0

#include "reference/scheme.hpp"

namespace livens::reference {
namespace {

Point step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const Eigen::Index d = node.q.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, node.q).sparseView(), Minv = inverse(M);

  // Scaled unknowns (q1, h^2 lambda); rows (a) times h M^-1.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q0 = node.q.cast<S>(), p0 = node.p.cast<S>();
    const Vector<S> q1 = y.head(d), lambda = y.tail(m) / (h * h);
    const Vector<S> qm = 0.5 * (q0 + q1), vm = (q1 - q0) / h;
    const Vector<S> p1 = 2.0 * (M * vm) - p0;
    const Vector<S> a = p1 - p0 +
                        h * (potential_gradient(system, qm) + constraint_force(system, qm, lambda) +
                             viscous_force(system, qm, vm));
    Vector<S> r(y.size());
    // rows (a) and (b)
    r << h * (Minv * a), system.constraint(q1);
    return r;
  };

  VectorXd y(d + m);
  y << node.q + h * node.v, h * h * guess(node.lambda);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  const VectorXd qm = 0.5 * (node.q + next.q), vm = (next.q - node.q) / h;
  next.p = 2.0 * (M * vm) - node.p;
  next.v = Minv * next.p;
  next.lambda = root.x.tail(m) / (h * h);
  next.gamma = node.gamma;
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qm, vm));
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme midpoint() { return {.name = "midpoint", .runs = is_holonomic, .step = step}; }

}  // namespace livens::reference
