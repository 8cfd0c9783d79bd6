// The program from its arguments to its exit status, whatever the command.

#include <gtest/gtest.h>
#include <cstdlib>

#include <algorithm>
#include <filesystem>

#include "host/errors.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

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
      {"run", good, "--devices", "0;1", "-o", output},
      {"run", good, "--devices", "all", "-o", output},
      {"run", good, "--devices", "0", "--backend", "cpu", "-o", output},
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

TEST_F(Commands, HelpAndVersionAreNotErrors) {
  for (const char* command : {"run", "compile", "cache", "list", "show", "info", "merge", "failures",
                              "verify", "bench", "doctor"}) {
    const Outcome help = call({command, "--help"});
    EXPECT_EQ(help.status, exit_done);
    EXPECT_NE(help.out.find("Usage"), std::string::npos) << command;
  }
  EXPECT_EQ(call({"--help"}).status, exit_done);
  EXPECT_EQ(call({"--version"}).out.substr(0, 7), "livens ");
}

TEST_F(Commands, ALongWordIsCutInWhatIsSaidOfIt) {
  const std::string word(5'000'000, 'x');
  for (const std::string& text :
       {"system.name = '" + word + "'\n", "system.name = 'toy_pair'\nscheme." + word + " = 1\n",
        "system.name = 'toy_pair'\nscheme.name = '" + word + "'\n", word}) {
    const Outcome outcome = call({"run", spec(text), "-o", output});
    EXPECT_EQ(outcome.status, exit_bad_request);
    EXPECT_LT(outcome.err.size(), 60'000u);
    EXPECT_NE(outcome.err.find("toy.toml:"), std::string::npos);
  }
}

// 010 is ten wherever it stands: CLI11 would read it as eight.
TEST_F(Commands, WholeNumbersAreDecimal) {
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"run", spec(varied), "-o", output, "--force", "--quiet"});
    const Outcome outcome = call(options);
    EXPECT_EQ(outcome.status, exit_done) << outcome.err;
    return read_result(output);
  };
  EXPECT_EQ(run({"--size", "010"}).result.size, 10);
  EXPECT_EQ(run({"--size", "0100"}).result.size, 100);
  EXPECT_EQ(run({"--size", "010"}).provenance.overrides, "--size 10");
  EXPECT_EQ(run({"--seed", "010"}).result.seed, 10u);
  EXPECT_EQ(run({"--seed", "08"}).result.seed, 8u);
  EXPECT_EQ(run({"--seed", "18446744073709551615"}).result.seed, 18446744073709551615u);
  EXPECT_EQ(run({"--steps", "020"}).result.time.back(), 2.0);
  EXPECT_EQ(run({"--threads", "08", "--memory", "00.25"}).result.size, 3000);
  ASSERT_TRUE(run({"--shard", "01/03"}).shard);
  const std::string wrong[] = {"0x10", "1e3", "+5",  " 5", "5 ", "5_000", "5.0", "99999999999999999999",
                               "-1",   "",    "five"};
  for (const char* option : {"--size", "--seed", "--steps", "--threads", "--devices"})
    for (const std::string& typed : wrong) {
      const Outcome outcome = call({"run", spec(varied), "-o", output, "--force", option, typed});
      EXPECT_EQ(outcome.status, exit_bad_request) << option << " '" << typed << "'";
      EXPECT_NE(outcome.err.find(option), std::string::npos) << outcome.err;
    }
  for (const char* typed : {"0x1", "1/0x3", "+1/3", "1/3 ", "/3", "1/"})
    EXPECT_EQ(call({"run", spec(varied), "-o", output, "--force", "--shard", typed}).status,
              exit_bad_request);
  for (const char* typed : {"0x1", "nan", "+1", "1,5", ""})
    EXPECT_EQ(call({"run", spec(varied), "-o", output, "--force", "--memory", typed}).status,
              exit_bad_request);
  EXPECT_EQ(call({"bench", "--rounds", "08"}).status, exit_done);
  EXPECT_EQ(call({"bench", "--rounds", "0x8"}).status, exit_bad_request);
  EXPECT_EQ(call({"check", "x.toml", "--step", "0x1"}).status, exit_bad_request);
  EXPECT_EQ(call({"run", spec(varied), "-o", output, "--force", "--set", "ensemble.vary[0x0].std=1"}).status,
            exit_bad_request);
  EXPECT_EQ(call({"run", spec(varied), "-o", output, "--force", "--set", "ensemble.size=010"}).status,
            exit_bad_request);  // no integer of TOML
}

TEST_F(Commands, DoctorSaysWhatRunsMiss) {
  const char* const before = std::getenv("LIVENS_CACHE");
  const std::string kept = before ? before : "";
  setenv("LIVENS_CACHE", directory.c_str(), 1);
  EXPECT_NE(call({"doctor"}).out.find("threads"), std::string::npos);
  setenv("LIVENS_CACHE", "relative", 1);
  const Outcome outcome = call({"doctor"});
  before ? setenv("LIVENS_CACHE", kept.c_str(), 1) : unsetenv("LIVENS_CACHE");
  EXPECT_EQ(outcome.status, exit_bound_broken);
  EXPECT_NE(outcome.out.find("BAD"), std::string::npos) << outcome.out;
}

TEST_F(Commands, AKeyIsSetOnce) {
  for (const std::vector<std::string>& twice :
       {std::vector<std::string>{"--set", "scheme.step=0.1", "--set", "scheme.step=0.2"},
        {"--size", "3", "--set", "ensemble.size=4"},
        {"--seed", "3", "--set", "ensemble.seed=3"},
        {"--steps", "3", "--set", "scheme.steps=4"},
        {"--steps", "3", "--set", "scheme.end=4"}}) {
    std::vector<std::string> arguments = {"run", spec(varied), "-o", output};
    arguments.insert(arguments.end(), twice.begin(), twice.end());
    const Outcome outcome = call(arguments);
    EXPECT_EQ(outcome.status, exit_bad_request);
    EXPECT_NE(outcome.err.find("is set twice"), std::string::npos) << outcome.err;
  }
}

TEST_F(Commands, VerifyHandsOnItsVerdict) { EXPECT_EQ(call({"verify", "--all"}).status, exit_bound_broken); }

}  // namespace
}  // namespace livens::host
