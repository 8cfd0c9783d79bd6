// Double spherical pendulum, multibody.md section 2. y = (u1, u2, u1', u2', D, W); T = m1/2 |u1'|^2 +
// m2/2 |u1'+u2'|^2, gravity along -e3, G = (u1^T 0; 0 u2^T). M^-1 of weight and drag is
//   (w1, w2) = (g e3 + eta1/m1 u1', eta2/m2 (u1' + u2') - eta1/m1 u1'), so that
//   (a)  (G M^-1 G^T) lambda = (|u1'|^2 - w1.u1, |u2'|^2 - w2.u2)
//   (b)  (u1'', u2'') = -(w1, w2) - M^-1 G^T lambda
//   (c)  D' = eta1 |u1'|^2 + eta2 |u1' + u2'|^2
// with M^-1 = ( 1/m1  -1/m1; -1/m1  1/m1 + 1/m2 ) in blocks. No load works.

#include <Eigen/Geometry>

#include "../motion.hpp"

namespace livens::true_motion {
namespace {

class DoubleSphericalPendulum : public Motion {
 public:
  // Numbers of the description: M = (m1+m2, m2; m2, m2) in blocks, C alike, DV = ((m1+m2) g e3, m2 g e3).
  explicit DoubleSphericalPendulum(const System& system) {
    const VectorXd& q = system.initial.q;
    const auto M = mass_matrix(system, q);
    const double m2 = M(3, 3), m1 = M(0, 0) - m2;
    first_ = 1.0 / m1;
    second_ = 1.0 / m1 + 1.0 / m2;
    gravity_ = potential_gradient(system, q)[5] / m2;
    const auto viscosity = [&](Eigen::Index i) {
      return viscous_force(system, q, VectorXd(VectorXd::Unit(6, i)))[i];
    };
    drag2_ = viscosity(3);
    drag1_ = viscosity(0) - drag2_;
    per_mass2_ = 1.0 / m2;
  }

  Eigen::Index size() const override { return 14; }

  VectorXd variables(const State& state) const override {
    VectorXd y(14);
    y << state.q, state.v, 0.0, 0.0;
    return y;
  }

  State state(const VectorXd& y) const override { return {y.head(6), y.segment(6, 6)}; }

  void derivative(double, const double* y, double* dy) const override {
    using Eigen::Vector3d;
    const Eigen::Map<const Vector3d> u1(y), u2(y + 3), v1(y + 6), v2(y + 9);
    const double s11 = first_ * u1.squaredNorm(), s12 = -first_ * u1.dot(u2),
                 s22 = second_ * u2.squaredNorm();
    const Vector3d along = v1 + v2, slowed = drag1_ * first_ * v1, w1 = gravity_ * Vector3d::UnitZ() + slowed,
                   w2 = drag2_ * per_mass2_ * along - slowed;
    const double r1 = v1.squaredNorm() - w1.dot(u1), r2 = v2.squaredNorm() - w2.dot(u2);
    const double determinant = s11 * s22 - s12 * s12;
    const Vector3d f1 = (s22 * r1 - s12 * r2) / determinant * u1,  // (a): G^T lambda
        f2 = (s11 * r2 - s12 * r1) / determinant * u2;
    std::copy_n(y + 6, 6, dy);
    Eigen::Map<Vector3d> a1(dy + 6), a2(dy + 9);
    a1 = first_ * (f2 - f1) - w1;  // (b)
    a2 = first_ * f1 - second_ * f2 - w2;
    dy[12] = drag1_ * v1.squaredNorm() + drag2_ * along.squaredNorm();  // (c)
    dy[13] = 0.0;
  }

 private:
  double first_, second_, per_mass2_, gravity_;
  double drag1_, drag2_;  // eta
};

}  // namespace

std::unique_ptr<Motion> double_spherical_pendulum(const System& system) {
  return std::make_unique<DoubleSphericalPendulum>(system);
}

}  // namespace livens::true_motion
