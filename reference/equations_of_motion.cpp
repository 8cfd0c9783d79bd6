#include "equations_of_motion.hpp"

#include <Eigen/LU>

namespace livens::reference {
namespace {

/// q + e v and t + e, at e = 0.
struct Passing {
  Vector<Chunk> q;
  Chunk t;
  Passing(const State& state, const Vector<Chunk>& e, double time)
      : q(constant<Chunk>(state.q) + constant<Chunk>(state.v) * e[0]), t(time + e[0]) {}
};

/// d/de f(q + e v, t + e)
template <class Function>
VectorXd passing_derivative(const Function& f, const State& state, double t) {
  return jacobian([&](const Vector<Chunk>& e) -> Vector<Chunk> { return f(Passing(state, e, t)); },
                  VectorXd(VectorXd::Zero(1)));
}

}  // namespace

LinearMotion linear_motion(const System& system, const State& state, double t) {
  const VectorXd &q = state.q, &v = state.v;
  const Vector<Chunk> along = constant<Chunk>(v);
  LinearMotion motion{mass_matrix(system, q, t), velocity_rows(system, q, t).J, VectorXd(), VectorXd()};
  motion.force =
      lagrangian_gradient(system, q, v, t) + applied_force(system, q, v, t) - viscous_force(system, q, v, t);
  if (system.action_damping != 0.0) motion.force -= system.action_damping * momentum_of(system, q, v, t);
  if (system.mass_coordinates > 0 || system.mass_moves || system.has_field) {
    motion.force -= passing_derivative(
        [&](const Passing& at) { return momentum_of(system, at.q, along, at.t); }, state, t);
  }
  motion.rate = passing_derivative(
      [&](const Passing& at) {
        Vector<Chunk> rates(motion.A.rows());
        rates << constraint_rate(system, at.q, along, at.t), nonholonomic_rate(system, at.q, along, at.t);
        return rates;
      },
      state, t);
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

Power power_of(const System& system, const State& state, const VectorXd& lambda, double t) {
  const auto& [q, v] = state;
  VectorXd drift(lambda.size());
  drift << support_rate(system, q, t), nonholonomic_drift(system, q, t);
  VectorXd resistance = viscous_force(system, q, v, t);
  if (system.action_damping != 0.0) resistance += system.action_damping * momentum_of(system, q, v, t);
  return {
      .dissipated = v.dot(resistance),
      .work = v.dot(applied_force(system, q, v, t)) + lambda.dot(drift) - lagrangian_rate(system, q, v, t)};
}

}  // namespace livens::reference
