// livens run: what it writes, says and refuses.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "host/errors.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

TEST_F(Commands, RunWritesWhatInfoReads) {
  const Outcome run = call({"run", spec(varied), "-o", output, "--threads", "2"});
  EXPECT_EQ(run.status, exit_done) << run.err;
  EXPECT_NE(run.out.find("3000 of 3000 instances ok"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("2.00 Newton iterations per step"), std::string::npos) << run.out;
  EXPECT_TRUE(std::regex_search(
      run.out, std::regex("\\n[^\\n]+ s: \\d+ % compiling, \\d+ % stepping, \\d+ % writing\\nwritten to ")))
      << run.out;
  const ensembles::Result result = read_result(output).result;
  EXPECT_EQ(result.size, 3000);
  EXPECT_EQ(result.time.size(), 3u);
  EXPECT_EQ(result.instances.parameters[0].what, "initial.v[0]");
  const Outcome info = call({"info", output});
  EXPECT_EQ(info.status, exit_done);
  EXPECT_NE(info.out.find("intact"), std::string::npos);
  EXPECT_NE(info.out.find("varied: initial.v[0]"), std::string::npos);
}

TEST_F(Commands, RunSaysWhatInfoSaysOfItsResult) {
  const std::string text =
      "system.name = 'toy_pair'\n[ensemble]\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[1]'\nlaw = 'values'\nvalues = [0.1]\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\nvalues = [1, 2, 3, 1000]\n";
  const Outcome run = call({"run", spec(text), "-o", output, "--json"});
  ASSERT_EQ(run.status, exit_done) << run.err;
  EXPECT_EQ(run.out, call({"info", output, "--json"}).out);
  const auto said = nlohmann::json::parse(run.out);
  EXPECT_EQ(said["varied"], nlohmann::json::array({"initial.v[0]", "initial.v[1]"}));
  EXPECT_EQ(said["failures"]["newton_diverged"]["instances"], 1);
  EXPECT_EQ(said["failures"]["newton_diverged"]["first_step"], 3);
  const double largest = said["largest"]["relative_energy_error"]["max"];
  EXPECT_GT(largest, 0.0);

  const std::string file = (directory / "summary.json").string();
  const Outcome both = call({"run", spec(text), "-o", output, "--force", "--json", file});
  EXPECT_NE(both.out.find("3 of 4 instances ok"), std::string::npos);
  std::ifstream written(file);
  EXPECT_EQ(nlohmann::json::parse(written)["statuses"], said["statuses"]);

  // What stands behind --json is the spec where there is no other, and never one that is written to.
  EXPECT_EQ(
      nlohmann::json::parse(call({"run", "-o", output, "--force", "--json", spec(text)}).out)["statuses"],
      said["statuses"]);
  const std::string other = (directory / "other.toml").string();
  EXPECT_EQ(call({"run", spec(text), "-o", output, "--force", "--json", other}).status, exit_bad_request);
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(Commands, AfterFailuresARunSaysWhatToTry) {
  const std::string failing =
      "system.name = 'toy_pair'\n[ensemble]\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\nvalues = [1, 2, 3, 1000]\n";
  const Outcome run = call({"run", spec(failing), "-o", output});
  const std::size_t advice = run.out.find("to try:\n  newton_diverged  a smaller scheme.step");
  EXPECT_NE(advice, std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("not_finite", advice), std::string::npos) << run.out;
  const Outcome failures = call({"failures", output, "-o", (directory / "rerun.toml").string()});
  EXPECT_NE(failures.out.find("to try:\n  newton_diverged"), std::string::npos) << failures.out;
  const Outcome good = call({"run", spec(varied), "-o", output, "--force"});
  EXPECT_EQ(good.out.find("to try"), std::string::npos) << good.out;
  const auto shown = nlohmann::json::parse(call({"show", "singular_matrix", "--json"}).out);
  EXPECT_EQ(shown["status"], 2);
  EXPECT_NE(std::string(shown["to_try"]).find("scheme.form"), std::string::npos);
}

TEST_F(Commands, ADryRunSaysWhatARunTakesAndWritesNothing) {
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(directory)) found.push_back(entry.path().filename());
    return found;
  };
  const std::string good = spec(varied);
  const auto before = names();
  const Outcome dry = call({"run", good, "-o", output, "--dry-run"});
  EXPECT_EQ(dry.status, exit_done) << dry.err;
  EXPECT_NE(dry.out.find("nothing written"), std::string::npos) << dry.out;
  const auto said = nlohmann::json::parse(call({"run", good, "-o", output, "--dry-run", "--json"}).out);
  EXPECT_EQ(said["instances"], 3000);
  EXPECT_EQ(said["samples"], 3);
  EXPECT_EQ(said["steps"], 3000 * 10);
  EXPECT_GT(said["memory_bytes"]["peak"], said["memory_bytes"]["program"]);
  EXPECT_EQ(names(), before);

  // What a run refuses it refuses.
  const std::string bad = "system.name = 'toy_pair'\nscheme.stpe = 0.1\n";
  EXPECT_EQ(call({"run", spec(bad), "-o", output, "--dry-run"}).status, exit_bad_request);
  ASSERT_EQ(call({"run", spec(varied), "-o", output, "--quiet"}).status, exit_done);
  EXPECT_EQ(call({"run", good, "-o", output, "--dry-run"}).status, exit_bad_request);
  const auto length = static_cast<double>(fs::file_size(output));
  EXPECT_EQ(call({"run", good, "-o", output, "--dry-run", "--force"}).status, exit_done);
  EXPECT_EQ(static_cast<double>(fs::file_size(output)), length);
  EXPECT_LE(length, said["file_bytes"]["most"]);
  fs::create_directory(output + ".checkpoint");
  std::ofstream(output + ".checkpoint/standing") << "a run that was interrupted";
  const Outcome stands = call({"run", good, "-o", output, "--dry-run", "--force"});
  EXPECT_EQ(stands.status, exit_bad_request);
  EXPECT_NE(stands.err.find("holds an interrupted run"), std::string::npos) << stands.err;
}

TEST_F(Commands, ASpecComesFromTheStandardInput) {
  const int input = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(spec(varied).c_str(), "r", stdin), nullptr);
  const Outcome run = call({"run", "-", "-o", output, "--quiet"});
  dup2(input, STDIN_FILENO);
  close(input);
  EXPECT_EQ(run.status, exit_done) << run.err;
  EXPECT_EQ(read_result(output).provenance.spec, varied);
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

TEST_F(Commands, AResultIsReplacedOnlyWhenToldSo) {
  const std::vector<std::string> run = {"run", spec(varied), "-o", output, "--quiet"};
  const auto with = [&](std::vector<std::string> options) {
    options.insert(options.begin(), run.begin(), run.end());
    return call(options);
  };
  ASSERT_EQ(with({}).status, exit_done);
  const auto written = fs::last_write_time(output);
  const Outcome refused = with({"--seed", "5"});
  EXPECT_EQ(refused.status, exit_bad_request);
  EXPECT_EQ(refused.err, "livens: " + output +
                             ": already exists; expected another file to write, or --force to replace it\n");
  EXPECT_EQ(fs::last_write_time(output), written);
  EXPECT_FALSE(fs::exists(output + ".checkpoint"));
  EXPECT_EQ(with({"--seed", "5", "--force"}).status, exit_done);
  EXPECT_EQ(read_result(output).result.seed, 5u);
  EXPECT_EQ(with({"--resume"}).status, exit_done);  // without a checkpoint: anew
}

TEST_F(Commands, QuietIsQuiet) {
  const Outcome run = call({"run", spec(varied), "-o", output, "--quiet", "--progress", "json"});
  EXPECT_EQ(run.out + run.err, "");
}

TEST_F(Commands, ProgressIsOneObjectALine) {
  std::istringstream lines(call({"run", spec(varied), "-o", output, "--progress", "json"}).err);
  nlohmann::json last;
  for (std::string line; std::getline(lines, line);) last = nlohmann::json::parse(line);
  EXPECT_EQ(last["done"], 3000 * 10);
  EXPECT_EQ(last["total"], 3000 * 10);
}

TEST_F(Commands, FailedInstancesAreJudged) {
  const std::string failing =
      "system.name = 'toy_pair'\n[ensemble]\nVERDICT\n"
      "[[ensemble.vary]]\nwhat = 'initial.v[0]'\nlaw = 'values'\nvalues = [1, 2, 3, 1000]\n";
  const auto status_with = [&](const std::string& verdict) {
    std::string text = failing;
    text.replace(text.find("VERDICT"), 7, verdict);
    return call({"run", spec(text), "-o", output, "--force"});
  };
  EXPECT_EQ(status_with("").status, exit_done);
  EXPECT_NE(status_with("").out.find("3 of 4 instances ok, 1 newton_diverged"), std::string::npos);
  EXPECT_EQ(status_with("on_failure = 'error'").status, exit_instances_failed);
  EXPECT_EQ(status_with("max_failed_fraction = 0.2").status, exit_instances_failed);
  EXPECT_EQ(status_with("max_failed_fraction = 0.25").status, exit_done);
  EXPECT_EQ(read_result(output).result.instances.failed_step[3], 3);
}

TEST_F(Commands, SetReplacesAnyKey) {
  const std::string text = spec(varied);
  const Outcome run =
      call({"run", text, "-o", output, "--set", "scheme.name=ggl_vi", "--set", "ensemble.vary[0].std=2.0",
            "--set", "initial.q=[3.0, 4.0]", "--set", "output.every=2"});
  ASSERT_EQ(run.status, exit_done) << run.err;
  const ResultFile file = read_result(output);
  EXPECT_EQ(file.provenance.scheme, "ggl_vi");
  EXPECT_EQ(file.result.time.size(), 6u);
  EXPECT_EQ(file.result.instances.initial_q[0], 3.0);
  EXPECT_EQ(file.provenance.overrides,
            "--set 'scheme.name=ggl_vi' --set 'ensemble.vary[0].std=2.0' --set 'initial.q=[3.0, 4.0]' --set "
            "'output.every=2'");
  for (const auto& [setting, why] : {std::pair{"scheme.step=fast", "--set: scheme.step: wrong type"},
                                     {"scheme.stepp=0.1", "--set: scheme.stepp: unknown key 'stepp'"},
                                     {"scheme", "expected KEY=VALUE"},
                                     {"ensemble.vary[7].std=1", "a key of a table that is there"},
                                     {"ensemble.vary[x].std=1", "a key like ensemble.vary[0].std"},
                                     {".=1", "a key like scheme.step"}}) {
    const Outcome refused = call({"run", text, "-o", output, "--set", setting});
    EXPECT_EQ(refused.status, exit_bad_request);
    EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace livens::host
