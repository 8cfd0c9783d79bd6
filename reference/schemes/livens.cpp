// Energy-consistent integrator from Livens' principle, order 2; M may be singular or depend on q and t. Paper:
// livens-energy-consistent, (30) with (26); with all terms docs/equations/general.md, section 8. qm, vm, pm the
// means of 0 and 1; unknowns (q1, p1, v1, lambda, kappa), 3d + m:
//   (a)  q1 - q0 = h vm                                                                 (30a)
//   (b)  p1 - p0 = h (D1 - G_m^T lambda - A(qm,tm)^T kappa - D_v R(qm,vm,tm) + F_m)     (30b)
//   (c)  pm = D2                                                                        (30c)
//   (d)  g(q1,t1) = 0                                                                   (30d)
//   (e)  A(qm,tm) vm + b(qm,tm) = 0
// D1, D2 are the partitioned discrete derivatives of L, which the paper does not spell out; symmetrised,
//   (f)  D1 = 1/2 [ Dbar_q L(.,v0) + Dbar_q L(.,v1) ]
//   (g)  D2 = 1/2 [ L_v(q0,vm,t0) + L_v(q1,vm,t1) ]
// G_m = Dbar_q g. Rows of velocities, damping and forces are not in the paper; F_m is the mean of F at t0 and
// t1. The balance
//   (h)  E1 - E0 = -h vm.D_v R + F_m.(q1-q0) + h [lambda.Dbar_t g + kappa.b(qm,tm)] - h Dbar_t L
// of E = p.v - L is exact, the last term the mean for v0 and v1 as (f). A text has its own discrete gradients.
// A built-in system has quadratic g(q), G_m = G(qm), and those of V and T by Gonzalez: by invariants, (24) of
// ggl-structure-preserving-integrators, V is differenced in its invariants and T in the coordinates that it
// depends on, and then momentum maps are conserved too.

#include "../discrete_gradient.hpp"
#include "../scheme.hpp"

namespace livens::reference {
namespace {

/// The part of (f) that T has, for a built-in system.
template <class S>
Vector<S> kinetic_force(const System& system, bool invariants, const Vector<S>& q0, const Vector<S>& q1,
                        const Vector<S>& v0, const Vector<S>& v1) {
  const Eigen::Index size = invariants ? system.mass_coordinates : q0.size();
  const auto along = [&](const Vector<S>& v) {
    const auto T = [&]<class R>(const Vector<R>& head) {
      return system.kinetic_energy(head, constant<R>(v));
    };
    return discrete_gradient(T, Vector<S>(q0.head(size)), Vector<S>(q1.head(size)));
  };
  Vector<S> D1 = Vector<S>::Constant(q0.size(), S(0.0));
  if (system.mass_coordinates > 0) D1.head(size) = 0.5 * (along(v0) + along(v1));
  return D1;
}

/// Dbar V(q0,q1), for a built-in system.
template <class S>
Vector<S> potential_force(const System& system, bool invariants, const Vector<S>& q0, const Vector<S>& q1) {
  if (invariants) return equivariant_discrete_gradient(system.potential, system.invariants, q0, q1);
  return discrete_gradient([&](const auto& q) { return potential_energy(system, q); }, q0, q1);
}

/// (f) and what it has along t, d + 1 entries.
template <class S>
Vector<S> lagrangian_force(const System& system, bool invariants, const Vector<S>& z0, const Vector<S>& z1,
                           const Vector<S>& v0, const Vector<S>& v1) {
  if (system.discrete_potential_gradient) {
    return 0.5 * (discrete_lagrangian_gradient(system, z0, z1, v0) +
                  discrete_lagrangian_gradient(system, z0, z1, v1));
  }
  const Vector<S> q0 = z0.head(v0.size()), q1 = z1.head(v0.size());
  const Vector<S> D1 =
      kinetic_force(system, invariants, q0, q1, v0, v1) - potential_force(system, invariants, q0, q1);
  return place(D1, S(0.0));
}

/// G_m^T lambda and lambda.Dbar_t g, d + 1 entries.
template <class S>
Vector<S> row_force(const System& system, const Vector<S>& z0, const Vector<S>& z1, const Vector<S>& lambda) {
  if (system.discrete_constraint_force) return system.discrete_constraint_force(z0, z1, lambda);
  const Vector<S> qm = 0.5 * (z0 + z1).head(z0.size() - 1);
  return place(constraint_force(system, qm, lambda), S(0.0));
}

Point livens_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step, t0 = node.time, t1 = t0 + h, tm = t0 + 0.5 * h;
  const bool invariants = options.word("derivative", "plain") == "invariants";
  const Eigen::Index d = node.q.size(), m = node.lambda.size(), k = m - position_constraint_count(system);
  // Momenta are scaled by M, or where it is singular not at all.
  const SparseMatrix M = metric(system, node.q, t0).sparseView(), Minv = inverse(M);

  // Scaled unknowns (q1, h M^-1 p1, h v1, h^2 lambda, h^2 kappa); rows (b) and (c) times h M^-1, (e) times h.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q0 = node.q.cast<S>(), p0 = node.p.cast<S>(), v0 = node.v.cast<S>();
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v1 = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.segment(3 * d, m - k) / (h * h), kappa = y.tail(k) / (h * h);
    const Vector<S> qm = 0.5 * (q0 + q1), vm = 0.5 * (v0 + v1), z0 = place(q0, t0), z1 = place(q1, t1);
    const Vector<S> D1 = lagrangian_force(system, invariants, z0, z1, v0, v1).head(d);
    const Vector<S> D2 = 0.5 * (momentum_of(system, q0, vm, t0) + momentum_of(system, q1, vm, t1));  // (g)
    const Vector<S> a = q1 - q0 - h * vm;
    const Vector<S> b =
        p1 - p0 -
        h * (D1 - row_force(system, z0, z1, lambda).head(d) - viscous_force(system, qm, vm, tm) +
             mean_force(system, qm, vm, t0, t1) - nonholonomic_force(system, qm, kappa, tm));
    const Vector<S> c = 0.5 * (p0 + p1) - D2;
    Vector<S> r(y.size());
    // rows (a) to (e)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(q1, t1),
        h * nonholonomic_rate(system, qm, vm, tm);
    return r;
  };

  VectorXd y(3 * d + m);
  y << node.q + h * node.v, h * (Minv * node.p), h * node.v, h * h * guess(node.lambda);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);

  Point next;
  next.q = root.x.head(d);
  next.p = M * root.x.segment(d, d) / h;
  next.v = root.x.segment(2 * d, d) / h;
  next.lambda = root.x.tail(m) / (h * h);
  next.gamma = node.gamma;
  const VectorXd Dq = next.q - node.q, qm = 0.5 * (node.q + next.q), vm = Dq / h;
  const VectorXd z0 = place(node.q, t0), z1 = place(next.q, t1), lambda = next.lambda.head(m - k);
  const double of_time = lagrangian_force(system, invariants, z0, z1, node.v, next.v)[d];
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qm, vm, tm));
  next.work = node.work + mean_force(system, qm, vm, t0, t1).dot(Dq) +
              h * (row_force(system, z0, z1, lambda)[d] +
                   next.lambda.tail(k).dot(nonholonomic_drift(system, qm, tm)) - of_time);
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

double kinetic_energy(const System& system, const VectorXd& q, const VectorXd& p, const VectorXd& v,
                      double t) {
  return p.dot(v) - system.kinetic_energy(q, v, t);  // of the generalised energy (31)
}

// No built-in system has rows of velocities for it.
bool livens_runs(const System& system) {
  const bool text = static_cast<bool>(system.discrete_potential_gradient);
  return system.action_damping == 0.0 && (text || !system.velocity_constraint);
}

}  // namespace

Scheme livens() {
  return {.name = "livens",
          .runs = livens_runs,
          .step = livens_step,
          .kinetic_energy = kinetic_energy,
          .meets_walls = true,
          .options = {{"derivative", {"plain", "invariants"}}}};
}

}  // namespace livens::reference
