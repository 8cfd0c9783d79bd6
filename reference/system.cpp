#include "system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "newton.hpp"

namespace livens::reference {

MatrixXd mass_matrix(const System& system, const VectorXd& q) {
  const auto momentum = [&](const auto& v) {
    return gradient([&]<class R>(const Vector<R>& x) { return system.kinetic_energy(constant<R>(q), x); }, v);
  };
  return jacobian(momentum, VectorXd(VectorXd::Zero(q.size())));
}

SparseMatrix inverse(const SparseMatrix& M) { return MatrixXd(M).inverse().sparseView(); }

static bool is_regular(const MatrixXd& M) { return Eigen::FullPivLU<MatrixXd>(M).isInvertible(); }

MatrixXd metric(const System& system, const VectorXd& q) {
  const MatrixXd M = mass_matrix(system, q);
  return is_regular(M) ? M : MatrixXd::Identity(M.rows(), M.cols());
}

MatrixXd nonholonomic_jacobian(const System& system, const VectorXd& q) {
  return jacobian([&]<class R>(const Vector<R>& v) { return system.velocity_constraint(constant<R>(q), v); },
                  VectorXd(VectorXd::Zero(q.size())));
}

VectorXd nonholonomic_drift(const System& system, const VectorXd& q) {
  return system.velocity_constraint(q, VectorXd(VectorXd::Zero(q.size())));
}

Eigen::Index constraint_count(const System& system) {
  const VectorXd& q = system.initial.q;
  return system.velocity_constraint ? nonholonomic_drift(system, q).size() : system.constraint(q).size();
}

VectorXd load(const System& system, double t) {
  return system.load ? system.load(t) : VectorXd::Zero(system.initial.q.size());
}

static bool starts_with_regular_mass(const System& system) {
  return is_regular(mass_matrix(system, system.initial.q));
}

bool is_holonomic(const System& system) {
  return !system.velocity_constraint && system.mass_coordinates == 0 && starts_with_regular_mass(system);
}

bool is_nonholonomic(const System& system) {
  return system.velocity_constraint && starts_with_regular_mass(system) && is_undamped(system);
}

bool is_undamped(const System& system) {
  VectorXd q = system.initial.q, v(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double k = static_cast<double>(i);
    q[i] += 0.1 * std::sin(1.0 + 2.3 * k);
    v[i] = std::cos(0.5 + 1.7 * k);
  }
  return viscous_force(system, q, v).isZero(0.0);
}

// The stationarity conditions of 1/2 |x - q|_M^2 + mu.g(x):   x - q + M^-1 G(x)^T mu = 0,   g(x) = 0.
VectorXd project_position(const System& system, const VectorXd& q) {
  if (system.velocity_constraint) return q;
  const Eigen::Index d = q.size(), m = constraint_count(system);
  const MatrixXd Minv = metric(system, q).inverse();
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> x = y.head(d), mu = y.tail(m);
    Vector<S> r(d + m);
    r << x - q + Minv * constraint_force(system, x, mu), system.constraint(x);
    return r;
  };
  VectorXd y(d + m);
  y << q, VectorXd::Zero(m);
  return newton(residual, y, 0.0, 50).x.head(d);
}

// v - M^-1 A^T mu with A(v - M^-1 A^T mu) + b = 0; A = G, b = 0 for holonomic constraints.
VectorXd project_velocity(const System& system, const VectorXd& q, const VectorXd& v) {
  if (constraint_count(system) == 0) return v;
  const bool holonomic = !system.velocity_constraint;
  const MatrixXd A = holonomic ? constraint_jacobian(system, q) : nonholonomic_jacobian(system, q);
  const VectorXd violation = holonomic ? VectorXd(A * v) : system.velocity_constraint(q, v);
  const MatrixXd Minv_At = metric(system, q).inverse() * A.transpose();
  return v - Minv_At * (A * Minv_At).ldlt().solve(violation);
}

static double infinity_norm(const VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

void measure_state(const System& system, Node& node) {
  node.kinetic_energy = system.kinetic_energy(node.q, node.v);
  node.potential_energy = potential_energy(system, node.q);
  node.potential_scale = std::abs(node.potential_energy);
  node.energy = 0.5 * node.p.dot(mass_matrix(system, node.q).inverse() * node.p) + node.potential_energy;
  node.total_energy = node.kinetic_energy + node.potential_energy;
  node.constraints = system.constraint(node.q);
  node.rates = system.velocity_constraint ? system.velocity_constraint(node.q, node.v)
                                          : constraint_rate(system, node.q, node.v);
  node.constraint = infinity_norm(node.constraints);
  node.velocity_constraint = infinity_norm(node.rates);
  if (system.momentum) node.momentum = system.momentum(node.q, node.p);
  if (system.own) node.own = system.own(node.q, node.v);
}

}  // namespace livens::reference
