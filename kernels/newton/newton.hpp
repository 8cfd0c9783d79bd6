#pragma once
// Newton's method for one instance or for W at once, each stopping on its own.
//
// A Problem over a Scalar has
//   static constexpr int unknowns;  using Matrix = DenseMatrix<...> or SparseMatrix<...>;
//   Evaluation evaluate(x)               with a member `residual`, scaled as equations/holonomic.md section 8
//   asks void jacobian(x, evaluation, Matrix&)
//   Scalar size_of(update)               where it is not the infinity norm that is compared with RoundOff
//   static constexpr bool exact_energy   where it is one of a scheme that promises that (keeps_factors)
//   Mask<Scalar> is_led()                where it starts from what steps before lead to, and an iteration is due
//   static constexpr bool apart          where its size does not tell whether it is evaluated_apart()
// A lane that has converged is frozen by mask, so its result does not depend on its neighbours.

#include <new>

#include "kernels/description/interface.hpp"
#include "kernels/math/gpu/rows_lu.hpp"
#include "kernels/math/ordered_matrix.hpp"
#include "kernels/math/shared_storage.hpp"

namespace livens::inline LIVENS_ISA {

/// The end of an iteration to round-off.
template <class Number>
struct RoundOff {
  /// A tolerance not above this means round-off.
  static constexpr double tolerance = 0.0;
  /// An update below this ends the iteration: the next error is a multiple of its square. With 1e-8 that
  /// leaves a drift of 5e-18 of the energy a step (equations/reduced.md, section 3).
  static constexpr double update = 1e-9;
  /// After an update u below `chord` the factors of the last matrix may do for one more update, c. It leaves
  /// 2 K u c, where the curvature K is c/u^2: 2 c^2/u. That ends the iteration if it is below `update`^2 and
  /// below the rounding, half of eps, of the first update of all. The scaled unknowns of a step h have errors
  /// of h times those of velocities, but the first update of a step without foresight is of the size h^2.
  static constexpr double chord = 1e-4, rounding = 0x1p-53;
  /// Below `stagnation` an update that is not at most half of the one before is round-off, if the residual
  /// is, too: near a singular position the condition of the matrix keeps updates from becoming smaller.
  /// An update u leaves half the curvature K of the equations times u^2: below 1e-5 more than half of u is
  /// left by convergence only where K, in the scaled unknowns, is above 1e5. The bound of the residual has
  /// room for the rounding of a sum of some hundred terms of order one, 450 eps, and is a thousandth of the
  /// standard tolerance, so that none that this would refuse is taken for round-off.
  static constexpr double stagnation = 1e-5, residual = 1e-13;
  /// Updates that neither become small nor stagnate within max_iterations are the rounding of a residual that
  /// a nearly singular matrix magnifies. An iteration whose residual is what the standard tolerance asks for
  /// has not diverged: nothing is lost with tolerance 0 that the standard one keeps.
  static constexpr double settled = Settings{}.tolerance;
};
/// The same in single precision, eps 1.2e-7 in place of 2.2e-16: the square of `update` is 1/300 of eps,
/// where it is 1/220 above, and a rounded residual 420 eps. Since none comes below that for sure, it is the
/// lowest tolerance that can be asked for. `stagnation` takes K to be at most 100.
template <>
struct RoundOff<float> {
  static constexpr double tolerance = 5e-5, update = 2e-5, chord = 1e-2, rounding = 0x1p-24,
                          stagnation = 1e-2, residual = 5e-5, settled = 0.0;
};

/// In mixed precision an update below this is the rounding of the residual; what it leaves is smaller by the
/// contraction, in most systems far below RoundOff::update^2.
inline constexpr double mixed_rounding = 0x1p-52;

/// The end of a step or a solve, lane by lane.
template <class Scalar>
struct Outcome {
  Scalar status;      ///< Status as a number
  Scalar iterations;  ///< matrices, each with its update
  LIVENS_HD Mask<Scalar> good() const { return status == Scalar(0.0); }
};

template <class Scalar>
LIVENS_HD Scalar code(Status status) {
  return Scalar(static_cast<double>(status));
}

/// The fate of an update whose unpivoted factorization grew: the step is refused (status
/// singular_matrix), to be redone by whoever can, or the system is solved again with pivoting, one instance
/// at a time. Refused as well, with the elimination in single precision: mixed; mixed_if_set, where the
/// settings say so, in a branch that is the same for all instances.
enum class Pivoting { refused, mixed, mixed_if_set, where_needed };

/// A matrix whose elimination leaves its factors with the thread that has set it up, on every machine.
template <class Matrix>
inline constexpr bool leaves_factors = false;
template <class Scalar, int N>
requires(N < smallest_by_rows) inline constexpr bool leaves_factors<DenseMatrix<Scalar, N>> = true;
template <class Scalar, class Pattern>
inline constexpr bool leaves_factors<SparseMatrix<Scalar, Pattern>> = keeps_reciprocals<Pattern>;
template <class Scalar, class Unordered>
inline constexpr bool leaves_factors<OrderedMatrix<Scalar, Unordered>> =
    leaves_factors<typename OrderedMatrix<Scalar, Unordered>::Ordered>;

/// A problem whose last update may be one by the factors of the matrix before: it pays where round-off is the
/// standard tolerance.
template <class Problem>
inline constexpr bool keeps_factors = false;
template <class Problem>
requires(Problem::exact_energy) inline constexpr bool keeps_factors<Problem> =
    leaves_factors<typename Problem::Matrix>;

/// The evaluation at the x that an iteration ends with: whether somebody has a use for it.
enum class After : bool { dropped, evaluated };

/// Solves J update = residual with pivoting; false where J is singular.
template <class Matrix, class Number, int N>
LIVENS_HD_COLD bool solve_again(const Matrix& J, Vec<Number, N>& update) {
  double A[N * N], x[N];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) A[i * N + j] = widen(J.get(i, j));
    x[i] = widen(update[i]);
  }
  if (!solve_pivoted<N>(A, x)) return false;
  for (int i = 0; i < N; ++i) update[i] = static_cast<Number>(x[i]);
  return true;
}

/// solve_unpivoted in single precision. Also true where an entry of J, of its factors or of the solution is
/// beyond single precision: infinity and NaN times zero are NaN, and no step of the elimination makes a
/// stored entry finite again.
template <class Matrix, class Scalar, int N>
LIVENS_HD Mask<Scalar> solve_narrowed(const Matrix& J, Vec<Scalar, N>& update) {
  using Float = Narrow<Scalar>;
  typename Matrix::template Over<Float> A;
  for (int e = 0; e < Matrix::stored; ++e) A.value(e) = narrow(J.value(e));
  Vec<Float, N> x;
  for (int i = 0; i < N; ++i) x[i] = narrow(update[i]);
  const Mask<Scalar> grown = solve_unpivoted(A, x);
  Float poison = Float(0.0);
  for (int e = 0; e < Matrix::stored; ++e) poison = fma(Float(0.0), A.value(e), poison);
  for (int i = 0; i < N; ++i) {
    poison = fma(Float(0.0), x[i], poison);
    update[i] = widen(x[i]);
  }
  return grown | !(poison == Float(0.0));
}

/// Large problems and their Jacobians are evaluated by functions of their own: inlined everywhere they would
/// take minutes to compile. What such a function returns goes through memory, which a thread of a GPU that
/// eliminates by rows is short of.
template <Pivoting pivoting, class Scalar, class Problem>
constexpr bool evaluated_apart() {
#if defined(__CUDA_ARCH__)
  if (pivoting != Pivoting::where_needed && InThread<Scalar> && goes_by_rows<typename Problem::Matrix>)
    return false;
#endif
  if constexpr (requires { Problem::apart; })
    return Problem::apart;
  else
    return Problem::unknowns > largest_unrolled;
}
template <class Problem, class Unknowns>
LIVENS_HD_COLD typename Problem::Evaluation evaluate_apart(const Problem& problem, const Unknowns& x) {
  return problem.evaluate(x);
}
template <class Problem, class Unknowns>
LIVENS_HD_COLD void jacobian_apart(const Problem& problem, const Unknowns& x,
                                   const typename Problem::Evaluation& at, typename Problem::Matrix& J) {
  problem.jacobian(x, at, J);
}
template <Pivoting pivoting, class Problem, class Scalar, int N>
LIVENS_HD typename Problem::Evaluation evaluate(const Problem& problem, const Vec<Scalar, N>& x) {
  if constexpr (evaluated_apart<pivoting, Scalar, Problem>())
    return evaluate_apart(problem, x);
  else
    return problem.evaluate(x);
}
template <Pivoting pivoting, class Problem, class Scalar, int N>
LIVENS_HD void jacobian(const Problem& problem, const Vec<Scalar, N>& x,
                        const typename Problem::Evaluation& at, typename Problem::Matrix& J) {
  if constexpr (evaluated_apart<pivoting, Scalar, Problem>())
    jacobian_apart(problem, x, at, J);
  else
    problem.jacobian(x, at, J);
}

/// What RoundOff compares of an update.
template <class Problem, class Scalar, int N>
LIVENS_HD Scalar size_of(const Problem& problem, const Vec<Scalar, N>& update) {
  if constexpr (requires { problem.size_of(update); })
    return problem.size_of(update);
  else
    return norm_inf(update);
}

// Inlined it costs the loop around it 5 % on a processor; on a GPU a call would take J out of the registers.
#if defined(__CUDACC__)
#define LIVENS_APART_ON_CPU LIVENS_HD
#else
#define LIVENS_APART_ON_CPU LIVENS_HD_COLD
#endif
/// Where in `close` the factors that J has end the iteration (RoundOff::chord): x is moved there.
template <class Problem, class Scalar, int N>
LIVENS_APART_ON_CPU Mask<Scalar> settled_by_factors(const Problem& problem, const typename Problem::Matrix& J,
                                                    const Vec<Scalar, N>& residual, const Scalar& last_update,
                                                    const Scalar& negligible, const Mask<Scalar>& close,
                                                    Vec<Scalar, N>& x) {
  Vec<Scalar, N> correction = residual;
  solve_factored(J, correction);
  const Scalar change = size_of(problem, correction);
  const Mask<Scalar> settles = close & (Scalar(2.0) * (change * change) <= negligible * last_update);
  x = select<Scalar>(settles, x - correction, x);
  return settles;
}
#undef LIVENS_APART_ON_CPU

/// Solves residual(x) = 0 from x, for the lanes in `active`.
/// tolerance > 0: until the infinity norm of the scaled residual is at most the tolerance;
/// to round-off: until an update is so small that the next error is below RoundOff::update^2, or stagnates
/// below RoundOff::stagnation; it is still applied (equations/reduced.md, section 3).
/// `evaluation` becomes that at the x it ends with, if `after` says so.
///
/// Between two matrices, where keeps_factors, the factors of the last one are tried on the residual that is
/// evaluated anyway, and end the iteration where RoundOff::chord says that the next error is negligible
/// (docs/decisions/0030-default-tolerance.md).
///
/// `mixed`: a matrix factorized in single precision contracts errors by some factor, the condition
/// times 6e-8, in every iteration, beside squaring them. What an update leaves is at most its size times its
/// ratio to the one before, so that this product takes the place of the square; of the first update no ratio
/// is known, only that it is below one. An update of the size of eps ends the iteration as well, since then
/// the ratio is one of roundings. A step with pivoting is in double precision throughout.
template <Pivoting pivoting, After after, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> iterate(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                  const Settings& settings, Mask<Scalar> active, bool mixed,
                                  typename Problem::Evaluation& evaluation) {
  using End = RoundOff<One<Scalar>>;
  const Scalar tolerance = Scalar(settings.tolerance);
  const bool to_round_off = settings.tolerance <= End::tolerance;
  Outcome<Scalar> outcome{Scalar(0.0), Scalar(0.0)};
  Scalar last_update = Scalar(largest_number<Scalar>);
  bool finished = false;  // to round-off, in every lane: what is missing is the evaluation at x
  [[maybe_unused]] typename Problem::Matrix kept_matrix;
  Mask<Scalar> factored(false);  // kept_matrix has the factors of the last update
  Scalar negligible = Scalar(End::update * End::update);
  for (int iteration = 0;; ++iteration) {
    constexpr bool kept = pivoting != Pivoting::where_needed && register_pressure<Problem, Scalar>;
    reload_shared<kept>();
    // In its place: g++ 12 makes an assignment a copy of some KB through memory, every iteration.
    new (&evaluation) typename Problem::Evaluation(evaluate<pivoting>(problem, x));
    if (finished) break;
    reload_shared<kept>();
    const Scalar size = norm_inf(evaluation.residual);
    const Mask<Scalar> lost = active & !finite(size);
    if (any(lost)) {
      const Status reason = iteration == 0 ? Status::not_finite : Status::newton_diverged;
      outcome.status = select(lost, code<Scalar>(reason), outcome.status);
      active = active & !lost;
    }
    if constexpr (keeps_factors<Problem>) {
      // Not at the end, where the evaluation at an x that moves would depend on whether a neighbour goes on.
      if (to_round_off && iteration > 0 && iteration < settings.max_iterations) {
        const Mask<Scalar> close = active & factored & (last_update < Scalar(End::chord));
        if (any(close)) {
          active = active & !settled_by_factors(problem, kept_matrix, evaluation.residual, last_update,
                                                negligible, close, x);
          finished = !any(active);
          if (finished) {
            if constexpr (after == After::evaluated) continue;
            break;
          }
        }
      }
    }
    if (!to_round_off) {
      Mask<Scalar> due = size > tolerance;
      // Steps that took what steps before lead to for their solutions would lead to each other, farther and farther away.
      if constexpr (requires { problem.is_led(); })
        if (iteration == 0) due = due | problem.is_led();
      active = active & due;
    }
    if (!any(active)) break;
    if (iteration == settings.max_iterations) {
      Mask<Scalar> diverged = active;
      if (to_round_off) diverged = diverged & !(size <= Scalar(End::settled));
      outcome.status = select(diverged, code<Scalar>(Status::newton_diverged), outcome.status);
      break;
    }
    // Outside the loop a matrix that nobody keeps would take its place in memory all the same (a fifth of the
    // time of del_nullspace on four_particle).
    [[maybe_unused]] typename Problem::Matrix own_matrix;
    typename Problem::Matrix& J = keeps_factors<Problem> ? kept_matrix : own_matrix;
    jacobian<pivoting>(problem, x, evaluation, J);
    reload_shared<kept>();
    Vec<Scalar, Problem::unknowns> update = evaluation.residual;
    Mask<Scalar> singular(false);
    if (!mixed) {
      // A step that is refused is taken again: only then has the flag to be that of one thread in any case.
      if constexpr (pivoting == Pivoting::where_needed)
        singular = solve_unpivoted(J, update);
      else
        singular = solve_unpivoted(J, update, active);
    } else if constexpr (!std::is_same_v<Narrow<Scalar>, Scalar>) {
      singular = solve_narrowed(J, update);
    }
    // A pivot that is zero need not raise the flag: the growth forgets what is not a number. A step that
    // would be refused anyway is refused for the next residual.
    if constexpr (pivoting == Pivoting::where_needed) singular = singular | !finite(norm_inf(update));
    singular = singular & active;
    if constexpr (keeps_factors<Problem>) factored = mixed ? Mask<Scalar>(false) : active & !singular;
    if constexpr (pivoting == Pivoting::where_needed) {
      if (singular) {
        jacobian<pivoting>(problem, x, evaluation, J);
        update = evaluation.residual;
        singular = !solve_again(J, update);
      }
    }
    outcome.status = select(singular, code<Scalar>(Status::singular_matrix), outcome.status);
    active = active & !singular;
    x = select<Scalar>(active, x - update, x);
    outcome.iterations = outcome.iterations + select(active, Scalar(1.0), Scalar(0.0));
    if (to_round_off) {
      const Scalar change = size_of(problem, update);
      const Mask<Scalar> stagnates = (change < Scalar(End::stagnation)) &
                                     (change > Scalar(0.5) * last_update) & (size < Scalar(End::residual));
      Mask<Scalar> large = !(change < Scalar(End::update));
      if (mixed) {
        const Scalar before = iteration == 0 ? change : last_update;
        large = (change > Scalar(mixed_rounding)) &
                (change * change > Scalar(End::update * End::update) * before);
      }
      active = active & large & !stagnates;
      finished = !any(active);
      if (after == After::dropped && finished) break;
      if (iteration == 0) negligible = min(negligible, Scalar(End::rounding) * change);
      last_update = change;
    }
  }
  return outcome;
}

/// Whether the matrix is factorized in single precision.
template <Pivoting pivoting>
LIVENS_HD bool in_mixed(const Settings& settings) {
  return pivoting == Pivoting::mixed ||
         (pivoting == Pivoting::mixed_if_set && settings.precision == Precision::mixed);
}

/// A problem of a system that keeps its roots for the steps of tangents; the two functions are in tape.hpp.
template <class Problem>
concept OnTape = requires(const Problem& problem) {
  problem.system().tape;
};
template <Pivoting pivoting, class Scalar, class Problem>
LIVENS_HD_COLD void record_root(const Problem& problem, const Vec<Scalar, Problem::unknowns>& x,
                                const Outcome<Scalar>& outcome);
template <Pivoting pivoting, After after, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> replay_root(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                      typename Problem::Evaluation& evaluation);

/// iterate(), in the precision that `pivoting` says.
template <Pivoting pivoting, After after, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> newton_until(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                       const Settings& settings, Mask<Scalar> active,
                                       typename Problem::Evaluation& evaluation) {
  if constexpr (OnTape<Problem> && has_partials<Scalar>) {
    return replay_root<pivoting, after>(problem, x, evaluation);
  } else {
    const Outcome<Scalar> outcome =
        iterate<pivoting, after>(problem, x, settings, active, in_mixed<pivoting>(settings), evaluation);
    if constexpr (OnTape<Problem>) record_root<pivoting>(problem, x, outcome);
    return outcome;
  }
}
template <Pivoting pivoting, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> newton(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                 const Settings& settings, Mask<Scalar> active,
                                 typename Problem::Evaluation& evaluation) {
  return newton_until<pivoting, After::evaluated>(problem, x, settings, active, evaluation);
}
/// The same where only x is wanted.
template <Pivoting pivoting, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> newton(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                 const Settings& settings, Mask<Scalar> active) {
  typename Problem::Evaluation evaluation;
  return newton_until<pivoting, After::dropped>(problem, x, settings, active, evaluation);
}

/// The same for one instance, with pivoting always and every update halved until it makes the residual
/// smaller, ten times at most: a thousandth that does not is a direction that leads nowhere or a residual of
/// roundings, and the next matrix may know better. Slower, but it stays near where it starts. `before` is
/// what an earlier attempt came to; its iterations are counted on.
template <class Number, class Problem>
LIVENS_HD_COLD Outcome<Number> iterate_damped(const Problem& problem, Vec<Number, Problem::unknowns>& x,
                                              const Settings& settings, const Outcome<Number>& before) {
  using End = RoundOff<Number>;
  const Number tolerance = Number(settings.tolerance);
  const bool to_round_off = settings.tolerance <= End::tolerance;
  Outcome<Number> outcome{code<Number>(Status::newton_diverged), before.iterations};
  auto evaluation = evaluate<Pivoting::where_needed>(problem, x);
  Number size = norm_inf(evaluation.residual);
  for (int iteration = 0; iteration < settings.max_iterations; ++iteration) {
    if (!to_round_off && size <= tolerance) break;
    typename Problem::Matrix J;
    jacobian<Pivoting::where_needed>(problem, x, evaluation, J);
    Vec<Number, Problem::unknowns> update = evaluation.residual;
    if (!solve_again(J, update)) {
      outcome.status = code<Number>(Status::singular_matrix);
      return outcome;
    }
    outcome.iterations += Number(1.0);
    const Number change = size_of(problem, update);
    const bool last = to_round_off && change < Number(End::update);
    Number fraction = Number(1.0);
    Vec<Number, Problem::unknowns> moved = x - update;
    auto at_moved = evaluate<Pivoting::where_needed>(problem, moved);
    while (!last && !(norm_inf(at_moved.residual) < size) && fraction > Number(1e-3)) {
      fraction *= Number(0.5);
      moved = fnma(fraction, update, x);
      at_moved = evaluate<Pivoting::where_needed>(problem, moved);
    }
    x = moved;
    evaluation = at_moved;
    size = norm_inf(evaluation.residual);
    if (!finite(size)) return outcome;
    if (last) {
      outcome.status = Number(0.0);
      return outcome;
    }
  }
  if (size <= (to_round_off ? Number(End::settled) : tolerance)) outcome.status = Number(0.0);
  return outcome;
}
template <class Number, class Problem>
LIVENS_HD Outcome<Number> newton_damped(const Problem& problem, Vec<Number, Problem::unknowns>& x,
                                        const Settings& settings, const Outcome<Number>& before) {
  if constexpr (OnTape<Problem> && has_partials<Number>) {
    typename Problem::Evaluation evaluation;
    return replay_root<Pivoting::where_needed, After::dropped>(problem, x, evaluation);
  } else {
    const Outcome<Number> outcome = iterate_damped(problem, x, settings, before);
    if constexpr (OnTape<Problem>) record_root<Pivoting::where_needed>(problem, x, outcome);
    return outcome;
  }
}

}  // namespace livens::inline LIVENS_ISA
