#include "bench/lockstep/projection_check.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace livens {
namespace {

using Values = std::vector<double>;

/// The states of a batch that solve (a), and what rounding may have moved them by.
class NearestStates {
 public:
  /// c and A of instance i at x; M of instance i.
  using Constraint = std::function<void(std::int64_t i, const double* x, double* c, double* A)>;
  using Metric = std::function<void(std::int64_t i, double* M)>;

  NearestStates(const SystemInfo& info, const Values& given, const Metric& metric,
                const Constraint& constraint, BatchedSolver& solver)
      : d(info.coordinates),
        m(info.constraints),
        n(d + m),
        size_(static_cast<std::int64_t>(given.size()) / d),
        given_(given),
        x_(given),
        mu_(size_ * m),
        metrics_(size_ * d * d),
        matrices_(size_ * n * n),
        sides_(size_ * n) {
    for (std::int64_t i = 0; i < size_; ++i) metric(i, &metrics_[i * d * d]);
    // An update is no longer halved by the next one where it is the rounding of the residual. Before that
    // every one is, as the displacements are small.
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0;; ++iteration) {
      for (std::int64_t i = 0; i < size_; ++i) linearize(i, constraint);
      solver.solve(n, 1, matrices_, sides_);
      const double size = update();
      if (!std::isfinite(size) || iteration == 100)
        throw std::runtime_error(std::string(info.name) + ": the batch does not converge");
      if (size <= 1e-12 && size > 0.5 * last) break;
      last = size;
    }
    bound_rounding(solver);
  }

  const double* state(std::int64_t i) const { return &x_[i * d]; }
  double bound(std::int64_t i) const { return bounds_[i]; }

 private:
  double& entry(std::int64_t i, int row, int column) { return matrices_[(i * n + column) * n + row]; }

  void linearize(std::int64_t i, const Constraint& constraint) {
    const double *M = &metrics_[i * d * d], *x = &x_[i * d], *given = &given_[i * d], *mu = &mu_[i * m];
    double* const side = &sides_[i * n];
    Values A(m * d);
    constraint(i, x, side + d, A.data());
    for (int k = 0; k < m; ++k) side[d + k] = -side[d + k];
    for (int row = 0; row < d; ++row) {
      side[row] = 0.0;
      for (int j = 0; j < d; ++j) {
        entry(i, row, j) = M[j * d + row];
        side[row] -= M[j * d + row] * (x[j] - given[j]);
      }
      for (int k = 0; k < m; ++k) {
        entry(i, row, d + k) = entry(i, d + k, row) = A[row * m + k];
        side[row] -= A[row * m + k] * mu[k];
      }
    }
    for (int k = 0; k < m; ++k)
      for (int l = 0; l < m; ++l) entry(i, d + k, d + l) = 0.0;
  }

  /// The largest change over the largest coordinate; NaN where there is one.
  double update() {
    double change = 0.0, size = 0.0;
    for (std::int64_t i = 0; i < size_; ++i) {
      for (int j = 0; j < d; ++j) {
        const double by = sides_[i * n + j];
        if (!std::isfinite(by)) return by - by;
        x_[i * d + j] += by;
        change = std::max(change, std::fabs(by));
        size = std::max(size, std::fabs(x_[i * d + j]));
      }
      for (int k = 0; k < m; ++k) mu_[i * m + k] += sides_[i * n + d + k];
    }
    return change / size;
  }

  /// With K = [M A^T; A 0] and w = (|x| + |x^|, |mu|), a residual of (a) is rounded by at most some n eps
  /// |K| w: no sum has more than n products, and those of c, at most quadratic, are of the size of |A| |x|.
  /// An elimination with pivoting does as much as 3 n eps |L| |U| w (Higham, Accuracy and Stability of
  /// Numerical Algorithms, Theorem 9.4), of which |L| |U| is taken for 2 |K|. The kernels' velocity has both,
  /// 7 n. Our states and the kernels' positions have a residual's alone, as an iteration corrects the
  /// eliminations before its last: n, and 2 n where W(mu) is as large as half of M. Together at most
  ///   |x - x'| <= 8 n eps |K^-1| |K| w.
  void bound_rounding(BatchedSolver& solver) {
    Values inverses(size_ * n * n);
    for (std::int64_t i = 0; i < size_; ++i)
      for (int j = 0; j < n; ++j) inverses[(i * n + j) * n + j] = 1.0;
    solver.solve(n, n, matrices_, inverses);
    for (std::int64_t i = 0; i < size_; ++i) {
      Values w(n), Kw(n);
      for (int j = 0; j < d; ++j) w[j] = std::fabs(x_[i * d + j]) + std::fabs(given_[i * d + j]);
      for (int k = 0; k < m; ++k) w[d + k] = std::fabs(mu_[i * m + k]);
      for (int j = 0; j < n; ++j)
        for (int row = 0; row < n; ++row) Kw[row] += std::fabs(entry(i, row, j)) * w[j];
      double largest = 0.0;
      for (int row = 0; row < d; ++row) {
        double sum = 0.0;
        for (int j = 0; j < n; ++j) sum += std::fabs(inverses[(i * n + j) * n + row]) * Kw[j];
        largest = std::max(largest, sum);
      }
      bounds_.push_back(8.0 * n * std::numeric_limits<double>::epsilon() * largest);
    }
  }

  int d, m, n;
  std::int64_t size_;
  const Values& given_;
  Values x_, mu_, metrics_, matrices_, sides_, bounds_;
};

/// The largest difference and bound of the batch into the first two; whether all keep to their bounds.
bool within(const NearestStates& expected, const double* states, std::int64_t size, int d, double& difference,
            double& bound) {
  bool same = true;
  for (std::int64_t i = 0; i < size; ++i) {
    for (int j = 0; j < d; ++j) {
      const double apart = std::fabs(states[i * d + j] - expected.state(i)[j]);
      same = same && apart <= expected.bound(i);  // and none of them NaN
      difference = std::max(difference, apart);
    }
    bound = std::max(bound, expected.bound(i));
  }
  return same;
}

}  // namespace

InconsistentStates::InconsistentStates(const SystemKernels& kernels, std::int64_t size) {
  const SystemInfo& info = *kernels.info;
  for (const ParameterInfo& parameter : info.parameters)
    parameters_.insert(parameters_.end(), parameter.defaults.begin(), parameter.defaults.end());
  varied_.resize(parameters_.size());
  for (Values* states : {&q_, &v_, &p_}) states->resize(size * info.coordinates);
  batch_ = {.size = size,
            .shared_parameters = parameters_.data(),
            .varied = varied_.data(),
            .shared_step = info.default_step,
            .varied_step = nullptr,
            .steps_per_beat = nullptr,
            .q = q_.data(),
            .v = v_.data(),
            .p = p_.data(),
            .records = nullptr};
  kernels.initial_states(batch_, 0, size);
  // The constraints bend on the length of a rod, at least 0.6 m, of a unit vector, or of the 0.075 m from the
  // tip of the top to its centre of mass.
  const double displacement = info.name == std::string("heavy_top") ? 0.005 : 0.05;
  for (std::size_t k = 0; k < q_.size(); ++k) {
    q_[k] += displacement * std::sin(1.3 * static_cast<double>(k));
    v_[k] += 0.2 * std::sin(0.7 * static_cast<double>(k));
  }
  given_q_ = q_;
  given_v_ = v_;
}

ProjectionDifference compare_projection(const ConstrainedSystem& system, const InconsistentStates& states,
                                        BatchedSolver& solver) {
  const int d = system.info->coordinates;
  const double* const parameters = states.parameters();
  const Batch& projected = states.batch();
  const auto metric_at = [&](const double* q) {
    return
        [&system, parameters, q, d](std::int64_t i, double* M) { system.metric(parameters, q + i * d, M); };
  };
  ProjectionDifference r;
  if (system.position != nullptr) {
    const NearestStates expected(
        *system.info, states.given_q(), metric_at(states.given_q().data()),
        [&](std::int64_t, const double* q, double* g, double* G) { system.position(parameters, q, g, G); },
        solver);
    r.same = within(expected, projected.q, projected.size, d, r.position, r.position_bound);
  } else {
    r.same = std::equal(states.given_q().begin(), states.given_q().end(), projected.q);  // any will do
  }
  const NearestStates expected(
      *system.info, states.given_v(), metric_at(projected.q),
      [&](std::int64_t i, const double* v, double* residual, double* A) {
        system.velocity(parameters, projected.q + i * d, v, residual, A);
      },
      solver);
  r.same = within(expected, projected.v, projected.size, d, r.velocity, r.velocity_bound) && r.same;
  return r;
}

}  // namespace livens
