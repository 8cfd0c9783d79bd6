#pragma once
// A root of Newton's method on record. With x the root as constants, the residual on record has the value 0 and the
// partials R_z z. + R_theta theta.; x is a block of nodes, x. = -J^-1 r., whose adjoints w pass on as -J^-T w
// (equations/tangents.md, section 7, (b)).

#include "kernels/newton/tape.hpp"
#include "kernels/tangents/reverse.hpp"

namespace livens::inline LIVENS_ISA {

template <>
struct ValueOf<Reverse> {
  using type = double;
};

/// w becomes J^-T w, with pivoting where the elimination without would lose digits.
template <class Problem>
void solve_transposed_on_tape(const double* root, double* w) {
  using Entry = RootOnTape<Problem>;
  using Matrix = typename Problem::Matrix::template Over<double>;
  constexpr int n = Entry::n;
  if (!(root[Entry::grown] > 0.0)) {
    Factors<Matrix>::substitute_transposed(root + Entry::factors, w);
    return;
  }
  Matrix J;
  double A[n * n];
  for (int e = 0; e < Entry::stored; ++e) J.value(e) = root[Entry::matrix + e];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i * n + j] = J.get(j, i);
  if (!solve_pivoted<n>(A, w))
    for (int i = 0; i < n; ++i) w[i] = __builtin_nan("");
}

/// The next root of the tape on record.
template <Pivoting pivoting, After after, class Scalar, class Problem>
requires(std::is_same_v<Scalar, Reverse>) LIVENS_HD Outcome<Scalar> replay_root(
    const Problem& problem, Vec<Scalar, Problem::unknowns>& x, typename Problem::Evaluation& evaluation) {
  using Entry = RootOnTape<Problem>;
  const double* const root = problem.system().tape->next(Entry::size);
  if (root == nullptr) {
    for (int i = 0; i < Entry::n; ++i) x[i] = Scalar(__builtin_nan(""));
    evaluation = evaluate<pivoting>(problem, x);
    return {Scalar(0.0), Scalar(0.0)};
  }
  for (int i = 0; i < Entry::n; ++i) x[i] = Scalar(root[Entry::x + i]);
  evaluation = evaluate<pivoting>(problem, x);
  Recording* on = nullptr;
  for (int i = 0; i < Entry::n; ++i)
    if (evaluation.residual[i].on) on = evaluation.residual[i].on;
  if (on) {
    on->add_root(&x[0], &evaluation.residual[0], Entry::n, root, Entry::size,
                 solve_transposed_on_tape<Problem>);
    if constexpr (after == After::evaluated) evaluation = evaluate<pivoting>(problem, x);
  }
  return {Scalar(root[Entry::status]), Scalar(root[Entry::iterations])};
}

}  // namespace livens::inline LIVENS_ISA
