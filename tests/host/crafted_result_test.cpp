// Files from strangers: a result with a checksum that fits and anything at all behind it is read or refused
// with one line and exit status 4, and nothing outside it is opened.

#include "crafted_result.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "host/commands/program.hpp"
#include "host/results/check_block.hpp"
#include "result_fixture.hpp"

namespace livens::host {
namespace {

struct Outcome {
  int status;
  std::string out, err;
};

Outcome call(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"livens"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Checks none{};
  const int status = program(static_cast<int>(argv.size()), argv.data(), none);
  std::fflush(stdout);
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

class CraftedResult : public ResultFileTest {
 protected:
  void SetUp() override {
    ResultFileTest::SetUp();
    write_sample_shard(path);
    intact = bytes();
    elsewhere = (directory / "elsewhere.h5").string();
    fs::copy(path, elsewhere);
  }
  std::string other(const char* name) const { return (directory / name).string(); }

  std::vector<Outcome> info_failures_merge() const {
    return {call({"info", path}), call({"failures", path, "-o", other("rerun.toml")}),
            call({"merge", path, "-o", other("joined.h5")})};
  }
  /// Exit status of `info` after one change, which HDF5 has to be able to make.
  int info_after(const PlaceInFile& place, const std::string& wanted) const {
    replace(intact);
    const auto changes = changes_of(place);
    const auto number =
        static_cast<std::size_t>(std::find(changes.begin(), changes.end(), wanted) - changes.begin());
    EXPECT_LT(number, changes.size()) << wanted;
    EXPECT_TRUE(number < changes.size() && change(path, place, number, elsewhere)) << wanted;
    return call({"info", path}).status;
  }

  std::string intact, elsewhere;
};

/// True where a reader looks at a place: the attributes of most datasets are there for people.
bool is_looked_at(const PlaceInFile& place) {
  if (place.attribute.empty() || place.object == "/") return true;
  for (const char* of_other_tools :
       {"units", "long_name", "coordinates", "CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"})
    if (place.attribute == of_other_tools) return false;
  return place.attribute != "unit" && place.attribute != "description" ? true
                                                                       : place.object.ends_with("/mean");
}

TEST_F(CraftedResult, IntactItIsRead) {
  EXPECT_EQ(call({"info", path}).status, exit_done);
  EXPECT_EQ(call({"failures", path, "-o", other("rerun.toml")}).status, exit_done);
  const Outcome merged = call({"merge", path, "-o", other("joined.h5")});
  EXPECT_EQ(merged.status, exit_done) << merged.err;
}

// Every place of the file, each made everything that crafted_result.cpp can make of it. What `failures` and
// `merge` do beyond reading depends on the root and the shard alone.
TEST_F(CraftedResult, AnyOneChangeIsReadOrRefused) {
  int made = 0;
  for (const PlaceInFile& place : places_in(path)) {
    if (!is_looked_at(place)) continue;
    for (std::size_t number = 0; number < changes_of(place).size(); ++number) {
      replace(intact);
      if (!change(path, place, number, elsewhere)) continue;
      ++made;
      const std::string what = place.text() + ": " + changes_of(place)[number];
      SCOPED_TRACE(what);
      if (refusal(path) != "accepted") continue;
      if (place.object != "/" && !place.object.starts_with("/shard")) continue;
      for (const Outcome& outcome : info_failures_merge()) {
        const bool refused = outcome.status == exit_file || outcome.status == exit_bad_request;
        EXPECT_TRUE(outcome.status == exit_done || refused) << outcome.status;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), refused ? 1 : 0) << outcome.err;
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(made, 1000);
}

TEST_F(CraftedResult, AttributesAreOfOneValueAndOfTheirType) {
  for (const char* key : {"coordinates", "seed", "wall_seconds", "spec"})
    for (const char* changed : {"thousands", "thousands in two dimensions", "one in a row", "empty", "opaque",
                                "long text", "array", "sequence", "compound", "removed"})
      EXPECT_EQ(info_after({"/", key}, changed), exit_file) << key << ": " << changed;
}

TEST_F(CraftedResult, DatasetsHaveTheirTypeAndShape) {
  for (const char* name : {"/instances/status", "/shard/samples", "/instances/final_q", "/statistics/time"})
    for (const char* changed :
         {"opaque", "wide enumeration", "array", "long text", "sequence", "f32", "big-endian f64", "scalar",
          "empty", "in two dimensions", "in three dimensions", "a group", "removed"})
      EXPECT_EQ(info_after({name, ""}, changed), exit_file) << name << ": " << changed;
}

TEST_F(CraftedResult, LengthsBeyondTheFileAreRefused) {
  for (const char* name :
       {"/instances/status", "/shard/samples", "/statistics/time", "/trajectories/instance",
        "/statistics/constraint/histogram", "/instances/parameters/system.mass"})
    for (const char* changed : {"of 2^61", "of 2^50 without storage", "of 2^32 by 2^32"})
      EXPECT_EQ(info_after({name, ""}, changed), exit_file) << name << ": " << changed;
  EXPECT_EQ(info_after({"/instances/final_q", ""}, "unlimited, in huge chunks"), exit_file);
}

TEST_F(CraftedResult, NumbersThatCannotBeAreRefused) {
  EXPECT_EQ(info_after({"/instances/status", ""}, "200 everywhere"), exit_file);
  EXPECT_EQ(info_after({"/instances/newton_iterations", ""}, "all bits"), exit_file);
  for (const char* key : {"coordinates", "constraints", "shard_first", "ensemble_size"})
    for (const char* changed : {"all bits", "large"})
      EXPECT_EQ(info_after({"/", key}, changed), exit_file) << key << ": " << changed;
}

// The file that a link or a storage leads to is an intact result: read through it, the numbers would all be
// right.
TEST_F(CraftedResult, NothingOutOfTheFileIsFollowed) {
  for (const char* name :
       {"/instances/final_q", "/instances/status", "/shard/samples", "/statistics", "/shard"})
    for (const char* changed : {"a soft link", "a dangling link", "an external link", "a user's link"})
      EXPECT_EQ(info_after({name, ""}, changed), exit_file) << name << ": " << changed;
  for (const char* name : {"/instances/final_q", "/instances/status", "/shard/samples"})
    for (const char* changed : {"a virtual dataset", "external storage", "with a filter of nobody"})
      EXPECT_EQ(info_after({name, ""}, changed), exit_file) << name << ": " << changed;
}

TEST_F(CraftedResult, SpecsThatAreNoneAreRefused) {
  std::string keys = "a";
  for (int i = 0; i < 200'000; ++i) keys += ".a";
  const std::string brackets(200'000, '[');
  const std::pair<std::string, std::string> stored[] = {
      {"ensemble = 3", ""},           {"scheme = 'ems'", "--steps 5"},
      {"output = [1, 2]", ""},        {keys + " = 1", ""},
      {"[" + keys + "]", ""},         {"a = " + brackets, ""},
      {"a = {" + keys + " = 1}", ""}, {"not TOML", ""},
      {"", "--set " + keys + "=1"},   {"", "--set a.b=" + brackets},
      {"", "--steps many"},           {"", "--steps"}};
  for (const auto& [spec, overrides] : stored) {
    write_sample_shard(path, spec, overrides);
    const Outcome outcome = call({"failures", path, "-o", other("rerun.toml")});
    const bool bare_word =
        overrides.starts_with("--set a.b");  // what is no TOML is a string: see apply_setting
    EXPECT_EQ(outcome.status, bare_word ? exit_done : exit_file)
        << spec.substr(0, 40) << overrides.substr(0, 40);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), bare_word ? 0 : 1) << outcome.err;
    // As a spec of one's own it is a bad request.
    if (!overrides.empty()) continue;
    const std::string own = other("own.toml");
    std::ofstream(own) << "system.name = 'toy_pair'\n" << spec;
    EXPECT_EQ(call({"run", own, "-o", other("own.h5")}).status, exit_bad_request) << spec.substr(0, 40);
  }
}

TEST_F(CraftedResult, WhatATerminalWouldObeyIsShownAsText) {
  const std::string text =
      "a\x1b[31m\xc2\x9b"
      "2J\x7f\xff\xe2\x82\xac";
  write_sample_shard(path, provenance.spec, text);
  const std::string shown = "a\\x1b[31m\\u009b2J\\x7f\\xff\xe2\x82\xac";
  EXPECT_NE(call({"info", path}).out.find(shown), std::string::npos) << call({"info", path}).out;
  const Outcome failures = call({"failures", path, "-o", other("rerun.toml")});
  EXPECT_NE(failures.err.find(shown), std::string::npos) << failures.err;
  EXPECT_NE(call({"info", other(text.c_str())}).err.find(shown), std::string::npos);
  // Every text of the file.
  for (const PlaceInFile& place : places_in(path)) {
    if (place.object != "/") continue;
    const auto changes = changes_of(place);
    const auto number =
        std::find(changes.begin(), changes.end(), std::string("another text")) - changes.begin();
    replace(intact);
    change(path, place, static_cast<std::size_t>(number), elsewhere);
    for (const Outcome& outcome : info_failures_merge())
      for (const char* obeyed : {"\x1b", "\x9b"})
        EXPECT_EQ((outcome.out + outcome.err).find(obeyed), std::string::npos) << place.text();
  }
}

TEST_F(CraftedResult, APipeIsNotWaitedFor) {
  const std::string pipe = other("pipe.h5");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  alarm(60);  // waiting, the test ends here
  EXPECT_EQ(call({"info", pipe}).status, exit_file);
  EXPECT_EQ(call({"failures", pipe, "-o", other("rerun.toml")}).status, exit_file);
  EXPECT_EQ(call({"merge", path, pipe, "-o", other("joined.h5")}).status, exit_file);
  alarm(0);
}

TEST_F(CraftedResult, FailuresDoNotTakeThePlaceOfTheirResult) {
  EXPECT_EQ(call({"failures", path, "-o", path}).status, exit_bad_request);
  fs::create_hard_link(path, other("same.h5"));
  EXPECT_EQ(call({"failures", path, "-o", other("same.h5")}).status, exit_bad_request);
  EXPECT_EQ(bytes(), intact);
}

/// The bytes that this process has read so far.
std::int64_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string key;
  std::int64_t value = 0;
  return io >> key >> value ? value : -1;  // rchar comes first
}

// Once for the checksum and once for the numbers; and the result that it has written is hashed.
TEST_F(CraftedResult, MergeReadsItsPartsOnce) {
  if (bytes_read() < 0) GTEST_SKIP() << "no /proc/self/io";
  const std::string spec = other("toy.toml"), part = other("part.h5");
  std::ofstream(spec) << "system.name = 'toy_pair'\n[ensemble]\nsize = 20000\n[[ensemble.vary]]\n"
                         "what = 'initial.v[0]'\nlaw = 'normal'\nmean = 0.0\nstd = 1.0\n";
  ASSERT_EQ(call({"run", spec, "--shard", "0/1", "-o", part, "--quiet"}).status, exit_done);
  const auto size = static_cast<std::int64_t>(fs::file_size(part));
  const std::int64_t before = bytes_read();
  ASSERT_EQ(call({"merge", part, "-o", other("joined.h5")}).status, exit_done);
  EXPECT_LT(bytes_read() - before, 3 * size + size / 2) << "of " << size;
}

#if defined(__has_feature)
#define LIVENS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define LIVENS_ADDRESS_SANITIZER 1
#else
#define LIVENS_ADDRESS_SANITIZER 0
#endif

/// The exit status of a process of its own, which begins with no more memory than this one has.
template <class Action>
int in_a_process(Action action) {
  const pid_t child = fork();
  if (child == 0) _exit(action());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The superblock at the beginning leads to what must be a block about a driver, of 2^32 - 256 bytes.
TEST_F(CraftedResult, ABlockAboutADriverTakesNoMemory) {
  constexpr std::size_t address = 48, block = 2048;
  ASSERT_EQ(intact.substr(address, 8), std::string(8, '\xff')) << "HDF5 writes another superblock here";
  std::string changed = intact.substr(0, intact.size() - check_block_size);
  changed.replace(address, 8, std::string("\0\x08\0\0\0\0\0\0", 8));
  changed.replace(block, 16, std::string("\0\0\0\0\0\xff\xff\xffNCSAmult", 16));
  replace(changed);
  seal(path);
  EXPECT_EQ(refusal(path), path + ": cannot be read (it is one part of several files)");
}

// 2^20 equal instances are a small file and some 100 MB of numbers.
TEST_F(CraftedResult, AFileThatTakesMoreMemoryThanThereIsIsAFileThatCannotBeRead) {
  if (LIVENS_ADDRESS_SANITIZER) GTEST_SKIP() << "its shadow takes more memory than any limit";
  const std::string spec = other("toy.toml");
  std::ofstream(spec) << "system.name = 'toy_slide'\nensemble.size = 1048576\nscheme.steps = 1\n";
  ASSERT_EQ(in_a_process([&] {
              return call({"run", spec, "-o", path, "--force", "--quiet"}).status;
            }),
            exit_done);
  EXPECT_EQ(in_a_process([&] {
              const rlimit bound{64 << 20, 64 << 20};
              setrlimit(RLIMIT_DATA, &bound);
              return call({"info", path}).status;
            }),
            exit_file);
}

}  // namespace
}  // namespace livens::host
