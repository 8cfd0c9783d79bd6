// Every bad text of bad_texts.txt gets the message that stands there.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "expressions/text_system.hpp"

namespace livens {
namespace {

/// What a case does not say itself.
const std::pair<std::string, std::string> otherwise[] = {
    {"name", "name = \"bad\""},
    {"kinetic", "kinetic = \"1/2*mass*x'^2 + 1/2*mass*dot(u', u')\""},
    {"coordinates", "coordinates = { x = 1, u = 3 }"},
    {"parameters",
     "parameters = { mass = { default = 1.0, domain = \"positive\" }, gravity = 9.81, length = [1.0, 2.0] "
     "}"}};

std::string complete(const std::string& lines) {
  std::string text = lines;
  for (const auto& [key, line] : otherwise)
    if (("\n" + lines).find("\n" + key) == std::string::npos) text += line + "\n";
  return text;
}

TEST(BadTexts, GetTheirMessages) {
  std::ifstream file(LIVENS_BAD_TEXTS);
  ASSERT_TRUE(file.good());
  std::string lines, expected, line;
  int cases = 0;
  const auto check = [&] {
    if (lines.empty()) return;
    ++cases;
    try {
      read_text_system(complete(lines), "bad.toml");
      ADD_FAILURE() << "was read:\n" << lines;
    } catch (const RequestError& error) {
      EXPECT_EQ(std::string(error.what()) + "\n", expected) << lines;
    }
    lines.clear();
    expected.clear();
  };
  while (std::getline(file, line)) {
    if (line.starts_with("##")) continue;
    if (line.empty())
      check();
    else if (line.starts_with("=> "))
      expected += line.substr(3) + "\n";
    else
      lines += line + "\n";
  }
  check();
  EXPECT_GE(cases, 40);
}

TEST(BadTexts, TheUnchangedTextIsGood) { EXPECT_NO_THROW(read_text_system(complete(""), "good.toml")); }

TEST(BadTexts, DeepAndLongTextsAreRefused) {
  EXPECT_THROW(read_text_system(std::string(longest_text + 1, 'x'), "long.toml"), RequestError);
  EXPECT_THROW(read_text_system("x = " + std::string(200000, '['), "deep.toml"), RequestError);
  EXPECT_THROW(read_text_system(complete("potential = \"" + std::string(200000, '(') + "\"\n"), "deep.toml"),
               RequestError);
  EXPECT_THROW(read_text_system(complete("potential = \"" + std::string(19000, '(') + "\"\n"), "deep.toml"),
               RequestError);
  // Every factor doubles the derivatives of the ones before it; the graph has a largest size.
  std::string nested = "x";
  for (int i = 0; i < 190; ++i) nested = "sin(" + nested + ")";
  EXPECT_NO_THROW(read_text_system(complete("potential = \"" + nested + "\"\n"), "nested.toml"));
}

}  // namespace
}  // namespace livens
