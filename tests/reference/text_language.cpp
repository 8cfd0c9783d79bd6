// The language of texts (docs/equations/text.md, sections 1 and 2): what an expression is worth, and what is
// refused.

#include "reference/text/text_system.hpp"
#include "text_systems.hpp"

namespace livens::reference {
namespace {

TextDescription particle() {
  TextDescription text;
  text.name = "particle";
  text.coordinates = {{"x"}, {"u", 3}};
  text.parameters = {{"mass", {2.0}}, {"both", {5.0, 7.0}, true}, {"one", {3.0}, true}};
  text.constants = {{"n", 3}};
  text.kinetic = "1/2*mass*(x'^2 + dot(u', u'))";
  return text;
}

/// The value of an expression of the parameters.
double value(const std::string& expression) {
  TextDescription text = particle();
  text.action_damping = expression;
  const Model model{text.name, {}};
  Parameters given(model);
  return TextSystem(text).make(given).action_damping;
}

TEST(TextLanguage, Precedence) {
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("7 - 2 - 1"), 4.0);
  EXPECT_EQ(value("1 - 2*3 + 4"), -1.0);
  EXPECT_EQ(value("-3*-2"), 6.0);
  EXPECT_EQ(value("--3"), 3.0);
  EXPECT_EQ(value("(1 + 2)*\t3\n"), 9.0);
  EXPECT_EQ(value("2*mass^2"), 8.0);
  EXPECT_EQ(value("(-2)^3"), -8.0);
  EXPECT_EQ(value("mass^0"), 1.0);
  EXPECT_EQ(value("(-mass)^(4/2)"), 4.0);
}

TEST(TextLanguage, NumbersAndVectors) {
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2.0);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1.5E+2"), 150.0);
  EXPECT_EQ(value("both[1]"), 7.0);
  EXPECT_EQ(value("dot(both, both)"), 74.0);
  EXPECT_EQ(value("(2*both - both/1)[0]"), 5.0);
  EXPECT_EQ(value("norm(one)"), 3.0);
  EXPECT_NEAR(value("sin(pi/6)"), 0.5, eps);
  EXPECT_NEAR(value("mass^0.5"), std::sqrt(2.0), 2.0 * eps);
  EXPECT_NEAR(value("sqrt(2) + cos(0) + tan(pi/4) + exp(0) + log(1) + tanh(0) + abs(-1)"),
              4.0 + std::sqrt(2.0), 8.0 * eps);
}

TEST(TextLanguage, SumsAndLists) {
  EXPECT_EQ(value("sum(i, 0, 1, both[i])"), 12.0);
  EXPECT_EQ(value("sum(i, 0, n - 1, i^2 + sum(j, 1, i, mass))"), 5.0 + 6.0);
  EXPECT_EQ(value("sum(i, 1, 0, both[9])"), 0.0);
  EXPECT_EQ(value("dot(list(i, 0, 1, both[1 - i]), both)"), 70.0);
  EXPECT_EQ(value("sum(i, 0, 1, i*both)[n - 2]"), 7.0);
}

void expect_refused(const TextDescription& text, const std::string& because) {
  try {
    TextSystem system(text);
    ADD_FAILURE() << "not refused: " << because;
  } catch (const std::invalid_argument& refusal) {
    EXPECT_NE(std::string(refusal.what()).find(because), std::string::npos) << refusal.what();
  }
}

TEST(TextLanguage, RefusesWhatIsNotInIt) {
  const auto refused = [](const std::string& potential, const std::string& because) {
    TextDescription text = particle();
    text.potential = potential;
    expect_refused(text, because);
  };
  refused("mas*x", "potential, column 4: unknown name 'mas'");
  refused("x +", "is needed here");
  refused("(x", "expected ')'");
  refused("x)", "unexpected ')'");
  refused("2 x", "unexpected 'x'");
  refused("u[n]", "a whole number from 0 to 2");
  refused("u[mass]", "a whole number from 0 to 2");
  refused("sum(x, 0, 1, x)", "an index needs a name of its own");
  refused("sum(_i, 0, 1, x)", "an index needs a name of its own");
  refused("_x", "a name or '(' is needed here");
  refused("sum(i, 0, 1, x) + i", "unknown name 'i'");
  refused("list(i, 1, 0, x)", "a list has one entry at least");
  refused("sum(i, 0, 999, sum(j, 0, 999, x))", "more than");
  refused("x'", "velocities may not be used");
  refused("p(x)", "momenta may not be used");
  refused("p(mass)", "no coordinate is called 'mass'");
  refused("u", "potential: is a vector");
  refused("x + u[0] + u", "a sum of a vector and a scalar");
  refused("dot(u*u, u)", "dot or cross");
  refused("dot(u, both)", "same length");
  refused("cross(both, both)[0]", "length 3");
  refused("1/u", "a scalar is needed");
  refused("u^2", "a scalar is needed");
  refused("sin(u)", "a scalar is needed");
  refused("norm(x)", "abs of a scalar");
  refused("x[0]", "no components");
  refused("u[3]", "from 0 to 2");
  refused("u[-1]", "from 0 to 2");
  refused("u[1.5]", "from 0 to 2");
  refused("p(u[3])", "momenta may not be used");
  refused("x^65", "at most 64");
  refused("1e999*x", "not a number");
  refused(".", "not a number");
  refused("nan", "unknown name");
  refused("sin", "expected '('");
  refused("x; system(1)", "unexpected ';'");
  refused(std::string("x\0y", 3), "unexpected");
  refused(std::string(100'000, '('), "500 deep");
  refused(std::string(100'000, '-') + "x", "500 deep");
  std::string sum = "x";
  for (int k = 0; k < 600; ++k) sum += " + x";
  refused(sum, "500 deep");
}

TEST(TextLanguage, RefusesWhatIsNoSystem) {
  const auto refused = [](const auto& change, const std::string& because) {
    TextDescription text = particle();
    change(text);
    expect_refused(text, because);
  };
  refused([](auto& text) { text.kinetic = "x'^3"; }, "kinetic: is not at most quadratic");
  refused([](auto& text) { text.kinetic = "x'^2/(1 + x')"; }, "kinetic: is not at most quadratic");
  refused([](auto& text) { text.kinetic = "norm(u')*x'"; }, "kinetic: is not at most quadratic");
  refused([](auto& text) { text.kinetic = ""; }, "kinetic");
  refused([](auto& text) { text.coordinates[0].name = "_x"; }, "reserved, taken or no name");
  refused([](auto& text) { text.coordinates[0].name = std::string(65, 'x'); }, "reserved, taken or no name");
  refused([](auto& text) { text.nonholonomic = {"x'^2"}; }, "not affine");
  refused([](auto& text) { text.nonholonomic = {"abs(x')"}; }, "not affine");
  refused([](auto& text) { text.force = {{"x", {"p(x)"}}}; }, "momenta may not be used");
  refused([](auto& text) { text.initial_position = {{"x", {"t"}}}; }, "the time may not be used");
  refused([](auto& text) { text.action_damping = "t"; }, "the time may not be used");
  refused([](auto& text) { text.force = {{"y", {"t"}}}; }, "no coordinate is called 'y'");
  refused([](auto& text) { text.initial_position = {{"u", {"1", "2"}}}; }, "has 3 entries");
  refused([](auto& text) { text.coordinates = {}; }, "there are none");
  refused([](auto& text) { text.coordinates = {{"p"}}; }, "reserved");
  refused([](auto& text) { text.coordinates = {{"x"}, {"mass"}}; }, "taken");
  refused([](auto& text) { text.coordinates = {{"x y"}}; }, "no name");
}

// A name says nothing of what a model with a text is: of its namesakes, in this program or on other threads,
// no one takes another's place.
TEST(TextLanguage, AModelIsItsTextWhateverElseHasItsName) {
  TextDescription text = particle();
  const Model first = model_of(text);
  text.coordinates.push_back({"y"});
  text.kinetic += " + 1/2*y'^2";
  const Model second = model_of(text);
  EXPECT_EQ(default_state(first).q.size(), 4);
  EXPECT_EQ(default_state(second).q.size(), 5);
  EXPECT_EQ(std::ranges::count(systems(), text.name), 0);
  text.name = "unit_circle";
  EXPECT_EQ(default_state(model_of(text)).q.size(), 5);
  EXPECT_EQ(default_state({text.name, {}}).q.size(), 2);
}

// ems wants a constant M, which is a matter of the terms of degree 2 in the text multiplied out.
TEST(TextLanguage, ConstantMass) {
  const auto runs_ems = [](const std::string& added) {
    TextDescription text = particle();
    text.kinetic += " + " + added;
    return applicable(model_of(text), "ems");
  };
  EXPECT_TRUE(runs_ems("x*t"));
  EXPECT_TRUE(runs_ems("sin(x*t)*x'"));
  EXPECT_TRUE(runs_ems("(x' + x)^2/2"));
  EXPECT_TRUE(runs_ems("dot([x', x], [x', t])"));
  EXPECT_TRUE(runs_ems("[x*x', x'][1]^2"));
  EXPECT_TRUE(runs_ems("x'^2*mass^0.5"));
  EXPECT_FALSE(runs_ems("x'^2*(2 + sin(t))"));
  EXPECT_FALSE(runs_ems("(x'*(1 + x) + x)^2"));
  EXPECT_FALSE(runs_ems("x'^2/(1 + t^2)"));
  EXPECT_FALSE(runs_ems("x*x'^2 - x*x'^2"));  // of the text, before anything cancels
}

TEST(TextLanguage, FunctionsOfNumbers) {
  EXPECT_NEAR(value("asin(1/2)"), std::asin(0.5), eps);
  EXPECT_NEAR(value("acos(1/2)"), std::acos(0.5), 2.0 * eps);
  EXPECT_NEAR(value("atan(2)"), std::atan(2.0), 2.0 * eps);
  EXPECT_NEAR(value("atan2(-1, -2)"), std::atan2(-1.0, -2.0), 2.0 * eps);
  EXPECT_NEAR(value("sinh(1) + cosh(1)"), std::exp(1.0), 4.0 * eps);
  EXPECT_EQ(value("min(3, mass) + 10*max(3, mass)"), 32.0);
  EXPECT_EQ(value("sign(-mass) + 10*sign(0) + 100*sign(3)"), 99.0);
  EXPECT_EQ(value("where(mass < 2, 1, 2)"), 2.0);
  EXPECT_EQ(value("where(mass <= 2, 1, 2)"), 1.0);
  EXPECT_EQ(value("where(mass > 2, 1, 2)"), 2.0);
  EXPECT_EQ(value("where(mass >= 2, both, [1, 2])[1]"), 7.0);
  EXPECT_EQ(value("where(mass > 0, 1, 1/0 - 1/0)"), 1.0);
  EXPECT_EQ(value("[1, mass, both[0]][2]"), 5.0);
  EXPECT_EQ(value("dot([1, 2], both)"), 19.0);
  EXPECT_EQ(value("norm([3])"), 3.0);
}

TextDescription with_functions() {
  TextDescription text = particle();
  text.functions = {{"twice", {"a"}, {"2*a"}, false},
                    {"both_of", {"x", "mass"}, {"twice(x) + mass", "x^mass"}, true},
                    {"path", {"t"}, {"sin(3*t)*t^2", "exp(-t)/(1 + t)"}, true},
                    {"speed", {"t"}, {"path'(2*t)[0]"}, false},
                    {"every",
                     {"t"},
                     {"sqrt(2 + t)*cos(t) + tan(t/3) + asin(t/4) - acos(t/5)*atan(t) + sinh(t)*cosh(2*t)"
                      " + tanh(t) + log(3 + t) + abs(t - 5) + min(t, 7)*max(t, t^2/9) + (1 + t)^1.7 + 2^t"
                      " + norm([t, 2*t, 1]) + dot([t, 1], [t, t]) + cross([t, 1, 2], [3, t, t])[2]"
                      " + where(t < 9, t^3, 0) + t^-2 - sum(i, 1, 3, t^i) + atan2(t, 2) + curve(t)"},
                     false}};
  text.tables = {{"curve", {.x = {0.0, 1.0, 2.0, 4.0}, .y = {0.0, 2.0, 1.0, 3.0}}}};
  return text;
}

double value_with_functions(const std::string& expression) {
  TextDescription text = with_functions();
  text.action_damping = expression;
  const Model model{text.name, {}};
  Parameters given(model);
  return TextSystem(text).make(given).action_damping;
}

TEST(TextLanguage, FunctionsOfTheText) {
  EXPECT_EQ(value_with_functions("twice(mass + 1)"), 6.0);
  EXPECT_EQ(value_with_functions("2^twice(1)^2"), 16.0);
  EXPECT_EQ(value_with_functions("both_of(3, 2)[0]*10 + both_of(3, 2)[1]"), 89.0);  // mass is 2 outside alone
  EXPECT_EQ(value_with_functions("both[twice(0.5)]"), 7.0);  // a whole number, as if it were written there
}

// f'(t) against the difference of values at t -+ 2^-17, which errs by 2^-34 f'''/6, f''' below 6e4, and by the
// rounding of f over 2^-17.
TEST(TextLanguage, DerivativesOfFunctionsOfTheText) {
  const auto expect_slope = [](const std::string& f, const std::string& slope, double t) {
    const auto at = [&](const std::string& name, double x) {
      return value_with_functions(name + "(" + std::to_string(x) + ")" +
                                  (name.starts_with("path") ? "[0]" : ""));
    };
    const double d = std::ldexp(1.0, -17), f1 = at(f, t);
    const auto shifted = [&](double x) {
      return value_with_functions(f + "(" + std::to_string(t) + " + " + std::to_string(x) + "/2^17)" +
                                  (f.starts_with("path") ? "[0]" : ""));
    };
    const double difference = (shifted(1.0) - shifted(-1.0)) / (2.0 * d);
    EXPECT_NEAR(at(slope, t), difference, 1e4 * d * d + std::abs(f1) * 4.0 * eps / d) << f << " " << t;
  };
  for (const double t : {0.5, 1.25, 3.0}) {
    expect_slope("path", "path'", t);
    expect_slope("every", "every'", t);
    expect_slope("curve", "curve'", t);
  }
  EXPECT_EQ(value_with_functions("speed(1)"), value_with_functions("path'(2)[0]"));
}

TEST(TextLanguage, RefusesWhatIsNoFunction) {
  const auto refused = [](const auto& change, const std::string& because) {
    TextDescription text = with_functions();
    change(text);
    expect_refused(text, because);
  };
  using Function = TextDescription::Function;
  const auto adding = [&](const Function& function, const std::string& because) {
    refused([&](auto& text) { text.functions.push_back(function); }, because);
  };
  const auto in_potential = [&](const std::string& potential, const std::string& because) {
    refused([&](auto& text) { text.potential = potential; }, because);
  };
  adding({"f", {"a"}, {"f(a)"}}, "'f' calls itself");
  refused(
      [](auto& text) {
        text.functions.push_back({"f", {"a"}, {"g(a)"}});
        text.functions.push_back({"g", {"a"}, {"f(a)"}});
      },
      "calls itself");
  adding({"f", {"a"}, {"a + b"}}, "functions.f, column 6: unknown name 'b'");
  adding({"f", {"a"}, {"[a, a]"}}, "is of scalars");
  adding({"f", {"sin"}, {"1"}}, "no name of an argument");
  adding({"f", {"a", "a"}, {"a"}}, "no name of an argument");
  adding({"f", {}, {"1"}}, "no argument");
  adding({"x", {"a"}, {"a"}}, "taken");
  adding({"where", {"a"}, {"a"}}, "reserved");
  in_potential("twice(x, x)", "'twice' has 1 arguments");
  in_potential("twice(u)", "a scalar is needed");
  in_potential("twice'(x)", "has not t alone as argument");
  in_potential("path(t)", "potential: is a vector");
  in_potential("twice(x')", "velocities may not be used");
  in_potential("where(x < 0, x, 0)", "where, sign, atan2");
  in_potential("atan2(x, 1)", "where, sign, atan2");
  in_potential("every(x)", "where, sign, atan2");
  in_potential("sign(x)*x", "where, sign, atan2");
  refused(
      [](auto& text) {
        text.functions.push_back({"f", {"t"}, {"abs(t)"}});
        text.potential = "f'(t)*x";
      },
      "derivatives that jump");
  refused(
      [](auto& text) {
        text.functions.push_back({"f", {"t"}, {"x*t"}});
        text.potential = "f'(t)";
      },
      "coordinates may not be used");
  std::string deep = "x";
  for (int k = 0; k < 14; ++k) deep = "twice(" + deep + ")";
  refused(
      [&](auto& text) {
        for (int k = 0; k < 14; ++k) {
          const std::string before = k == 0 ? "twice" : "f" + std::to_string(k - 1);
          text.functions.push_back({"f" + std::to_string(k), {"a"}, {before + "(a) + " + before + "(a)"}});
        }
        text.potential = "f13(x)";
      },
      "expanded more than 10000 times");
}

double table_value(const TableDescription& table, const std::string& expression) {
  TextDescription text = particle();
  text.tables = {{"curve", table}};
  text.action_damping = expression;
  const Model model{text.name, {}};
  Parameters given(model);
  return TextSystem(text).make(given).action_damping;
}

TEST(TextTables, GoThroughTheirKnots) {
  TableDescription table{.x = {-1.0, 0.5, 2.0, 2.5}, .y = {3.0, -1.0, 4.0, 0.0}};
  for (const std::string between : {"cubic", "linear"}) {
    table.between = between;
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(table_value(table, "curve(" + std::to_string(table.x[i]) + ")"), table.y[i], 16.0 * eps);
  }
  EXPECT_NEAR(table_value(table, "curve(-0.25)"), 1.0, 4.0 * eps);
  EXPECT_NEAR(table_value(table, "curve'(0.5)"), 5.0 / 1.5, 4.0 * eps);  // of the piece to the right
  EXPECT_NEAR(table_value(table, "curve'(2.5)"), -8.0, 16.0 * eps);
}

// The natural spline through three equidistant knots, by hand: c'' in the middle is 6 (y0 - 2 y1 + y2)/4.
TEST(TextTables, NaturalSplineThroughThreeKnots) {
  const TableDescription table{.x = {0.0, 1.0, 2.0}, .y = {0.0, 1.0, 0.0}, .beyond = "linear"};
  EXPECT_NEAR(table_value(table, "curve(0.5)"), 0.5 + 3.0 * 0.375 / 6.0, 4.0 * eps);
  EXPECT_NEAR(table_value(table, "curve'(0)"), 1.5, 4.0 * eps);
  EXPECT_NEAR(table_value(table, "curve'(1)"), 0.0, 4.0 * eps);
  EXPECT_NEAR(table_value(table, "curve(-2)"), -3.0, 16.0 * eps);
  EXPECT_NEAR(table_value(table, "curve(4)"), -3.0, 16.0 * eps);
}

TEST(TextTables, Beyond) {
  TableDescription table{.x = {0.0, 1.0, 3.0}, .y = {1.0, 2.0, 5.0}};
  EXPECT_TRUE(std::isnan(table_value(table, "curve(-0.1)")));
  EXPECT_TRUE(std::isnan(table_value(table, "curve(3.1)")));
  table.beyond = "hold";
  EXPECT_EQ(table_value(table, "curve(-0.1)"), 1.0);
  EXPECT_EQ(table_value(table, "curve(3.1)"), 5.0);
  EXPECT_EQ(table_value(table, "curve'(3.1)"), 0.0);
}

// A spline through a period of the sine errs by (pi/8)^4 5/384 at most.
TEST(TextTables, PeriodicSpline) {
  TableDescription table;
  table.periodic = true;
  for (int i = 0; i <= 16; ++i) {
    table.x.push_back(i);
    table.y.push_back(i == 16 ? 0.0 : std::sin(i * std::numbers::pi / 8.0));
  }
  const double error = std::pow(std::numbers::pi / 8.0, 4) * 5.0 / 384.0;
  for (const double x : {-40.3, -0.2, 0.1, 7.5, 15.9, 16.2, 100.7})
    EXPECT_NEAR(table_value(table, "curve(" + std::to_string(x) + ")"), std::sin(x * std::numbers::pi / 8.0),
                error);
  EXPECT_NEAR(table_value(table, "curve'(16)"), table_value(table, "curve'(15.9999999)"), 1e-6);
  table.y.back() = 0.1;
  TextDescription text = particle();
  text.tables = {{"curve", table}};
  expect_refused(text, "functions.curve: a periodic table");
}

}  // namespace
}  // namespace livens::reference
