// livens run --shard, and livens merge.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "host/errors.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

TEST_F(Commands, ShardsMergeToTheWhole) {
  const std::string text = spec(std::string(varied) + "trajectories = 2000\nenergy_bound = 1e-12\n" +
                                "observe = ['work', 'q[1]', 'energy_error']\nextremes = true\n");
  ASSERT_EQ(call({"run", text, "-o", output, "--quiet"}).status, exit_done);
  std::vector<std::string> merge = {"merge"};
  for (int i : {2, 0, 1}) {
    const std::string part = (directory / ("part" + std::to_string(i) + ".h5")).string();
    ASSERT_EQ(call({"run", text, "-o", part, "--shard", std::to_string(i) + "/3", "--quiet"}).status,
              exit_done);
    EXPECT_NE(call({"info", part}).out.find("a shard"), std::string::npos);
    merge.push_back(part);
  }
  const std::string joined = (directory / "joined.h5").string();
  std::vector<std::string> all = merge;
  all.insert(all.end(), {"-o", joined});
  const Outcome done = call(all);
  ASSERT_EQ(done.status, exit_done) << done.err;
  const ensembles::Result a = read_result(output).result, b = read_result(joined).result;
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.instances.final_q, b.instances.final_q);
  EXPECT_EQ(a.instances.bound_exceeded.size(), 3000u);
  EXPECT_EQ(a.trajectories.observed.size(), 3u);
  for (std::size_t k = 0; k < a.trajectories.observed.size(); ++k)
    EXPECT_EQ(a.trajectories.observed[k].values, b.trajectories.observed[k].values)
        << a.trajectories.observed[k].name;
  for (const char* name : {"final_q[1]", "min_energy_error", "max_energy_error"}) {
    EXPECT_EQ(a.instances[name].size(), 3000u) << name;
    EXPECT_EQ(a.instances[name], b.instances[name]) << name;
  }
  EXPECT_EQ(a.statistics[2].mean, b.statistics[2].mean);
  EXPECT_EQ(a.statistics[2].std, b.statistics[2].std);
  EXPECT_EQ(a.statistics[2].histogram, b.statistics[2].histogram);
  EXPECT_EQ(a.trajectories.instance, b.trajectories.instance);
  EXPECT_EQ(a.trajectories.q, b.trajectories.q);

  // A gap, a part twice, a part of another run, and a file that is no shard.
  const auto refused = [&](std::vector<std::string> parts, const char* why) {
    parts.insert(parts.end(), {"-o", joined});
    const Outcome outcome = call(parts);
    EXPECT_EQ(outcome.status, exit_bad_request);
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"merge", merge[1], merge[2]}, "expected 1024");
  refused({"merge", merge[2], merge[3]}, "expected 3000 instances");
  refused({"merge", merge[1], merge[2], merge[2], merge[3]}, "as other shards have those before");
  refused({"merge", output}, "not a shard");
  ASSERT_EQ(call({"run", text, "-o", merge[1], "--shard", "2/3", "--quiet", "--force", "--seed", "2"}).status,
            exit_done);
  refused({"merge", merge[1], merge[2], merge[3]}, "the options");
  EXPECT_EQ(call({"run", text, "-o", output, "--shard", "3/3"}).status, exit_bad_request);
  EXPECT_EQ(call({"run", text, "-o", output, "--shard", "0/4"}).status, exit_bad_request);
  EXPECT_EQ(call({"run", text, "-o", output, "--shard", "1"}).status, exit_bad_request);
}

// What a killed merge has left goes with the next one; a run that could be gone on from stays.
TEST_F(Commands, AMergeCleansUpBehindAKilledOne) {
  const std::string text = spec(varied), joined = (directory / "joined.h5").string();
  std::vector<std::string> merge = {"merge", "-o", joined};
  for (const char* shard : {"0/2", "1/2"}) {
    merge.push_back((directory / ("part" + std::string(shard, 1) + ".h5")).string());
    ASSERT_EQ(call({"run", text, "-o", merge.back(), "--shard", shard, "--quiet"}).status, exit_done);
  }
  const fs::path scratch = joined + ".checkpoint";
  fs::create_directory(scratch);
  std::ofstream(scratch / "segments") << "lvframe";
  std::ofstream(scratch / "result.partial-a1B2c3") << "half of a result";
  const Outcome done = call(merge);
  EXPECT_EQ(done.status, exit_done) << done.err;
  EXPECT_FALSE(fs::exists(scratch));
  for (const auto& entry : fs::directory_iterator(directory))
    EXPECT_EQ(entry.path().string().find(".partial-"), std::string::npos) << entry.path();
  fs::create_directory(scratch);
  std::ofstream(scratch / "standing") << "a run that was interrupted";
  const Outcome refused = call(merge);
  EXPECT_EQ(refused.status, exit_bad_request);
  EXPECT_NE(refused.err.find("holds an interrupted run"), std::string::npos) << refused.err;
  EXPECT_TRUE(fs::exists(scratch / "standing"));
}

TEST_F(Commands, ArraysOfSlurmAreNumbers) {
  const std::string text = spec(varied);
  setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
  for (const char* typed : {"0x1", "one", "-1", "1.0", " 1"}) {
    setenv("SLURM_ARRAY_TASK_ID", typed, 1);
    const Outcome run = call({"run", text, "-o", output, "--quiet"});
    EXPECT_EQ(run.status, exit_bad_request) << typed;
    EXPECT_NE(run.err.find("SLURM_ARRAY_TASK_ID is '" + std::string(typed)), std::string::npos) << run.err;
  }
  unsetenv("SLURM_ARRAY_TASK_ID");
  unsetenv("SLURM_ARRAY_TASK_COUNT");
  EXPECT_FALSE(fs::exists(output));
}

TEST_F(Commands, SlurmArraysAreShards) {
  const std::string text = spec(varied);
  for (const auto& [name, value] : {std::pair{"SLURM_ARRAY_TASK_ID", "5"},
                                    {"SLURM_ARRAY_TASK_MIN", "3"},
                                    {"SLURM_ARRAY_TASK_STEP", "2"},
                                    {"SLURM_ARRAY_TASK_COUNT", "3"}})
    setenv(name, value, 1);
  const fs::path before = fs::current_path();
  fs::current_path(directory);
  const Outcome run = call({"run", text, "--quiet"});
  fs::current_path(before);
  for (const char* name :
       {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"})
    unsetenv(name);
  ASSERT_EQ(run.status, exit_done) << run.err;
  const ResultFile part = read_result((directory / "toy.1-of-3.h5").string());
  ASSERT_TRUE(part.shard);
  EXPECT_EQ(part.shard->range, (ensembles::Range{1024, 2048}));
}

}  // namespace
}  // namespace livens::host
