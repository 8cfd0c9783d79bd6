// The discrete chain rule on texts (docs/equations/text.md, section 4).

#include <random>

#include "reference/discrete_gradient.hpp"
#include "reference/system.hpp"
#include "reference/text/walk.hpp"
#include "text_systems.hpp"

namespace livens::reference {
namespace {

constexpr auto count = 5;  // of the coordinates x, y, u[0..2]

System with_potential(const std::string& potential) {
  const TextDescription text{.name = "any",
                             .coordinates = {{"x"}, {"y"}, {"u", 3}},
                             .parameters = {{"k", {1.7}}, {"l", {0.6}}, {"w", {0.3, -0.8, 0.5}, true}},
                             .kinetic = "1/2*(x'^2 + y'^2 + dot(u', u'))",
                             .potential = potential,
                             .rayleigh = {},
                             .action_damping = {},
                             .constraints = {},
                             .nonholonomic = {},
                             .momentum = {},
                             .force = {},
                             .initial_position = {},
                             .initial_velocity = {}};
  return make_system(model_of(text));
}

const VectorXd here{{0.8, 1.3, 0.4, -0.9, 0.7}}, direction{{0.5, -0.4, 0.7, 0.3, -0.6}};

const std::string of_everything =
    "1/2*k*(norm(u) - l)^2 + sin(2*x)*exp(-x^2/3) - cos(x*y)/(2 + y^2) + tan(x/4) + log(3 + x*y)"
    " + tanh(3*x) + abs(y)*x + x^3*y^-2 + (2 + x)^1.5 + 2^x + x^y + dot(u, u)*x/y + cross(u, w)[1]*y"
    " + norm(cross(u, w) + x*u/y)*k";

/// The potential in long double, by the same tree.
long double in_long_double(const std::string& text, const VectorXd& q) {
  const Names names{{{"x", false, 1, 0}, {"y", false, 1, 1}, {"u", true, 3, 2}},
                    {{"k", false, 1, 0}, {"l", false, 1, 1}, {"w", true, 3, 2}}};
  Leaves<long double> leaves{.parameters = {1.7, 0.6, 0.3, -0.8, 0.5}};
  leaves.q.assign(q.begin(), q.end());
  return walk(*parse(text, "potential", names, {Operation::position}), leaves)[0];
}

// Dbar V dq = V1 - V0. Some hundred operations lead to an entry of Dbar, none of which cancels by more than a
// factor of ten: 1e3 eps |Dbar V| |dq|. The difference on the right has the rounding of V in long double.
TEST(TextDiscreteGradient, IsTheDifferenceOfThePotential) {
  const System system = with_potential(of_everything);
  const double V = std::abs(potential_energy(system, here)) + 10.0;
  for (int k = 0; k <= 50; k += 2) {
    const VectorXd q1 = here + std::ldexp(1.0, -k) * direction, dq = q1 - here;
    const VectorXd Dbar = system.discrete_potential_gradient(here, q1);
    long double change = 0.0L;
    for (Eigen::Index i = 0; i < count; ++i) change += static_cast<long double>(Dbar[i]) * (q1[i] - here[i]);
    const long double expected = in_long_double(of_everything, q1) - in_long_double(of_everything, here);
    const double long_eps = static_cast<double>(std::numeric_limits<long double>::epsilon());
    EXPECT_LE(std::abs(static_cast<double>(change - expected)),
              1e3 * eps * Dbar.norm() * dq.norm() + 1e3 * long_eps * V)
        << "|dq| = 2^-" << k;
  }
}

// Dbar V -> DV(qm) with an error of third derivatives, here below 1e3, times |dq|^2/24; no digit is lost on
// the way down to dq = 0.
TEST(TextDiscreteGradient, BecomesTheGradient) {
  const System system = with_potential(of_everything);
  for (const double size : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-13, 1e-16, 0.0}) {
    const VectorXd dq = size * direction, q1 = here + dq;
    const VectorXd DV = potential_gradient(system, VectorXd(0.5 * (here + q1)));
    EXPECT_LE((system.discrete_potential_gradient(here, q1) - DV).norm(),
              1e3 * (size * size + eps * std::max(1.0, DV.norm())))
        << size;
  }
}

/// Dbar of V(x) at x0, x1.
double quotient(const std::string& V, double x0, double x1) {
  VectorXd q0 = here, q1 = here;
  q0[0] = x0;
  q1[0] = x1;
  return with_potential(V).discrete_potential_gradient(q0, q1)[0];
}

// Near and far, where the closed forms change over too: within 1e-3 of x0 the derivative between is as good
// as dx^2/24 times a third derivative, farther away the quotient in long double, which loses 1e3 of its
// 1e-19.
TEST(TextDiscreteGradient, QuotientsOfFunctions) {
  for (const std::string f : {"sqrt(x)", "abs(x)", "sin(x)", "cos(x)", "tan(x/9)", "exp(x)", "exp(-40*x)",
                              "log(x)", "tanh(x)", "tanh(60*x)", "1/x", "x^7", "x^-3", "x^0.3", "3^x"}) {
    const double x0 = 0.9;
    for (const double dx : {-0.85, -0.4, 1e-2, 0.3, 0.599, 0.601, 1.999, 2.001, 9.0}) {
      const double x1 = x0 + dx, found = quotient(f, x0, x1);
      VectorXd q0 = here, q1 = here;
      q0[0] = x0;
      q1[0] = x1;
      const long double V0 = in_long_double(f, q0), V1 = in_long_double(f, q1);
      const auto expected = static_cast<double>((V1 - V0) / (static_cast<long double>(x1) - x0));
      // tanh saturates to 1 within eps, and 1 - tanh a0 tanh a1 then has no more digits than that.
      EXPECT_NEAR(found, expected, 100.0 * eps * (std::abs(expected) + (f[0] == 't' ? 60.0 : 0.0)))
          << f << " dx = " << dx;
    }
  }
}

// What the text decides: the mean of a product is not the product of means.
TEST(TextDiscreteGradient, FollowsTheTextAsWritten) {
  const VectorXd q0 = here, q1 = here + direction, m = 0.5 * (q0 + q1);
  const double bound = 64.0 * eps;
  const auto Dbar = [&](const std::string& V) -> VectorXd {
    return with_potential(V).discrete_potential_gradient(q0, q1);
  };
  EXPECT_NEAR(Dbar("x^2")[0], q0[0] + q1[0], bound);
  EXPECT_NEAR(Dbar("x*y*u[0]")[2], 0.5 * (q0[0] * q0[1] + q1[0] * q1[1]), bound);
  EXPECT_NEAR(Dbar("x*y*u[0]")[0], m[2] * m[1], bound);
  EXPECT_NEAR(Dbar("x*(y*u[0])")[2], m[0] * m[1], bound);
  EXPECT_NEAR(Dbar("x/y")[0], 0.5 * (1.0 / q0[1] + 1.0 / q1[1]), bound);
  EXPECT_NEAR(Dbar("x/y")[1], -m[0] / (q0[1] * q1[1]), bound);
  const VectorXd u0 = q0.tail(3), u1 = q1.tail(3);
  const double r0 = u0.norm(), r1 = u1.norm();
  const VectorXd spring = Dbar("1/2*k*(norm(u) - l)^2").tail(3);
  EXPECT_LE((spring - 0.5 * 1.7 * (r0 + r1 - 1.2) / (r0 + r1) * (u0 + u1)).norm(), bound);
  EXPECT_LE((Dbar("norm(u)^2").tail(3) - (u0 + u1)).norm(), bound);
  EXPECT_EQ(Dbar("3*k").norm(), 0.0);
  EXPECT_GT((Dbar("x*y*u[0]") - Dbar("x*(y*u[0])")).norm(), 1e-3);
}

// A kink that is squared is none, and a root that is squared neither: as of the smooth expression, at 0 too. Some ten
// roundings of values below 10.
TEST(TextDiscreteGradient, OfKinksThatAreSquared) {
  const VectorXd zero = VectorXd::Zero(count);
  for (const auto& [text, smooth] : {std::pair{"(abs(x)/k)^2", "(x/k)^2"},
                                     {"k*abs(x)*(abs(y)*abs(x))", "k*abs(y)*x^2"},
                                     {"-abs(x)/k*(l*abs(x))", "-l/k*x^2"},
                                     {"norm(u)*norm(u)", "dot(u, u)"},
                                     {"k*norm(u)/l*norm(u)", "k/l*dot(u, u)"},
                                     {"(norm(u)*u*norm(u))[1]", "u[1]*dot(u, u)"},
                                     {"(abs(x)*norm(u))^2", "x^2*dot(u, u)"},
                                     {"sqrt(x^2 + y^2)*sqrt(x^2 + y^2)", "x^2 + y^2"}}) {
    const System one = with_potential(text), other = with_potential(smooth);
    for (const auto& [q0, q1] :
         {std::pair{zero, zero}, {zero, here}, {here, zero}, {here, VectorXd(here + direction)}}) {
      const VectorXd difference =
          one.discrete_potential_gradient(q0, q1) - other.discrete_potential_gradient(q0, q1);
      EXPECT_LE(difference.norm(), 100.0 * eps) << text;
    }
  }
}

// D1 of livens: Dbar T(., v) dq = T(q1, v) - T(q0, v), for the M(q) of a text.
TEST(TextDiscreteGradient, OfTheKineticEnergy) {
  const Model model = text_model(general_model("spring_pendulum"));
  const System system = make_system(model);
  const State state = general_state(model);
  const VectorXd dq{{0.2, -0.5, 0.3}}, q1 = state.q + dq;
  const VectorXd Dbar = system.discrete_kinetic_gradient(state.q, q1, state.v);
  const double T0 = system.kinetic_energy(state.q, state.v), T1 = system.kinetic_energy(q1, state.v);
  EXPECT_NEAR(Dbar.dot(dq), T1 - T0, 64.0 * eps * (T0 + T1));
  EXPECT_GT(std::abs(T1 - T0), 0.1);
  EXPECT_EQ(Dbar[2], 0.0);  // phi is cyclic
}

// The functions and tables that a text may have beside those above.
const TextDescription::Function pivot{"pivot", {"t"}, {"sin(2*t)*exp(-t/3)", "1/(1 + t^2)"}, true};
const TextDescription::NamedTable bumps{
    "bumps", {.x = {-3.0, -1.0, 0.5, 1.0, 4.0}, .y = {0.3, -1.0, 2.0, 1.0, 1.5}, .beyond = "linear"}};
const TextDescription::NamedTable waves{
    "waves", {.x = {0.0, 0.4, 1.1, 2.0}, .y = {0.5, -1.0, 1.0, 0.5}, .periodic = true}};
const TextDescription::NamedTable steps{
    "steps", {.x = {-1.0, 0.0, 2.0}, .y = {1.0, 2.0, -1.0}, .between = "linear", .beyond = "hold"}};

/// Of the coordinates x, y, and of t.
struct OfTime {
  explicit OfTime(const std::string& potential) : potential(potential) {
    TextDescription text;
    text.name = "of_time";
    text.coordinates = {{"x"}, {"y"}};
    text.functions = {pivot};
    text.tables = {bumps, waves, steps};
    text.kinetic = "1/2*(x'^2 + y'^2)";
    text.potential = potential;
    system = make_system(model_of(text));
  }

  long double in_long_double(const VectorXd& z) const {
    Names names{{{"x", false, 1, 0}, {"y", false, 1, 1}}, {}};
    names.functions = {pivot};
    for (const auto& [name, table] : {bumps, waves, steps})
      names.tables[name] = std::make_shared<const Table>(table);
    const Leaves<long double> leaves{.q = {z[0], z[1]}, .t = z[2]};
    return walk(*parse(potential, "potential", names, {Operation::position, Operation::time}), leaves)[0];
  }

  /// Dbar (z1 - z0) - (V1 - V0), and the size of the terms.
  std::pair<double, double> defect(const VectorXd& z0, const VectorXd& z1) const {
    const VectorXd row = system.discrete_potential_gradient(z0, z1);
    const long double V0 = in_long_double(z0), V1 = in_long_double(z1);
    long double change = 0.0L;
    double terms = static_cast<double>((std::abs(V0) + std::abs(V1)) * std::ldexp(1.0L, -11));
    for (Eigen::Index i = 0; i < 3; ++i) {
      change += static_cast<long double>(row[i]) * (static_cast<long double>(z1[i]) - z0[i]);
      terms += std::abs(row[i] * (z1[i] - z0[i]));
    }
    return {std::abs(static_cast<double>(change - (V1 - V0))), terms};
  }

  std::string potential;
  System system;
};

/// A random expression of x, y and t, the arguments of functions brought to where these are defined.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string of_depth(int depth) {
    if (depth == 0) return pick({"x", "y", "t", "t", "0.7", "x", "1.3"});
    const std::string a = of_depth(depth - 1), b = of_depth(depth - 1);
    const std::string form = pick({"(A + B)",
                                   "(A - B)",
                                   "A*B",
                                   "A/(2 + (B)^2)",
                                   "(A)^2",
                                   "(A)^3",
                                   "(1.5 + sin(A))^-2",
                                   "(2 + cos(A))^1.5",
                                   "(1.5 + tanh(A))^(B/9)",
                                   "sqrt(2 + sin(A))",
                                   "sin(A)",
                                   "cos(A)",
                                   "tan(tanh(A))",
                                   "asin(0.9*tanh(A))",
                                   "acos(0.8*sin(A))",
                                   "atan(A)",
                                   "sinh(sin(A))",
                                   "cosh(tanh(A))",
                                   "tanh(A)",
                                   "exp(sin(A))",
                                   "log(1.2 + sin(A))",
                                   "abs(A)",
                                   "min(A, B)",
                                   "max(A, B)",
                                   "dot([A, B], [B, 2])",
                                   "norm([A, B, 1])",
                                   "cross([A, 1, B], [B, A, 2])[1]",
                                   "list(I, 1, 2, I*(A))[1]",
                                   "sum(I, 1, 2, A)",
                                   "bumps(A)",
                                   "waves(A)",
                                   "steps(A)",
                                   "pivot(A)[0]",
                                   "pivot'(A)[1]",
                                   "bumps'(A)"});
    std::string text;
    const std::string index = "i" + std::to_string(depth);
    for (const char c : form)
      text += c == 'A' ? "(" + a + ")" : c == 'B' ? "(" + b + ")" : c == 'I' ? index : std::string(1, c);
    return text;
  }

  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

 private:
  std::string pick(const std::vector<std::string>& all) {
    return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random_)];
  }
  std::mt19937 random_;
};

// Dbar_q V Dq + h Dbar_t V = V1 - V0, however near the points are. Some hundred operations lead to an entry of
// Dbar; an expression may lose the digits of its terms, which is why these are taken from V and from the row,
// and why that row, times the step, is compared and not the quotient.
TEST(TextDiscreteGradient, IsTheDifferenceForRandomExpressionsOfPlaceAndTime) {
  int tried = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomExpression random(seed);
    const OfTime V(random.of_depth(seed % 4 + 1));
    VectorXd z0(3), direction(3);
    for (Eigen::Index i = 0; i < 3; ++i) z0[i] = random.between(-1.5, 1.5);
    for (Eigen::Index i = 0; i < 3; ++i) direction[i] = random.between(-1.0, 1.0);
    for (const int k : {-1, 0, 6, 20, 40}) {
      const VectorXd z1 = z0 + std::ldexp(1.0, -k) * direction;
      const auto [defect, terms] = V.defect(z0, z1);
      if (!std::isfinite(terms) || terms > 1e6) continue;
      ++tried;
      EXPECT_LE(defect, 1e4 * eps * terms) << V.potential << "  |dz| = 2^" << -k;
    }
  }
  EXPECT_GT(tried, 1200);
}

// Near and far, where the closed forms change over, and across the knots of tables.
TEST(TextDiscreteGradient, QuotientsOfTheOtherFunctions) {
  for (const std::string f :
       {"asin(x/12)", "acos(x/12)", "atan(3*x)", "atan(x)", "sinh(x)", "cosh(x)", "min(x, 2)", "max(x, 2)",
        "bumps(x)", "waves(x)", "steps(x)", "bumps'(x)", "pivot(x)[1]", "pivot'(x)[0]"}) {
    const OfTime V(f);
    for (const double x0 : {0.9, -1.7}) {
      for (const double dx : {-0.85, -0.4, 1e-3, 1e-2, 0.1, 0.3, 1.999, 2.001, 3.3, 9.0}) {
        const VectorXd z0{{x0, 0.0, 0.0}}, z1{{x0 + dx, 0.0, 0.0}};
        const double found = V.system.discrete_potential_gradient(z0, z1)[0];
        const long double difference = V.in_long_double(z1) - V.in_long_double(z0);
        const auto expected = static_cast<double>(difference / (static_cast<long double>(z1[0]) - z0[0]));
        EXPECT_NEAR(found, expected, 200.0 * eps * (std::abs(expected) + 1.0)) << f << " " << x0 << " " << dx;
      }
    }
  }
}

TEST(TextDiscreteGradient, OfMinAndMaxIsThatOfTheOneTaken) {
  const VectorXd z0{{0.3, 0.8, 0.0}}, z1{{0.5, 1.1, 0.0}}, equal{{0.4, 0.4, 0.0}};
  const auto row = [](const std::string& V, const VectorXd& from, const VectorXd& to) {
    return OfTime(V).system.discrete_potential_gradient(from, to);
  };
  EXPECT_EQ(row("min(x, y)", z0, z1), VectorXd({{1.0, 0.0, 0.0}}));
  EXPECT_EQ(row("max(x, y)", z0, z1), VectorXd({{0.0, 1.0, 0.0}}));
  EXPECT_EQ(row("min(x, y)", equal, equal), VectorXd({{0.5, 0.5, 0.0}}));
  EXPECT_EQ(potential_gradient(OfTime("min(x, y)").system, VectorXd(equal.head(2))), VectorXd({{0.5, 0.5}}));
}

// Of g quadratic in (q, s(t)): G at the means of q and of s, which is not s in the middle of the step.
TEST(TextDiscreteGradient, OfAMovingConstraint) {
  TextDescription text;
  text.name = "moving";
  text.coordinates = {{"x"}, {"y"}};
  text.kinetic = "1/2*(x'^2 + y'^2)";
  text.constraints = {"((x - sin(t))^2 + y^2 - 1)/2"};
  const System system = make_system(model_of(text));
  const VectorXd z0{{0.3, 0.8, 0.1}}, z1{{0.5, 1.1, 0.9}}, lambda{{1.7}};
  const double s = 0.5 * (std::sin(0.1) + std::sin(0.9)), x = 0.4 - s,
               speed = (std::sin(0.9) - std::sin(0.1)) / 0.8;
  const VectorXd expected{{1.7 * x, 1.7 * 0.95, -1.7 * x * speed}};
  EXPECT_LE((system.discrete_constraint_force(z0, z1, lambda) - expected).norm(), 32.0 * eps);
  EXPECT_GT(std::abs(s - std::sin(0.5)), 1e-2);
}

// general.md 1 (c): G_m (v1 - v0) + G_m' Dq + h (Dbar_t g)' = (G v + g_t)_1 - (G v + g_t)_0, for any g.
TEST(TextDiscreteGradient, OfAConstraintObeysTheRuleOfItsVelocities) {
  TextDescription text;
  text.name = "any_row";
  text.coordinates = {{"x"}, {"y"}};
  text.kinetic = "1/2*(x'^2 + y'^2)";
  text.constraints = {"sin(x*y) - exp(t*x)/(2 + y^2) + 0.3*t*norm([x, y])"};
  const System system = make_system(model_of(text));
  const VectorXd z0{{0.3, 0.8, 0.1}}, z1{{0.5, 1.1, 0.9}}, v0{{0.7, -0.4}}, v1{{-0.2, 1.3}}, one{{1.0}};
  const VectorXd row = system.discrete_constraint_force(z0, z1, one),
                 change = discrete_constraint_curvature(system, z0, v0, z1, v1, one);
  const double left = row.head(2).dot(v1 - v0) + change.dot(z1 - z0);
  const auto rate = [&](const VectorXd& z, const VectorXd& v) {
    return constraint_rate(system, VectorXd(z.head(2)), v, z[2])[0];
  };
  EXPECT_NEAR(left, rate(z1, v1) - rate(z0, v0), 64.0 * eps);
}

}  // namespace
}  // namespace livens::reference
