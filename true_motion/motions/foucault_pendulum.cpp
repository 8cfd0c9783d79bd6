// Foucault pendulum, herglotz.md section 3. y = (x, y, x', y', D, W). Differentiating the constraint
// q x q' + w r^2 = 0, J q = (-y, x), gives the multiplier of (3.1)
//   l/m = ( alpha q x q' - 2 w q.q' )/r^2,
// which is 0/0 at the origin, where the pendulum passes twice a period. A consistent velocity is
// q' = (q.q'/r^2) q - w J q, so that (q.q'/r^2) J q = J q' - w q, and what is left is regular:
//   (a)  q'' = -alpha q' - g/l q + c,   c = (l/m) J q = -alpha w J q - 2 w (J q' - w q)
//   (b)  D' = alpha m |q'|^2,  W' = m c.q'
// With the multiplier, as linear_motion has it:
//   (c)  m q'' + A^T lambda = -m (alpha q' + g/l q),  A q'' = -2 w q.q',  A = (J q)^T

#include "../motion.hpp"

namespace livens::true_motion {
namespace {

// Of the description: T = m |v|^2/2, V = m g/(2 l) |q|^2, b = w |q|^2.
struct Numbers {
  double m, alpha, stiffness, w;  // stiffness: g/l
  explicit Numbers(const System& system)
      : m(mass_matrix(system, system.initial.q)(0, 0)),
        alpha(system.action_damping),
        stiffness(2.0 * potential_energy(system, VectorXd(VectorXd::Unit(2, 0))) / m),
        w(nonholonomic_drift(system, VectorXd::Unit(2, 0))[0]) {}
};

class FoucaultPendulum : public Motion {
 public:
  explicit FoucaultPendulum(const System& system) : numbers_(system) {}

  Eigen::Index size() const override { return 6; }

  VectorXd variables(const State& state) const override {
    return VectorXd{{state.q[0], state.q[1], state.v[0], state.v[1], 0.0, 0.0}};
  }

  State state(const VectorXd& y) const override { return {y.head(2), y.segment(2, 2)}; }

  void derivative(double, const double* y, double* dy) const override {
    const auto& [m, alpha, stiffness, w] = numbers_;
    const double q[] = {y[0], y[1]}, v[] = {y[2], y[3]};
    const double c[] = {alpha * w * q[1] + 2.0 * w * (v[1] + w * q[0]),
                        -alpha * w * q[0] - 2.0 * w * (v[0] - w * q[1])};
    for (const int i : {0, 1}) {
      dy[i] = v[i];
      dy[2 + i] = -alpha * v[i] - stiffness * q[i] + c[i];  // (a)
    }
    dy[4] = alpha * m * (v[0] * v[0] + v[1] * v[1]);  // (b)
    dy[5] = m * (c[0] * v[0] + c[1] * v[1]);
  }

 private:
  Numbers numbers_;
};

}  // namespace

Equations foucault_pendulum_equations(const System& system) {
  return [numbers = Numbers(system)](const State& state, double) -> reference::LinearMotion {
    const auto& [m, alpha, stiffness, w] = numbers;
    const VectorXd &q = state.q, &v = state.v;  // (c)
    return {m * Eigen::MatrixXd::Identity(2, 2), Eigen::MatrixXd{{-q[1], q[0]}},
            -m * (alpha * v + stiffness * q), VectorXd{{2.0 * w * q.dot(v)}}};
  };
}

std::unique_ptr<Motion> foucault_pendulum(const System& system) {
  return std::make_unique<FoucaultPendulum>(system);
}

}  // namespace livens::true_motion
