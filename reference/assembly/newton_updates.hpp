#pragma once
// The end of Newton's method where every unknown is a length, a director or an angle, of size one.

#include <cmath>
#include <limits>

#include "../newton.hpp"

namespace livens::reference {

/// Behind an update below 1e-12 the next one, quadratically smaller, is nothing but rounding. A poor matrix
/// may not get there; below 1e-9 updates that no longer get smaller are rounding, too.
class NewtonUpdates {
 public:
  explicit NewtonUpdates(int most) : most_(most) {}

  /// True if the update, already made, was the last one. Throws NewtonFailure after too many.
  bool end_with(const VectorXd& update) {
    const double size = update.lpNorm<Eigen::Infinity>();
    ++count_;
    if (!std::isfinite(size)) throw NewtonFailure{Failure::not_finite};
    if (size < 1e-12 || (size < 1e-9 && size >= last_)) return true;
    if (count_ == most_) throw NewtonFailure{Failure::newton_diverged};
    last_ = size;
    return false;
  }

  int count() const { return count_; }

 private:
  int most_, count_ = 0;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace livens::reference
