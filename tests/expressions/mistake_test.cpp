#include "expressions/mistake.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "expressions/refusal.hpp"
#include "expressions/text_system.hpp"

namespace livens {
namespace {

TEST(Mistake, IsPrintedWithWhatItHas) {
  const std::pair<Mistake, const char*> cases[] = {
      {{{"a.toml", 3, "scheme.step"}, "-1 is out of range", "a time > 0"},
       "a.toml:3: scheme.step: -1 is out of range; expected a time > 0"},
      {{{"a.toml", 3, "law"}, "unknown law 'nrmal'", "normal or uniform", "normal"},
       "a.toml:3: law: unknown law 'nrmal'; did you mean 'normal'? expected normal or uniform"},
      {{{"a.toml", 3, "stpe"}, "unknown key 'stpe'", "", "step"},
       "a.toml:3: stpe: unknown key 'stpe'; did you mean 'step'?"},
      {{{"a.toml", 3, "name"}, "", "a text in quotes"}, "a.toml:3: name: expected a text in quotes"},
      {{{"a.toml"}, "cannot be read", "a spec in TOML"}, "a.toml: cannot be read; expected a spec in TOML"},
      {{{.key = "--size"}, "0 is out of range"}, "--size: 0 is out of range"},
      {{{"--set", 0, "scheme.step"}, "wrong type"}, "--set: scheme.step: wrong type"},
      {{{}, "no command 'rnu'"}, "no command 'rnu'"},
      {{{"a.toml", 3, "potential"}, "unknown name 'm'", "x", "", "x*m", 2},
       "a.toml:3: potential: unknown name 'm'; expected x\n  x*m\n    ^"}};
  for (const auto& [mistake, text] : cases) EXPECT_EQ(printed(mistake), text);
}

TEST(Mistake, OfAnUnknownNameHasTheNearestOne) {
  const std::vector<std::string> names = {"ems", "ggl_vi"};
  const auto refused = [&](const std::string& typed) {
    try {
      refuse_unknown({"a.toml", 1, "scheme.name"}, "unknown scheme", typed, names);
    } catch (const RequestError& error) {
      return error.mistakes;
    }
  };
  const Place place{"a.toml", 1, "scheme.name"};
  EXPECT_EQ(refused("esm"), (std::vector<Mistake>{{place, "unknown scheme", "ems or ggl_vi", "ems"}}));
  EXPECT_EQ(refused("lagrange"), (std::vector<Mistake>{{place, "unknown scheme", "ems or ggl_vi"}}));
}

TEST(Mistake, InAnExpressionHasItsLineAndItsColumn) {
  try {
    read_text_system(
        "name = \"one\"\nkinetic = \"1/2*m*x'^2\"\npotential = \"\"\"x +\nn*x\"\"\"\ncoordinates = { x = 1 "
        "}\n"
        "parameters = { m = 1.0 }\n",
        "one.toml");
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_EQ(
        error.mistakes,
        (std::vector<Mistake>{{{"one.toml", 4, "potential"}, "unknown name 'n'", "x or m", "", "n*x", 0}}));
  }
}

}  // namespace
}  // namespace livens
