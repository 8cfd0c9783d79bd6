// Derivatives of formulas against derivatives by hand, on values without symmetry.

#include "reference/discrete_gradient.hpp"
#include "reference/sphere.hpp"
#include "runs.hpp"

namespace livens::reference {
namespace {

// The hand formulas and the automatic ones each take some tens of operations on values below 100: 1e3 eps x
// 100 leaves room for their rounding.
constexpr double rounding = 1e5 * eps;

TEST(Derivatives, ElementaryFunctionsToThirdOrder) {
  const double x = 0.7;
  using Dual1 = Dual<double>;
  using Dual2 = Dual<Dual1>;
  using Dual3 = Dual<Dual2>;
  const auto third = [&](const auto& f) {
    const Dual3 a(Dual2(Dual1(x, 1.0), Dual1(1.0)), Dual2(1.0));
    return f(a).slope.slope.slope;
  };
  EXPECT_NEAR(third([](const auto& a) { return sin(a); }), -std::cos(x), rounding);
  EXPECT_NEAR(third([](const auto& a) { return cos(a); }), std::sin(x), rounding);
  EXPECT_NEAR(third([](const auto& a) { return sqrt(a); }), 0.375 * std::pow(x, -2.5), rounding);
  EXPECT_NEAR(third([](const auto& a) { return 1.0 / a; }), -6.0 * std::pow(x, -4.0), rounding);
  EXPECT_NEAR(third([](const auto& a) { return a * a * a / 2.0; }), 3.0, rounding);
}

// One function of every operation, backwards, forwards, and in more columns than a chunk has.
TEST(Derivatives, BackwardsAndForwardsAgree) {
  const auto f = [](const auto& x) {
    auto y = sin(x[0] * x[1]) / (2.0 + cos(x[2])) - sqrt(3.0 + x[3] * x[3]) * 0.5;
    for (Eigen::Index i = 4; i < x.size(); ++i) y += x[i] / (1.0 + x[i - 1] * x[i - 1]) - (-x[i]) / 3.0;
    return y * x[0];
  };
  VectorXd x(2 * chunk_size + 3);
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 2.3 * static_cast<double>(i));
  const auto row = [&]<class S>(const Vector<S>& y) { return Vector<S>{{f(y)}}; };
  const VectorXd Df = gradient(f, x);
  EXPECT_LT((jacobian(row, x).transpose() - Df).norm(), rounding);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(derivative_along(row, x, VectorXd(VectorXd::Unit(x.size(), i)))[0], Df[i], rounding) << i;
    // Central differences: 1e-6^2 of third derivatives, some tens, and eps/1e-6 of rounding.
    const VectorXd dx = 1e-6 * VectorXd::Unit(x.size(), i);
    EXPECT_NEAR((f(VectorXd(x + dx)) - f(VectorXd(x - dx))) / 2e-6, Df[i], 1e-8) << i;
  }
  // A gradient of what contains gradients: the Laplacian's ingredients, by differentiating Df.
  const MatrixXd D2f = jacobian([&](const auto& y) { return gradient(f, y); }, x);
  EXPECT_LT((D2f - D2f.transpose()).norm(), rounding);
  EXPECT_GT(D2f.norm(), 1.0);
}

TEST(Derivatives, SincOfRootIsSmoothWhereItChangesFormula) {
  for (const double s : {1e-12, 0.5, 1.0 - 1e-12, 1.0 + 1e-12, 4.0}) {
    const double t = std::sqrt(s);
    const Dual<double> y = sinc_of_root(Dual<double>(s, 1.0));
    EXPECT_NEAR(y.value, std::sin(t) / t, 8.0 * eps);
    // (cos t - sin t/t)/(2 t^2) loses eps/t^2 by cancellation; near t = 0 the limit is -1/6 + s/60.
    const double slope = s < 1e-6 ? -1.0 / 6.0 + s / 60.0 : (std::cos(t) - std::sin(t) / t) / (2.0 * s);
    EXPECT_NEAR(y.slope, slope, 16.0 * eps / std::max(s, 0.1));
  }
}

TEST(DiscreteGradient, SatisfiesTheDirectionalityCondition) {  // (23), for a potential that is not quadratic
  const auto f = [](const auto& x) { return sin(x[0]) * x[1] + x[0] * x[1] * x[1] * x[1]; };
  const VectorXd x{{0.4, 1.7}}, y{{0.9, 1.1}};
  EXPECT_NEAR(discrete_gradient(f, x, y).dot(y - x), f(y) - f(x), rounding);
  EXPECT_LT((discrete_gradient(f, x, x) - gradient(f, x)).norm(), rounding);
}

}  // namespace
}  // namespace livens::reference
