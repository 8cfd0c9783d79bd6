#include "lyapunov.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <limits>

#include "motion_derivative.hpp"
#include "system.hpp"

namespace livens::reference {
namespace {

/// What the next step begins with, and q, p of the node: 5d numbers.
VectorXd carried(const Trajectory& motion) {
  VectorXd all(5 * motion.node().q.size());
  all << motion.handed_on(), motion.node().q, motion.node().p;
  return all;
}

MotionDerivative derivative_along(const Trajectory& motion, const VectorXd& direction) {
  return {[&](double by) -> MotionDerivative::Motion {
            return [&motion, moved = VectorXd(by * direction)](long steps) -> VectorXd {
              try {
                const std::unique_ptr<Trajectory> other = motion.moved(moved);
                for (long n = 0; n < steps; ++n) other->advance();
                return carried(*other);
              } catch (const StepFailure&) {
                return VectorXd::Constant(5 * motion.node().q.size(),
                                          std::numeric_limits<double>::quiet_NaN());
              }
            };
          },
          largest_displacement(motion.node(), direction)};
}

}  // namespace

LyapunovExponents::LyapunovExponents(const Model& model, std::unique_ptr<Trajectory> start,
                                     MatrixXd directions, long every)
    : system_(std::make_shared<System>(make_system(model))),
      motion_(std::move(start)),
      directions_(std::move(directions)),
      every_(every),
      start_(motion_->node().time),
      logarithms_(VectorXd::Zero(directions_.cols())) {}

VectorXd LyapunovExponents::at(long steps) {
  while (steps - done_ >= every_) go_on();
  if (done_ == 0) return VectorXd::Constant(logarithms_.size(), std::numeric_limits<double>::quiet_NaN());
  return logarithms_ / (motion_->node().time - start_);
}

/// To the next orthonormalisation: by M in q and M^-1 in p, which is that of (L^T q, L^-1 p) with M = L L^T.
void LyapunovExponents::go_on() {
  const Eigen::Index d = motion_->node().q.size(), count = directions_.cols();
  MatrixXd grown(5 * d, count);
  for (Eigen::Index k = 0; k < count; ++k)
    grown.col(k) = derivative_along(*motion_, directions_.col(k)).at(every_);
  for (long n = 0; n < every_; ++n) motion_->advance();
  done_ += every_;
  const Node& node = motion_->node();
  const Eigen::LLT<MatrixXd> M(mass_matrix(*system_, node.q, node.time));
  MatrixXd weighed(2 * d, count);
  weighed << M.matrixU() * grown.middleRows(3 * d, d), M.matrixL().solve(grown.bottomRows(d));
  const MatrixXd R = Eigen::HouseholderQR<MatrixXd>(weighed).matrixQR().topRows(count);
  logarithms_ += R.diagonal().cwiseAbs().array().log().matrix();
  directions_ = R.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(grown.topRows(3 * d));
}

}  // namespace livens::reference
