#include "system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "newton.hpp"

namespace livens::reference {

MatrixXd mass_matrix(const System& system, const VectorXd& q) {
  const auto momentum = [&]<class S>(const Vector<S>& v) -> Vector<S> {
    return gradient([&](const auto& x) { return system.kinetic_energy(constant<S>(q.cast<S>()), x); }, v);
  };
  return jacobian(momentum, VectorXd(VectorXd::Zero(q.size())));
}

MatrixXd nonholonomic_jacobian(const System& system, const VectorXd& q) {
  return jacobian([&](const auto& v) { return system.velocity_constraint(constant(q), v); },
                  VectorXd(VectorXd::Zero(q.size())));
}

VectorXd nonholonomic_drift(const System& system, const VectorXd& q) {
  return system.velocity_constraint(q, VectorXd(VectorXd::Zero(q.size())));
}

Eigen::Index constraint_count(const System& system) {
  const VectorXd& q = system.initial.q;
  if (system.constraint) return system.constraint(q).size();
  return system.velocity_constraint ? nonholonomic_drift(system, q).size() : 0;
}

static bool has_regular_mass(const System& system) {
  return Eigen::FullPivLU<MatrixXd>(mass_matrix(system, system.initial.q)).isInvertible();
}

bool is_holonomic(const System& system) {
  return system.constraint && !system.velocity_constraint && has_regular_mass(system);
}

bool is_nonholonomic(const System& system) {
  return system.velocity_constraint && !system.constraint && has_regular_mass(system);
}

// The stationarity conditions of 1/2 |x - q|_M^2 + mu.g(x):   x - q + M^-1 G(x)^T mu = 0,   g(x) = 0.
VectorXd project_position(const System& system, const VectorXd& q) {
  if (!system.constraint) return q;
  const Eigen::Index d = q.size(), m = constraint_count(system);
  const MatrixXd Minv = mass_matrix(system, q).inverse();
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
  if (!system.constraint && !system.velocity_constraint) return v;
  const MatrixXd A = system.constraint ? constraint_jacobian(system, q) : nonholonomic_jacobian(system, q);
  const VectorXd violation = system.constraint ? VectorXd(A * v) : system.velocity_constraint(q, v);
  const MatrixXd Minv_At = mass_matrix(system, q).inverse() * A.transpose();
  return v - Minv_At * (A * Minv_At).ldlt().solve(violation);
}

}  // namespace livens::reference
