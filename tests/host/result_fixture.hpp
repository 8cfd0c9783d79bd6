#pragma once
// A directory to write the sample result to.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "host/errors.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/sample_result.hpp"

namespace livens::host {

namespace fs = std::filesystem;

class ResultFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "livens-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory = name;
    path = (directory / "out.h5").string();
  }
  void TearDown() override { fs::remove_all(directory); }

  void write(const ensembles::Result& result = sample_result()) const {
    write_result(path, result, *toy_catalogue().system("toy_pair")->info, provenance);
  }
  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void replace(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }

  fs::path directory;
  std::string path;
};

/// Why a file is refused, or "accepted".
inline std::string refusal(const std::string& path) {
  try {
    read_result(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace livens::host
