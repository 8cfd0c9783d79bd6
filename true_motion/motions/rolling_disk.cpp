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
// Singular where the disk lies flat, cos theta = 0. With the multipliers, as linear_motion has it:
//   (f)  M(theta) v' + A^T lambda = F - DV - alpha M v + D_q T - M' v,  A v' = -A' v,  ' along v

#include <cmath>

#include "../motion.hpp"

namespace livens::true_motion {
namespace {

// Of the description, upright: M = diag(m, m, I_T, I_T, I_A), V = m g R, A = (1 0 0 0 -R; ...).
struct Numbers {
  double alpha, m, IT, IA, R, weight;
  VectorXd force, force_rate;

  explicit Numbers(const System& system) : alpha(system.action_damping) {
    const VectorXd upright = VectorXd::Zero(5);
    const auto M = mass_matrix(system, upright);
    m = M(0, 0);
    IT = M(3, 3);
    IA = M(4, 4);
    R = -nonholonomic_jacobian(system, upright)(0, 4);
    weight = potential_energy(system, upright);
    force = load(system, 0.0);
    force_rate = load(system, 1.0) - force;
  }
};

class RollingDisk : public Motion {
 public:
  explicit RollingDisk(const System& system) : numbers_(system) {}

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
    const auto& [alpha, m, IT, IA, R, weight, force, force_rate] = numbers_;
    const double sine = std::sin(y[2]), cosine = std::cos(y[2]), sh = std::sin(y[3]), ch = std::cos(y[3]);
    const double th = y[5], ph = y[6], s = y[7];
    double F[5];
    for (int i = 0; i < 5; ++i) F[i] = force[i] + force_rate[i] * t;
    const double F1 = F[0] * ch + F[1] * sh, F2 = F[1] * ch - F[0] * sh;
    const double mRR = m * R * R, I1 = IA + mRR, I3 = IT + mRR;
    position_rates(y, dy);
    dy[5] =
        (F[2] + R * cosine * F2 + weight * sine - I1 * s * ph * cosine - IT * ph * ph * sine * cosine) / I3 -
        alpha * th;  // (b)
    dy[6] = (F[3] + sine * F[4] + 2.0 * IT * sine * cosine * th * ph + IA * s * cosine * th) /
                (IT * cosine * cosine) -
            alpha * ph;                                                 // (c)
    dy[7] = (F[4] + R * F1 + mRR * cosine * th * ph) / I1 - alpha * s;  // (a)
    const double height = R * sine * th;
    const double twice_T = m * (dy[0] * dy[0] + dy[1] * dy[1] + height * height) + IA * s * s +
                           IT * (th * th + ph * ph * cosine * cosine);
    dy[8] = alpha * twice_T;  // (e)
    dy[9] = 0.0;
    for (int i = 0; i < 5; ++i) dy[9] += F[i] * dy[i];
  }

 private:
  /// (d), and those of the angles: five entries.
  void position_rates(const double* y, double* rate) const {
    const double R = numbers_.R;
    const double sh = std::sin(y[3]), ch = std::cos(y[3]), across = std::cos(y[2]) * y[5], s = y[7];
    rate[0] = R * (s * ch - across * sh);
    rate[1] = R * (s * sh + across * ch);
    rate[2] = y[5];
    rate[3] = y[6];
    rate[4] = s + y[6] * std::sin(y[2]);
  }

  Numbers numbers_;
};

}  // namespace

Equations rolling_disk_equations(const System& system) {
  return [numbers = Numbers(system)](const State& state, double t) -> reference::LinearMotion {
    const auto& [alpha, m, IT, IA, R, weight, force, force_rate] = numbers;
    const VectorXd& v = state.v;
    const double s = std::sin(state.q[2]), c = std::cos(state.q[2]), sh = std::sin(state.q[3]),
                 ch = std::cos(state.q[3]);
    const double th = v[2], ph = v[3], psi = v[4], mRR = m * R * R;
    reference::LinearMotion f{Eigen::MatrixXd::Zero(5, 5), Eigen::MatrixXd(2, 5), VectorXd(),
                              VectorXd(2)};  // (f)
    f.M.diagonal() << m, m, mRR * s * s + IT, IA * s * s + IT * c * c, IA;
    f.M(3, 4) = f.M(4, 3) = -IA * s;
    f.A << 1.0, 0.0, R * c * sh, R * s * ch, -R * ch,  //
        0.0, 1.0, -R * c * ch, R * s * sh, -R * sh;
    f.force = force + t * force_rate - alpha * (f.M * v);
    f.force[2] += weight * s - mRR * s * c * th * th + (IA - IT) * s * c * ph * ph - IA * c * ph * psi;
    f.force[3] -= th * (2.0 * (IA - IT) * s * c * ph - IA * c * psi);
    f.force[4] += th * IA * c * ph;
    f.rate[0] = R * ((c * ch * ph - s * sh * th) * th + (c * ch * th - s * sh * ph) * ph + sh * ph * psi);
    f.rate[1] = R * ((c * sh * ph + s * ch * th) * th + (c * sh * th + s * ch * ph) * ph - ch * ph * psi);
    return f;
  };
}

std::unique_ptr<Motion> rolling_disk(const System& system) { return std::make_unique<RollingDisk>(system); }

}  // namespace livens::true_motion
