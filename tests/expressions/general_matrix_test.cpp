// The Newton matrices of the forms for any mechanism (kernels/forms/general/general_matrix.hpp): made of a few
// derivatives in coloured directions, entry by entry those of the residual along one unknown at a time, and nothing
// beside what the pattern allows. The same operations on the same numbers: to the bit. And their eliminations solve.

#define LIVENS_ISA general_matrix
#include <gtest/gtest.h>

#include <random>

#include "kernels/forms/general/general_contact_1.hpp"
#include "kernels/forms/general/general_del_multiplier.hpp"
#include "kernels/forms/general/general_ggl_mp.hpp"
#include "kernels/forms/general/general_ggl_vi.hpp"
#include "kernels/forms/general/general_livens.hpp"
#include "kernels/forms/general/general_vi_a.hpp"
#include "kernels/forms/general/general_vi_b.hpp"
#include "kernels/math/factors.hpp"
#include "text_mass_spring.hpp"
#include "text_planar_four_bar.hpp"
#include "text_snakeboard.hpp"
#include "text_sparse_mechanism.hpp"

namespace livens::inline LIVENS_ISA {
namespace {

using D = Dual<1>;
using Random = std::mt19937_64;

template <int N>
Vec<double, N> drawn(Random& random) {
  std::uniform_real_distribution<double> of_size(-0.8, 0.8);
  Vec<double, N> r;
  for (int i = 0; i < N; ++i) r[i] = of_size(random);
  return r;
}
template <int N>
Vec<D, N> constants_of(const Vec<double, N>& a) {
  return constants<D>(a);
}

int solved = 0;

/// By solve_unpivoted() and by the factors that tangents take; a matrix that both refuse is for pivots.
template <class Matrix>
void expect_solutions(const Matrix& J, Random& random) {
  constexpr int n = Matrix::size;
  const Vec<double, n> b = drawn<n>(random);
  Matrix eliminated = J, factored = J;
  Vec<double, n> x = b;
  const bool refused = solve_unpivoted(eliminated, x);
  Vec<D, n> y = constants_of(b);
  for (int i = 0; i < n; ++i) y[i].partial[0] = b[i];
  EXPECT_EQ(Factors<Matrix>::factorize(&factored.value(0)), refused);
  if (refused) return;
  ++solved;
  Factors<Matrix>::substitute(&factored.value(0), y);
  double largest = 0.0, longest = 0.0;
  for (int i = 0; i < n; ++i) {
    longest = max(longest, abs(x[i]));
    for (int j = 0; j < n; ++j) largest = max(largest, abs(J.get(i, j)));
  }
  // No multiplier is above growth_limit, and most are small: n roundings of products that large.
  const double rounding = n * 0x1p-53 * growth_limit * largest * longest;
  for (int i = 0; i < n; ++i) {
    double by_x = 0.0, by_y = 0.0;
    for (int j = 0; j < n; ++j) {
      by_x += J.get(i, j) * x[j];
      by_y += J.get(i, j) * y[j].partial[0];
    }
    EXPECT_NEAR(by_x, b[i], rounding);
    EXPECT_NEAR(by_y, b[i], rounding);
  }
}

/// The matrix against dual numbers for all that is in the equations, given or not. How much of it is stored before
/// fill-in.
template <class Scheme>
double expect_derivative() {
  using Problem = typename Scheme::Problem;
  using System = typename Scheme::System;
  using Rule = typename Scheme::Rule;
  using LiftedScheme = typename Scheme::template Over<D>;
  using Lifted = typename LiftedScheme::System;
  using LiftedRule = typename LiftedScheme::Rule;
  constexpr int d = System::coordinates, m = System::constraints, n = Problem::unknowns;
  Random random(1);
  Vec<double, System::parameter_count> parameters;
  int p = 0;
  for (const ParameterInfo& parameter : System::info().parameters)
    for (int i = 0; i < parameter.size(); ++i) parameters[p++] = parameter.defaults[i];
  const System system(parameters);
  const Lifted lifted(constants_of(parameters));
  const Settings settings = standard_settings(Scheme::info());
  const Rule rule(settings);
  const LiftedRule lifted_rule(settings);
  const GeneralNode<System> node{drawn<d>(random), drawn<d>(random), drawn<d>(random), drawn<2 * m>(random),
                                 0.3};
  const GeneralNode<Lifted> lifted_node{constants_of(node.q), constants_of(node.p), constants_of(node.v),
                                        constants_of(node.multipliers), D(node.time)};
  const Vec<double, n> x = drawn<n>(random);
  const Problem problem(system, rule, node, 0.1);
  const GeneralProblem<Lifted, LiftedRule> dual(lifted, lifted_rule, lifted_node, D(0.1));
  typename Problem::Matrix J;
  problem.jacobian(x, problem.evaluate(x), J);
  int not_zero = 0;
  for (int j = 0; j < n; ++j) {
    Vec<D, n> moved = constants_of(x);
    moved[j].partial[0] = 1.0;
    const auto residual = dual.evaluate(moved).residual;
    for (int i = 0; i < n; ++i) {
      const double slope = residual[i].partial[0];
      not_zero += slope != 0.0;
      EXPECT_EQ(J.get(i, j), slope) << Scheme::info().name << ", entry " << i << ", " << j;
    }
  }
  constexpr int allowed = Coloring<GeneralCouplings<System, Rule>, 1>::entries;
  EXPECT_GE(allowed, not_zero);
  expect_solutions(J, random);
  return static_cast<double>(allowed) / (n * n);
}

template <class System>
void expect_sparse_derivatives(double most) {
  solved = 0;
  EXPECT_LT(expect_derivative<GeneralEms<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralGglMp<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralGglVi<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralViA<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralViB<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralRattle<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralLivens<System>>(), most);
  EXPECT_LT(expect_derivative<GeneralDelMultiplier<System>>(), most);
  EXPECT_GT(solved, 0);
}

TEST(GeneralMatrix, OfBodiesAndJoints) { expect_sparse_derivatives<text_planar_four_bar<double>>(0.4); }
TEST(GeneralMatrix, OfEveryTerm) { expect_sparse_derivatives<text_sparse_mechanism<double>>(0.6); }
TEST(GeneralMatrix, OfAMassWithoutAnInverse) { expect_derivative<GeneralLivens<text_mass_spring<double>>>(); }
TEST(GeneralMatrix, OfRowsOfVelocities) {
  expect_derivative<GeneralLivens<text_snakeboard<double>>>();
  expect_derivative<GeneralContact1<text_snakeboard<double>>>();
}

}  // namespace
}  // namespace livens::inline LIVENS_ISA
