#include "redundant_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

namespace livens::reference {
namespace {

constexpr double dependent_below = 1e-8;
// A flat linkage of size 1 that has moved by e is off being flat by e, and what rounding leaves of a row that depends
// on others is eps/e^2 there: the bound is far from both, down to e = 1e-2/4^2.
constexpr double nearby = 1e-2;
constexpr int shorter_at_most = 3, directions = 3, most_iterations = 100;

/// A place, on g(q,t) = 0 where there is one.
struct OnRows {
  VectorXd q;
  double t;
};

class Rows {
 public:
  explicit Rows(const System& system) : system_(system) {
    const VectorXd& q = system.initial.q;
    const bool constant = system.mass_coordinates == 0 && !system.mass_moves;
    const MatrixXd M = constant ? metric(system, q) : MatrixXd::Identity(q.size(), q.size());
    const Eigen::LLT<MatrixXd> factors(M);
    // M = L L^T; of an M that is not positive definite no lengths are made
    root_ = factors.info() == Eigen::Success ? MatrixXd(factors.matrixL())
                                             : MatrixXd::Identity(q.size(), q.size());
  }

  /// The gradients and A behind them, in a basis in which the metric is 1, each of length one, or zero.
  MatrixXd gradients(const OnRows& at) const {
    MatrixXd rows = scaled(velocity_rows(system_, at.q, at.t).J);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double length = rows.row(i).norm();
      if (length > 0.0) rows.row(i) /= length;
    }
    return rows;
  }

  /// A place near q at that time, or the nearest; none where Newton's method finds none.
  std::optional<OnRows> place_near(const VectorXd& q, double t, bool nearest) const {
    OnRows at{q, t};
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations; ++k) {
      VectorXd g = system_.constraint(at.q, t);
      MatrixXd G = scaled(at);
      const VectorXd lengths = G.rowwise().norm();
      for (Eigen::Index i = 0; i < g.size(); ++i) {
        if (lengths[i] == 0.0 && g[i] != 0.0) return std::nullopt;
        if (lengths[i] == 0.0) continue;
        g[i] /= lengths[i];
        G.row(i) /= lengths[i];
      }
      if (!g.allFinite() || !G.allFinite()) return std::nullopt;
      const VectorXd from = nearest ? q : at.q, wanted = g + G * coordinates(from - at.q);
      const VectorXd next = from - from_coordinates(least(G, wanted));
      const double moved = coordinates(next - at.q).norm();
      at.q = next;
      // Below that only rounding is left, if updates are no longer halved.
      const double size = coordinates(at.q).norm();
      if (moved <= 1e-12 * size || (moved <= 1e-8 * size && moved > 0.5 * last)) return at;
      last = moved;
    }
    return std::nullopt;
  }

  /// Places nearby, along directions without symmetry and, where the rows move, a moment later.
  std::vector<OnRows> places_near(const OnRows& here) const {
    std::vector<OnRows> places;
    const MatrixXd G = scaled(here);
    const double size = coordinates(here.q).norm();
    const VectorXd drift = support_rate(system_, here.q, here.t);
    const double speed = system_.rows_move ? least(G, drift).norm() : 0.0;
    for (int direction = 0; direction < directions; ++direction) {
      VectorXd along = without_symmetry(direction);
      along -= least(G, G * along);
      const double length = along.norm();
      if (length > 1e-6) along *= (size > 0.0 ? size : 1.0) / length;
      double distance = nearby;
      for (int k = 0; k < shorter_at_most; ++k, distance /= 4.0) {
        const double later = system_.rows_move ? distance * (speed > 0.0 ? size / speed : 1.0) : 0.0;
        const VectorXd step = distance * along - later * least(G, drift);
        const std::optional<OnRows> place =
            place_near(here.q + from_coordinates(step), here.t + later, false);
        if (!place) continue;
        const double moved = coordinates(place->q - here.q).norm();
        const bool is_moment_later = system_.rows_move && length <= 1e-6;
        if (moved > 4.0 * distance * size && size > 0.0) continue;
        if (moved < 0.25 * distance * size && !is_moment_later) continue;
        places.push_back(*place);
        break;
      }
    }
    return places;
  }
  /// Off g = 0, further away.
  std::vector<OnRows> places_around() const {
    const VectorXd& q = system_.initial.q;
    std::vector<OnRows> places = {{q, 0.0}};
    for (int direction = 0; direction < directions; ++direction) {
      const double distance = 0.3 * (q.norm() > 0.0 ? q.norm() : 1.0);
      places.push_back({q + distance * without_symmetry(direction).normalized(), 0.0});
    }
    return places;
  }

 private:
  VectorXd without_symmetry(int direction) const {
    VectorXd along(system_.initial.q.size());
    for (Eigen::Index i = 0; i < along.size(); ++i)
      along[i] = std::sin(1.0 + 2.3 * static_cast<double>(i) + 0.7 * direction);
    return along;
  }
  VectorXd coordinates(const VectorXd& dq) const { return root_.transpose() * dq; }
  VectorXd from_coordinates(const VectorXd& y) const {
    return root_.transpose().triangularView<Eigen::Upper>().solve(y);
  }
  /// G L^-T
  MatrixXd scaled(const MatrixXd& G) const {
    return root_.triangularView<Eigen::Lower>().solve(G.transpose()).transpose();
  }
  /// D_q g L^-T
  MatrixXd scaled(const OnRows& at) const { return scaled(constraint_jacobian(system_, at.q, at.t)); }
  /// The least y with G y = right as nearly as can be. A row that depends on others does so on g = 0 alone: on the
  /// way there it is next to nothing, and would be divided by.
  static VectorXd least(const MatrixXd& G, const VectorXd& right) {
    if (G.rows() == 0) return VectorXd::Zero(G.cols());
    // Zeros make it square: then no QR factorization comes first, which would take seconds to compile.
    const Eigen::Index n = std::max(G.rows(), G.cols());
    MatrixXd square = MatrixXd::Zero(n, n);
    square.topLeftCorner(G.rows(), G.cols()) = G;
    VectorXd padded = VectorXd::Zero(n);
    padded.head(G.rows()) = right;
    Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner> svd(square,
                                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
    svd.setThreshold(1e-6);
    return svd.solve(padded).head(G.cols());
  }

  const System& system_;
  MatrixXd root_;
};

/// Rows taken in, in an orthonormal basis.
class Basis {
 public:
  /// What is left of the row.
  VectorXd rest(VectorXd row) const {
    for (int twice = 0; twice < 2; ++twice) {
      for (const VectorXd& b : basis_) row -= b.dot(row) * b;
    }
    return row;
  }
  void add(const VectorXd& row) {
    const VectorXd left = rest(row);
    if (left.norm() >= dependent_below) basis_.push_back(left.normalized());
  }

 private:
  std::vector<VectorXd> basis_;
};

/// Of every row, whether it depends on those before it that do not, at all of some places.
std::vector<bool> dependent_at(const std::vector<MatrixXd>& gradients) {
  std::vector<Basis> kept(gradients.size());
  std::vector<bool> dependent;
  for (Eigen::Index i = 0; i < gradients.front().rows(); ++i) {
    bool everywhere = true;
    for (std::size_t k = 0; k < kept.size(); ++k)
      everywhere = everywhere && kept[k].rest(gradients[k].row(i)).norm() < dependent_below;
    dependent.push_back(everywhere);
    for (std::size_t k = 0; k < kept.size() && !everywhere; ++k) kept[k].add(gradients[k].row(i));
  }
  return dependent;
}

}  // namespace

std::vector<bool> dependent_rows(const System& system, bool must_hold) {
  const Rows rows(system);
  const std::optional<OnRows> start = rows.place_near(system.initial.q, 0.0, true);
  if (!start && must_hold) throw std::invalid_argument("the rows of constraints do not hold together");
  // A place that is singular is no fault of its rows: then it is for those near it to decide.
  std::vector<bool> dependent;
  if (start) {
    dependent = dependent_at({rows.gradients(*start)});
    if (std::ranges::find(dependent, true) == dependent.end()) return dependent;
  }
  std::vector<MatrixXd> gradients;
  for (const OnRows& place : start ? rows.places_near(*start) : rows.places_around())
    if (const MatrixXd here = rows.gradients(place); here.allFinite()) gradients.push_back(here);
  if (gradients.empty() && !start)
    return std::vector<bool>(static_cast<std::size_t>(rows.gradients({system.initial.q, 0.0}).rows()));
  return gradients.empty() ? dependent : dependent_at(gradients);
}

}  // namespace livens::reference
