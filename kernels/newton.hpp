#pragma once
// Newton's method for one instance or for W at once, each stopping on its own.
//
// A Problem over a Scalar has
//   static constexpr int unknowns;  using Matrix = DenseMatrix<...> or SparseMatrix<...>;
//   Evaluation evaluate(x)               with a member `residual`, scaled as equations/holonomic.md section 8
//   asks void jacobian(x, evaluation, Matrix&)
// A lane that has converged is frozen by mask, so its result does not depend on its neighbours.

#include "kernels/backends/interface.hpp"
#include "kernels/math/lu.hpp"

namespace livens::inline LIVENS_ISA {

/// With tolerance 0 an update below this ends the iteration: the next error is its square.
inline constexpr double quadratic_stop = 1e-8;

/// How a step or a solve ended, lane by lane.
template <class Scalar>
struct Outcome {
  Scalar status;      ///< Status as a number
  Scalar iterations;  ///< Newton updates
  LIVENS_HD Mask<Scalar> good() const { return status == Scalar(0.0); }
};

template <class Scalar>
LIVENS_HD Scalar code(Status status) {
  return Scalar(static_cast<double>(status));
}

/// Solves J update = residual again, with pivoting, for the lanes whose unpivoted factorization grew. Lanes
/// that are singular even so are returned. Takes and returns copies: what a call in the cold can see would
/// otherwise have to live in memory in the hot loop.
template <class Scalar, int N>
struct Resolved {
  Vec<Scalar, N> update;
  Mask<Scalar> singular;
};
template <class Scalar, class Matrix, int N>
LIVENS_HD_COLD Resolved<Scalar, N> solve_flagged(const Matrix& J, const Vec<Scalar, N>& residual,
                                                 const Mask<Scalar>& flagged, const Vec<Scalar, N>& update) {
  Resolved<Scalar, N> result{update, Mask<Scalar>(false)};
  Scalar singular = Scalar(0.0);
  for (int l = 0; l < lanes_of<Scalar>; ++l) {
    if (!lane_mask(flagged, l)) continue;
    double A[N * N];
    double b[N];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) A[i * N + j] = lane(J.get(i, j), l);
      b[i] = lane(residual[i], l);
    }
    if (!solve_pivoted<N>(A, b)) set_lane(singular, l, 1.0);
    for (int i = 0; i < N; ++i) set_lane(result.update[i], l, b[i]);
  }
  result.singular = singular > Scalar(0.0);
  return result;
}

/// Solves residual(x) = 0 from x, for the lanes in `active`.
/// tolerance > 0: until the infinity norm of the scaled residual is at most the tolerance;
/// tolerance = 0: until an update is below quadratic_stop, which is still applied (equations/reduced.md
/// section 3).
template <class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> newton(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                 const Settings& settings, Mask<Scalar> active) {
  const Scalar tolerance = Scalar(settings.tolerance);
  const bool to_round_off = settings.tolerance == 0.0;
  Outcome<Scalar> outcome{Scalar(0.0), Scalar(0.0)};
  for (int iteration = 0;; ++iteration) {
    const auto evaluation = problem.evaluate(x);
    const Scalar size = norm_inf(evaluation.residual);
    const Mask<Scalar> lost = active & !finite(size);
    if (any(lost)) {
      const Status reason = iteration == 0 ? Status::not_finite : Status::newton_diverged;
      outcome.status = select(lost, code<Scalar>(reason), outcome.status);
      active = active & !lost;
    }
    if (!to_round_off) active = active & (size > tolerance);
    if (!any(active)) break;
    if (iteration == settings.max_iterations) {
      outcome.status = select(active, code<Scalar>(Status::newton_diverged), outcome.status);
      break;
    }
    typename Problem::Matrix J;
    problem.jacobian(x, evaluation, J);
    Vec<Scalar, Problem::unknowns> update = evaluation.residual;
    const Mask<Scalar> flagged = solve_unpivoted(J, update) & active;
    if (any(flagged)) [[unlikely]] {
      typename Problem::Matrix again;
      problem.jacobian(x, evaluation, again);
      const Vec<Scalar, Problem::unknowns> residual = evaluation.residual, unpivoted = update;
      const auto resolved = solve_flagged<Scalar>(again, residual, flagged, unpivoted);
      const Mask<Scalar> singular = resolved.singular;
      update = resolved.update;
      outcome.status = select(singular, code<Scalar>(Status::singular_matrix), outcome.status);
      active = active & !singular;
    }
    x = select<Scalar>(active, x - update, x);
    outcome.iterations = outcome.iterations + select(active, Scalar(1.0), Scalar(0.0));
    if (to_round_off) {
      active = active & (norm_inf(update) >= Scalar(quadratic_stop));
      if (!any(active)) break;
    }
  }
  return outcome;
}

}  // namespace livens::inline LIVENS_ISA
