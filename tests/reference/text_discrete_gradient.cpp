// The discrete chain rule on texts (docs/equations/text.md, section 4).

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

}  // namespace
}  // namespace livens::reference
