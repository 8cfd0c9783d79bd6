#pragma once
// The kernels' projection of inconsistent states, against another one of the same states: all instances
// in lockstep, by matrices without the curvature of the constraints, solved as a batch with pivoting. Whose
// batched solves, the caller says: cuBLAS' in lockstep.cu, Eigen's in the tests.
//
// Both parts of the projection are an x nearest to a given x^ with c(x) = 0:
//   (a) M (x - x^) + A(x)^T mu = 0,   c(x) = 0,   A = Dc
// with x = q, c = g, and x = v, c = A(q) v + b(q); M at the given q^, and at the projected q. From x = x^,
// mu = 0 the batch does
//   (b) [M A^T; A 0] (dx, dmu) = -(M (x - x^) + A^T mu, c(x)).
// That is not the kernels' iteration: without W(mu) beside M it converges by a factor a time, that of the
// displacement over the length on which the constraints bend. The fixed point is the same.

#include <cstdint>
#include <vector>

#include "bench/lockstep/constrained_system.hpp"

namespace livens {

/// Linear systems of one size, solved together.
class BatchedSolver {
 public:
  virtual ~BatchedSolver() = default;
  /// X with A X = B for every n x n matrix A; B, n x columns, becomes X. By columns, one behind the other.
  /// The result for a singular matrix is not finite.
  virtual void solve(int n, int columns, const std::vector<double>& matrices, std::vector<double>& sides) = 0;
};

/// A system's own initial state, displaced in q and v, with the default parameters: as it was given, and in a
/// batch without records, for make_consistent().
class InconsistentStates {
 public:
  InconsistentStates(const SystemKernels& kernels, std::int64_t size);
  InconsistentStates(const InconsistentStates&) = delete;
  InconsistentStates& operator=(const InconsistentStates&) = delete;

  const Batch& batch() const { return batch_; }
  const double* parameters() const { return parameters_.data(); }
  const std::vector<double>& given_q() const { return given_q_; }
  const std::vector<double>& given_v() const { return given_v_; }

 private:
  std::vector<double> parameters_, given_q_, given_v_, q_, v_, p_;
  std::vector<double*> varied_;
  Batch batch_{};
};

/// Of all instances, in the infinity norm.
struct ProjectionDifference {
  double position = 0.0, position_bound = 0.0;
  double velocity = 0.0, velocity_bound = 0.0;
  bool same = true;  ///< every instance within its own bound
};

/// The states that make_consistent() has made, against those of the batch; velocities at the positions it
/// found. Throws std::runtime_error where the batch does not converge.
ProjectionDifference compare_projection(const ConstrainedSystem& system, const InconsistentStates& states,
                                        BatchedSolver& solver);

}  // namespace livens
