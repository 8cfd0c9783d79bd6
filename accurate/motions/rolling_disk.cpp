// Rolling disk, the reduced equations of herglotz.md section 4. s = psi' - phi' sin theta,
// y = (X, Y, theta, phi, psi, theta', phi', s, D, W); I1 = I_A + m R^2, I3 = I_T + m R^2;
// F1 = F_X cos phi + F_Y sin phi, F2 = F_Y cos phi - F_X sin phi, F = F0 + F1 t:
//   (a)  I1 (s' + alpha s) - m R^2 cos theta theta' phi' = F_psi + R F1
//   (b)  I3 (theta'' + alpha theta') + I1 s phi' cos theta + I_T phi'^2 sin theta cos theta - m g R sin theta
//          = F_theta + R cos theta F2
//   (c)  I_T cos^2 theta (phi'' + alpha phi') - 2 I_T sin theta cos theta theta' phi' - I_A s cos theta
//   theta'
//          = F_phi + sin theta F_psi
//   (d)  X' = R (s cos phi - cos theta theta' sin phi),  Y' = R (s sin phi + cos theta theta' cos phi)
//   (e)  D' = 2 alpha T,  W' = F.v
// Singular where the disk lies flat, cos theta = 0.

#include <cmath>

#include "../motion.hpp"

namespace livens::accurate {
namespace {

class RollingDisk : public Motion {
 public:
  // Numbers of the description, upright: M = diag(m, m, I_T, I_T, I_A), V = m g R, A = (1 0 0 0 -R; ...).
  explicit RollingDisk(const System& system) : alpha_(system.action_damping) {
    const VectorXd upright = VectorXd::Zero(5);
    const auto M = mass_matrix(system, upright);
    m_ = M(0, 0);
    IT_ = M(3, 3);
    IA_ = M(4, 4);
    R_ = -nonholonomic_jacobian(system, upright)(0, 4);
    weight_ = potential_energy(system, upright);
    force_ = load(system, 0.0);
    force_rate_ = load(system, 1.0) - force_;
  }

  Eigen::Index size() const override { return 10; }

  VectorXd variables(const State& state) const override {
    const VectorXd &q = state.q, &v = state.v;
    VectorXd y(10);
    y << q, v[2], v[3], v[4] - v[3] * std::sin(q[2]), 0.0, 0.0;
    return y;
  }

  State state(const VectorXd& y) const override {
    double rate[5];
    position_rates(y.data(), rate);
    return {y.head(5), Eigen::Map<const VectorXd>(rate, 5)};
  }

  void derivative(double t, const double* y, double* dy) const override {
    const double sine = std::sin(y[2]), cosine = std::cos(y[2]), sh = std::sin(y[3]), ch = std::cos(y[3]);
    const double th = y[5], ph = y[6], s = y[7];
    double F[5];
    for (int i = 0; i < 5; ++i) F[i] = force_[i] + force_rate_[i] * t;
    const double F1 = F[0] * ch + F[1] * sh, F2 = F[1] * ch - F[0] * sh;
    const double mRR = m_ * R_ * R_, I1 = IA_ + mRR, I3 = IT_ + mRR;
    position_rates(y, dy);
    dy[5] =
        (F[2] + R_ * cosine * F2 + weight_ * sine - I1 * s * ph * cosine - IT_ * ph * ph * sine * cosine) /
            I3 -
        alpha_ * th;  // (b)
    dy[6] = (F[3] + sine * F[4] + 2.0 * IT_ * sine * cosine * th * ph + IA_ * s * cosine * th) /
                (IT_ * cosine * cosine) -
            alpha_ * ph;                                                  // (c)
    dy[7] = (F[4] + R_ * F1 + mRR * cosine * th * ph) / I1 - alpha_ * s;  // (a)
    const double height = R_ * sine * th;
    const double twice_T = m_ * (dy[0] * dy[0] + dy[1] * dy[1] + height * height) + IA_ * s * s +
                           IT_ * (th * th + ph * ph * cosine * cosine);
    dy[8] = alpha_ * twice_T;  // (e)
    dy[9] = 0.0;
    for (int i = 0; i < 5; ++i) dy[9] += F[i] * dy[i];
  }

 private:
  /// (d), and those of the angles: five entries.
  void position_rates(const double* y, double* rate) const {
    const double sh = std::sin(y[3]), ch = std::cos(y[3]), across = std::cos(y[2]) * y[5], s = y[7];
    rate[0] = R_ * (s * ch - across * sh);
    rate[1] = R_ * (s * sh + across * ch);
    rate[2] = y[5];
    rate[3] = y[6];
    rate[4] = s + y[6] * std::sin(y[2]);
  }

  double alpha_, m_, IT_, IA_, R_, weight_;
  VectorXd force_, force_rate_;
};

}  // namespace

std::unique_ptr<Motion> rolling_disk(const System& system) { return std::make_unique<RollingDisk>(system); }

}  // namespace livens::accurate
