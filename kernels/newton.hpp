#pragma once
// Newton's method for one instance or for W at once, each stopping on its own.
//
// A Problem over a Scalar has
//   static constexpr int unknowns;  using Matrix = DenseMatrix<...> or SparseMatrix<...>;
//   Evaluation evaluate(x)               with a member `residual`, scaled as equations/holonomic.md section 8
//   asks void jacobian(x, evaluation, Matrix&)
// A lane that has converged is frozen by mask, so its result does not depend on its neighbours.

#include "kernels/backends/interface.hpp"
#include "kernels/math/kept.hpp"
#include "kernels/math/lu.hpp"

namespace livens::inline LIVENS_ISA {

/// With tolerance 0 an update below this ends the iteration: the next error is a multiple of its square. With
/// 1e-8 that leaves a drift of 5e-18 of the energy a step (equations/reduced.md, section 3).
inline constexpr double quadratic_stop = 1e-9;
/// Below this an update that is not at most half of the one before is round-off, if the residual is, too:
/// near a singular position the condition of the matrix keeps updates from becoming smaller.
inline constexpr double stagnation_stop = 1e-5, rounded_residual = 1e-13;

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

/// What becomes of an update whose unpivoted factorization grew: the step is refused (status
/// singular_matrix), to be redone by whoever can, or the system is solved again with pivoting, one instance
/// at a time.
enum class Pivoting { refused, where_needed };

/// Solves J update = residual with pivoting; false where J is singular.
template <class Matrix, int N>
LIVENS_HD_COLD bool solve_again(const Matrix& J, Vec<double, N>& update) {
  double A[N * N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) A[i * N + j] = J.get(i, j);
  return solve_pivoted<N>(A, &update[0]);
}

/// Solves residual(x) = 0 from x, for the lanes in `active`.
/// tolerance > 0: until the infinity norm of the scaled residual is at most the tolerance;
/// tolerance = 0: until an update is below quadratic_stop, or stagnates below stagnation_stop; it is still
/// applied (equations/reduced.md, section 3). `evaluation` becomes that at the x it ends with.
template <Pivoting pivoting, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> newton(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                 const Settings& settings, Mask<Scalar> active,
                                 typename Problem::Evaluation& evaluation) {
  const Scalar tolerance = Scalar(settings.tolerance);
  const bool to_round_off = settings.tolerance == 0.0;
  Outcome<Scalar> outcome{Scalar(0.0), Scalar(0.0)};
  Scalar last_update = Scalar(1e300);
  for (int iteration = 0;; ++iteration) {
    constexpr Crowded crowd = pivoting == Pivoting::refused ? crowded<Problem, Scalar> : Crowded::no;
    reload_kept<crowd != Crowded::no>();
    evaluation = problem.evaluate(x);
    reload_kept<crowd != Crowded::no>();
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
    Kept<typename Problem::Matrix, crowd == Crowded::by_matrix_too> matrix;
    auto& J = *matrix;
    problem.jacobian(x, evaluation, J);
    reload_kept<crowd != Crowded::no>();
    Vec<Scalar, Problem::unknowns> update = evaluation.residual;
    Mask<Scalar> singular = solve_unpivoted(J, update, active);
    if constexpr (pivoting == Pivoting::where_needed) {
      if (singular) {
        problem.jacobian(x, evaluation, J);
        update = evaluation.residual;
        singular = !solve_again(J, update);
      }
    }
    outcome.status = select(singular, code<Scalar>(Status::singular_matrix), outcome.status);
    active = active & !singular;
    x = select<Scalar>(active, x - update, x);
    outcome.iterations = outcome.iterations + select(active, Scalar(1.0), Scalar(0.0));
    if (to_round_off) {
      const Scalar change = norm_inf(update);
      const Mask<Scalar> stagnates = (change < Scalar(stagnation_stop)) &
                                     (change > Scalar(0.5) * last_update) & (size < Scalar(rounded_residual));
      active = active & (change >= Scalar(quadratic_stop)) & !stagnates;
      if (!any(active)) {
        evaluation = problem.evaluate(x);
        break;
      }
      last_update = change;
    }
  }
  return outcome;
}
/// The same where only x is wanted.
template <Pivoting pivoting, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> newton(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                 const Settings& settings, Mask<Scalar> active) {
  typename Problem::Evaluation evaluation;
  return newton<pivoting>(problem, x, settings, active, evaluation);
}

/// The same for one instance, with pivoting always and every update halved until it makes the residual
/// smaller: slower, but it stays near where it starts. `before` is what an earlier attempt came to; its
/// iterations are counted on.
template <class Problem>
LIVENS_HD_COLD Outcome<double> newton_damped(const Problem& problem, Vec<double, Problem::unknowns>& x,
                                             const Settings& settings, const Outcome<double>& before) {
  Outcome<double> outcome{code<double>(Status::newton_diverged), before.iterations};
  auto evaluation = problem.evaluate(x);
  double size = norm_inf(evaluation.residual);
  for (int iteration = 0; iteration < settings.max_iterations; ++iteration) {
    if (settings.tolerance > 0.0 && size <= settings.tolerance) break;
    typename Problem::Matrix J;
    problem.jacobian(x, evaluation, J);
    Vec<double, Problem::unknowns> update = evaluation.residual;
    if (!solve_again(J, update)) {
      outcome.status = code<double>(Status::singular_matrix);
      return outcome;
    }
    outcome.iterations += 1.0;
    const bool last = settings.tolerance == 0.0 && norm_inf(update) < quadratic_stop;
    double fraction = 1.0;
    Vec<double, Problem::unknowns> moved = x - update;
    auto at_moved = problem.evaluate(moved);
    while (!last && !(norm_inf(at_moved.residual) < size) && fraction > 1e-3) {
      fraction *= 0.5;
      moved = fnma(fraction, update, x);
      at_moved = problem.evaluate(moved);
    }
    x = moved;
    evaluation = at_moved;
    size = norm_inf(evaluation.residual);
    if (!finite(size)) return outcome;
    if (last) {
      outcome.status = 0.0;
      return outcome;
    }
  }
  if (settings.tolerance > 0.0 && size <= settings.tolerance) outcome.status = 0.0;
  return outcome;
}

}  // namespace livens::inline LIVENS_ISA
