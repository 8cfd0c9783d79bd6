#include "redundant_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <optional>

namespace livens::reference {
namespace {

constexpr double dependent_below = 1e-8;
// A flat linkage of size 1 that has moved by e is off being flat by e, and what rounding leaves of a row that depends
// on others is eps/e^2 there: the bound is far from both, down to e = 1e-2/4^2.
constexpr double nearby = 1e-2;
constexpr int shorter_at_most = 3, directions = 3, most_iterations = 100;

/// A place on g(q,t) = 0.
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

  /// The gradients, in a basis in which the metric is 1, each of length one, or zero.
  MatrixXd gradients(const OnRows& at) const {
    MatrixXd rows = scaled(at);
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
  std::vector<OnRows> places_around(const OnRows& here) const {
    std::vector<OnRows> places;
    const MatrixXd G = scaled(here);
    const double size = coordinates(here.q).norm();
    const VectorXd drift = support_rate(system_, here.q, here.t);
    const double speed = system_.rows_move ? least(G, drift).norm() : 0.0;
    for (int direction = 0; direction < directions; ++direction) {
      VectorXd along(here.q.size());
      for (Eigen::Index i = 0; i < along.size(); ++i)
        along[i] = std::sin(1.0 + 2.3 * static_cast<double>(i) + 0.7 * direction);
      along -= least(G, G * along);
      const double length = along.norm();
      if (length > 1e-6) along *= size / length;
      double distance = nearby;
      for (int k = 0; k < shorter_at_most; ++k, distance /= 4.0) {
        const double later = system_.rows_move ? distance * (speed > 0.0 ? size / speed : 1.0) : 0.0;
        const VectorXd step = distance * along - later * least(G, drift);
        const std::optional<OnRows> place =
            place_near(here.q + from_coordinates(step), here.t + later, false);
        if (!place) continue;
        const double moved = coordinates(place->q - here.q).norm();
        if (moved < 0.25 * distance * size || moved > 4.0 * distance * size) continue;
        places.push_back(*place);
        break;
      }
    }
    return places;
  }

 private:
  VectorXd coordinates(const VectorXd& dq) const { return root_.transpose() * dq; }
  VectorXd from_coordinates(const VectorXd& y) const {
    return root_.transpose().triangularView<Eigen::Upper>().solve(y);
  }
  /// D_q g L^-T
  MatrixXd scaled(const OnRows& at) const {
    const MatrixXd G = constraint_jacobian(system_, at.q, at.t);
    return root_.triangularView<Eigen::Lower>().solve(G.transpose()).transpose();
  }
  /// The least y with G y = right as nearly as can be. A row that depends on others does so on g = 0 alone: on the
  /// way there it is next to nothing, and would be divided by.
  static VectorXd least(const MatrixXd& G, const VectorXd& right) {
    Eigen::JacobiSVD<MatrixXd> svd(G, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(1e-6);
    return svd.solve(right);
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

/// The gradients at a place, of which some are kept.
struct Kept {
  MatrixXd gradients;
  Basis basis = {};
  bool depends(Eigen::Index row) const { return basis.rest(gradients.row(row)).norm() < dependent_below; }
};

}  // namespace

std::vector<bool> dependent_rows(const System& system) {
  const Eigen::Index m = position_constraint_count(system);
  std::vector<bool> dependent(static_cast<std::size_t>(m), false);
  if (m == 0) return dependent;
  const Rows rows(system);
  const std::optional<OnRows> start = rows.place_near(system.initial.q, 0.0, true);
  if (!start) return dependent;

  std::vector<Kept> all = {{rows.gradients(*start)}};
  const auto keep = [&](Kept& at, Eigen::Index row) { at.basis.add(at.gradients.row(row)); };
  for (Eigen::Index i = 0; i < m; ++i) {
    if (all[0].depends(i) && all.size() == 1) {
      for (const OnRows& place : rows.places_around(*start)) {
        Kept& other = all.emplace_back(Kept{rows.gradients(place)});
        for (Eigen::Index k = 0; k < i; ++k) keep(other, k);
      }
    }
    const bool here = std::ranges::all_of(all, [&](const Kept& at) { return at.depends(i); });
    dependent[static_cast<std::size_t>(i)] = here;
    if (here) continue;
    for (Kept& at : all) keep(at, i);
  }
  return dependent;
}

}  // namespace livens::reference
