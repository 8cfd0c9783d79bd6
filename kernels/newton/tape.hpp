#pragma once
// The roots of a step on tape: what Newton's method has found on values is found again, without an iteration,
// on dual numbers. equations/tangents.md, section 1: with x the root, r(x) on dual numbers has the value 0 and
// the partials R_z z. + R_theta theta., and
//   (a)  x. = -J^-1 r.
// J is a matrix of values, factored once for all directions. A step of the same scheme on dual numbers asks for
// the same roots in the same order, since what it decides it decides by values.

#include "kernels/math/factors.hpp"
#include "kernels/newton/newton.hpp"

namespace livens::inline LIVENS_ISA {

/// The values of a number that carries derivatives.
template <class Scalar>
struct ValueOf {
  using type = Scalar;
};
template <int N, class Value>
struct ValueOf<Dual<N, Value>> {
  using type = Value;
};

/// What a step decides it decides by values.
template <int N, class Value>
LIVENS_HD Dual<N, Value> rint(const Dual<N, Value>& a) {
  return Dual<N, Value>(rint(a.value));
}

/// Room for the roots of a step, one after another.
template <class Scalar>
class Tape {
 public:
  LIVENS_HD Tape(Scalar* room, int size) : room_(room), size_(size), at_(0) {}
  LIVENS_HD void rewind() { at_ = 0; }
  /// The next `size` numbers, or null where there is no room for them.
  LIVENS_HD Scalar* next(int size) {
    if (at_ + size > size_) return nullptr;
    at_ += size;
    return room_ + (at_ - size);
  }

 private:
  Scalar* room_;
  int size_, at_;
};

/// What directions see of a step: its length as the whole one has it, of which it is a fixed part; the state and the
/// parameters alone; or the length alone, by its logarithm.
enum class Moving { everything, but_length, length_alone };

/// A system whose steps leave their roots on a tape, where there is one, or, over dual numbers, find them there.
template <class System>
struct Taped : System {
  using Scalar = typename System::Scalar;
  using Untaped = System;
  template <class Other>
  using Over = Taped<typename System::template Over<Other>>;
  using Parameters = Vec<Scalar, System::parameter_count>;

  Tape<typename ValueOf<Scalar>::type>* tape;
  Moving moving = Moving::everything;

  LIVENS_HD explicit Taped(const Parameters& given) : System(given), tape(nullptr) {}
  LIVENS_HD Taped(const Parameters& given, Tape<typename ValueOf<Scalar>::type>* on)
      : System(given), tape(on) {}
};

/// What is on tape of a root: status and iterations, whether the elimination without pivots may be used, x, J,
/// and the factors of J.
template <class Problem>
struct RootOnTape {
  static constexpr int n = Problem::unknowns, stored = Problem::Matrix::stored;
  static constexpr int status = 0, iterations = 1, grown = 2, x = 3, matrix = x + n,
                       factors = matrix + stored, size = factors + stored;
};

template <Pivoting pivoting, class Scalar, class Problem>
LIVENS_HD_COLD void record_root(const Problem& problem, const Vec<Scalar, Problem::unknowns>& x,
                                const Outcome<Scalar>& outcome) {
  using Entry = RootOnTape<Problem>;
  using Matrix = typename Problem::Matrix;
  auto* const tape = problem.system().tape;
  Scalar* const to = tape ? tape->next(Entry::size) : nullptr;
  if (to == nullptr) return;
  const auto at_x = evaluate<pivoting>(problem, x);
  Matrix J;
  jacobian<pivoting>(problem, x, at_x, J);
  to[Entry::status] = outcome.status;
  to[Entry::iterations] = outcome.iterations;
  for (int i = 0; i < Entry::n; ++i) to[Entry::x + i] = x[i];
  for (int e = 0; e < Entry::stored; ++e) to[Entry::matrix + e] = to[Entry::factors + e] = J.value(e);
  const Mask<Scalar> grown = Factors<Matrix>::factorize(to + Entry::factors);
  to[Entry::grown] = select(grown, Scalar(1.0), Scalar(0.0));
}

/// The solution with pivoting, for the lanes whose elimination without would lose digits.
template <class Problem, int K, class Value, int N>
LIVENS_HD_COLD void solve_again_on_tape(const Value* root, const Vec<Dual<K, Value>, N>& right,
                                        Vec<Dual<K, Value>, N>& solution) {
  using Entry = RootOnTape<Problem>;
  typename Problem::Matrix::template Over<Value> J;
  for (int e = 0; e < Entry::stored; ++e) J.value(e) = root[Entry::matrix + e];
  const Mask<Value> grown = root[Entry::grown] > Value(0.0);
  for (int l = 0; l < lanes_of<Value>; ++l) {
    if (!lane_mask(grown, l)) continue;
    for (int k = 0; k < K; ++k) {
      double A[N * N], b[N];
      for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) A[i * N + j] = lane(J.get(i, j), l);
        b[i] = lane(right[i].partial[k], l);
      }
      const bool solved = solve_pivoted<N>(A, b);
      for (int i = 0; i < N; ++i) set_lane(solution[i].partial[k], l, solved ? b[i] : __builtin_nan(""));
    }
  }
}

/// The next root of the tape, with the partials (a). Without room for it, which whoever sizes the tape has to
/// know, they are not numbers.
template <Pivoting pivoting, After after, class Scalar, class Problem>
LIVENS_HD Outcome<Scalar> replay_root(const Problem& problem, Vec<Scalar, Problem::unknowns>& x,
                                      typename Problem::Evaluation& evaluation) {
  using Value = typename ValueOf<Scalar>::type;
  using Entry = RootOnTape<Problem>;
  using Matrix = typename Problem::Matrix::template Over<Value>;
  constexpr int K = sizeof(Scalar) / sizeof(Value) - 1;
  const Value* const root = problem.system().tape->next(Entry::size);
  if (root == nullptr) {
    for (int i = 0; i < Entry::n; ++i)
      for (int k = 0; k < K; ++k) x[i].partial[k] = Value(__builtin_nan(""));
    evaluation = evaluate<pivoting>(problem, x);
    return {Scalar(0.0), Scalar(0.0)};
  }
  for (int i = 0; i < Entry::n; ++i) x[i] = Scalar(root[Entry::x + i]);
  evaluation = evaluate<pivoting>(problem, x);
  auto solution = evaluation.residual;
  Factors<Matrix>::substitute(root + Entry::factors, solution);
  if (any(root[Entry::grown] > Value(0.0))) solve_again_on_tape<Problem>(root, evaluation.residual, solution);
  for (int i = 0; i < Entry::n; ++i)
    for (int k = 0; k < K; ++k) x[i].partial[k] = -solution[i].partial[k];
  if constexpr (after == After::evaluated) evaluation = evaluate<pivoting>(problem, x);
  return {Scalar(root[Entry::status]), Scalar(root[Entry::iterations])};
}

}  // namespace livens::inline LIVENS_ISA
