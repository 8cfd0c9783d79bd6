// RATTLE (Andersen 1983), the velocity form of SHAKE; order 2, symplectic without damping; with all terms
// docs/equations/general.md, section 6. w = (q1-q0)/h, u1 = M^-1 (p1 - a(q1,t1)), unknowns (q1, p1, lambda,
// mu), 2d + 2m:
//   (a)  pm = p0 + h/2 [f(q0,t0) - G(q0,t0)^T lambda],   f(q,t) = [L_q + F - D_v R](q,w,t)
//   (b)  q1 = q0 + h M^-1 [pm - (a(q0,t0) + a(q1,t1))/2]
//   (c)  p1 = pm + h/2 [f(q1,t1) - G(q1,t1)^T mu]
//   (d)  g(q1,t1) = 0
//   (e)  G(q1,t1) u1 + g_t(q1,t1) = 0
// mu is stored as gamma. Damping and forces are not in the paper: they stand as the left and the right discrete
// force of Lagrange and d'Alembert.

#include "../scheme.hpp"

namespace livens::reference {
namespace {

/// f(q,t)
template <class S>
Vector<S> force_at(const System& system, const Vector<S>& q, const Vector<S>& w, double t) {
  return lagrangian_gradient(system, q, w, t) - viscous_force(system, q, w, t) +
         applied_force(system, q, w, t);
}

/// What the half step at (q,t) dissipates, and the work that is done in it, over h/2.
struct Rates {
  double dissipated, work;
};
Rates rates_at(const System& system, const VectorXd& q, const VectorXd& w, double t, const VectorXd& lambda) {
  return {w.dot(viscous_force(system, q, w, t)), w.dot(applied_force(system, q, w, t)) +
                                                     lambda.dot(support_rate(system, q, t)) -
                                                     lagrangian_rate(system, q, w, t)};
}

Point rattle_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, t0 = node.time, t1 = t0 + h;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const VectorXd a0 = field_momentum(system, q0, t0);
  const SparseMatrix G0 = constraint_jacobian(system, q0, t0).sparseView();

  // Scaled unknowns (q1, h u1, h^2 lambda, h^2 mu); rows (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), Mu1 = M * y.segment(d, d) / h, u1 = Minv * Mu1;
    const Vector<S> lambda = y.segment(2 * d, m) / (h * h), mu = y.tail(m) / (h * h);
    const Vector<S> q = q0.cast<S>(), w = (q1 - q0) / h, a1 = field_momentum(system, q1, t1), p1 = Mu1 + a1;
    const Vector<S> pm = p0 + 0.5 * h * (force_at(system, q, w, t0) - G0.transpose() * lambda);  // (a)
    const Vector<S> b = q1 - q0 - h * (Minv * (pm - 0.5 * (a0 + a1)));
    const Vector<S> c =
        p1 - pm - 0.5 * h * (force_at(system, q1, w, t1) - constraint_force(system, q1, mu, t1));
    Vector<S> r(y.size());
    // rows (b) to (e)
    r << b, h * (Minv * c), system.constraint(q1, t1), h * constraint_rate(system, q1, u1, t1);
    return r;
  };

  VectorXd y(2 * d + 2 * m);
  y << q0 + h * node.v, h * node.v, h * h * guess(node.lambda), h * h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.v = root.x.segment(d, d) / h;
  next.p = M * next.v + field_momentum(system, next.q, t1);
  next.lambda = root.x.segment(2 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / (h * h);
  const VectorXd w = (next.q - q0) / h;
  const Rates start = rates_at(system, q0, w, t0, next.lambda),
              end = rates_at(system, next.q, w, t1, next.gamma);
  next.dissipated = node.dissipated + 0.5 * h * (start.dissipated + end.dissipated);
  next.work = node.work + 0.5 * h * (start.work + end.work);
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

}  // namespace

Scheme rattle() { return {.name = "rattle", .runs = is_holonomic, .step = rattle_step, .meets_walls = true}; }

}  // namespace livens::reference
