// A text as a whole: names and values, what runs it and why not, its identity, and that nothing of it gets
// into the header.

#include "expressions/text_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <set>

#include "expressions/toml_text.hpp"

namespace livens {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}
const std::string small = R"toml(
name = "two"
kinetic = "1/2*mass*a'^2 + 1/2*mass*dot(b', b')"
potential = "stiffness/2*(a - b[0])^2"
[coordinates]
b = 2
a = 1
[parameters]
stiffness = { unit = "N/m", default = 3.0, meaning = "a \"spring\" \\ of \u00b5m */ //" }
mass = { default = 1, domain = "positive" }
[initial]
q = { a = "2*stiffness", b = [1, "-mass"] }
)toml";

TEST(TextSystem, TellsWhatItIs) {
  const TextSystem system = read_text_system(small, "two.toml");
  EXPECT_EQ(system.name(), "two");
  EXPECT_STREQ(system.info().layout, "b in R^2, a");
  ASSERT_EQ(system.info().parameters.size(), 2u);
  EXPECT_STREQ(system.info().parameters[0].name, "stiffness") << "in the order of the text";
  EXPECT_STREQ(system.info().parameters[0].unit, "N/m");
  EXPECT_EQ(system.info().parameters[1].domain, Domain::positive);
  EXPECT_EQ(system.facts().coordinates, 3);
  EXPECT_TRUE(system.facts().diagonal_mass && system.facts().constant_mass);
  EXPECT_FALSE(system.facts().linear_potential || system.facts().singular_mass || system.facts().damped);
  const double parameters[] = {5.0, 0.5};
  EXPECT_EQ(system.initial_position(parameters), (std::vector<double>{1.0, -0.5, 10.0}));
  EXPECT_EQ(system.initial_velocity(parameters), (std::vector<double>{0.0, 0.0, 0.0}));
}

TEST(TextSystem, ADefaultThatIsAnExpressionFollows) {
  const TextSystem system = read_text_system(R"toml(
name = "two"
kinetic = "1/2*mass*x'^2 + 1/2*light*y'^2"
[constants]
n = 3
[coordinates]
x = 1
y = 1
[parameters]
mass  = { unit = "kg", default = 6.0, domain = "positive" }
light = { unit = "kg", default = """mass
  / (n - 1)""", domain = "positive" }
angle = "pi/4"
ratio = "light/mass"
[initial]
q = { x = "light", y = "ratio + angle" }
)toml",
                                             "two.toml");
  const auto parameters = system.info().parameters;
  EXPECT_STREQ(parameters[1].derived, "mass / (n - 1)");
  EXPECT_TRUE(std::isnan(parameters[1].defaults[0]));
  EXPECT_EQ(parameters[2].derived, nullptr) << "a number whatever the parameters are";
  EXPECT_EQ(parameters[2].defaults[0], std::numbers::pi / 4.0);
  const double nan = std::nan("");
  std::vector<double> values = {8.0, nan, 1.0, nan};
  system.complete(values);
  EXPECT_EQ(values, (std::vector<double>{8.0, 4.0, 1.0, 0.5})) << "one follows from one that follows";
  EXPECT_EQ(system.initial_position(std::vector{8.0, nan, 1.0, nan}), (std::vector<double>{4.0, 1.5}));
  EXPECT_EQ(system.initial_position(std::vector{8.0, 2.0, 1.0, nan}), (std::vector<double>{2.0, 1.25}));
  EXPECT_TRUE(system.warnings().empty());
  EXPECT_TRUE(system.unused({}).empty());
  const TextSystem again = read_text_system(system.identity(), "two");
  EXPECT_EQ(again.identity(), system.identity());
  EXPECT_EQ(again.header(), system.header());
  EXPECT_EQ(system.header().find("light"), std::string::npos);
}

TEST(TextSystem, InATableOfASpecIsTheSame) {
  const TextSystem alone = read_text_system(small, "two.toml");
  const std::string indented = "[system.text]\nname = \"two\"\n" + small.substr(small.find("kinetic"));
  std::string spec = indented;
  for (const std::string table : {"coordinates", "parameters", "initial"})
    spec.replace(spec.find("[" + table + "]"), table.size() + 2, "[system.text." + table + "]");
  const toml::table document = parse_toml(spec, "spec.toml");
  const TextSystem inside = read_text_system(*document["system"]["text"].as_table(), "spec.toml");
  EXPECT_EQ(inside.header(), alone.header());
  EXPECT_EQ(inside.identity(), alone.identity());
}

TEST(TextSystem, ItsIdentityReadsBackAsItself) {
  for (const auto& entry : std::filesystem::directory_iterator(LIVENS_EXAMPLES)) {
    if (entry.path().extension() != ".toml") continue;
    const TextSystem system = read_text_system(text_of(entry.path()), entry.path().string());
    const TextSystem again = read_text_system(system.identity(), "identity");
    EXPECT_EQ(again.identity(), system.identity());
    EXPECT_EQ(again.header(), system.header());
    EXPECT_STREQ(again.info().parameters[0].meaning, system.info().parameters[0].meaning);
  }
}

TEST(TextSystem, ADrawingIsKeptAndCompilesNothingAnew) {
  const std::string drawing = R"toml(
[drawing]
points = { "the wall" = [0, "stiffness*t"], bob = "b", top = ["a", 0, "b[1]"] }
links = [["bob", "the wall"], ["bob", "top"]]
)toml";
  const TextSystem bare = read_text_system(small, ""), drawn = read_text_system(small + drawing, "");
  EXPECT_EQ(drawn.class_name(), bare.class_name());
  EXPECT_EQ(drawn.header(), bare.header());
  const TextSystem again = read_text_system(drawn.identity(), "identity");
  EXPECT_EQ(again.identity(), drawn.identity());
  EXPECT_NE(drawn.identity(), bare.identity());
  EXPECT_EQ("\n" + drawn.identity().substr(drawn.identity().find("[drawing]")), R"toml(
[drawing]
points = { "the wall" = ["0", "stiffness*t"], "bob" = "b", "top" = ["a", "0", "b[1]"] }
links = [["bob", "the wall"], ["bob", "top"]]
)toml");
  const std::string only_drawn = R"toml(
name = "disk"
kinetic = "1/2*x'^2"
coordinates = { x = 1 }
parameters = { radius = 1.0 }
functions = { rim = { of = ["s"], is = ["radius*cos(s)", "radius*sin(s)"] } }
drawing = { points = { a = "rim(x)", b = "rim(x + 1)" } }
)toml";
  EXPECT_TRUE(read_text_system(only_drawn, "").unused({}).empty());
}

TEST(TextSystem, SaysWhereItIsFromAndWhatASpecHasThatDoesNotSayIt) {
  std::string text = small;
  text.replace(text.find("kinetic"), 0,
               "meaning = \"two \\\"points\\\"\"\npaper = \"section 2\"\n"
               "standard = { scheme = \"rattle\", step = 0.125 }\n");
  text.replace(text.find("domain"), 0, "symbol = \"m\", ");
  const TextSystem bare = read_text_system(small, ""), told = read_text_system(text, "");
  const SystemInfo& info = told.info();
  EXPECT_STREQ(info.meaning, "two \"points\"");
  EXPECT_STREQ(info.paper, "section 2");
  EXPECT_STREQ(info.parameters[1].symbol, "m");
  EXPECT_STREQ(info.parameters[0].symbol, "stiffness");
  EXPECT_STREQ(info.default_scheme, "rattle");
  EXPECT_EQ(info.default_step, 0.125);
  EXPECT_EQ(info.default_end, bare.info().default_end);
  EXPECT_EQ(told.place_of_standard()->line, 5);
  const TextSystem again = read_text_system(told.identity(), "identity");
  EXPECT_EQ(again.identity(), told.identity());
  EXPECT_STREQ(again.info().meaning, info.meaning);
  EXPECT_STREQ(again.info().default_scheme, "rattle");
  text.replace(text.find("two \\"), 3, "2");
  EXPECT_EQ(read_text_system(text, "").class_name(), told.class_name()) << "words compile nothing anew";

  const std::string header = told.built_in_header("pair_of_points", "PairOfPoints", "");
  for (const char* part :
       {"struct PairOfPoints :", ".name = \"pair_of_points\"", ".meaning = \"two \\\"points\\\"\"",
        ".symbol = \"m\"", ".default_scheme = \"rattle\"", ".default_step = 0.125"})
    EXPECT_NE(header.find(part), header.npos) << part;
  const std::string beside = told.built_in_header("pair", "Pair", "kernels/systems/beside_text/pair.hpp");
  EXPECT_NE(beside.find("struct PairText :"), beside.npos);
  EXPECT_TRUE(beside.ends_with("#include \"kernels/systems/beside_text/pair.hpp\"\n"));
}

TEST(TextSystem, DifferentTextsHaveDifferentClasses) {
  std::string other = small;
  other.replace(other.find("3.0"), 3, "4.0");
  EXPECT_NE(read_text_system(other, "").class_name(), read_text_system(small, "").class_name());
}

TEST(TextSystem, NothingOfTheUsersGetsIntoTheHeader) {
  std::string text = small;
  for (const auto& [name, odd] : {std::pair<std::string, std::string>{"stiffness", "__attribute_zqx"},
                                  {"mass", "system_zqx"},
                                  {"two", "int_zqx"}})
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + odd.size()))
      text.replace(at, name.size(), name == "stiffness" ? "Scalar_zqx" : odd);
  text += "[standard]\nscheme = \"zqx\"\n";
  text.replace(text.find("kinetic"), 0, "meaning = \"zqx\"\npaper = \"zqx\"\n");
  text.replace(text.find("domain"), 0, "symbol = \"zqx\", ");
  const std::string header = read_text_system(text, "/tmp/zqx.toml").header();
  for (const char* part : {"zqx", "spring", "*/", "N/m"}) EXPECT_EQ(header.find(part), header.npos) << part;
  for (const char c : header) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n');
}

TEST(TextSystem, SaysWhyASchemeDoesNotRun) {
  const SchemeInfo holonomic = {
      .name = "ems", .meaning = "", .paper = "", .needs = "", .order = 2, .runs_on = on_holonomic};
  const SchemeInfo any_mass = {
      .name = "livens", .meaning = "", .paper = "", .needs = "", .order = 2, .runs_on = on_any_mass};
  const SchemeInfo vectors = {
      .name = "del_nullspace", .meaning = "", .paper = "", .needs = "", .order = 2, .runs_on = on_vectors};
  const SchemeInfo contact = {
      .name = "contact_2", .meaning = "", .paper = "", .needs = "", .order = 2, .runs_on = on_contact};
  const auto example = [](const char* name) {
    return read_text_system(text_of(std::string(LIVENS_EXAMPLES "/") + name + ".toml"), name);
  };
  const TextSystem cart = example("cart_pendulum"), spring = example("spring_pendulum"),
                   masses = example("mass_spring"), disk = example("rolling_disk");
  EXPECT_EQ(cart.why_not(holonomic), "");
  EXPECT_EQ(cart.why_not(any_mass), "");
  EXPECT_EQ(cart.why_not(vectors), "its null space is known of systems of livens alone");
  EXPECT_EQ(cart.why_not(contact), "it has no nonholonomic rows A(q) v + b(q) = 0");
  EXPECT_EQ(spring.why_not(holonomic), "its mass matrix depends on the coordinates");
  EXPECT_EQ(spring.why_not(any_mass), "");
  EXPECT_EQ(masses.why_not(holonomic), "its mass matrix has no inverse");
  EXPECT_EQ(masses.why_not(any_mass), "");
  EXPECT_EQ(disk.why_not(contact), "");
  EXPECT_EQ(disk.why_not(holonomic), "it has nonholonomic rows, and the scheme is for g(q) = 0 or for none");
}

/// A text of constraints on x, y, z with the mass 1.
std::string with_rows(const std::string& rows, const std::string& initial = "q = { x = 1 }") {
  return "name = \"rows\"\nkinetic = \"1/2*m*(x'^2 + y'^2 + z'^2)\"\n" + rows +
         "\n[coordinates]\nx = 1\ny = 1\nz = 1\n[parameters]\nm = 1.0\nlarge = 1e6\n[initial]\n" + initial;
}

TEST(TextSystem, NamesRowsThatDependOnEachOther) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_text_system(text, "rows.toml");
    } catch (const RequestError& error) {
      return error.what();
    }
    return "";
  };
  const std::string circle = "(x^2 + y^2 - 1)/2";
  for (const std::string other : {"x^2 + y^2 - 1", "large^2*(x^2 + y^2 - 1)", "1e-9*(1 - x^2 - y^2)",
                                  "(x^2 + y^2)^2 - 1", "sqrt(x^2 + y^2) - 1"}) {
    const std::string said = refusal(with_rows("constraints = [\"" + circle + "\", \"" + other + "\"]"));
    EXPECT_TRUE(said.starts_with("rows.toml:3: constraints[1]: depends on constraints[0], "))
        << other << ": " << said;
  }
  EXPECT_NE(refusal(with_rows("constraints = [\"x - 1\", \"list(i, 0, 1, i*(x - 1) + (1 - i)*y)\"]"))
                .find("constraints[1]: constraints[1], entry 1: depends on constraints[0], "),
            std::string::npos);
  EXPECT_NE(
      refusal(with_rows("nonholonomic = [\"x' - y*z'\", \"large*(x' - y*z')\"]")).find("nonholonomic[1]"),
      std::string::npos);
  // Surfaces that touch, at the point or not; near it their gradients are not in line.
  for (const std::string other : {"z - 1", "(x^2 + y^2 + (z - 3)^2 - 4)/2", "large*(z - 1 + (x^2 + y^2)/4)"})
    for (const std::string initial : {"q = { z = 1 }", "q = { z = 1.1 }", "q = { x = 0.3, z = 0.9 }"}) {
      const std::string said =
          refusal(with_rows("constraints = [\"(x^2 + y^2 + z^2 - 1)/2\", \"" + other + "\"]", initial));
      EXPECT_TRUE(said.starts_with("rows.toml:3: constraints[1]: depends on constraints[0], "))
          << other << ", " << initial << ": " << said;
    }
  // The same surfaces where they cut each other.
  EXPECT_EQ(refusal(with_rows("constraints = [\"(x^2 + y^2 + z^2 - 1)/2\", \"z - 0.999\"]", "q = { z = 1 }")),
            "");
  // Singular at the initial state alone, without a gradient there, and of other sizes.
  for (const std::string rows :
       {"constraints = [\"(x^2 + y^2 - 1)/2\", \"(x^2 + (y - 1)^2 + z^2 - 2)/2\"]",
        "constraints = [\"large^2*x\", \"1e-6*(y + x)\"]", "constraints = [\"x + 1e-6*y\", \"x - 1e-6*y\"]"})
    for (const std::string initial : {"q = { x = 1 }", "q = { x = 0 }", "q = { z = 1e-5 }"})
      EXPECT_EQ(refusal(with_rows(rows, initial)), "") << rows << initial;
}

// Rows of velocities with a mass matrix that has no inverse: (b) of general.md, section 8, asks for none.
TEST(TextSystem, RowsOfVelocitiesRunWithAnyMass) {
  const TextSystem skate = read_text_system(R"toml(name = "skate"
kinetic = "1/2*mass*((x' + s')^2 + y'^2) + 1/2*inertia*turn'^2"
nonholonomic = ["sin(turn)*(x' + s') - cos(turn)*y'", "x' - 2*s'"]
coordinates = { x = 1, s = 1, y = 1, turn = 1 }
parameters = { mass = 2.0, inertia = 0.5 }
)toml",
                                            "skate.toml");
  const SchemeInfo any_mass = {
      .name = "livens", .meaning = "", .paper = "", .needs = "", .order = 2, .runs_on = on_any_mass};
  const SchemeInfo contact = {
      .name = "contact_2", .meaning = "", .paper = "", .needs = "", .order = 2, .runs_on = on_contact};
  EXPECT_TRUE(skate.facts().singular_mass);
  EXPECT_EQ(skate.why_not(any_mass), "");
  EXPECT_EQ(skate.why_not(contact), "its mass matrix has no inverse");
  EXPECT_STREQ(skate.info().default_scheme, "livens");
}

TEST(TextSystem, TakesWhatIsConvexInTheVelocitiesAndRefusesWhatIsNot) {
  const auto refusal = [](const std::string& rayleigh) -> std::string {
    try {
      read_text_system("name = \"slider\"\nkinetic = \"1/2*(x'^2 + dot(u', u'))\"\nrayleigh = \"" + rayleigh +
                           "\"\n[coordinates]\nx = 1\nu = 3\n[parameters]\nc = 0.7\nslow = 1e-3\nmu = 0.3\n"
                           "[initial]\nq = { x = 1, u = [1, 1, 1] }",
                       "slider.toml");
    } catch (const RequestError& error) {
      return error.what();
    }
    return "";
  };
  // Friction laws and their like, with corners, kinks and saturation.
  for (const std::string convex :
       {"c*abs(x')", "c*norm(u')", "c*max(x', 0)^3", "1/3*c*norm(u' - [x', 0, 0])^3", "c*abs(x')^1.5",
        "c*norm(u')^(1 + mu)", "c*slow*log(cosh(x'/slow))", "c*slow*(sqrt(1 + (x'/slow)^2) - 1)",
        "c*atan(x'/slow)*x'", "where(x' < 0, -c*x', 2*c*x')",
        "where(abs(x') < slow, c*x'^2/(2*slow), c*(abs(x') - slow/2))", "c*(abs(x') + 1/2*exp(-abs(x')))",
        "c*(exp(x') - x')", "(1 + sin(t))*x'^2", "1/2*c*(dot(u, u')/norm(u))^2", "c*max(abs(x'), norm(u'))",
        "c*x'^2 + c*(u'[0] - 3*u'[1])^2"})
    EXPECT_EQ(refusal(convex), "") << convex;
  for (const std::string bent :
       {"c*sqrt(abs(x'))", "c*log(1 + x'^2)", "c*(abs(x') - 1/2*exp(-abs(x')) + exp(-x'^2))",
        "c*x'^2*u'[0]^2", "c*abs(x')*(1 + 0.4*exp(-x'^2))"}) {
    const std::string said = refusal(bent);
    EXPECT_TRUE(said.starts_with("slider.toml:3: rayleigh: is not convex in the velocities")) << bent << said;
    EXPECT_NE(said.find("on the way to x' = "), said.npos) << said;
  }
}

/// A disk on a rod; `rows` between the directors a, b, c and its centre x.
std::string spinning(const std::string& rows, const std::string& more = "") {
  return "name = \"spinning\"\nkinetic = \"dot(x', x') + dot(a', a') + dot(b', b') + 1/2*dot(c', c')\"\n"
         "potential = \"9.81*x[2]\"\n" +
         more + "constraints = [\"(dot(a, a) - 1)/2\", \"(dot(b, b) - 1)/2\", " + rows +
         "]\n[coordinates]\nx = 3\na = 3\nb = 3\nc = 3\n[parameters]\nl = { default = 0.5, domain = "
         "\"positive\" }\nr = 0.5\ndrag = 0\n[initial]\n"
         "q = { x = [0, 0, \"l\"], a = [1, 0, 0], b = [0, 1, 0], c = [0, 0, 1] }\n";
}
VectorFacts vectors_of(const std::string& rows, const std::string& more = "") {
  return read_text_system(spinning(rows, more), "spinning.toml").facts().vectors;
}
const std::string products = "\"dot(a, b)\", \"dot(a, c)\", \"dot(b, c)\"";

TEST(TextSystem, FindsFramesAndWhatIsTiedToThem) {
  const std::string unit = "\"(dot(c, c) - 1)/2\", ";
  const VectorFacts tied = vectors_of(unit + products + ", \"x - l*c\"");
  EXPECT_EQ(tied.dimension, 3);
  EXPECT_EQ(tied.frames, 1);
  EXPECT_EQ(tied.freedoms(), 3);
  EXPECT_TRUE(tied.tied && !tied.coupled);
  const VectorFacts short_arm = vectors_of(unit + products + ", \"x - r*c\"");
  EXPECT_TRUE(short_arm.frames == 1 && !short_arm.tied) << "its arm may vanish";
  const VectorFacts before = vectors_of(unit + "\"x - l*c\", " + products);
  EXPECT_TRUE(before.frames == 1 && !before.tied) << "its rows stand in another order";
  const VectorFacts aside = vectors_of(unit + products + ", \"x - l*(c + a) + [1, 2, 3]\"");
  EXPECT_TRUE(aside.frames == 1 && aside.coupled && !aside.tied) << "M has entries between the directors";
  const VectorFacts braked =
      vectors_of(unit + products + ", \"x - l*c\"", "rayleigh = \"drag*dot(a', b')\"\n");
  EXPECT_TRUE(braked.frames == 1 && braked.coupled) << "and so has the drag";
}

TEST(TextSystem, FindsNoFrameInWhatIsMoreOrMeasuresItsRowsOtherwise) {
  const std::string unit = "\"(dot(c, c) - 1)/2\", ";
  for (const std::string& rows :
       {std::string("\"dot(c, c) - 1\", ") + products + ", \"x - l*c\"",      // |g| is twice as large
        std::string("\"(dot(c, c) - 4)/2\", ") + products + ", \"x - l*c\"",  // no unit vector
        std::string("\"(dot(c, c) - 1)/2\", \"dot(a, b)\", \"x - l*c\""),     // not all right angles
        unit + products,                                                      // x is free
        unit + products + ", \"l*x - c\"",                                    // l may vanish
        unit + products + ", \"x[0] - l*c[0]\", \"x[1] - l*c[1]\"",           // x[2] is free
        unit + products + ", \"x[0] - l*c[1]\", \"x[1] - l*c[2]\", \"x[2] - l*c[0]\"",
        unit + products + ", \"(dot(x, x)/l^2 - 1)/2\"",
        "\"(dot(c, c) - 1)/2 + 0.01*abs(x[0])\", " + products + ", \"x - l*c\""})
    EXPECT_EQ(vectors_of(rows).freedoms(), 0) << rows;
  const std::string whole = unit + products + ", \"x - l*c\"";
  EXPECT_EQ(vectors_of(whole, "force = { x = [\"sin(t)\", 0, 0] }\n").freedoms(), 0);
}

TEST(TextSystem, IsReadOnceAndAnewWhereAnythingIsDifferent) {
  const std::string& text = small;
  const TextSystem first = read_text_system(text, "pendulum.toml");
  EXPECT_EQ(&read_text_system(text, "pendulum.toml").info(), &first.info());
  EXPECT_NE(&read_text_system(text, "other.toml").info(), &first.info()) << "messages name another file";
  EXPECT_NE(&read_text_system("\n" + text, "pendulum.toml").info(), &first.info()) << "and other lines";
  std::string with_table = text + "[functions]\ng = { x = [0, 0.1, 3], y = [1, 2, -1], beyond = \"hold\" }\n";
  with_table.replace(with_table.find("(a - b[0])^2"), 12, "g(a - b[0])");
  EXPECT_NE(&read_text_system(with_table, "table.toml").info(),
            &read_text_system(with_table, "table.toml").info())
      << "a table may come from a file that has changed";
}

/// Vectors a and b, and some more; by default both have a length.
VectorFacts rods_of(const std::string& kinetic,
                    const std::string& rows = "\"dot(a, a) - l^2\", \"2*(dot(b, b)/l^2 - 1)\"",
                    const std::string& more = "", const std::string& start = "") {
  return read_text_system("name = \"rods\"\nkinetic = \"" + kinetic +
                              "\"\npotential = \"a[1] + 2*b[1]\"\nconstraints = [" + rows +
                              "]\n[coordinates]\na = 3\nb = 3\n" + more +
                              "[parameters]\nl = { default = 0.5, domain = \"positive\" }\n[initial]\n"
                              "q = { a = [\"l\", 0, 0], b = [0, \"l\", 0]" +
                              start + " }\n",
                          "rods.toml")
      .facts()
      .vectors;
}

TEST(TextSystem, FindsUnitVectorsInSpaceThatTheirInertiasCouple) {
  const std::string coupled = "dot(a', a') + dot(a' + b', a' + b')", both = coupled + " + dot(x', x')";
  const VectorFacts found = rods_of(coupled);
  EXPECT_TRUE(found.are_coupled_rods() && !found.coupled_metric && !found.are_particles());
  EXPECT_EQ(found.unit, 2);
  EXPECT_EQ(found.freedoms(), 4);
  EXPECT_TRUE(rods_of("dot(a', a') + dot(b', b')").are_particles()) << "nothing couples them";
  EXPECT_EQ(rods_of(coupled, "\"dot(a, a) - l^2\", \"dot(b - a, b - a) - 2*l^2\"").freedoms(), 0)
      << "not vectors of its own";
  EXPECT_EQ(rods_of(coupled, "\"dot(a, a) - l^2\"").freedoms(), 0) << "b is free";
  const VectorFacts tied = rods_of(both, "\"dot(a, a) - l^2\", \"dot(b, b) - l^2\", \"x - a - b\"", "x = 3\n",
                                   ", x = [\"l\", \"l\", 0]");
  EXPECT_TRUE(tied.are_coupled_rods() && tied.coupled_metric) << "x is not one of them";
}

/// Four particles, a rod between two of them.
VectorFacts particles_of(const std::string& potential, const std::string& more = "",
                         const std::string& rows = "\"dot(b - a, b - a) - l^2\"") {
  return read_text_system(
             "name = \"net\"\nkinetic = \"m/2*(dot(a', a') + dot(b', b')) + dot(c', c') + dot(e', e')\"\n"
             "potential = \"" +
                 potential + "\"\n" + more + "constraints = [" + rows +
                 "]\n[coordinates]\na = 3\nb = 3\nc = 3\ne = 3\n[parameters]\nl = { default = 0.5, domain = "
                 "\"positive\" }\nm = { default = 1.5, domain = \"positive\" }\nk = 3\neta = 0\n[initial]\n"
                 "q = { b = [0, 0, \"l\"], c = [1, 0, 0], e = [0, 2, 0] }\n",
             "net.toml")
      .facts()
      .vectors;
}

TEST(TextSystem, FindsParticlesRodsAndSprings) {
  const VectorFacts drifting = particles_of("k*(norm(c - b) - l)^2 - k/norm(a + b - 2*e)");
  EXPECT_TRUE(drifting.are_particles());
  EXPECT_EQ(drifting.drifting, 1);
  EXPECT_EQ(drifting.free, 2);
  EXPECT_EQ(drifting.unit, 1);
  EXPECT_EQ(drifting.springs, 2);
  EXPECT_EQ(drifting.freedoms(), 8);
  EXPECT_EQ(
      particles_of("k*(dot(c - b, c - b) - 2*dot(b - c, b - c) + sqrt(dot(2*c - 2*b, 2*c - 2*b)))/l").springs,
      1)
      << "along one vector";
  EXPECT_EQ(particles_of("dot(c, c) - 2*dot(c, e) + dot(e, e)").springs, 1)
      << "|c - e|^2, however it is written";
  EXPECT_EQ(particles_of("-(l - k*dot(e - c, e - c)^2)").springs, 1);
  const VectorFacts damped = particles_of(
      "k*dot(c - b, c - b)", "rayleigh = \"1/2*eta*(dot(c' - b', c' - b') + dot(e' - a', e' - a'))\"\n");
  EXPECT_EQ(damped.springs, 2) << "a viscous element stands beside a spring, or alone";
  for (const std::string held : {"9.81*(c[1] + e[1])", "k*dot(e, e)", "k*dot(c - 2*b, c - 2*b)"}) {
    const VectorFacts found = particles_of(held);
    EXPECT_TRUE(found.drifting == 0 && found.free == 3) << held;
  }
  EXPECT_EQ(particles_of("sum(i, 0, 500, k/(dot(c - a, c - a) + i + 1))").springs, 1);
  EXPECT_EQ(particles_of("dot(0.1*c - 0.3*e, 0.1*c - 0.3*e)").springs, 1) << "but for rounding";
  const VectorFacts hanging = particles_of("0", "", "\"dot(b - a, b - a) - l^2\", \"dot(e, e) - 4\"");
  EXPECT_TRUE(hanging.unit == 2 && hanging.free == 2 && hanging.drifting == 0);
}

TEST(TextSystem, FindsNoParticlesInWhatIsMore) {
  for (const std::string potential :
       {"k*dot(a, b)", "k*norm(c - b)*norm(e - a)", "k*dot(c - b, [1, 2, 3])^2", "k*c[0]^2",
        "9.81*(c[0] + e[1])", "dot(c - k*b, c - k*b)", "k*dot(c - [0, 0, 1], c - [0, 0, 1])",
        // Of these second derivatives alone know nothing.
        "dot(c - a, c - a) + abs(b[1])", "k*sqrt(dot(c - a, c - a) + abs(b[1]))",
        "dot(c - a, c - a) + max(b[1], 0)"})
    EXPECT_EQ(particles_of(potential).freedoms(), 0) << potential;
  for (const std::string rows : {"\"dot(b - a, b - a) - l^2\", \"dot(c - b, c - b) - 2\"", "\"dot(a, b)\"",
                                 "\"dot(b - 2*a, b - 2*a) - 1\"", "\"dot(b - [0, 0, 1], b - [0, 0, 1]) - 1\"",
                                 "\"a[0] - b[0]\"", "\"dot(b - a, b - a) - 1 + 0.3*abs(c[0])\""})
    EXPECT_EQ(particles_of("0", "", rows).freedoms(), 0) << rows;
  EXPECT_EQ(particles_of("0", "rayleigh = \"eta*dot(a', b' - a')\"\n").freedoms(), 0);
}

TEST(TextSystem, MeasuresAngularMomentumInVectorsWhereTheTextSaysThatAlone) {
  const auto maps_of = [](const std::string& momentum) {
    const std::string header =
        read_text_system(spinning("\"(dot(c, c) - 1)/2\", " + products + ", \"x - l*c\"",
                                  "momentum = [\"" + momentum + "\"]\n"),
                         "spinning.toml")
            .header();
    return header.find(".momentum_maps = 1}") != header.npos;
  };
  const std::string total = "cross(x, p(x))[2] + cross(a, p(a))[2] + cross(b, p(b))[2] + cross(c, p(c))[2]";
  EXPECT_TRUE(maps_of(total));
  for (const std::string& other :
       {"2*(" + total + ")", "-(" + total + ")", total + " + p(x)[0]", total + " + p(x)[0]^2", total + " - 1",
        // Of these derivatives know nothing.
        total + " + sign(p(x)[0])", total + " + where(p(x)[0] > 1, 2, 0)", total + " + abs(p(x)[0])",
        total + " - cross(x, p(x))[2]"})
    EXPECT_FALSE(maps_of(other)) << other;
}

TEST(TextSystem, KnowsWhenNothingDamps) {
  const TextSystem system = read_text_system(spinning("\"(dot(c, c) - 1)/2\", " + products + ", \"x - l*c\"",
                                                      "rayleigh = \"1/2*drag*l^2*dot(c', c')\"\n"),
                                             "spinning.toml");
  EXPECT_TRUE(system.may_damp({true, false, true}));
  EXPECT_FALSE(system.may_damp({true, true, false}));
  EXPECT_FALSE(system.may_damp({false, true, true}));
}

TEST(TextSystem, WarnsOfAMomentumThatIsNotConserved) {
  const auto warnings_of = [](const std::string& momentum, const std::string& more) {
    return read_text_system("momentum = [\"" + momentum + "\"]\n" + more, "m.toml").warnings();
  };
  const std::string pendulum = R"toml(name = "pendulum"
kinetic = "1/2*mass*dot(u', u')"
potential = "mass*gravity*u[2]"
constraints = ["(dot(u, u) - length^2)/2"]
coordinates = { u = 3 }
parameters = { mass = 1.0, gravity = 9.81, length = 1.0 }
)toml";
  EXPECT_TRUE(warnings_of("cross(u, p(u))[2]", pendulum).empty());
  EXPECT_EQ(warnings_of("cross(u, p(u))[0]", pendulum),
            std::vector<std::string>{
                "m.toml:1: momentum[0]: is not conserved: the energies are not symmetric under it"});
  EXPECT_EQ(warnings_of("p(u[0])", pendulum),
            std::vector<std::string>{
                "m.toml:1: momentum[0]: is not conserved: the constraints are not symmetric under it"});
}

TEST(TextSystem, WarnsOfUnitsThatDoNotAgree) {
  const std::string ball = R"toml(
name = "ball"
kinetic = "1/2*mass*y'^2"
coordinates = { y = 1 }
[parameters]
mass = { unit = "kg", default = 1.0 }
length = { unit = "m", default = 1.0 }
)toml";
  const auto warnings_of = [&](const std::string& potential, const std::string& unit_of_gravity) {
    return read_text_system("potential = \"" + potential + "\"" + ball +
                                "gravity = { default = 9.81, unit = \"" + unit_of_gravity + "\" }",
                            "u.toml")
        .warnings();
  };
  using Warnings = std::vector<std::string>;
  EXPECT_EQ(warnings_of("mass*gravity*y", "m/s^2"), Warnings{});
  EXPECT_EQ(warnings_of("mass*gravity*y", "N/kg"), Warnings{});
  EXPECT_EQ(warnings_of("mass*gravity*y", "m/s"),
            Warnings{"u.toml:1: potential: the units do not agree: is in kg m^2 s^-1, expected kg m^2 s^-2"});
  EXPECT_EQ(warnings_of("mass*gravity*(y + mass)", "m/s^2"),
            Warnings{"u.toml:1: potential: the units do not agree: a sum of m and kg"});
  EXPECT_EQ(
      warnings_of("mass*gravity*length*cos(y)", "m/s^2"),
      Warnings{
          "u.toml:1: potential: the units do not agree: a function of m; expected a number without unit"});
  EXPECT_EQ(warnings_of("mass*gravity*y", "furlong"), Warnings{}) << "an unknown unit: nothing is checked";
  EXPECT_EQ(warnings_of("mass*gravity*(y - 1)", "m/s^2"), Warnings{});
  const std::string length = "length = { unit = \"m\", default = 1.0 }";
  std::string following = "potential = \"mass*y\"" + ball;
  following.replace(following.find(length), length.size(), "length = { unit = \"m\", default = \"2*mass\" }");
  EXPECT_EQ(
      read_text_system(following + "gravity = { default = 9.81, unit = \"m/s^2\" }", "u.toml").warnings(),
      (Warnings{"u.toml:7: parameters.length.default: the units do not agree: is in kg, expected m",
                "u.toml:1: potential: the units do not agree: is in kg m, expected kg m^2 s^-2"}));
}

}  // namespace
}  // namespace livens
