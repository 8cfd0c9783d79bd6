#pragma once
// The program called with arguments, on the toy pairs, in a directory of its own.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/commands/program.hpp"
#include "host/errors.hpp"

namespace livens::host {

namespace fs = std::filesystem;

inline constexpr Checks checks = {[](const VerifyOptions&) { return int{exit_bound_broken}; },
                                  [](const CheckOptions&) { return int{exit_bound_broken}; },
                                  [](const BenchOptions&) { return int{exit_done}; },
                                  [](const CertifyOptions&) { return int{exit_done}; }};

/// A spec: 3000 instances that differ.
inline constexpr const char* varied = R"([system]
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

struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome call(const std::vector<std::string>& arguments) {
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

}  // namespace livens::host
