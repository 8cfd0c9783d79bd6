#include "equations_of_motion.hpp"

#include <Eigen/LU>

namespace livens::reference {

LinearMotion linear_motion(const System& system, const State& state, double t) {
  const VectorXd &q = state.q, &v = state.v;
  const Eigen::Index m = constraint_count(system);
  LinearMotion motion{mass_matrix(system, q), MatrixXd(0, q.size()), VectorXd(), VectorXd(m)};
  motion.force = load(system, t) - potential_gradient(system, q) - viscous_force(system, q, v) -
                 system.action_damping * (motion.M * v);
  if (system.mass_coordinates > 0) {
    const auto momentum = [&](const Vector<Chunk>& x) -> Vector<Chunk> {
      return gradient([&]<class R>(const Vector<R>& u) { return system.kinetic_energy(constant<R>(x), u); },
                      constant<Chunk>(v));
    };
    const VectorXd DqT =
        gradient([&]<class R>(const Vector<R>& x) { return system.kinetic_energy(x, constant<R>(v)); }, q);
    motion.force += DqT - jacobian(momentum, q) * v;
  }
  if (system.velocity_constraint) {
    motion.A = nonholonomic_jacobian(system, q);
    motion.rate = derivative_along(
        [&]<class R>(const Vector<R>& x) { return system.velocity_constraint(x, constant<R>(v)); }, q, v);
  } else if (m > 0) {
    motion.A = constraint_jacobian(system, q);
    for (Eigen::Index k = 0; k < m; ++k)
      motion.rate[k] = v.dot(constraint_curvature(system, q, VectorXd(VectorXd::Unit(m, k)), v));
  }
  return motion;
}

Motion equations_of_motion(const System& system, const State& state, double t) {
  const auto [M, A, force, rate] = linear_motion(system, state, t);
  const Eigen::Index d = M.rows(), m = A.rows();
  MatrixXd saddle(d + m, d + m);
  saddle << M, A.transpose(), A, MatrixXd::Zero(m, m);
  VectorXd right(d + m);
  right << force, -rate;
  const VectorXd solution = saddle.partialPivLu().solve(right);
  return {solution.head(d), solution.tail(m)};
}

}  // namespace livens::reference
