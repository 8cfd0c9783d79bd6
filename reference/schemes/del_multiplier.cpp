// Discrete Euler-Lagrange equations with Lagrange multipliers. Paper: gamma-convergence-constrained, (14),
// (15), (18), in the notation of discrete_euler_lagrange.hpp. Unknowns (u1, lambda), d + m:
//   (a)  c0 + D1 L_d(u0,u1) + F- + s G(u0,t0)^T lambda = 0,   s = h, at node 0 h/2
//   (b)  g(u1,t1) = 0

#include "../assembly/assembled_step.hpp"
#include "../discrete_euler_lagrange.hpp"

namespace livens::reference {
namespace {

Point del_multiplier_step(const System& system, const Options& options, const Point& node) {
  const DiscreteEulerLagrange del(system, options, node);
  const double h = options.step;
  const Eigen::Index d = node.q.size(), m = node.lambda.size();

  // Scaled unknowns (Du, h s lambda); row (a) times h M^-1.
  const auto residual = [&]<class S>(const Vector<S>& y) -> Vector<S> {
    const Vector<S> Du = y.head(d), u1 = del.u0 + Du, lambda = y.tail(m) / (h * del.s);
    const Vector<S> a = del.bracket(Du) + del.s * (del.G0.transpose() * lambda);
    Vector<S> r(d + m);
    r << h * (del.Minv * a), system.constraint(u1, del.t1);  // (a), (b)
    return r;
  };

  VectorXd y(d + m);
  y << h * node.v, h * del.s * guess(node.lambda);
  const Root root = newton(residual, y, options.tolerance, options.max_iterations);
  return del.next(node, root.x.head(d), root.x.tail(m) / (h * del.s), root);
}

}  // namespace

Scheme del_multiplier() {
  return {.name = "del_multiplier",
          .runs = is_holonomic,
          .step = del_multiplier_step,
          .legendre = discrete_legendre,
          .looks_ahead = true,
          .assembled = assembled_multiplier_form};
}

}  // namespace livens::reference
