// Foucault pendulum, herglotz.md section 3. y = (x, y, x', y', D, W). Differentiating the constraint
// q x q' + w r^2 = 0, J q = (-y, x), gives the multiplier of (3.1)
//   l/m = ( alpha q x q' - 2 w q.q' )/r^2,
// which is 0/0 at the origin, where the pendulum passes twice a period. A consistent velocity is
// q' = (q.q'/r^2) q - w J q, so that (q.q'/r^2) J q = J q' - w q, and what is left is regular:
//   (a)  q'' = -alpha q' - g/l q + c,   c = (l/m) J q = -alpha w J q - 2 w (J q' - w q)
//   (b)  D' = alpha m |q'|^2,  W' = m c.q'

#include "../motion.hpp"

namespace livens::accurate {
namespace {

class FoucaultPendulum : public Motion {
 public:
  // Numbers of the description: T = m |v|^2/2, V = m g/(2 l) |q|^2, b = w |q|^2.
  explicit FoucaultPendulum(const System& system)
      : m_(mass_matrix(system, system.initial.q)(0, 0)),
        alpha_(system.action_damping),
        stiffness_(2.0 * potential_energy(system, VectorXd(VectorXd::Unit(2, 0))) / m_),
        w_(nonholonomic_drift(system, VectorXd::Unit(2, 0))[0]) {}

  Eigen::Index size() const override { return 6; }

  VectorXd variables(const State& state) const override {
    return VectorXd{{state.q[0], state.q[1], state.v[0], state.v[1], 0.0, 0.0}};
  }

  State state(const VectorXd& y) const override { return {y.head(2), y.segment(2, 2)}; }

  void derivative(double, const double* y, double* dy) const override {
    const double q[] = {y[0], y[1]}, v[] = {y[2], y[3]};
    const double c[] = {alpha_ * w_ * q[1] + 2.0 * w_ * (v[1] + w_ * q[0]),
                        -alpha_ * w_ * q[0] - 2.0 * w_ * (v[0] - w_ * q[1])};
    for (const int i : {0, 1}) {
      dy[i] = v[i];
      dy[2 + i] = -alpha_ * v[i] - stiffness_ * q[i] + c[i];  // (a)
    }
    dy[4] = alpha_ * m_ * (v[0] * v[0] + v[1] * v[1]);  // (b)
    dy[5] = m_ * (c[0] * v[0] + c[1] * v[1]);
  }

 private:
  double m_, alpha_, stiffness_, w_;
};

}  // namespace

std::unique_ptr<Motion> foucault_pendulum(const System& system) {
  return std::make_unique<FoucaultPendulum>(system);
}

}  // namespace livens::accurate
