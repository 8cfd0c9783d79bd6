// livens info and livens failures: what comes of a result.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

TEST_F(Commands, InfoIsAnObject) {
  const std::string failing =
      "system.name = 'toy_pair'\n[ensemble]\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\nvalues = [1, 2, 3, 1000]\n";
  ASSERT_EQ(call({"run", spec(failing), "-o", output}).status, exit_done);
  const auto info = nlohmann::json::parse(call({"info", output, "--json"}).out);
  EXPECT_EQ(info["system"], "toy_pair");
  EXPECT_EQ(info["instances"], 4);
  EXPECT_EQ(info["statuses"]["ok"], 3);
  EXPECT_EQ(info["statuses"].size(), 2u);
  EXPECT_EQ(info["varied"], nlohmann::json::array({"initial.v[0]"}));
  const ensembles::Result result = read_result(output).result;
  const ensembles::ObservableStatistics& first = result.statistics.at(0);
  EXPECT_EQ(info["statistics"][first.name]["max"], first.max.back());
  EXPECT_FALSE(info.contains("shard"));
  EXPECT_EQ(call({"info", output, "--json", "--above", "status=1"}).status, exit_bad_request);
}

TEST_F(Commands, FailuresAreRerunAlone) {
  const std::string text =
      "system.name = 'toy_pair'\n[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\n"
      "values = [1, 1000, 3, 2000]\n[[ensemble.vary]]\nwhat = 'system.mass[0]'\nlaw = 'uniform'\nlow = 1.0\n"
      "high = 2.0\n";
  ASSERT_EQ(call({"run", spec(text), "--size", "8", "--set", "scheme.step=0.05", "-o", output}).status,
            exit_done);
  const std::string rerun = (directory / "rerun.toml").string(), again = (directory / "again.h5").string();
  ASSERT_EQ(call({"failures", output, "-o", rerun}).status, exit_done);
  const Outcome run = call({"run", rerun, "-o", again});
  ASSERT_EQ(run.status, exit_done) << run.err;
  const ensembles::Result all = read_result(output).result, some = read_result(again).result;
  EXPECT_EQ(some.instances.number, (std::vector<std::int64_t>{1, 3, 5, 7}));
  EXPECT_EQ(some.instances.failed_step, (std::vector<std::int64_t>{3, 3, 3, 3}));
  EXPECT_EQ(some.trajectories.instance, some.instances.number);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k)
      EXPECT_EQ(some.instances.final_q[2 * i + k], all.instances.final_q[2 * some.instances.number[i] + k]);
  // Of a rerun the numbers are still those of the ensemble.
  const std::string twice = (directory / "twice.toml").string();
  ASSERT_EQ(call({"failures", again, "-o", twice}).status, exit_done);
  EXPECT_EQ(call({"run", twice, "-o", again, "--force"}).status, exit_done);
  EXPECT_EQ(read_result(again).result.instances.number, some.instances.number);
}

}  // namespace
}  // namespace livens::host
