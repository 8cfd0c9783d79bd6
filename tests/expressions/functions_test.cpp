// Functions that a text defines, by expressions and by tables: what they stand for, and their derivatives.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "expressions/derivatives.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/text_system.hpp"
#include "kernels/math/tables.hpp"

namespace livens::expressions {
namespace {

/// A system whose force and momentum are given, with functions.
std::string text_with(const std::string& functions, const std::string& rest) {
  return "name = \"functions\"\nkinetic = \"1/2*mass*dot(u', u') + 1/2*mass*x'^2\"\n" + rest +
         "\n[constants]\nn = 2\n[coordinates]\nx = 1\nu = 3\n[parameters]\nmass = 2.0\na = 0.5\nw = 3.0\n"
         "[functions]\n" +
         functions + "\n";
}
TextSystem system_of(const std::string& functions, const std::string& rest) {
  return read_text_system(text_with(functions, rest), "functions.toml");
}
std::string refusal_of(const std::string& functions, const std::string& rest) {
  try {
    system_of(functions, rest);
    return "";
  } catch (const RequestError& error) {
    return error.what();
  }
}

const std::vector<double> parameters = {2.0, 0.5, 3.0};  // mass, a, w

/// The force on x at a time.
double force_at(const TextSystem& system, double t) {
  Values values;
  values.parameters = parameters;
  values.time = t;
  const NodeId root = system.mechanics().force.front();
  return evaluate(system.mechanics().graph, std::span(&root, 1), values).front();
}
/// The potential and its gradient at coordinates x, u.
std::vector<double> potential_at(const TextSystem& system, const std::vector<double>& q) {
  Values values;
  values.parameters = parameters;
  values.position = q;
  std::vector<NodeId> roots = system.mechanics().potential_gradient;
  roots.insert(roots.begin(), system.mechanics().potential);
  return evaluate(system.mechanics().graph, roots, values);
}

TEST(Functions, StandForWhatTheyAre) {
  const std::vector<double> q = {0.7, 1.0, 2.0, 4.0};
  const TextSystem expanded = system_of("well = { of = [\"s\", \"k\"], is = \"k*s^2 + a*s\" }",
                                        "potential = \"well(x - u[0], mass)*well(2, 1)\"");
  const TextSystem written = read_text_system(
      "name = \"functions\"\nkinetic = \"1/2*mass*dot(u', u') + 1/2*mass*x'^2\"\n"
      "potential = \"(mass*(x - u[0])^2 + a*(x - u[0]))*(1*2^2 + a*2)\"\n"
      "[coordinates]\nx = 1\nu = 3\n[parameters]\nmass = 2.0\na = 0.5\nw = 3.0\n",
      "written.toml");
  EXPECT_EQ(potential_at(expanded, q), potential_at(written, q)) << "to the bit";
}

TEST(Functions, HideOtherNamesByTheirArguments) {
  // x is the argument, not the coordinate, which has no place in a force of the time; t is not the time.
  const TextSystem one =
      system_of("f = { of = [\"x\", \"t\"], is = \"x + 10*t\" }", "force = { x = \"f(t, a)\" }");
  EXPECT_EQ(force_at(one, 4.0), 4.0 + 10.0 * 0.5);
}

TEST(Functions, MayBeVectorsAndCallOthersInAnyOrder) {
  const TextSystem one = system_of(
      "pivot = { of = [\"t\"], is = [\"a*wave(w*t)\", 0, 2] }\n"
      "wave = { of = [\"s\"], is = \"sin(s)\" }",
      "force = { x = \"pivot(t)[0] + 10*pivot(t)[2] + dot(pivot(0), [1, 1, 1])\" }");
  EXPECT_DOUBLE_EQ(force_at(one, 0.3), 0.5 * std::sin(0.9) + 20.0 + 2.0);
}

TEST(Functions, HaveADerivativeByTheTime) {
  const TextSystem one = system_of(
      "pivot = { of = [\"t\"], is = [\"a*sin(w*t) + t^2\", \"abs(t)*t\"] }\n"
      "rate = { of = [\"t\"], is = \"pivot'(2*t)[0]\" }",
      "force = { x = \"pivot'(t)[0] + 100*rate'(t) + 1e4*pivot'(-t)[1]\" }");
  const double t = 0.3;
  // rate(t) = a w cos(2 w t) + 4 t.
  EXPECT_NEAR(
      force_at(one, t),
      0.5 * 3.0 * std::cos(0.9) + 2.0 * t + 100.0 * (-0.5 * 9.0 * 2.0 * std::sin(1.8) + 4.0) + 1e4 * 2.0 * t,
      1e-11);
}

TEST(Functions, AreNumbersWhereTheirArgumentsAre) {
  const TextSystem one = system_of(
      "power = { of = [\"s\", \"k\"], is = \"s^k\" }\n"
      "entry = { of = [\"i\"], is = \"sum(j, 0, 1, u[i + j])\" }",
      "potential = \"power(x, 3) + power(x, n) + entry(n - 1) + entry(0)\"");
  const double x = -0.7;
  EXPECT_DOUBLE_EQ(potential_at(one, {x, 1.0, 2.0, 4.0})[0], x * x * x + x * x + 6.0 + 3.0);
  const TextSystem other =
      system_of("power = { of = [\"s\", \"k\"], is = \"s^k\" }", "potential = \"power(x, a)\"");
  EXPECT_TRUE(std::isnan(potential_at(other, {x, 1.0, 2.0, 4.0})[0])) << "exp(a*log(x))";
}

TEST(Functions, AreWrittenBack) {
  const TextSystem one = system_of(
      "f = { of = [\"s\"], is = [\"s\", 1] }\n"
      "g = { x = [0, 0.1, 3], y = [1, 2, -1], between = \"linear\", beyond = \"hold\" }\n"
      "h = { x = [0, 1, 2], y = [1, 2, 1], periodic = true }",
      "force = { x = \"f(t)[0] + g(t) + h(t)\" }");
  const TextSystem again = read_text_system(one.identity(), "again.toml");
  EXPECT_EQ(again.identity(), one.identity());
  EXPECT_EQ(again.class_name(), one.class_name());
  EXPECT_EQ(again.header(), one.header());
}

TEST(Functions, ThatCannotBeAreRefused) {
  const auto refused = [](const std::string& functions, const std::string& force, const char* problem) {
    const std::string said = refusal_of(functions, "force = { x = \"" + force + "\" }");
    EXPECT_NE(said.find(problem), said.npos) << functions << " in " << force << ": " << said;
  };
  const std::string f = "f = { of = [\"t\"], is = \"a*t\" }\n";
  refused(f, "a*t", "functions.f: is used nowhere");
  refused("f = { of = [\"s\", \"k\"], is = \"a*s\" }", "f(t, 1)", "does not use its argument 'k'");
  refused("f = { of = [\"s\"], is = \"f(s)\" }", "f(t)", "functions.f: calls itself");
  refused("f = { of = [\"s\"], is = \"g(s)\" }\ng = { of = [\"s\"], is = \"1 + f(s)\" }", "f(t)",
          "functions.f: calls itself, by way of 'g'");
  refused(
      "f = { of = [\"s\"], is = \"g(s)\" }\ng = { of = [\"s\"], is = \"s\" }\nh = { of = [\"s\"], is = "
      "\"g(s)\" }",
      "f(t)", "functions.h: is used nowhere");
  refused(f, "f(t, t)", "f takes one argument, not 2");
  refused(f, "f + t", "'f' is a function; expected '('");
  refused(f, "f([t, t])", "f takes a scalar, not a vector");
  refused("f = { of = [\"s\"], is = \"a*p(x)*s\" }", "f(t)",
          "functions.f.is: momenta have no place here\n  a*p(x)*s\n    ^");
  refused("f = { of = [\"s\"], is = \"a*s +\" }", "f(t)",
          "functions.f.is: found the end; expected a number, a name or '('");
  refused("f = { of = [\"s\"], is = \"[s, 1]\" }", "f(t)[0]", "is a vector; expected a scalar, or a list");
  refused("f = { of = [\"s\"], is = \"a*s\" }", "f'(t)",
          "only a table and a function whose one argument is t");
  refused("f = { of = [\"t\"], is = \"a*g(t)\" }\ng = { of = [\"s\"], is = \"s\" }", "f'(t)",
          "functions whose one argument is t alone");
  refused("sin = { of = [\"s\"], is = \"s\" }", "t", "'sin' is the name of a function");
  refused("x = { of = [\"s\"], is = \"s\" }", "t", "'x' is a coordinate as well");
  refused("mass = { of = [\"s\"], is = \"s\" }", "t", "'mass' is a parameter as well");
  refused("f = { of = [\"pi\"], is = \"pi\" }", "f(t)", "'pi' is the name of a function or a number");
  refused("f = { of = [\"s\", \"s\"], is = \"s\" }", "f(t, t)", "'s' is there twice");
  refused("f = { of = [], is = \"1\" }", "f(t)", "expected the names of its arguments");
  refused("f = { of = [\"s\"] }", "f(t)", "functions.f.is: expected an expression");
  refused(f, "g(t) + f(t)", "unknown function 'g'");
  // 4^7 calls.
  std::string many = "f0 = { of = [\"s\"], is = \"s\" }\n";
  for (int k = 1; k <= 7; ++k)
    many += "f" + std::to_string(k) + " = { of = [\"s\"], is = \"" + [&] {
      const std::string call = "f" + std::to_string(k - 1) + "(s)";
      return call + " + " + call + " + " + call + " + " + call;
    }() + "\" }\n";
  refused(many, "f7(t)", "functions are called more than 10000 times");
}

TEST(Functions, ThatJumpHaveNoPlaceInWhatIsDifferenced) {
  for (const char* energy : {"sign(x)", "where(x < 0, x, 0)", "atan2(x, u[0])"})
    for (const char* key : {"potential = \"", "constraints = [\"x + "}) {
      const std::string said =
          refusal_of("f = { of = [\"s\"], is = \"s\" }",
                     std::string(key) + energy + " + f(x)\"" + (key[0] == 'c' ? "]" : ""));
      EXPECT_NE(said.find("has no place in kinetic, potential, constraints and gap"), said.npos)
          << energy << said;
    }
  const std::string line = "f = { x = [-9, 0, 9], y = [1, 2, 3], between = \"linear\" }";
  EXPECT_EQ(refusal_of(line, "potential = \"f(x)\""), "");
  EXPECT_NE(refusal_of(line, "potential = \"f'(x)\"").find("the derivative of f jumps"), std::string::npos);
  EXPECT_EQ(refusal_of("f = { x = [-9, 0, 9], y = [1, 2, 3] }", "potential = \"f'(x)\""), "");
  EXPECT_NE(
      refusal_of("f = { of = [\"t\"], is = \"abs(t)*max(t, 0)\" }", "potential = \"f'(x)\"").find("jumps"),
      std::string::npos);
}

TEST(Tables, AreSplinesThroughTheirPoints) {
  const TableFunction table({0.0, 0.5, 2.0, 2.5}, {1.0, -1.0, 3.0, 0.0}, Between::cubic, Beyond::linear,
                            false);
  for (std::size_t i = 0; i < table.x.size(); ++i)
    EXPECT_NEAR(table_value<0>(table, table.x[i]), table.y[i], 1e-15);
  EXPECT_EQ(table_value<2>(table, 0.0), 0.0);
  EXPECT_EQ(table_value<2>(table, 3.0), 0.0);
  for (const double knot : {0.0, 0.5, 2.0, 2.5}) {
    const double before = std::nextafter(knot, -1.0), behind = std::nextafter(knot, 9.0);
    EXPECT_NEAR(table_value<0>(table, before), table_value<0>(table, behind), 1e-14);
    EXPECT_NEAR(table_value<1>(table, before), table_value<1>(table, behind), 1e-13);
    EXPECT_NEAR(table_value<2>(table, before), table_value<2>(table, behind), 1e-12);
  }
}
TEST(Tables, OfAPeriodCloseSmoothly) {
  const TableFunction table({0.0, 0.5, 2.0, 2.5}, {1.0, -1.0, 3.0, 1.0}, Between::cubic, Beyond::error, true);
  const double before = std::nextafter(2.5, 0.0);
  EXPECT_NEAR(table_value<0>(table, before), 1.0, 1e-14);
  EXPECT_NEAR(table_value<1>(table, before), table_value<1>(table, 0.0), 1e-13);
  EXPECT_NEAR(table_value<2>(table, before), table_value<2>(table, 0.0), 1e-12);
  EXPECT_DOUBLE_EQ(table_value<0>(table, 0.7 - 5.0), table_value<0>(table, 0.7));
}
TEST(Tables, BehaveBeyondTheirEndsAsTheyAreTold) {
  const std::vector<double> x = {0.0, 1.0, 3.0}, y = {1.0, 2.0, -2.0};
  const auto at = [&](Beyond beyond, double place) {
    return table_value<0>(TableFunction(x, y, Between::linear, beyond, false), place);
  };
  EXPECT_TRUE(std::isnan(at(Beyond::error, -1e-9)));
  EXPECT_TRUE(std::isnan(at(Beyond::error, 3.0 + 1e-9)));
  EXPECT_EQ(at(Beyond::error, 0.0), 1.0);
  EXPECT_EQ(at(Beyond::error, 3.0), -2.0);
  EXPECT_EQ(at(Beyond::hold, -5.0), 1.0);
  EXPECT_EQ(at(Beyond::hold, 7.0), -2.0);
  EXPECT_EQ(at(Beyond::linear, -5.0), -4.0);
  EXPECT_EQ(at(Beyond::linear, 7.0), -10.0);
}

TEST(Tables, HaveSlopesOfQuotientsAtTheirCorners) {
  // From piece to piece, over an end and over several periods: the derivative by either number, as differences
  // have it.
  const auto check = [](const TableFunction& table) {
    for (const auto& [a, b] :
         {std::pair{0.8, 1.3}, {-0.5, 0.4}, {2.5, 3.5}, {0.4, 3.6}, {-1.1, 4.2}, {1.2, 2.9}, {-4.5, 7.7}})
      for (const auto& [from, to] : {std::pair{a, b}, {b, a}}) {
        constexpr double h = 1e-5;
        const double difference =
            (table_quotient<0>(table, from, to + h) - table_quotient<0>(table, from, to - h)) / (2.0 * h);
        EXPECT_NEAR(table_quotient_slope<0>(table, from, to), difference, 1e-8) << from << " " << to;
        EXPECT_NEAR(table_quotient<0>(table, from, to),
                    (table_value<0>(table, to) - table_value<0>(table, from)) / (to - from), 1e-14);
      }
  };
  for (const Between between : {Between::linear, Between::cubic}) {
    for (const Beyond beyond : {Beyond::hold, Beyond::linear})
      check(TableFunction({0.0, 1.0, 3.0}, {1.0, 2.0, -2.0}, between, beyond, false));
    check(TableFunction({0.0, 1.0, 3.0}, {1.0, 2.0, 1.0}, between, Beyond::error, true));
  }
}

TEST(Tables, ComeFromColumnsThatAReaderFinds) {
  std::string asked;
  const ColumnReader reader = [&](const std::string& file,
                                  const std::array<std::string, 2>& names) -> Columns {
    asked = file + " " + names[0] + " " + names[1];
    return {{0.0, 1.0}, {2.0, 4.0}};
  };
  const std::string text =
      text_with("push = { table = \"push.csv\", columns = [\"t\", \"f\"], beyond = \"linear\" }",
                "force = { x = \"push(t)\" }");
  const TextSystem system = read_text_system(text, "functions.toml", reader);
  EXPECT_EQ(asked, "push.csv t f");
  EXPECT_EQ(force_at(system, 0.25), 2.5);
  // What is kept has the numbers, and needs no file.
  EXPECT_EQ(force_at(read_text_system(system.identity(), "again.toml"), 0.25), 2.5);
  EXPECT_THROW(read_text_system(text, "functions.toml"), RequestError);
}

TEST(Tables, ThatCannotBeAreRefused) {
  const auto refused = [](const std::string& table, const char* problem) {
    const std::string said = refusal_of("f = { " + table + " }", "force = { x = \"f(t)\" }");
    EXPECT_NE(said.find(problem), said.npos) << table << ": " << said;
  };
  refused("x = [0, 1], y = [1]", "2 numbers x and 1 numbers y");
  refused("x = [0], y = [1]", "expected two points at least");
  refused("x = [0, 1, 1], y = [1, 2, 3]", "x does not increase from 1 to 1, point 2");
  refused("x = [0, nan], y = [1, 2]", "expected a finite number");
  refused("x = [0, 1], y = [1, 2], between = \"cubics\"", "did you mean 'cubic'?");
  refused("x = [0, 1], y = [1, 2], beyond = \"zero\"", "unknown word 'zero'; expected error, hold or linear");
  refused("x = [0, 1, 2], y = [1, 2, 1], periodic = true, beyond = \"hold\"",
          "nothing is beyond a table with a period");
  refused("x = [0, 1, 2], y = [1, 2, 3], periodic = true", "begins with 1 and ends with 3");
  refused("x = [0, 1], y = [1, 1], periodic = true", "expected three points at least");
  refused("x = [0, 1], y = [1, 1], perioic = true", "did you mean 'periodic'?");
  refused("table = \"f.csv\"", "expected the names of two columns");
  refused("table = \"f.csv\", columns = [\"t\", \"f\"], x = [0, 1]", "is in the table already");
  refused("y = [0, 1]", "expected a list of numbers");
}

TEST(Conditions, HaveTheDerivativeOfWhatIsChosen) {
  // The root has no slope at 0 and no value before, and neither matters.
  const TextSystem one = system_of("f = { of = [\"s\"], is = \"where(s > 0, sqrt(s), s^2)\" }",
                                   "rayleigh = \"1/2*a*x'^2\"\nforce = { x = \"f(t)\" }");
  Graph graph = one.mechanics().graph;
  const NodeId force = one.mechanics().force.front();
  const NodeId forward = derivative(graph, std::span(&force, 1), Leaf::time, 0).front(),
               backward = gradient(graph, force, Leaf::time, 1).front();
  for (const auto& [t, slope] : {std::pair{4.0, 0.25}, {0.0, 0.0}, {-3.0, -6.0}}) {
    Values values;
    values.parameters = parameters;
    values.time = t;
    for (const double found : evaluate(graph, std::array{forward, backward}, values))
      EXPECT_EQ(found, slope) << t;
  }
}

// By differences over lengths of which a straight line loses nothing but what the places are rounded by.
TEST(Functions, MayBeStraightLinesThatAreDifferentiated) {
  for (const char* line : {"1 - t", "t/3", "0.7*t + a", "-t"})
    EXPECT_EQ(refusal_of(std::string("f = { of = [\"t\"], is = \"") + line + "\" }",
                         "force = { x = \"f'(t) + f'(a*x) + f'(3.1*t)\" }"),
              "")
        << line;
}

// The second reading knows neither of two equal numbers for the lesser, nor what follows from a comparison with it.
TEST(Conditions, MayCompareWhatTheSecondReadingLeavesOpen) {
  for (const char* force : {"where(x' < max(x, x), 1, x)", "where(min(x, x) >= x', 1, x)",
                            "sign(max(x, x))*x", "where(sin(1e6*x) < x', 1, x)"})
    EXPECT_EQ(refusal_of("", std::string("rayleigh = \"1/2*a*x'^2\"\nforce = { x = \"") + force + "\" }"), "")
        << force;
}

}  // namespace
}  // namespace livens::expressions
