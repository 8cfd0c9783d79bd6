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
  refused("sum(i, 0, 1, x) + i", "unknown name 'i'");
  refused("list(i, 1, 0, x)", "a list has one entry at least");
  refused("sum(i, 0, 999, sum(j, 0, 999, x))", "more than");
  refused("x'", "velocities may not be used");
  refused("p(x)", "momenta may not be used");
  refused("t*x", "the time may not be used");
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
  refused([](auto& text) { text.kinetic = "1/2*mass*x'"; }, "kinetic: is not a quadratic form");
  refused([](auto& text) { text.kinetic = "x'^2 + x'"; }, "kinetic: is not a quadratic form");
  refused([](auto& text) { text.kinetic = "norm(u')*x'"; }, "kinetic: is not a quadratic form");
  refused([](auto& text) { text.kinetic = ""; }, "kinetic");
  refused([](auto& text) { text.rayleigh = "x'^4"; }, "rayleigh: is not a quadratic form");
  refused([](auto& text) { text.nonholonomic = {"x'^2"}; }, "not affine");
  refused([](auto& text) { text.nonholonomic = {"x'"}, text.constraints = {"x"}; }, "no such rows");
  refused([](auto& text) { text.force = {{"x", {"x"}}}; }, "coordinates may not be used");
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

TEST(TextLanguage, Degrees) {
  const auto runs_ems = [](const std::string& constraint) {
    TextDescription text = particle();
    text.constraints = {constraint};
    return applicable(model_of(text), "ems");
  };
  EXPECT_TRUE(runs_ems("dot(u, u)/mass + x*u[0] - mass^x^0"));
  EXPECT_TRUE(runs_ems("norm(u)^2 - 1"));
  EXPECT_FALSE(runs_ems("x^3"));
  EXPECT_FALSE(runs_ems("x*dot(u, u)"));
  EXPECT_FALSE(runs_ems("x^3 - x^3"));  // of the text, before anything cancels
  EXPECT_FALSE(runs_ems("norm(u) - 1"));
  EXPECT_FALSE(runs_ems("u[0]/x"));
  EXPECT_FALSE(runs_ems("(((((((x^64)^64)^64)^64)^64)^64)^64)^64"));  // 2^48
}

}  // namespace
}  // namespace livens::reference
