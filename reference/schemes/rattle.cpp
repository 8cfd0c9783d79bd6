// RATTLE (Andersen 1983), the velocity form of SHAKE; order 2, symplectic without damping. Unknowns (q1, p1,
// lambda, mu), 2d + 2m:
//   (a)  pm = p0 - h/2 DV(q0) - h/2 G(q0)^T lambda + f0
//   (b)  q1 = q0 + h M^-1 pm
//   (c)  p1 = pm - h/2 DV(q1) - h/2 G(q1)^T mu + f1
//   (d)  g(q1) = 0
//   (e)  G(q1) M^-1 p1 = 0
// mu is stored as gamma. Damping is not in the paper: f0 and f1, -C(q) (q1-q0)/2 at q0 and at q1, are the
// left and the right discrete force of Lagrange and d'Alembert.

#include "../scheme.hpp"

namespace livens::reference {
namespace {

/// C(q) (q1-q0) by half: what damping takes at one end of a step, kg m/s.
template <class S>
Vector<S> half_impulse(const System& system, const Vector<S>& q, const Vector<S>& increment) {
  return 0.5 * viscous_force(system, q, increment);
}

Point rattle_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const VectorXd &q0 = node.q, &p0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const SparseMatrix M = mass_matrix(system, q0).sparseView(), Minv = inverse(M);
  const VectorXd DV0 = potential_gradient(system, q0);
  const SparseMatrix G0 = constraint_jacobian(system, q0).sparseView();

  // Scaled unknowns (q1, h M^-1 p1, h^2 lambda, h^2 mu); rows (c) times h M^-1 and (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h;
    const Vector<S> lambda = y.segment(2 * d, m) / (h * h), mu = y.tail(m) / (h * h), u1 = Minv * p1;
    const Vector<S> increment = q1 - q0, f0 = -half_impulse(system, Vector<S>(q0.cast<S>()), increment),
                    f1 = -half_impulse(system, q1, increment);
    const Vector<S> pm = p0 - 0.5 * h * (DV0 + G0.transpose() * lambda) + f0;  // (a)
    const Vector<S> b = q1 - q0 - h * (Minv * pm);
    const Vector<S> c =
        p1 - pm + 0.5 * h * (potential_gradient(system, q1) + constraint_force(system, q1, mu)) - f1;
    Vector<S> r(y.size());
    // rows (b) to (e)
    r << b, h * (Minv * c), system.constraint(q1), h * constraint_rate(system, q1, u1);
    return r;
  };

  VectorXd y(2 * d + 2 * m);
  y << q0 + h * node.v, h * node.v, h * h * guess(node.lambda), h * h * guess(node.gamma);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.v = root.x.segment(d, d) / h;
  next.p = M * next.v;
  next.lambda = root.x.segment(2 * d, m) / (h * h);
  next.gamma = root.x.tail(m) / (h * h);
  const VectorXd increment = next.q - q0;
  const VectorXd impulse = half_impulse(system, q0, increment) + half_impulse(system, next.q, increment);
  next.dissipated = node.dissipated + increment.dot(impulse) / h;
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

bool rattle_runs(const System& system) { return is_holonomic(system) && !system.load; }

}  // namespace

Scheme rattle() { return {.name = "rattle", .runs = rattle_runs, .step = rattle_step}; }

}  // namespace livens::reference
