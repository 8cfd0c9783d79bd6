// Herglotz contact integrator with nonholonomic constraints, order 2. Paper: herglotz-nonholonomic, (3.2),
// (3.4) and the discretisation of appendix A. L = T - V - alpha z, A(q)v + b(q) = 0;
// qm = (q0+q1)/2, vm = (q1-q0)/h; unknowns (q1, lambda), d + m:
//   (a)  L_d = T(qm,vm) - (V(q0)+V(q1))/2 - alpha (z0+z1)/2,   so D3 L_d = D4 L_d = -alpha/2
//   (b)  D1 L_d(q_j,q_{j+1}) + (1 + h D3)/(1 - h D4) D2 L_d(q_{j-1},q_j) = A(q_j)^T lambda_j     (3.4)
//   (c)  A(qm) vm + b(qm) = 0                                                                    (3.4), (4.2)
//   (d)  z_{j+1} - z_j = h L_d                                                                   (3.2)
// With the momentum P this is one-step and starts from P_0 = p_0, the discrete Legendre transform. (The
// paper does not tell its start; q1 = q0 + h v0 would be of order 1 only.)
//   (e)  P_j = h D2 L_d(q_{j-1},q_j)/(1 - h D4)
//   (b') h D1 L_d(q_0,q_1) + (1 + h D3) P_0 = h A(q_0)^T lambda
// Measured: v = M^-1 P projected M-orthogonally onto A v + b = 0, p = M v:
//   (f)  M v = P - A(q)^T mu,  A(q) v + b(q) = 0
// Where b is not zero the constraint force works. Its multiplier in (3.1) is l = -(1 - h D4) lambda: expand
// P_j and (b') about t_j. Trapezoidal rule: half of the impulse of node j acts before it, and that half is
// mu_j,
//   (g)  W_{j+1} = W_j + (1 - h D4) [(h lambda_j - mu_j).b(q_j) + mu_{j+1}.b(q_{j+1})]

#include "../scheme.hpp"

namespace livens::reference {
namespace {

/// L_d without its z terms.
template <class S>
S discrete_lagrangian(const System& system, double h, const Vector<S>& q0, const Vector<S>& q1) {
  const Vector<S> qm = 0.5 * (q0 + q1), vm = (q1 - q0) / h;
  return system.kinetic_energy(qm, vm) -
         0.5 * (potential_energy(system, q0) + potential_energy(system, q1));  // (a)
}

Point step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, alpha = system.action_damping, D3 = -0.5 * alpha, D4 = -0.5 * alpha;
  const VectorXd &q0 = node.q, &P0 = node.p;
  const Eigen::Index d = q0.size(), m = node.lambda.size();
  const MatrixXd M = mass_matrix(system, q0), Minv = M.inverse(), A0 = nonholonomic_jacobian(system, q0);
  // lambda and constraint row weighed by |A| in the metric M^-1: A vanishes at the pendulum's rest
  // position, next to which it passes.
  const VectorXd weight = (A0 * Minv * A0.transpose()).diagonal().cwiseSqrt();
  const MatrixXd inverse_weight = weight.cwiseInverse().asDiagonal();

  // Scaled unknowns (q1, h^2 weight lambda); rows (b') times h M^-1 and (c) times h / weight.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q1 = y.head(d), lambda = inverse_weight * y.tail(m) / (h * h), q = q0.cast<S>();
    const Vector<S> qm = 0.5 * (q + q1), vm = (q1 - q) / h;
    const Vector<S> D1 = gradient(
        [&]<class R>(const Vector<R>& x) { return discrete_lagrangian(system, h, x, constant<R>(q1)); }, q);
    const Vector<S> b = h * D1 + (1.0 + h * D3) * P0 - h * (A0.transpose() * lambda);  // (b')
    const Vector<S> c = system.velocity_constraint(qm, vm);
    Vector<S> r(d + m);
    r << h * (Minv * b), h * (inverse_weight * c);
    return r;
  };

  VectorXd y(d + m);
  y << q0 + h * node.v, h * h * weight.cwiseProduct(guess(node.lambda));
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.lambda = inverse_weight * root.x.tail(m) / (h * h);
  next.gamma = node.gamma;
  const VectorXd qm = 0.5 * (q0 + next.q), vm = (next.q - q0) / h;
  const VectorXd D2 = gradient(
      [&]<class R>(const Vector<R>& x) { return discrete_lagrangian(system, h, constant<R>(q0), x); },
      next.q);
  next.p = h * D2 / (1.0 - h * D4);  // (e)
  next.v = vm;
  next.z =
      ((1.0 + h * D3) * node.z + h * discrete_lagrangian(system, h, q0, next.q)) / (1.0 - h * D4);  // (d)
  next.dissipated = node.dissipated + h * 2.0 * alpha * system.kinetic_energy(qm, vm);
  const auto half_impulse = [&](const VectorXd& q, const VectorXd& P) -> VectorXd {
    const MatrixXd A = nonholonomic_jacobian(system, q);
    const VectorXd excess = A * Minv * P + nonholonomic_drift(system, q);
    return (A * Minv * A.transpose()).partialPivLu().solve(excess);  // (f)
  };
  const VectorXd before = h * next.lambda - half_impulse(q0, P0), after = half_impulse(next.q, next.p);
  next.work = node.work + (1.0 - h * D4) * (before.dot(nonholonomic_drift(system, q0)) +
                                            after.dot(nonholonomic_drift(system, next.q)));  // (g)
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

Momentum legendre(const System& system, double, const Point& here, const Point&) {
  const MatrixXd M = mass_matrix(system, here.q);
  const VectorXd v = project_velocity(system, here.q, M.inverse() * here.p);
  return {.p = M * v, .v = v};
}

}  // namespace

Scheme contact_2() {
  return {
      .name = "contact_2", .runs = is_nonholonomic, .step = step, .legendre = legendre, .has_action = true};
}

}  // namespace livens::reference
