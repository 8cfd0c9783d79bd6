// GGL energy-momentum scheme, order 2. Paper: ggl-structure-preserving-integrators, (21)-(24):
//   z1 - z0 = h J DbarG H_GGL(z0,z1),   H_GGL = H + lambda.g + gamma.g^v        (21); J is missing in print
// T, g and g^v are linear in z or in its invariants of degree two, so that their discrete derivative is the
// derivative at the midpoint; only V needs the quotient. qm, pm the means of 0 and 1, vm = (q1-q0)/h,
// unknowns (q1, p1, lambda, gamma), 2d + 2m:
//   (a)  q1 - q0 = h M^-1 pm + h M^-1 G(qm)^T gamma
//   (b)  p1 - p0 = -h DbarG V(q0,q1) - h G(qm)^T lambda - h W(gamma,qm) M^-1 pm - h C(qm) vm
//   (c)  g(q1) = 0
//   (d)  G(q1) M^-1 p1 = 0
// Damping and loads are not in the paper: with vm and F the mean of F(t0) and F(t1), which (b) has on its
// right as h F, the balance H1 - H0 = -h vm.C vm + F.(q1-q0) is exact. A system's own discrete gradient of V,
// where it has one, stands for DbarG V.

#include "../discrete_gradient.hpp"
#include "../scheme.hpp"

namespace livens::reference {
namespace {

Point ems_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const VectorXd F = mean_load(system, h, node);

  // Scaled unknowns (q1, h M^-1 p1, h^2 lambda, h gamma); rows (b) times h M^-1 and (d) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h;
    const Vector<S> lambda = y.segment(2 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> q = q0.cast<S>(), qm = 0.5 * (q0 + q1), pm = 0.5 * (p0 + p1), vm = (q1 - q0) / h;
    const Vector<S> um = Minv * pm, u1 = Minv * p1;
    const Vector<S> DbarV = system.discrete_potential_gradient
                                ? system.discrete_potential_gradient(q, q1)
                                : equivariant_discrete_gradient(system.potential, system.invariants, q, q1);
    const Vector<S> a = q1 - q0 - h * um - h * (Minv * constraint_force(system, qm, gamma));
    const Vector<S> b = p1 - p0 +
                        h * (DbarV + constraint_force(system, qm, lambda) +
                             constraint_curvature(system, qm, gamma, um) + viscous_force(system, qm, vm) - F);
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

bool ems_runs(const System& system) { return is_holonomic(system) && system.constraint_is_quadratic; }

}  // namespace

Scheme ems() { return {.name = "ems", .runs = ems_runs, .step = ems_step}; }

}  // namespace livens::reference
