// What a spec adds to a system, as the class that is compiled has it.

#include "expressions/observing_class.hpp"

#include <gtest/gtest.h>

namespace livens::expressions {
namespace {

const char* const two = R"toml(
name = "two"
kinetic = "1/2*m*(x'^2 + y'^2)"
[coordinates]
x = 1
y = 1
[parameters]
m = 2.0
)toml";

std::string header_with(const CarriedTangents& tangents) {
  const TextSystem system = read_text_system(two, "two.toml");
  Additions additions;
  additions.tangents = tangents;
  return observing_header(system.info(), &system, names_at_nodes(system.info(), &system), "Base",
                          "#include \"base.hpp\"\n", additions);
}

TEST(ObservingClass, HasTheDirectionsThatASpecNames) {
  const std::string header =
      header_with({.state = false,
                   .directions = 3,
                   .of = {{WithRespectTo::q, 1}, {WithRespectTo::parameter, 0}, {WithRespectTo::step, 0}},
                   .q = {Origin::own, Origin::multiplied},
                   .v = {Origin::given, Origin::own},
                   .momentum = false,
                   .projected = true,
                   .exponents = 0,
                   .every = 0});
  EXPECT_NE(header.find("#include \"kernels/description/tangent_info.hpp\"\n"), std::string::npos) << header;
  EXPECT_NE(header.find(R"(  struct Tangents {
    static constexpr bool state = false;
    static constexpr int directions = 3;
    static constexpr std::array<Direction, 3> of = {{{WithRespectTo::q, 1}, {WithRespectTo::parameter, 0}, {WithRespectTo::step, 0}}};
    static constexpr std::array<Origin, 2> q = {{Origin::own, Origin::multiplied}};
    static constexpr std::array<Origin, 2> v = {{Origin::given, Origin::own}};
    static constexpr bool momentum = false;
    static constexpr bool projected = true;
    static constexpr int exponents = 0;
    static constexpr int every = 0;
  };
)"),
            std::string::npos)
      << header;
}

TEST(ObservingClass, HasNoListOfTheDirectionsOfTheState) {
  const std::string header = header_with({.state = true,
                                          .directions = 4,
                                          .of = {},
                                          .q = {Origin::given, Origin::given},
                                          .v = {Origin::given, Origin::given},
                                          .momentum = true,
                                          .projected = false,
                                          .exponents = 2,
                                          .every = 10});
  EXPECT_EQ(header.find("Direction of"), std::string::npos) << header;
  for (const char* line : {"bool state = true;", "int directions = 4;", "bool momentum = true;",
                           "bool projected = false;", "int exponents = 2;", "int every = 10;"})
    EXPECT_NE(header.find(line), std::string::npos) << line << '\n' << header;
}

}  // namespace
}  // namespace livens::expressions
