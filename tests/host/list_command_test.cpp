// livens list and livens show.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>

#include "host/errors.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

TEST_F(Commands, ListAndShowPrintJson) {
  const auto list = nlohmann::json::parse(call({"list", "--json"}).out);
  ASSERT_EQ(list["systems"].size(), 2u);
  EXPECT_EQ(list["systems"][0]["name"], "toy_pair");
  EXPECT_EQ(list["systems"][0]["d"], 2);
  EXPECT_EQ(list["systems"][0]["m"], 1);
  EXPECT_EQ(list["systems"][0]["momentum"], 1);
  EXPECT_EQ(list["schemes"][1],
            (nlohmann::json{{"name", "ggl_vi"}, {"order", 1}, {"orders", nlohmann::json::array({1})}}));
  ASSERT_EQ(list["pairs"].size(), 3u);  // the two forms of ems are one pair
  EXPECT_EQ(list["pairs"][0]["scheme"], "ems");
  EXPECT_EQ(list["pairs"][0]["unknowns"], 1);
  EXPECT_EQ(list["pairs"][0]["backends"][0], "cpu");
  EXPECT_EQ(list["pairs"][0]["precisions"], (nlohmann::json{"double", "mixed", "single"}));
  EXPECT_EQ(list["pairs"][1]["precisions"], (nlohmann::json{"double"}));

  const auto show = nlohmann::json::parse(call({"show", "toy_pair", "--json"}).out);
  EXPECT_EQ(show["parameters"][0]["name"], "mass");
  EXPECT_EQ(show["parameters"][0]["symbol"], "m");
  EXPECT_EQ(show["parameters"][0]["unit"], "kg");
  EXPECT_EQ(show["parameters"][0]["default"], (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(show["parameters"][1]["default"], 10.0);
  EXPECT_EQ(show["initial"]["q"], (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(show["layout"], "x1, x2");
  EXPECT_EQ(show["paper"], "no paper");

  // Those of its tables that need no scheme: tests/docs has the third.
  std::ifstream file(LIVENS_CONTRACT);
  const std::string contract{std::istreambuf_iterator<char>(file), {}};
  for (const std::string table : {"--quantities", "--statuses"})
    EXPECT_NE(
        contract.find("<!-- livens list " + table + " -->\n" + call({"list", table}).out + "<!-- end -->\n"),
        std::string::npos)
        << "docs/contract.md is stale: scripts/contract_tables.py";
  EXPECT_NE(call({"list", "--options"}).out.find("| `start` | `ggl_vi` | `\"legendre\"` |"),
            std::string::npos);
  EXPECT_NE(call({"list", "--pairs"}).out.find("1 (reduced)"), std::string::npos);
  EXPECT_EQ(call({"list"}).out.find("1 (reduced)"), std::string::npos);
  EXPECT_NE(call({"show", "toy_pair"}).out.find("initial q = [1, 2]"), std::string::npos);
}

// What a text with bodies stands for is itself a text, which stands for nothing else.
TEST_F(Commands, ShowPrintsWhatBodiesStandFor) {
  const std::string bodies = spec(R"(name = "swing"
potential = "9.81*bar.x[1]"
bodies.bar = { mass = 1, inertia = "1/12", planar = true }
joints.hinge = { kind = "revolute", between = ["ground", "bar"], at = [[0, 0], [-0.5, 0]] }
initial.bar = { x = [0.5, 0] }
)");
  const Outcome alone = call({"show", bodies, "--expanded"});
  ASSERT_EQ(alone.status, exit_done) << alone.err;
  EXPECT_NE(alone.out.find("\"bar.d1\" = 2"), std::string::npos) << alone.out;
  EXPECT_NE(alone.out.find("\"bar.x + (-0.5)*bar.d1\""), std::string::npos) << alone.out;
  const std::string whole = call({"show", bodies}).out;
  EXPECT_NE(whole.find("d = 6 coordinates, m = 5 constraints"), std::string::npos) << whole;
  EXPECT_NE(whole.find(alone.out), std::string::npos) << whole;

  const std::string expanded = spec(alone.out);
  EXPECT_EQ(call({"show", expanded, "--expanded"}).out, alone.out);
  EXPECT_EQ(call({"show", "toy_pair", "--expanded"}).status, exit_bad_request);
}

TEST_F(Commands, ShowSaysTheOptionsOfAScheme) {
  const auto show = nlohmann::json::parse(call({"show", "ggl_vi", "--json"}).out);
  EXPECT_EQ(show["order"], 1);
  ASSERT_EQ(show["options"].size(), 4u);
  EXPECT_EQ(show["options"][0]["name"], "start");
  EXPECT_EQ(show["options"][0]["default"], "legendre");
  EXPECT_EQ(show["options"][0]["words"], (std::vector<std::string>{"legendre", "naive"}));
  EXPECT_TRUE(show["options"][1]["default"].is_null());
  EXPECT_EQ(show["options"][1]["derived"], "symmetric with a spring");
  EXPECT_EQ(show["options"][2]["default"], 0.5);
  EXPECT_EQ(show["options"][2]["range"], "a number from 0 to 1");
  EXPECT_EQ(show["systems"], (nlohmann::json{{{"name", "toy_pair"}, {"forms", {{"full", 4}}}}}));

  const std::string text = call({"show", "ggl_vi"}).out;
  for (const char* part : {"ggl_vi: variational", "order 1; needs a spring", "legendre or naive", "4 (full)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const Outcome unknown = call({"show", "gglvi"});
  EXPECT_EQ(unknown.status, exit_bad_request);
  EXPECT_NE(unknown.err.find("unknown system or scheme 'gglvi'; did you mean 'ggl_vi'?"), std::string::npos);
}

TEST_F(Commands, ListSaysWhyAPairIsNotThere) {
  const auto why = [](const char* system, const char* scheme) {
    const std::string page = call({"list", "--why", system, scheme}).out;
    return std::regex_replace(page, std::regex("\n  "), " ");
  };
  EXPECT_EQ(why("toy_pair", "ems"),
            "ems runs toy_pair: full (4 unknowns), reduced (1 unknown, no viscous damping)\n");
  const std::string none = why("toy_slide", "ems");
  EXPECT_TRUE(none.starts_with("ems does not run toy_slide: its mass matrix is singular or depends on q"))
      << none;
  EXPECT_NE(none.find("; and its potential is not linear"), std::string::npos) << none;
  EXPECT_EQ(none.find("holonomic constraints"), std::string::npos) << none;  // those it has
  EXPECT_EQ(why("toy_pair", "livens"),
            "livens does not run toy_pair: the system has what the scheme needs, but this program was built "
            "without the pair\n");
  EXPECT_EQ(call({"list", "--why", "toy_pair", "emss"}).status, exit_bad_request);
  EXPECT_EQ(call({"list", "--why", "toy_pear", "ems"}).status, exit_bad_request);
  EXPECT_EQ(call({"list", "--why", "toy_pair"}).status, exit_bad_request);
}

}  // namespace
}  // namespace livens::host
