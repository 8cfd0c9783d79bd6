// livens new: what it writes runs, as it stands and with every line that can be switched on.

#include "host/spec/commented_spec.hpp"

#include <iterator>
#include <sstream>

#include "host/spec/spec.hpp"
#include "tests/host/program_call.hpp"
#include "tests/host/toy_registry.hpp"

namespace livens::host {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool can_be_switched_on(const std::string& line) {
  return line.size() > 1 && line[0] == '#' && line[1] != ' ' && line[1] != '#';
}

/// The spec with one block of such lines switched on, for each block: lines of a table go together.
std::vector<std::string> with_each_switched_on(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < lines.size();) {
    if (!can_be_switched_on(lines[i])) {
      ++i;
      continue;
    }
    std::size_t last = i + 1;
    if (lines[i].starts_with("#["))
      while (last < lines.size() && can_be_switched_on(lines[last])) ++last;
    std::string changed;
    for (std::size_t k = 0; k < lines.size(); ++k)
      changed += (k >= i && k < last ? lines[k].substr(1) : lines[k]) + '\n';
    all.push_back(changed);
    i = last;
  }
  return all;
}

TEST(CommentedSpec, ParsesAsItStandsAndWithEveryLineSwitchedOn) {
  const Catalogue catalogue = toy_catalogue();
  for (const SystemKernels& system : catalogue.systems) {
    const std::string text = commented_spec(*system.info, catalogue, default_initial_state(system), "");
    const Spec spec = parse_spec(text, "new.toml", catalogue);
    // Written out, a default is the default.
    EXPECT_EQ(spec.request.parameters, default_parameters(*system.info)) << text;
    EXPECT_EQ(spec.request.step, system.info->default_step);
    EXPECT_EQ(spec.request.end, system.info->default_end);
    const std::vector<std::string> changed = with_each_switched_on(text);
    EXPECT_GE(changed.size(), 3u) << text;  // q, v, extremes
    for (const std::string& other : changed)
      EXPECT_NO_THROW(parse_spec(other, "new.toml", catalogue)) << other;
    for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST(CommentedSpec, TextOfStrangersStaysInItsComment) {
  const Catalogue catalogue = toy_catalogue();
  SystemInfo system = *catalogue.systems.front().info;
  system.meaning = "two lines\n[scheme]\nstep = 3";
  const std::string text =
      commented_spec(system, catalogue, default_initial_state(catalogue.systems.front()), "");
  EXPECT_EQ(parse_spec(text, "new.toml", catalogue).request.step, system.default_step) << text;
}

TEST_F(Commands, NewWritesASpecThatRuns) {
  const std::string path = (directory / "new.toml").string();
  const Outcome made = call({"new", "toy_pair", "-o", path});
  EXPECT_EQ(made.status, exit_done) << made.err;
  EXPECT_EQ(call({"run", path, "-o", output}).status, exit_done);
  const Outcome again = call({"new", "toy_pair", "-o", path});
  EXPECT_EQ(again.status, exit_bad_request);
  EXPECT_NE(again.err.find("already exists"), std::string::npos) << again.err;
  EXPECT_EQ(call({"new", "toy_pair", "-o", path, "--force"}).status, exit_done);
  const Outcome printed = call({"new", "toy_slide", "-o", "-"});
  EXPECT_NE(printed.out.find("name = \"toy_slide\""), std::string::npos) << printed.out;
  const Outcome unknown = call({"new", "toy_pear"});
  EXPECT_EQ(unknown.status, exit_bad_request);
  EXPECT_NE(unknown.err.find("did you mean 'toy_pair'"), std::string::npos) << unknown.err;
}

TEST_F(Commands, NewTakesASystemAsText) {
  const std::string text = (directory / "slider.toml").string(), path = (directory / "study.toml").string();
  std::ofstream(text)
      << "name = 'slider'\nkinetic = \"1/2*m*x'^2 + k*l*x'^2\"\n[coordinates]\nx = 1\n[parameters]\n"
         "m = { unit = 'kg', default = 0.1, domain = 'positive', meaning = 'mass' }\nk = 2.0\n"
         "l = { default = 1.0, domain = 'positive' }\n";
  const Outcome made = call({"new", text, "-o", path});
  ASSERT_EQ(made.status, exit_done) << made.err;
  std::ifstream file(path);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(written.find("file = \"slider.toml\""), std::string::npos) << written;  // beside the spec
  EXPECT_NE(written.find("\nm = 0.1  # kg: mass, > 0\nk = 2.0\nl = 1.0  # > 0\n"), std::string::npos)
      << written;
  const Outcome onto_itself = call({"new", text, "-o", text, "--force"});
  EXPECT_EQ(onto_itself.status, exit_bad_request) << onto_itself.err;
}

}  // namespace
}  // namespace livens::host
