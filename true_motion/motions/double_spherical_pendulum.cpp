// Double spherical pendulum, multibody.md section 2. y = (u1, u2, u1', u2', D, W); T = m1/2 |u1'|^2 +
// m2/2 |u1'+u2'|^2, gravity along -e3, G = (u1^T 0; 0 u2^T). M^-1 of the weight is (g e3, 0), so that
//   (a)  (G M^-1 G^T) lambda = (|u1'|^2 - g e3.u1, |u2'|^2)
//   (b)  (u1'', u2'') = (-g e3, 0) - M^-1 G^T lambda
// with M^-1 = ( 1/m1  -1/m1; -1/m1  1/m1 + 1/m2 ) in blocks. Nothing is dissipated, no load works.

#include <Eigen/Geometry>

#include "../motion.hpp"

namespace livens::true_motion {
namespace {

class DoubleSphericalPendulum : public Motion {
 public:
  // Numbers of the description: M = (m1+m2, m2; m2, m2) in blocks, DV = ((m1+m2) g e3, m2 g e3).
  explicit DoubleSphericalPendulum(const System& system) {
    const VectorXd& q = system.initial.q;
    const auto M = mass_matrix(system, q);
    const double m2 = M(3, 3), m1 = M(0, 0) - m2;
    first_ = 1.0 / m1;
    second_ = 1.0 / m1 + 1.0 / m2;
    gravity_ = potential_gradient(system, q)[5] / m2;
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
    const double r1 = v1.squaredNorm() - gravity_ * u1[2], r2 = v2.squaredNorm();
    const double determinant = s11 * s22 - s12 * s12;
    const Vector3d f1 = (s22 * r1 - s12 * r2) / determinant * u1,  // (a): G^T lambda
        f2 = (s11 * r2 - s12 * r1) / determinant * u2;
    std::copy_n(y + 6, 6, dy);
    Eigen::Map<Vector3d> a1(dy + 6), a2(dy + 9);
    a1 = first_ * (f2 - f1) - gravity_ * Vector3d::UnitZ();  // (b)
    a2 = first_ * f1 - second_ * f2;
    dy[12] = dy[13] = 0.0;
  }

 private:
  double first_, second_, gravity_;
};

}  // namespace

std::unique_ptr<Motion> double_spherical_pendulum(const System& system) {
  return std::make_unique<DoubleSphericalPendulum>(system);
}

}  // namespace livens::true_motion
