#include "system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "condition.hpp"
#include "newton.hpp"

namespace livens::reference {

double lagrangian_rate(const System& system, const VectorXd& q, const VectorXd& v, double t) {
  const Dual<double> passing(t, 1.0);
  const Vector<Dual<double>> at = q.cast<Dual<double>>(), along = v.cast<Dual<double>>();
  return (system.kinetic_energy(at, along, passing) - potential_energy(system, at, passing)).slope;
}

VectorXd load(const System& system, double t) {
  return system.load ? system.load(t) : VectorXd::Zero(system.initial.q.size());
}

MatrixXd constraint_jacobian(const System& system, const VectorXd& q, double t) {
  return jacobian([&](const Vector<Chunk>& x) { return system.constraint(x, Chunk(t)); }, q);
}

MatrixXd mass_matrix(const System& system, const VectorXd& q, double t) {
  return jacobian(
      [&](const Vector<Chunk>& v) { return momentum_of(system, constant<Chunk>(q), v, Chunk(t)); },
      VectorXd(VectorXd::Zero(q.size())));
}

SparseMatrix inverse(const SparseMatrix& M) { return MatrixXd(M).inverse().sparseView(); }

static bool is_regular(const MatrixXd& M) {
  return condition_of(M) * static_cast<double>(M.rows()) * std::numeric_limits<double>::epsilon() < 1.0;
}

MatrixXd metric(const System& system, const VectorXd& q, double t) {
  const MatrixXd M = mass_matrix(system, q, t);
  return is_regular(M) ? M : MatrixXd::Identity(M.rows(), M.cols());
}

MatrixXd nonholonomic_jacobian(const System& system, const VectorXd& q, double t) {
  if (!system.velocity_constraint) return MatrixXd(0, q.size());
  return jacobian(
      [&](const Vector<Chunk>& v) { return system.velocity_constraint(constant<Chunk>(q), v, Chunk(t)); },
      VectorXd(VectorXd::Zero(q.size())));
}

VectorXd nonholonomic_drift(const System& system, const VectorXd& q, double t) {
  return nonholonomic_rate(system, q, zero<double>(q.size()), t);
}

VelocityRows velocity_rows(const System& system, const VectorXd& q, double t) {
  const MatrixXd G = constraint_jacobian(system, q, t), A = nonholonomic_jacobian(system, q, t);
  VelocityRows rows{MatrixXd(G.rows() + A.rows(), q.size()), VectorXd(G.rows() + A.rows())};
  rows.J << G, A;
  rows.drift << support_rate(system, q, t), nonholonomic_drift(system, q, t);
  return rows;
}

VectorXd normal_impulse(const System& system, const VectorXd& q, const VectorXd& P, double t) {
  const auto [J, drift] = velocity_rows(system, q, t);
  const MatrixXd Minv = mass_matrix(system, q, t).inverse();
  const VectorXd excess = J * Minv * (P - field_momentum(system, q, t)) + drift;
  return (J * Minv * J.transpose()).partialPivLu().solve(excess);
}

Eigen::Index position_constraint_count(const System& system) {
  return system.constraint(system.initial.q).size();
}

Eigen::Index constraint_count(const System& system) {
  return position_constraint_count(system) + nonholonomic_drift(system, system.initial.q).size();
}

static bool starts_with_regular_mass(const System& system) {
  return is_regular(mass_matrix(system, system.initial.q));
}

bool is_holonomic(const System& system) {
  return !system.velocity_constraint && system.mass_coordinates == 0 && !system.mass_moves &&
         system.action_damping == 0.0 && starts_with_regular_mass(system);
}

bool is_nonholonomic(const System& system) {
  return system.velocity_constraint && starts_with_regular_mass(system);
}

// The stationarity conditions of 1/2 |x - q|_M^2 + mu.g(x):   x - q + M^-1 G(x)^T mu = 0,   g(x) = 0.
VectorXd project_position(const System& system, const VectorXd& q) {
  const Eigen::Index d = q.size(), m = position_constraint_count(system);
  if (m == 0) return q;
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

// v - M^-1 J^T mu with J (v - M^-1 J^T mu) + drift = 0.
VectorXd project_velocity(const System& system, const VectorXd& q, const VectorXd& v, double t) {
  const auto [J, drift] = velocity_rows(system, q, t);
  if (J.rows() == 0) return v;
  const MatrixXd Minv_Jt = metric(system, q, t).inverse() * J.transpose();
  return v - Minv_Jt * (J * Minv_Jt).ldlt().solve(J * v + drift);
}

static double infinity_norm(const VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

void measure_state(const System& system, Node& node) {
  const VectorXd &q = node.q, &v = node.v;
  const double t = node.time;
  node.kinetic_energy = system.kinetic_energy(q, v, t);
  node.potential_energy = potential_energy(system, q, t);
  node.potential_scale = system.potential_terms ? system.potential_terms(q, t).cwiseAbs().sum()
                                                : std::abs(node.potential_energy);
  const VectorXd P = node.p - field_momentum(system, q, t);
  node.energy = 0.5 * P.dot(mass_matrix(system, q, t).inverse() * P) + node.potential_energy;
  if (system.has_field) node.energy -= system.kinetic_energy(q, zero<double>(q.size()), t);
  node.total_energy = node.kinetic_energy + node.potential_energy;
  node.constraints = system.constraint(q, t);
  node.rates.resize(constraint_count(system));
  node.rates << constraint_rate(system, q, v, t), nonholonomic_rate(system, q, v, t);
  node.constraint = infinity_norm(node.constraints);
  node.velocity_constraint = infinity_norm(node.rates);
  if (system.redundant) node.redundant_constraints = infinity_norm(system.redundant(q, t));
  if (system.momentum) node.momentum = system.momentum(q, node.p);
  if (system.own) node.own = system.own(q, v);
}

}  // namespace livens::reference
