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

/// Makes x the root of n residuals, if one of these is on record; true if so. `root` and `solve` as Recording has them.
template <int n>
bool put_on_record(const Reverse* r, const double* root, int size, Recording::Solve* solve, Reverse* x) {
  for (int i = 0; i < n; ++i)
    if (r[i].on) {
      r[i].on->add_root(x, r, n, root, size, solve);
      return true;
    }
  return false;
}

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

/// That of the start (starting_directions.hpp), always with pivoting.
template <int n>
void solve_transposed(const double* J, double* w) {
  double A[n * n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i * n + j] = J[j * n + i];
  if (!solve_pivoted<n>(A, w))
    for (int i = 0; i < n; ++i) w[i] = __builtin_nan("");
}
template <int n>
bool move_root(const double* J, const Reverse* r, Reverse* x) {
  for (int i = 0; i < n; ++i) x[i] = Reverse(0.0);  // whoever asks has the values
  put_on_record<n>(r, J, n * n, solve_transposed<n>, x);
  return true;
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
  const bool moves = put_on_record<Entry::n>(&evaluation.residual[0], root, Entry::size,
                                             solve_transposed_on_tape<Problem>, &x[0]);
  if (after == After::evaluated && moves) evaluation = evaluate<pivoting>(problem, x);
  return {Scalar(root[Entry::status]), Scalar(root[Entry::iterations])};
}

}  // namespace livens::inline LIVENS_ISA
