// GGL energy-momentum scheme, order 2. Paper: ggl-structure-preserving-integrators, (21)-(24):
//   z1 - z0 = h J DbarG H_GGL(z0,z1),   H_GGL = H + lambda.g + gamma.g^v        (21); J is missing in print
// with all terms: docs/equations/general.md, section 2. qm the mean of 0 and 1, vm = (q1-q0)/h,
// u_i = M^-1 (p_i - a(q_i,t_i)), um their mean; unknowns (q1, p1, lambda, gamma), 2d + 2m:
//   (a)  q1 - q0 = h um + h M^-1 G_m^T gamma
//   (b)  p1 - p0 = h Dbar_q L(., vm) - h G_m^T lambda - h G_m'^T gamma - h D_v R(qm,vm,tm) + h F_m
//   (c)  g(q1,t1) = 0
//   (d)  G(q1,t1) u1 + g_t(q1,t1) = 0
// G_m = Dbar_q g. A built-in system has quadratic g(q), G_m = G(qm) and G_m'^T gamma = W(gamma) um, and
// Dbar_q L = -DbarG V. Damping and forces are not in the paper; F_m is the mean of F at t0 and t1. The balance
//   (e)  E1 - E0 = -h vm.D_v R + F_m.(q1-q0) + h [lambda.Dbar_t g + gamma.(Dbar_t g)'] - h Dbar_t L(., vm)
// is exact.

#include "../discrete_gradient.hpp"
#include "../scheme.hpp"

namespace livens::reference {
namespace {

template <class S>
struct End {
  Vector<S> z, u;  // the place (q, t), and u
};

/// Dbar L, lambda.Dbar g, gamma.Dbar g and gamma.(Dbar g)', d + 1 entries each.
template <class S>
struct Middle {
  Vector<S> lagrangian, lambda_force, gamma_force, curvature;
};

template <class S>
Middle<S> middle(const System& system, const End<S>& start, const End<S>& end, const Vector<S>& um,
                 const Vector<S>& vm, const Vector<S>& lambda, const Vector<S>& gamma) {
  if (const auto& force = system.discrete_constraint_force) {
    return {discrete_lagrangian_gradient(system, start.z, end.z, vm), force(start.z, end.z, lambda),
            force(start.z, end.z, gamma),
            discrete_constraint_curvature(system, start.z, start.u, end.z, end.u, gamma)};
  }
  const Eigen::Index d = um.size();
  const Vector<S> q0 = start.z.head(d), q1 = end.z.head(d), qm = 0.5 * (q0 + q1);
  const Vector<S> DbarV = equivariant_discrete_gradient(system.potential, system.invariants, q0, q1);
  const auto at_rest = [](const Vector<S>& row) { return place(row, S(0.0)); };
  return {at_rest(-DbarV), at_rest(constraint_force(system, qm, lambda)),
          at_rest(constraint_force(system, qm, gamma)), at_rest(constraint_curvature(system, qm, gamma, um))};
}

Point ems_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, t0 = node.time, t1 = t0 + h, tm = t0 + 0.5 * h;
  const VectorXd &q0 = node.q, &p0 = node.p, Mu0 = p0 - field_momentum(system, q0, t0);
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const End<double> start{place(q0, t0), Minv * Mu0};
  const auto end_of = [&]<class S>(const Vector<S>& q1, const Vector<S>& u1) -> End<S> {
    return {place(q1, t1), u1};
  };

  // Scaled unknowns (q1, h u1, h^2 lambda, h gamma); rows (b) times h M^-1 and (d) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), Mu1 = M * y.segment(d, d) / h;
    const Vector<S> lambda = y.segment(2 * d, m) / (h * h), gamma = y.tail(m) / h;
    const Vector<S> qm = 0.5 * (q0 + q1), vm = (q1 - q0) / h;
    const Vector<S> um = Minv * (0.5 * (Mu0 + Mu1)), u1 = Minv * Mu1;
    const Vector<S> p1 = Mu1 + field_momentum(system, q1, t1);
    const Middle<S> of = middle<S>(system, {constant<S>(start.z), constant<S>(start.u)}, end_of(q1, u1), um,
                                   vm, lambda, gamma);
    const Vector<S> a = q1 - q0 - h * um - h * (Minv * of.gamma_force.head(d));
    const Vector<S> b = p1 - p0 +
                        h * (-of.lagrangian.head(d) + of.lambda_force.head(d) + of.curvature.head(d) +
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
  const VectorXd Dq = next.q - q0, qm = 0.5 * (q0 + next.q), vm = Dq / h, um = 0.5 * (start.u + next.v);
  const Middle<double> of =
      middle<double>(system, start, end_of(next.q, next.v), um, vm, next.lambda, next.gamma);
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qm, vm, tm));
  next.work = node.work + mean_force(system, qm, vm, t0, t1).dot(Dq) +
              h * (of.lambda_force[d] + of.curvature[d] - of.lagrangian[d]);
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme ems() { return {.name = "ems", .runs = is_holonomic, .step = ems_step, .meets_walls = true}; }

}  // namespace livens::reference
