// The program from its arguments to its exit status, whatever the command.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "host/errors.hpp"
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
  for (const char* command :
       {"run", "compile", "cache", "list", "show", "info", "merge", "failures", "verify", "bench"}) {
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
