// The program from its arguments to its exit status, on the toy pairs.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "host/errors.hpp"
#include "host/program.hpp"
#include "host/result_file.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

constexpr Checks checks = {[](const VerifyOptions&) { return int{exit_bound_broken}; },
                           [](const BenchOptions&) { return int{exit_done}; }};

struct Outcome {
  int status;
  std::string out, err;
};

Outcome call(std::vector<std::string> arguments) {
  std::vector<const char*> argv = {"livens"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = program(static_cast<int>(argv.size()), argv.data(), checks);
  std::fflush(stdout);
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

class Commands : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "livens-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory = name;
    output = (directory / "out.h5").string();
  }
  void TearDown() override { fs::remove_all(directory); }

  std::string spec(const std::string& text) const {
    const std::string path = (directory / "toy.toml").string();
    std::ofstream(path) << text;
    return path;
  }

  fs::path directory;
  std::string output;
};

const char* const varied = R"([system]
name = "toy_pair"
[ensemble]
size = 3000
[[ensemble.vary]]
what = "initial.v[0]"
law = "normal"
mean = 0.0
std = 1.0
[output]
every = 5
)";

TEST_F(Commands, ListAndShowPrintJson) {
  const auto list = nlohmann::json::parse(call({"list", "--json"}).out);
  ASSERT_EQ(list["systems"].size(), 2u);
  EXPECT_EQ(list["systems"][0]["name"], "toy_pair");
  EXPECT_EQ(list["systems"][0]["d"], 2);
  EXPECT_EQ(list["systems"][0]["m"], 1);
  EXPECT_EQ(list["systems"][0]["momentum"], 1);
  EXPECT_EQ(list["schemes"][1], (nlohmann::json{{"name", "ggl_vi"}, {"order", 1}}));
  ASSERT_EQ(list["pairs"].size(), 3u);  // the two forms of ems are one pair
  EXPECT_EQ(list["pairs"][0]["scheme"], "ems");
  EXPECT_EQ(list["pairs"][0]["unknowns"], 1);
  EXPECT_EQ(list["pairs"][0]["backends"][0], "cpu");

  const auto show = nlohmann::json::parse(call({"show", "toy_pair", "--json"}).out);
  EXPECT_EQ(show["parameters"][0]["name"], "mass");
  EXPECT_EQ(show["parameters"][0]["symbol"], "m");
  EXPECT_EQ(show["parameters"][0]["unit"], "kg");
  EXPECT_EQ(show["parameters"][0]["default"], (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(show["parameters"][1]["default"], 10.0);
  EXPECT_EQ(show["initial"]["q"], (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(show["layout"], "x1, x2");
  EXPECT_EQ(show["paper"], "no paper");

  EXPECT_NE(call({"list"}).out.find("1 (reduced)"), std::string::npos);
  EXPECT_NE(call({"show", "toy_pair"}).out.find("initial q = [1, 2]"), std::string::npos);
}

TEST_F(Commands, RunWritesWhatInfoReads) {
  const Outcome run = call({"run", spec(varied), "-o", output, "--threads", "2"});
  EXPECT_EQ(run.status, exit_done) << run.err;
  EXPECT_NE(run.out.find("3000 of 3000 instances ok"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("2.00 Newton iterations per step"), std::string::npos) << run.out;
  const ensembles::Result result = read_result(output).result;
  EXPECT_EQ(result.size, 3000);
  EXPECT_EQ(result.time.size(), 3u);
  EXPECT_EQ(result.instances.parameters[0].what, "initial.v[0]");
  const Outcome info = call({"info", output});
  EXPECT_EQ(info.status, exit_done);
  EXPECT_NE(info.out.find("intact"), std::string::npos);
  EXPECT_NE(info.out.find("varied: initial.v[0]"), std::string::npos);
}

TEST_F(Commands, ThreadsDoNotShow) {
  const std::string other = (directory / "other.h5").string();
  ASSERT_EQ(call({"run", spec(varied), "-o", output, "--threads", "1", "--quiet"}).status, exit_done);
  ASSERT_EQ(call({"run", spec(varied), "-o", other, "--threads", "3", "--quiet"}).status, exit_done);
  const ensembles::Result a = read_result(output).result, b = read_result(other).result;
  EXPECT_EQ(a.instances.final_q, b.instances.final_q);
  EXPECT_EQ(a.statistics[0].mean, b.statistics[0].mean);
  EXPECT_EQ(a.trajectories.q, b.trajectories.q);
}

TEST_F(Commands, QuietIsQuiet) {
  const Outcome run = call({"run", spec(varied), "-o", output, "--quiet", "--progress", "json"});
  EXPECT_EQ(run.out + run.err, "");
}

TEST_F(Commands, ProgressIsOneObjectALine) {
  std::istringstream lines(call({"run", spec(varied), "-o", output, "--progress", "json"}).err);
  nlohmann::json last;
  for (std::string line; std::getline(lines, line);) last = nlohmann::json::parse(line);
  EXPECT_EQ(last["done"], 10);
  EXPECT_EQ(last["total"], 10);
}

TEST_F(Commands, FailedInstancesAreJudged) {
  const std::string failing =
      "system.name = 'toy_pair'\n[ensemble]\nVERDICT\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\nvalues = [1, 2, 3, 1000]\n";
  const auto status_with = [&](const std::string& verdict) {
    std::string text = failing;
    text.replace(text.find("VERDICT"), 7, verdict);
    return call({"run", spec(text), "-o", output});
  };
  EXPECT_EQ(status_with("").status, exit_done);
  EXPECT_NE(status_with("").out.find("3 of 4 instances ok, 1 newton_diverged"), std::string::npos);
  EXPECT_EQ(status_with("on_failure = 'error'").status, exit_instances_failed);
  EXPECT_EQ(status_with("max_failed_fraction = 0.2").status, exit_instances_failed);
  EXPECT_EQ(status_with("max_failed_fraction = 0.25").status, exit_done);
  EXPECT_EQ(read_result(output).result.instances.failed_step[3], 3);
}

TEST_F(Commands, BadRequestsExitWith2AndWriteNothing) {
  const std::string good = spec(varied);
  const std::vector<std::vector<std::string>> requests = {
      {},
      {"integrate"},
      {"run"},
      {"run", good, "--sise", "3"},
      {"run", good, "--size", "many"},
      {"run", good, "--size", "0", "-o", output},
      {"run", good, "--seed", "-1", "-o", output},
      {"run", good, "--steps", "0", "-o", output},
      {"run", good, "--threads", "0", "-o", output},
      {"run", good, "--backend", "gpu", "-o", output},
      {"run", good, "--backend", "cuda", "-o", output},
      {"run", good, "--progress", "loud", "-o", output},
      {"run", (directory / "absent.toml").string()},
      {"show", "toy_piar"},
  };
  for (const auto& request : requests) {
    const Outcome outcome = call(request);
    EXPECT_EQ(outcome.status, exit_bad_request) << testing::PrintToString(request) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(output));
  EXPECT_NE(call({"show", "toy_piar"}).err.find("did you mean 'toy_pair'?"), std::string::npos);
}

TEST_F(Commands, FilesThatCannotBeReadOrWrittenExitWith4) {
  EXPECT_EQ(call({"run", spec(varied), "-o", (directory / "absent" / "out.h5").string()}).status, exit_file);
  EXPECT_EQ(call({"info", (directory / "absent.h5").string()}).status, exit_file);
  EXPECT_EQ(call({"info", spec(varied)}).status, exit_file);
}

TEST_F(Commands, CtrlCExitsWith130AndWritesNothing) {
  const std::string endless = spec("system.name = 'toy_slide'\noutput.every = 1000000000\n");
  const pid_t child = fork();
  if (child == 0) {
    const char* argv[] = {"livens", "run", endless.c_str(), "--steps", "100000000000", "-o", output.c_str()};
    std::exit(program(static_cast<int>(std::size(argv)), argv, checks));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), exit_interrupted);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);  // the spec
}

TEST_F(Commands, HelpAndVersionAreNotErrors) {
  for (const char* command : {"run", "list", "show", "info", "verify", "bench"}) {
    const Outcome help = call({command, "--help"});
    EXPECT_EQ(help.status, exit_done);
    EXPECT_NE(help.out.find("Usage"), std::string::npos) << command;
  }
  EXPECT_EQ(call({"--help"}).status, exit_done);
  EXPECT_EQ(call({"--version"}).out.substr(0, 7), "livens ");
}

TEST_F(Commands, VerifyHandsOnItsVerdict) { EXPECT_EQ(call({"verify", "--all"}).status, exit_bound_broken); }

}  // namespace
}  // namespace livens::host
