// Newton's method where the unpivoted factorization must not be trusted: the flagged solve is redone with
// pivoting.

#define LIVENS_ISA math_plain
#include "kernels/newton/newton.hpp"

#include <gtest/gtest.h>

namespace livens {
namespace {

/// corner (x0 - 1) + x1^3 - 8 = 0, x0^3 - 1 + (x1 - 2) = 0 near (1, 2): with a small corner the first pivot
/// is useless.
struct Problem {
  static constexpr int unknowns = 2;
  using Matrix = DenseMatrix<double, 2>;
  double corner;

  struct Evaluation {
    Vec<double, 2> residual;
  };
  Evaluation evaluate(const Vec<double, 2>& x) const {
    return {{{corner * (x[0] - 1.0) + x[1] * x[1] * x[1] - 8.0, x[0] * x[0] * x[0] - 1.0 + (x[1] - 2.0)}}};
  }
  void jacobian(const Vec<double, 2>& x, const Evaluation&, Matrix& J) const {
    J.at(0, 0) = corner;
    J.at(0, 1) = 3.0 * x[1] * x[1];
    J.at(1, 0) = 3.0 * x[0] * x[0];
    J.at(1, 1) = 1.0;
  }
};

Outcome<double> solve(const Problem& problem, Vec<double, 2>& x, const Settings& settings, bool active) {
  return newton<Pivoting::where_needed>(problem, x, settings, active);
}

TEST(Newton, SolvesAgainWithPivotingWhereThePivotIsZeroOrTiny) {
  for (const double corner : {0.0, 1e-18, -1e-9, 1e-4}) {
    Vec<double, 2> x{{1.3, 1.8}};
    const auto outcome = solve(Problem{corner}, x, Settings{0.0, 25, 0, false}, true);
    EXPECT_EQ(outcome.status, 0.0) << corner;
    EXPECT_LE(outcome.iterations, 8.0);
    EXPECT_NEAR(x[0], 1.0, 1e-15) << corner;
    EXPECT_NEAR(x[1], 2.0, 1e-15) << corner;
  }
}

TEST(Newton, RefusesSuchAStepWherePivotingIsLeftToOthers) {
  for (const double corner : {0.0, 1e-18, -1e-9}) {
    Vec<double, 2> x{{1.3, 1.8}};
    const auto outcome = newton<Pivoting::refused>(Problem{corner}, x, Settings{0.0, 25, 0, false}, true);
    EXPECT_EQ(outcome.status, static_cast<double>(Status::singular_matrix)) << corner;
  }
}

TEST(Newton, ReportsASingularMatrix) {
  Vec<double, 2> x{{0.0, 0.0}};  // both columns have a zero row here
  const auto outcome = solve(Problem{0.0}, x, Settings{0.0, 25, 0, false}, true);
  EXPECT_EQ(outcome.status, static_cast<double>(Status::singular_matrix));
}

/// Three equations of which the last is x2 = 0 times the last unknown: its pivot, which no multiplier divides
/// by, is zero until the rows change places.
struct LastPivotZero {
  static constexpr int unknowns = 3;
  using Matrix = DenseMatrix<double, 3>;
  struct Evaluation {
    Vec<double, 3> residual;
  };
  Evaluation evaluate(const Vec<double, 3>& x) const { return {{{x[0] - 1.0, x[1] - x[0], 0.0 * x[2]}}}; }
  void jacobian(const Vec<double, 3>&, const Evaluation&, Matrix& J) const {
    for (int e = 0; e < Matrix::stored; ++e) J.value(e) = 0.0;
    J.at(0, 0) = J.at(1, 1) = 1.0;
    J.at(1, 0) = -1.0;
  }
};

// No multiplier divides by the last pivot, so that nothing has grown; what comes of it is not a number, and
// no solution.
TEST(Newton, ASolutionThatIsNotANumberIsNone) {
  for (const double tolerance : {0.0, 1e-10}) {
    Vec<double, 3> x{{1.5, 1.0, 1.0}};
    const auto fast = newton<Pivoting::refused>(LastPivotZero{}, x, Settings{tolerance, 25, 0, false}, true);
    EXPECT_NE(fast.status, 0.0);
    x = {{1.5, 1.0, 1.0}};
    const auto careful =
        newton<Pivoting::where_needed>(LastPivotZero{}, x, Settings{tolerance, 25, 0, false}, true);
    EXPECT_EQ(careful.status, static_cast<double>(Status::singular_matrix));
  }
}

/// Problem with a count of its matrices, and with exact energy or without.
template <bool exact>
struct Counted : Problem {
  static constexpr bool exact_energy = exact;
  int* matrices;
  void jacobian(const Vec<double, 2>& x, const Evaluation& at, Matrix& J) const {
    ++*matrices;
    Problem::jacobian(x, at, J);
  }
};

// The errors of the iterates are e, K e^2 and, with the factors of the matrix before, 2 K^2 e^3 K e^2: from
// 1e-4 with a curvature of one, 1e-8 and 1e-24. The update of the second matrix is above RoundOff::update:
// without its factors a third is needed for round-off.
template <bool exact>
void expect_matrices(int expected) {
  int matrices = 0;
  Vec<double, 2> x{{1.0 + 1e-4, 2.0 - 1e-4}};
  const auto outcome =
      newton<Pivoting::refused>(Counted<exact>{{0.5}, &matrices}, x, Settings{0.0, 25, 0, false}, true);
  EXPECT_EQ(outcome.status, 0.0);
  EXPECT_EQ(matrices, expected);
  EXPECT_EQ(outcome.iterations, expected);
  EXPECT_NEAR(x[0], 1.0, 0x1p-52);
  EXPECT_NEAR(x[1], 2.0, 0x1p-51);
}
TEST(Newton, TheFactorsOfTheLastMatrixDoForTheLastUpdate) {
  expect_matrices<true>(2);
  expect_matrices<false>(3);
}

// Further off the factors are those of another place, and are not taken: the root is that of round-off.
TEST(Newton, FactorsFromAfarDoNot) {
  for (const double off : {3e-1, 1e-1, 1e-2, 1e-3}) {
    int matrices = 0;
    Vec<double, 2> x{{1.0 + off, 2.0 - off}};
    const auto outcome =
        newton<Pivoting::refused>(Counted<true>{{0.5}, &matrices}, x, Settings{0.0, 25, 0, false}, true);
    EXPECT_EQ(outcome.status, 0.0) << off;
    EXPECT_NEAR(x[0], 1.0, 0x1p-52) << off;
    EXPECT_NEAR(x[1], 2.0, 0x1p-51) << off;
  }
}

TEST(Newton, StopsWhereItIsTold) {
  Vec<double, 2> x{{1.3, 1.8}};
  const auto outcome = solve(Problem{0.1}, x, Settings{1e-3, 25, 0, false}, true);
  EXPECT_EQ(outcome.status, 0.0);
  EXPECT_LE(norm_inf(Problem{0.1}.evaluate(x).residual), 1e-3);
  Vec<double, 2> y{{1.3, 1.8}};
  const auto precise = solve(Problem{0.1}, y, Settings{1e-12, 25, 0, false}, true);
  EXPECT_GT(precise.iterations, outcome.iterations);
  Vec<double, 2> z{{1.3, 1.8}};
  const auto cut = solve(Problem{0.1}, z, Settings{1e-12, 2, 0, false}, true);
  EXPECT_EQ(cut.status, static_cast<double>(Status::newton_diverged));
  EXPECT_EQ(cut.iterations, 2.0);
}

TEST(Newton, LeavesInactiveInstancesAlone) {
  Vec<double, 2> x{{1.3, 1.8}};
  const auto outcome = solve(Problem{0.1}, x, Settings{}, false);
  EXPECT_EQ(x[0], 1.3);
  EXPECT_EQ(outcome.iterations, 0.0);
}

TEST(Newton, SaysWhatIsNotFinite) {
  Vec<double, 2> x{{std::nan(""), 1.8}};
  EXPECT_EQ(solve(Problem{0.1}, x, Settings{}, true).status, static_cast<double>(Status::not_finite));
}

}  // namespace
}  // namespace livens
