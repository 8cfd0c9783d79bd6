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
#include "host/results/result_file.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

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
  EXPECT_EQ(list["schemes"][1],
            (nlohmann::json{{"name", "ggl_vi"}, {"order", 1}, {"orders", nlohmann::json::array({1})}}));
  ASSERT_EQ(list["pairs"].size(), 3u);  // the two forms of ems are one pair
  EXPECT_EQ(list["pairs"][0]["scheme"], "ems");
  EXPECT_EQ(list["pairs"][0]["unknowns"], 1);
  EXPECT_EQ(list["pairs"][0]["backends"][0], "cpu");
  EXPECT_EQ(list["pairs"][0]["precisions"], (nlohmann::json{"double", "mixed", "single"}));
  EXPECT_EQ(list["pairs"][1]["precisions"], (nlohmann::json{"double"}));

  const auto show = nlohmann::json::parse(call({"show", "toy_pair", "--json"}).out);
  EXPECT_EQ(show["parameters"][0]["name"], "mass");
  EXPECT_EQ(show["parameters"][0]["symbol"], "m");
  EXPECT_EQ(show["parameters"][0]["unit"], "kg");
  EXPECT_EQ(show["parameters"][0]["default"], (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(show["parameters"][1]["default"], 10.0);
  EXPECT_EQ(show["initial"]["q"], (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(show["layout"], "x1, x2");
  EXPECT_EQ(show["paper"], "no paper");

  // Those of its tables that need no scheme: tests/docs has the third.
  std::ifstream file(LIVENS_CONTRACT);
  const std::string contract{std::istreambuf_iterator<char>(file), {}};
  for (const std::string table : {"--quantities", "--statuses"})
    EXPECT_NE(
        contract.find("<!-- livens list " + table + " -->\n" + call({"list", table}).out + "<!-- end -->\n"),
        std::string::npos)
        << "docs/contract.md is stale: scripts/contract_tables.py";
  EXPECT_NE(call({"list", "--options"}).out.find("| `start` | `ggl_vi` | `\"legendre\"` |"),
            std::string::npos);
  EXPECT_NE(call({"list"}).out.find("1 (reduced)"), std::string::npos);
  EXPECT_NE(call({"show", "toy_pair"}).out.find("initial q = [1, 2]"), std::string::npos);
}

TEST_F(Commands, ShowSaysTheOptionsOfAScheme) {
  const auto show = nlohmann::json::parse(call({"show", "ggl_vi", "--json"}).out);
  EXPECT_EQ(show["order"], 1);
  ASSERT_EQ(show["options"].size(), 4u);
  EXPECT_EQ(show["options"][0]["name"], "start");
  EXPECT_EQ(show["options"][0]["default"], "legendre");
  EXPECT_EQ(show["options"][0]["words"], (std::vector<std::string>{"legendre", "naive"}));
  EXPECT_TRUE(show["options"][1]["default"].is_null());
  EXPECT_EQ(show["options"][1]["derived"], "symmetric with a spring");
  EXPECT_EQ(show["options"][2]["default"], 0.5);
  EXPECT_EQ(show["options"][2]["range"], "a number from 0 to 1");
  EXPECT_EQ(show["systems"], (nlohmann::json{{{"name", "toy_pair"}, {"forms", {{"full", 4}}}}}));

  const std::string text = call({"show", "ggl_vi"}).out;
  for (const char* part : {"ggl_vi: variational", "order 1; needs a spring", "legendre or naive", "4 (full)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const Outcome unknown = call({"show", "gglvi"});
  EXPECT_EQ(unknown.status, exit_bad_request);
  EXPECT_NE(unknown.err.find("unknown system or scheme 'gglvi'; did you mean 'ggl_vi'?"), std::string::npos);
}

TEST_F(Commands, ListSaysWhyAPairIsNotThere) {
  const auto why = [](const char* system, const char* scheme) {
    return call({"list", "--why", system, scheme}).out;
  };
  EXPECT_EQ(why("toy_pair", "ems"),
            "ems runs toy_pair: full (4 unknowns), reduced (1 unknown, no viscous damping)\n");
  const std::string none = why("toy_slide", "ems");
  EXPECT_TRUE(none.starts_with("ems does not run toy_slide: its mass matrix is singular or depends on q"))
      << none;
  EXPECT_NE(none.find("; and its potential is not linear"), std::string::npos) << none;
  EXPECT_EQ(none.find("holonomic constraints"), std::string::npos) << none;  // those it has
  EXPECT_EQ(why("toy_pair", "livens"),
            "livens does not run toy_pair: the system has what the scheme needs, but this program was built "
            "without the pair\n");
  EXPECT_EQ(call({"list", "--why", "toy_pair", "emss"}).status, exit_bad_request);
  EXPECT_EQ(call({"list", "--why", "toy_pear", "ems"}).status, exit_bad_request);
  EXPECT_EQ(call({"list", "--why", "toy_pair"}).status, exit_bad_request);
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
  EXPECT_EQ(refused.err,
            "livens: " + output +
                ": stands there already; expected another file to write, or --force to replace it\n");
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
