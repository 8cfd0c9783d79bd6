// Comparisons: combinations, the order of convergence, and livens compare on the toy pairs.

#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>

#include "host/compare/comparison_table.hpp"
#include "host/results/result_file.hpp"
#include "tests/host/program_call.hpp"

namespace livens::host {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string why_refused(const std::vector<std::string>& typed) {
  try {
    combinations_of(read_sweeps(typed));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Sweeps, CommasInBracketsAndQuotationMarksBelongToAValue) {
  const Sweep plain = read_sweep("scheme.name = ems, vi_a");
  EXPECT_EQ(plain.key, "scheme.name");
  EXPECT_EQ(plain.values, (std::vector<std::string>{"ems", "vi_a"}));
  EXPECT_EQ(read_sweep("a.b=[1, 2],[3, [4, 5]]").values, (std::vector<std::string>{"[1, 2]", "[3, [4, 5]]"}));
  EXPECT_EQ(read_sweep(R"(a.b="x,\"y","]",'z,')").values,
            (std::vector<std::string>{R"("x,\"y")", R"("]")", "'z,'"}));
  EXPECT_EQ(read_sweep("a.b={ name = \"h\", unit = \"m\" },q").values.size(), 2u);
}

TEST(Sweeps, WhatIsNoneIsRefused) {
  for (const char* typed :
       {"scheme.step", "=1,2", "a.b=", "a.b=1,,2", "a.b=1,2,1", "a.b=[1,2", "a.b=1]", "a.b='1"})
    EXPECT_NE(why_refused({typed}).find("--over: '"), std::string::npos)
        << typed << ": " << why_refused({typed});
  EXPECT_NE(why_refused({"a.b=1", "a.b=2"}).find("not the only one for a.b"), std::string::npos);
  std::string many = "a.b=0", more = "a.c=0";
  for (int i = 1; i < 101; ++i) many += "," + std::to_string(i), more += "," + std::to_string(i);
  EXPECT_NE(why_refused({many, more}).find("more than 10000 combinations"), std::string::npos);
}

TEST(Combinations, AreTheProductWithNamesThatTell) {
  const std::vector<Sweep> sweeps = read_sweeps({"scheme.name=ems,vi_a", "scheme.step=0.1,1e-2"});
  const std::vector<Combination> all = combinations_of(sweeps);
  std::vector<std::string> names;
  for (const Combination& one : all) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"name=ems,step=0.1", "name=ems,step=1e-2", "name=vi_a,step=0.1",
                                             "name=vi_a,step=1e-2"}));
  EXPECT_EQ(described(sweeps, all[1]), "scheme.name=ems, scheme.step=1e-2");
  Overrides common;
  common.settings = {"scheme.retry=0"};
  EXPECT_EQ(overrides_of(sweeps, all[2], common).settings,
            (std::vector<std::string>{"scheme.retry=0", "scheme.name=vi_a", "scheme.step=0.1"}));
}

TEST(Combinations, HaveNamesOfFilesWhateverIsTyped) {
  const auto names = [](const std::vector<std::string>& typed) {
    std::vector<std::string> found;
    for (const Combination& one : combinations_of(read_sweeps(typed))) found.push_back(one.name);
    return found;
  };
  EXPECT_EQ(names({"system.mass=[1, 2],[2.5, 1]"}), (std::vector<std::string>{"mass=1_2", "mass=2.5_1"}));
  EXPECT_EQ(names({"output.file=../a,b/../c"})[0].find('/'), std::string::npos);
  EXPECT_EQ(names({"a.b=[1],{1}"}), (std::vector<std::string>{"b=value0", "b=value1"}));  // both 1
  EXPECT_EQ(names({"ensemble.vary[0].std=1", "ensemble.vary[1].std=1"})[0],
            "ensemble.vary_0_.std=1,ensemble.vary_1_.std=1");
  std::vector<std::string> wide;
  for (int i = 0; i < 12; ++i) wide.push_back("a.some_key_of_a_long_name_" + std::to_string(i) + "=1");
  EXPECT_EQ(names(wide), std::vector<std::string>{"run0"});
}

TEST(Convergence, IsTheRegressionWithStudentsInterval) {
  // log h = 0, -1, -2 and log e = 0, -2.1, -3.9: slope 3.9/2, residuals 0.05, -0.1, 0.05, so that the
  // standard error is sqrt(0.015/1/2), and t(0.975) = 12.7062 for one degree of freedom.
  const ConvergenceOrder three =
      convergence_order({{1.0, 1.0}, {std::exp(-1.0), std::exp(-2.1)}, {std::exp(-2.0), std::exp(-3.9)}});
  EXPECT_NEAR(three.exponent, 1.95, 1e-12);
  EXPECT_NEAR(three.high - three.exponent, 12.7062 * std::sqrt(0.0075), 1e-4);
  EXPECT_NEAR(three.exponent - three.low, 12.7062 * std::sqrt(0.0075), 1e-4);
  const ConvergenceOrder two = convergence_order({{0.1, 1e-4}, {0.2, 4e-4}});
  EXPECT_NEAR(two.exponent, 2.0, 1e-12);
  EXPECT_TRUE(std::isnan(two.low) && std::isnan(two.high));
  EXPECT_TRUE(std::isnan(convergence_order({{0.1, 1e-4}}).exponent));
  EXPECT_TRUE(std::isnan(convergence_order({{0.1, 1e-4}, {0.1, 2e-4}}).exponent));
  EXPECT_TRUE(std::isnan(convergence_order({}).exponent));
}

/// Runs of second order at steps 0.4, 0.2, 0.1, 0.05 to 10 s.
std::vector<ComparedRun> runs_of_second_order(const std::vector<Sweep>& sweeps) {
  std::vector<ComparedRun> runs;
  for (const Combination& combination : combinations_of(sweeps)) {
    const double step = std::stod(combination.values.back());
    Measured measured{};
    measured.size = measured.statuses[0] = 4;
    measured.energy = {step * step, step * step, step * step};
    measured.position = {nan, nan, nan};
    measured.largest_q = 1.0;
    measured.end = 10.0;
    measured.fates = "all well";
    runs.push_back({combination, measured, step, 10.0 / step, 1e-10, 0.0});
  }
  return runs;
}

TEST(Orders, AreOfRunsThatDifferInTheStepAlone) {
  const std::vector<Sweep> sweeps = read_sweeps({"scheme.name=ems,vi_a", "scheme.step=0.4,0.2,0.1,0.05"});
  std::vector<ComparedRun> runs = runs_of_second_order(sweeps);
  // Errors of the first scheme are none of its own: 10 * 200 steps * 1e-10 is more.
  for (std::size_t i = 0; i < 4; ++i) runs[i].measured.energy.rms = 1e-8;
  const std::vector<OrderOfRuns> orders = orders_of(sweeps, runs);
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].runs, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_TRUE(std::isnan(orders[0].order.exponent));
  EXPECT_EQ(orders[0].left_out, std::vector<std::string>{"errors of Newton's method and round-off"});
  EXPECT_EQ(orders[1].error, "energy_error");
  EXPECT_NEAR(orders[1].order.exponent, 2.0, 1e-12);
  EXPECT_EQ(orders[1].used, (std::vector<std::size_t>{4, 5, 6, 7}));
  EXPECT_TRUE(orders[1].left_out.empty());
  EXPECT_TRUE(orders_of(read_sweeps({"scheme.name=ems,vi_a"}), {}).empty());
}

TEST(Orders, LeaveOutRunsOfAnotherEndOrOtherInstances) {
  const std::vector<Sweep> sweeps = read_sweeps({"scheme.step=0.4,0.2,0.1,0.05"});
  std::vector<ComparedRun> runs = runs_of_second_order(sweeps);
  runs[0].measured.fates = "one diverged";
  runs[1].measured.end = 9.9;
  const std::vector<OrderOfRuns> orders = orders_of(sweeps, runs);
  ASSERT_EQ(orders.size(), 1u);
  EXPECT_EQ(orders[0].runs.size(), 4u);
  EXPECT_EQ(orders[0].used, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(orders[0].left_out, (std::vector<std::string>{"other instances failed", "another end"}));
  for (ComparedRun& run : runs) run.measured.position = {0.1, 0.1, std::pow(run.step, 3)};
  EXPECT_EQ(orders_of(sweeps, runs)[0].error, "position_error");
  EXPECT_NEAR(orders_of(sweeps, runs)[0].order.exponent, 3.0, 1e-12);
}

TEST(Table, IsCsvAndAtMostEightyColumnsWide) {
  const std::vector<Sweep> sweeps = read_sweeps(
      {"system.mass=[1, 2],[3, 4]", "scheme.name=reference_ode,\"a \"\"b\"", "scheme.step=0.2,0.1"});
  std::vector<ComparedRun> runs = runs_of_second_order(sweeps);
  for (ComparedRun& run : runs) run.measured.drift = {0.5, 0.4, 0.6, 1.0, 10.0};
  std::istringstream text(table_as_text(sweeps, runs));
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80u) << line;
  const std::string csv = table_as_csv(sweeps, runs);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
  EXPECT_TRUE(csv.starts_with("file,system.mass,scheme.name,scheme.step,instances,ok,newton_diverged,"))
      << csv;
  EXPECT_NE(csv.find("\n\"mass=1_2,name=reference_ode,step=0.2.h5\",\"[1, 2]\",reference_ode,0.2,4,4,0,"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("\"\"\"a \"\"\"\"b\"\"\""), std::string::npos) << csv;
}

const char* const toy = "system.name = 'toy_pair'\n[scheme]\nend = 1.0\n[ensemble]\nsize = 100\n";

class Compare : public Commands {
 protected:
  std::string runs() const { return (directory / "runs").string(); }
  Outcome compare(std::vector<std::string> options) const {
    std::vector<std::string> all = {"compare", spec(toy), "-o", runs()};
    all.insert(all.end(), options.begin(), options.end());
    return call(all);
  }
};

TEST_F(Compare, ItsResultsAreThoseOfSingleRuns) {
  const Outcome compared = compare(
      {"--over", "scheme.name=ems,ggl_vi", "--over", "scheme.step=0.1,0.05", "--set", "ensemble.seed=3"});
  ASSERT_EQ(compared.status, exit_done) << compared.err;
  EXPECT_NE(compared.out.find("written to " + runs()), std::string::npos) << compared.out;
  ASSERT_EQ(call({"run", spec(toy), "-o", output, "--set", "ensemble.seed=3", "--set", "scheme.name=ggl_vi",
                  "--set", "scheme.step=0.05"})
                .status,
            exit_done);
  const ResultFile one = read_result(output), same = read_result(runs() + "/name=ggl_vi,step=0.05.h5");
  EXPECT_EQ(one.identity(), same.identity());
  EXPECT_EQ(one.result.instances.final_q, same.result.instances.final_q);
  const std::string table = text_of(runs() + "/table.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5) << table;
  EXPECT_NE(table.find("\n\"name=ems,step=0.1.h5\",ems,0.1,100,100,0,"), std::string::npos) << table;
}

TEST_F(Compare, WhatIsWrongIsSaidBeforeAnythingRuns) {
  const auto refused = [&](const std::vector<std::string>& options, const std::string& text) {
    const Outcome compared = compare(options);
    EXPECT_EQ(compared.status, exit_bad_request);
    EXPECT_NE(compared.err.find(text), std::string::npos) << compared.err;
    EXPECT_FALSE(fs::exists(runs()));
  };
  refused({"--over", "scheme.step=0.1,-0.1"},
          "livens: scheme.step=-0.1: --set: scheme.step: -0.1 is out of range");
  refused({"--over", "scheme.stpe=1,2"}, "livens: --set: scheme.stpe: unknown key 'stpe'");  // all of them
  refused({"--over", "ensemble.seed=1,2", "--over", "scheme.step=0.1,small"},
          "ensemble.seed=1, scheme.step=small (and 1 more): --set: scheme.step: wrong type");
  refused({"--over", "scheme.name=ems,livens"},
          "scheme.name=livens: --set: scheme.name: livens does not run toy_pair");
  refused({"--over", "scheme.name=ems,livens"}, "--skip-absent");
  refused({"--over", "scheme.name=livens", "--skip-absent"}, "livens does not run toy_pair");
  refused({"--over", "scheme.step"}, "expected KEY=A,B");
  refused({}, "--over");
}

TEST_F(Compare, AbsentPairsAreLeftOutWhereThatIsAsked) {
  const Outcome compared = compare({"--over", "scheme.name=ems,livens", "--skip-absent"});
  EXPECT_EQ(compared.status, exit_done) << compared.err;
  EXPECT_NE(compared.err.find("left out: scheme.name=livens: "), std::string::npos) << compared.err;
  EXPECT_TRUE(fs::exists(runs() + "/name=ems.h5"));
  EXPECT_FALSE(fs::exists(runs() + "/name=livens.h5"));
}

TEST_F(Compare, ResultsAreReplacedOnlyWhenToldSo) {
  const std::vector<std::string> over = {"--over", "ensemble.seed=1,2"};
  const auto with = [&](const char* option, const char* seeds = "ensemble.seed=1,2") {
    return compare({"--over", seeds, option});
  };
  ASSERT_EQ(compare(over).status, exit_done);
  const auto written = fs::last_write_time(runs() + "/seed=1.h5");
  const std::string table = text_of(runs() + "/table.csv");
  const Outcome refused = compare(over);
  EXPECT_EQ(refused.status, exit_bad_request);
  EXPECT_NE(refused.err.find("table.csv: already exists"), std::string::npos) << refused.err;
  // What is finished stays, what is missing is made, and the table is of all.
  fs::remove(runs() + "/seed=2.h5");
  EXPECT_EQ(with("--resume").status, exit_done);
  EXPECT_EQ(fs::last_write_time(runs() + "/seed=1.h5"), written);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  EXPECT_TRUE(fs::exists(runs() + "/seed=2.h5"));
  EXPECT_EQ(with("--resume", "ensemble.seed=1,3").status, exit_done);
  const Outcome other = compare({"--over", "ensemble.seed=1,2", "--set", "ensemble.size=7", "--resume"});
  EXPECT_EQ(other.status, exit_bad_request);
  EXPECT_NE(other.err.find("seed=1.h5: is the result of another spec"), std::string::npos) << other.err;
  EXPECT_EQ(compare({"--over", "ensemble.seed=1,2", "--set", "ensemble.size=7", "--force"}).status,
            exit_done);
  EXPECT_EQ(read_result(runs() + "/seed=1.h5").result.size, 7);
}

TEST_F(Compare, FailedInstancesAreJudgedAndTheOtherRunsMade) {
  // The toy fails where |v[0]| > 100.
  const Outcome compared =
      compare({"--over", "initial.v=[1000, 0],[1, 0]", "--set", "ensemble.on_failure=error"});
  EXPECT_EQ(compared.status, exit_instances_failed);
  EXPECT_NE(compared.err.find("initial.v=[1000, 0]: 100 of 100 instances failed"), std::string::npos)
      << compared.err;
  EXPECT_NE(text_of(runs() + "/table.csv").find("v=1_0.h5,\"[1, 0]\",100,100,0"), std::string::npos);
}

}  // namespace
}  // namespace livens::host
