// Energy-consistent integrator from Livens' principle, order 2; M may be singular or depend on q. Paper:
// livens-energy-consistent, (30) with (26). qm, vm, pm the means of 0 and 1; unknowns (q1, p1, v1, lambda),
// 3d + m:
//   (a)  q1 - q0 = h vm                                                   (30a)
//   (b)  p1 - p0 = h D1 - h Dbar V(q0,q1) - h G(qm)^T lambda - h C(qm) vm (30b)
//   (c)  pm = D2                                                          (30c)
//   (d)  g(q1) = 0                                                        (30d)
// D1, D2 are the partitioned discrete derivatives of T, which the paper does not spell out; symmetrised,
//   (e)  D1 = 1/2 [ Dbar T(.,v0)(q0,q1) + Dbar T(.,v1)(q0,q1) ]
//   (f)  D2 = 1/2 [ Dbar T(q0,.)(v0,v1) + Dbar T(q1,.)(v0,v1) ]
// telescope to T(q1,v1) - T(q0,v0), (29). In (f) T is quadratic, as g is in (b): there the discrete
// derivative is that at the midpoint. Damping and loads are not in the paper; with F the mean
// of F(t0) and F(t1), which (b) has on its right as h F, p.v - T + V changes by -h vm.C vm + F.(q1-q0).
// By invariants, (24) of ggl-structure-preserving-integrators, V is differenced in its invariants and T in
// the coordinates that it depends on: then momentum maps are conserved too. A system's own discrete gradients
// of V and T, where it has them, stand for either.

#include "../discrete_gradient.hpp"
#include "../scheme.hpp"

namespace livens::reference {
namespace {

/// (e)
template <class S>
Vector<S> kinetic_force(const System& system, bool invariants, const Vector<S>& q0, const Vector<S>& q1,
                        const Vector<S>& v0, const Vector<S>& v1) {
  if (system.discrete_kinetic_gradient) {
    const auto& DbarT = system.discrete_kinetic_gradient;
    return 0.5 * (DbarT(q0, q1, v0) + DbarT(q0, q1, v1));
  }
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

/// Dbar V(q0,q1)
template <class S>
Vector<S> potential_force(const System& system, bool invariants, const Vector<S>& q0, const Vector<S>& q1) {
  if (system.discrete_potential_gradient) return system.discrete_potential_gradient(q0, q1);
  if (invariants) return equivariant_discrete_gradient(system.potential, system.invariants, q0, q1);
  return discrete_gradient([&](const auto& q) { return potential_energy(system, q); }, q0, q1);
}

Point livens_step(const System& system, const Options& options, const Point& node) {
  const double h = options.step;
  const bool invariants = options.word("derivative", "plain") == "invariants";
  const Eigen::Index d = node.q.size(), m = node.lambda.size();
  // Momenta are scaled by M, or where it is singular not at all.
  const SparseMatrix M = metric(system, node.q).sparseView(), Minv = inverse(M);
  const VectorXd F = mean_load(system, h, node);

  // Scaled unknowns (q1, h M^-1 p1, h v1, h^2 lambda); rows (b) and (c) times h M^-1.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> q0 = node.q.cast<S>(), p0 = node.p.cast<S>(), v0 = node.v.cast<S>();
    const Vector<S> q1 = y.head(d), p1 = M * y.segment(d, d) / h, v1 = y.segment(2 * d, d) / h;
    const Vector<S> lambda = y.tail(m) / (h * h), qm = 0.5 * (q0 + q1), vm = 0.5 * (v0 + v1);
    const Vector<S> DbarV = potential_force(system, invariants, q0, q1);
    const auto D2T = [&](const Vector<S>& q) {
      return gradient([&]<class R>(const Vector<R>& v) { return system.kinetic_energy(constant<R>(q), v); },
                      vm);
    };
    const Vector<S> D1 = kinetic_force(system, invariants, q0, q1, v0, v1);
    const Vector<S> D2 = 0.5 * (D2T(q0) + D2T(q1));  // (f)
    const Vector<S> a = q1 - q0 - h * vm;
    const Vector<S> b =
        p1 - p0 - h * (D1 - DbarV - constraint_force(system, qm, lambda) - viscous_force(system, qm, vm) + F);
    const Vector<S> c = 0.5 * (p0 + p1) - D2;
    Vector<S> r(y.size());
    // rows (a) to (d)
    r << a, h * (Minv * b), h * (Minv * c), system.constraint(q1);
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
  const VectorXd qm = 0.5 * (node.q + next.q), vm = (next.q - node.q) / h;
  next.dissipated = node.dissipated + h * vm.dot(viscous_force(system, qm, vm));
  next.work = node.work + F.dot(next.q - node.q);
  next.newton_iterations = root.iterations;
  next.newton_matrix = root.matrix;
  return next;
}

double kinetic_energy(const System& system, const VectorXd& q, const VectorXd& p, const VectorXd& v) {
  return p.dot(v) - system.kinetic_energy(q, v);  // of the generalised energy (31)
}

bool livens_runs(const System& system) {
  return !system.velocity_constraint && system.constraint_is_quadratic;
}

}  // namespace

Scheme livens() {
  return {.name = "livens",
          .runs = livens_runs,
          .step = livens_step,
          .kinetic_energy = kinetic_energy,
          .options = {{"derivative", {"plain", "invariants"}}}};
}

}  // namespace livens::reference
