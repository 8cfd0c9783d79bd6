#pragma once
// The elimination of a matrix with known zeros as one thread of a GPU does it: row after row, four at a time.
// solve_unrolled() takes column after column, and so touches every entry below again and again: more than the
// 127 doubles that its registers hold are loaded and stored in every round. Here a row is loaded when its
// turn comes and is done with when the next one's does, and four rows share what they read of those above
// them.
//
// The same chains of fma, the same reciprocals: the same bits. Only the flag is taken as it comes, in another
// order: what is not a number raises it for good, where solve_unrolled() may forget it (warp_growth.hpp).
// Such a solution is none either way, so this is for steps that are then left to be taken again.

#include "kernels/math/static_sparse_lu.hpp"

namespace livens::inline LIVENS_ISA {

/// The thread of a GPU that has such a Scalar does what it does alone.
template <class Scalar>
concept InThread = std::is_same_v<Scalar, double> || std::is_same_v<Scalar, float>;

/// Unknowns and updates of an elimination by rows. Fewer unknowns have all their entries in registers; with
/// more, or a matrix that fills, the machine code of a kernel would take nvcc half a minute and longer.
inline constexpr int smallest_by_rows = 10, largest_by_rows = 42, most_updates_by_rows = 4500;
template <class Matrix>
inline constexpr bool goes_by_rows = false;
template <class Scalar, class Pattern>
requires(Pattern::size >= smallest_by_rows &&
         Pattern::size <= largest_by_rows) inline constexpr bool goes_by_rows<SparseMatrix<Scalar, Pattern>> =
    Operations<Pattern>::counts.updates <= most_updates_by_rows;

inline constexpr int rows_at_a_time = 4;

/// As solve_unpivoted(); the flag is also raised wherever a multiplier is not a number.
template <class Scalar, class Pattern>
LIVENS_HD Mask<Scalar> solve_by_rows(SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b) {
  constexpr int n = Pattern::size, blocks = (n + rows_at_a_time - 1) / rows_at_a_time;
  using Structure = Symbolic<Pattern>;
  Vec<Scalar, n> reciprocal;
  Mask<Scalar> raised(false);
  const auto subtract = [&](auto k, auto i) {
    const Scalar multiplier = A.template at<i.value, k.value>() * reciprocal[k];
    raised = raised | !(abs(multiplier) <= Scalar(growth_limit));
    unroll<n - 1 - k.value>([&](auto right) {
      constexpr int j = k.value + 1 + right.value;
      if constexpr (Structure::stored(k.value, j))
        A.template at<i.value, j>() =
            fnma(multiplier, A.template at<k.value, j>(), A.template at<i.value, j>());
    });
    b[i] = fnma(multiplier, b[k], b[i]);
  };
  unroll<blocks>([&](auto block) {
    constexpr int first = block.value * rows_at_a_time;
    constexpr int end = first + rows_at_a_time < n ? first + rows_at_a_time : n;
    unroll<end>([&](auto k) {
      if constexpr (k.value >= first) reciprocal[k] = Scalar(1.0) / A.template at<k.value, k.value>();
      unroll<end - first>([&](auto within) {
        constexpr int i = first + within.value;
        if constexpr (i > k.value && Structure::stored(i, k.value))
          subtract(k, std::integral_constant<int, i>{});
      });
    });
  });
  if constexpr (keeps_reciprocals<Pattern>)
    unroll<n>([&](auto k) { A.template at<k.value, k.value>() = reciprocal[k]; });
  unroll<n>([&](auto reversed) {
    constexpr int k = n - 1 - reversed.value;
    b[k] = b[k] * reciprocal[k];
    unroll<k>([&](auto i) {
      if constexpr (Structure::stored(i.value, k)) b[i] = fnma(A.template at<i.value, k>(), b[k], b[i]);
    });
  });
  return raised;
}

#if defined(__CUDA_ARCH__)
/// As solve_unpivoted() in lu.hpp, by a thread that eliminates alone.
template <InThread Scalar, class Pattern>
requires goes_by_rows<SparseMatrix<Scalar, Pattern>> LIVENS_HD Mask<Scalar> solve_unpivoted(
    SparseMatrix<Scalar, Pattern>& A, Vec<Scalar, Pattern::size>& b, const Mask<Scalar>& active) {
  return solve_by_rows(A, b) & active;
}
#endif

}  // namespace livens::inline LIVENS_ISA
