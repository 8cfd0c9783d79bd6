// livens run, interrupted by a signal.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

#include "host/errors.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

/// Runs the program in a process of its own, sends it a signal after 0.7 s, and returns its exit status.
int interrupted_run(const std::vector<std::string>& arguments, int signal) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<const char*> argv = {"livens"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    std::exit(program(static_cast<int>(argv.size()), argv.data(), checks));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char* const endless = "system.name = 'toy_slide'\noutput.every = 1000000000\n";

TEST_F(Commands, CtrlCExitsWith130AndLeavesACheckpoint) {
  const std::vector<std::string> run = {"run", spec(endless), "--steps", "100000000000", "-o", output};
  EXPECT_EQ(interrupted_run(run, SIGINT), exit_interrupted);
  EXPECT_TRUE(fs::exists(output + ".checkpoint/standing"));
  EXPECT_FALSE(fs::exists(output));
  // A new run may not take its place, another spec may not go on from it.
  const Outcome anew = call(run);
  EXPECT_EQ(anew.status, exit_bad_request);
  EXPECT_NE(anew.err.find("expected --resume, or the directory removed"), std::string::npos) << anew.err;
  const Outcome other = call({"run", spec(endless), "--steps", "100000000001", "-o", output, "--resume"});
  EXPECT_EQ(other.status, exit_bad_request);
  EXPECT_NE(other.err.find("the options"), std::string::npos) << other.err;
}

TEST_F(Commands, WithoutCheckpointsCtrlCLeavesNothing) {
  const std::string text = std::string(endless) + "output.checkpoint_every = 0\n";
  EXPECT_EQ(interrupted_run({"run", spec(text), "--steps", "100000000000", "-o", output}, SIGTERM),
            exit_interrupted);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory), {}), 1);  // the spec
}

}  // namespace
}  // namespace livens::host
