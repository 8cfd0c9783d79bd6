// livens export: the tables have every number of the result, to the bit.

#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "host/export/csv_export.hpp"
#include "host/export/netcdf_export.hpp"
#include "host/export/result_fields.hpp"
#include "host/results/hdf5_reading.hpp"
#include "tests/host/program_call.hpp"
#include "tests/host/result_fixture.hpp"

namespace livens::host {
namespace {

/// A table by its names, without quotation marks in it.
struct ReadTable {
  std::vector<std::string> names, units;
  std::map<std::string, std::vector<std::string>> columns;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

ReadTable read_table(const fs::path& path) {
  ReadTable table;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  table.names = cells_of(line);
  std::getline(file, line);
  table.units = cells_of(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = cells_of(line);
    EXPECT_EQ(cells.size(), table.names.size()) << path << ": " << line;
    for (std::size_t k = 0; k < std::min(cells.size(), table.names.size()); ++k)
      table.columns[table.names[k]].push_back(cells[k]);
  }
  return table;
}

using ExportTest = ResultFileTest;

/// Numbers whose shortest decimals are the longest, and what is no number.
ensembles::Result difficult_result() {
  ensembles::Result result = sample_result();
  result.instances.final_q[0] = 0.1 + 0.2;
  result.instances.final_q[1] = -std::numeric_limits<double>::denorm_min();
  result.instances.final_q[2] = std::numeric_limits<double>::max();
  result.instances.final_q[3] = std::nan("");
  result.instances.final_q[4] = -std::numeric_limits<double>::infinity();
  return result;
}

TEST_F(ExportTest, NumbersOfInstancesReadBackToTheSameBits) {
  const ensembles::Result result = difficult_result();
  write(result);
  export_csv(ResultReader(path), (directory / "csv").string(), false);
  const ReadTable table = read_table(directory / "csv/instances.csv");
  ASSERT_EQ(table.names.front(), "instance");
  EXPECT_EQ(table.units.size(), table.names.size());
  EXPECT_EQ(table.units.front(), "# 1");
  const auto same = [&](const std::string& name, double value, std::size_t i) {
    const double read = std::strtod(table.columns.at(name).at(i).c_str(), nullptr);
    EXPECT_EQ(std::memcmp(&read, &value, sizeof read), 0) << name << " of " << i << ": " << read;
  };
  for (std::size_t i = 0; i < N; ++i) {
    EXPECT_EQ(table.columns.at("instance")[i], std::to_string(result.instances.number[i]));
    EXPECT_EQ(table.columns.at("status")[i], std::to_string(result.instances.status[i]));
    EXPECT_EQ(table.columns.at("newton_iterations")[i],
              std::to_string(result.instances.newton_iterations[i]));
    for (std::size_t k = 0; k < d; ++k) {
      const std::string entry = "[" + std::to_string(k) + "]";
      if (!std::isnan(result.instances.final_q[i * d + k]))
        same("final_q" + entry, result.instances.final_q[i * d + k], i);
      same("final_p" + entry, result.instances.final_p[i * d + k], i);
      same("system.mass" + entry, result.instances.parameters[1].values[i * d + k], i);
    }
    same("initial.v[1]", result.instances.parameters[0].values[i], i);
    const std::vector<double>&of_q = result.instances["tangent/final_q"],
          &of_gap = result.instances["tangent/final_gap"];
    for (std::size_t w = 0; w < result.wrt.size(); ++w) {
      for (std::size_t k = 0; k < d; ++k)
        same("d(final_q[" + std::to_string(k) + "])/d(" + result.wrt[w] + ")", of_q[(i * d + k) * 3 + w], i);
      same("d(final_gap)/d(" + result.wrt[w] + ")", of_gap[i * 3 + w], i);
    }
    same("covariance[1][3]", result.instances["tangent/covariance"][i * 4 * d * d + 1 * 2 * d + 3], i);
    same("longest_swing", result.instances["longest_swing"][i], i);
    for (const ensembles::Quantity& one : result.instances.quantities) same(one.name, one.values[i], i);
  }
  EXPECT_EQ(table.columns.at("final_q[1]")[1], "nan");
  EXPECT_EQ(table.columns.at("final_q[0]")[2], "-inf");
}

TEST_F(ExportTest, StatisticsAndTrajectoriesHaveARowForEverySample) {
  const ensembles::Result result = sample_result();
  write(result);
  export_csv(ResultReader(path), (directory / "csv").string(), false);
  const ReadTable statistics = read_table(directory / "csv/statistics.csv");
  ASSERT_EQ(statistics.columns.at("quantity").size(), result.statistics.size() * K);
  for (std::size_t row = 0; row < result.statistics.size() * K; ++row) {
    const ensembles::ObservableStatistics& entry = result.statistics[row / K];
    EXPECT_EQ(statistics.columns.at("quantity")[row], entry.name);
    EXPECT_EQ(std::stod(statistics.columns.at("mean")[row]), entry.mean[row % K]);
    EXPECT_EQ(std::stod(statistics.columns.at("rms")[row]), entry.rms[row % K]);
    EXPECT_EQ(std::stod(statistics.columns.at("quantile_0.95")[row]), entry.quantiles[row % K * Q + 1]);
  }
  const ReadTable histograms = read_table(directory / "csv/histograms.csv");
  EXPECT_EQ(histograms.columns.at("count").size(), result.statistics.size() * K * B);  // none is 0
  EXPECT_EQ(histograms.columns.at("count")[B], std::to_string(result.statistics[0].histogram[B]));
  EXPECT_EQ(std::stod(histograms.columns.at("lower_edge")[B]), result.statistics[0].bins[B]);
  EXPECT_EQ(std::stod(histograms.columns.at("width")[B]), result.statistics[0].bin_width[1]);
  const ReadTable trajectories = read_table(directory / "csv/trajectories.csv");
  ASSERT_EQ(trajectories.columns.at("time").size(), static_cast<std::size_t>(R * K));
  for (std::size_t row = 0; row < R * K; ++row) {
    EXPECT_EQ(trajectories.columns.at("instance")[row],
              std::to_string(result.trajectories.instance[row / K]));
    EXPECT_EQ(std::stod(trajectories.columns.at("time")[row]), result.time[row % K]);
    EXPECT_EQ(std::stod(trajectories.columns.at("q[1]")[row]), result.trajectories.q[row * d + 1]);
    EXPECT_EQ(std::stod(trajectories.columns.at("energy")[row]), result.trajectories.energy[row]);
    EXPECT_EQ(std::stod(trajectories.columns.at("d(q[1])/d(scheme.step)")[row]),
              result.trajectories.tangents[1].values[(row * d + 1) * 3 + 2]);
    EXPECT_EQ(std::stod(trajectories.columns.at("d(gap)/d(initial.v[1])")[row]),
              result.trajectories.tangents[0].values[row * 3]);
  }
}

TEST_F(ExportTest, EntriesHaveTheLabelsOfTheirAxis) {
  ensembles::Result result = sample_result();
  result.labels = {{"x", "u[0]"}, {"rod"}};
  result.instances.parameters[0] = {"initial.v", d, ramp(N * d, 0.5)};
  write(result);
  export_csv(ResultReader(path), (directory / "csv").string(), false);
  const ReadTable instances = read_table(directory / "csv/instances.csv"),
                  trajectories = read_table(directory / "csv/trajectories.csv");
  const auto first_of = [](const ReadTable& table, const std::string& name) {
    return std::stod(table.columns.at(name).at(0));
  };
  EXPECT_EQ(first_of(instances, "final_q[x]"), result.instances.final_q[0]);
  EXPECT_EQ(first_of(instances, "final_q[u[0]]"), result.instances.final_q[1]);
  EXPECT_EQ(first_of(instances, "initial.v[1]"), result.instances.parameters[0].values[1]);
  EXPECT_EQ(first_of(instances, "d(final_q[u[0]])/d(scheme.step)"), result.instances["tangent/final_q"][5]);
  EXPECT_EQ(first_of(trajectories, "q[u[0]]"), result.trajectories.q[1]);
  EXPECT_EQ(first_of(trajectories, "lambda[rod]"), result.trajectories.lambda[0]);
  EXPECT_EQ(first_of(trajectories, "d(q[u[0]])/d(scheme.step)"), result.trajectories.tangents[1].values[5]);
  for (const ReadTable* table : {&instances, &trajectories})
    EXPECT_EQ(table->columns.size(), table->names.size()) << "a name twice";
  EXPECT_EQ(instances.columns.count("final_q[1]"), 0u);  // observed, and there already
}

TEST(Portions, CoverAllRowsOnce) {
  std::int64_t next = 0;
  in_portions(10'000'000, 3, [&](std::int64_t first, std::int64_t count) {
    EXPECT_EQ(first, next);
    EXPECT_LE(count * 3, 1 << 22);
    next += count;
  });
  EXPECT_EQ(next, 10'000'000);
  in_portions(0, 5, [](std::int64_t, std::int64_t) { ADD_FAILURE(); });
  in_portions(2, std::int64_t{1} << 40, [&](std::int64_t, std::int64_t count) { EXPECT_EQ(count, 1); });
}

TEST_F(ExportTest, NetcdfHasTheSameNumbersInOneGroup) {
  const ensembles::Result result = sample_result();
  write(result);
  const std::string flat = (directory / "flat.nc").string();
  export_netcdf(ResultReader(path), flat);
  const hdf5::Turn turn = hdf5::take_turn();
  const hdf5::Source file(flat);
  std::vector<double> numbers;
  file.read("/final_q", {N, d}, numbers);
  EXPECT_EQ(numbers, result.instances.final_q);
  file.read("/system.mass", {N, 2}, numbers);
  EXPECT_EQ(numbers, result.instances.parameters[1].values);
  file.read("/trajectory_q", {R, K, d}, numbers);
  EXPECT_EQ(numbers, result.trajectories.q);
  file.read("/energy_error_mean", {K}, numbers);
  EXPECT_EQ(numbers, result.statistics[1].mean);
  file.read("/tangent_final_q", {N, d, 3}, numbers);
  EXPECT_EQ(numbers, result.instances["tangent/final_q"]);
  file.read("/tangent_trajectory_q", {R, K, d, 3}, numbers);
  EXPECT_EQ(numbers, result.trajectories.tangents[1].values);
  EXPECT_EQ(file.text("/tangent_trajectory_q", "coordinates"), "tangent_trajectory_instance");
  EXPECT_EQ(file.text("/", "wrt"), "initial.v[1] system.mass[0] scheme.step");
  EXPECT_TRUE(file.has("/wrt"));
  std::vector<std::int64_t> counts;
  file.read("/energy_error_histogram", {K, B}, counts);
  EXPECT_EQ(counts, result.statistics[1].histogram);
  file.read("/instance", {N}, counts);
  EXPECT_EQ(counts, result.instances.number);
  std::vector<std::uint8_t> codes;
  file.read("/status", {N}, codes);  // plain bytes
  EXPECT_EQ(codes, result.instances.status);
  EXPECT_EQ(file.text("/energy_error_histogram", "coordinates"), "energy_error_bins");
  EXPECT_EQ(file.text("/trajectory_q", "coordinates"), "trajectory_instance");
  EXPECT_EQ(file.text("/final_q", "unit"), "SI");
  for (const std::string& name : file.names_in("/")) EXPECT_EQ(name.find('/'), std::string::npos);
  EXPECT_FALSE(file.has("/instances"));
}

TEST_F(Commands, ExportRefusesWhatStandsThereAndWhatIsNoResult) {
  ASSERT_EQ(call({"run", spec("system.name = 'toy_pair'\n"), "-o", output}).status, exit_done);
  const Outcome csv = call({"export", output, "csv"});
  EXPECT_EQ(csv.status, exit_done) << csv.err;
  EXPECT_TRUE(fs::exists(directory / "out/trajectories.csv"));
  EXPECT_EQ(call({"export", output, "netcdf"}).status, exit_done);
  EXPECT_TRUE(fs::exists(directory / "out.nc"));
  for (const char* format : {"csv", "netcdf"}) {
    const Outcome again = call({"export", output, format});
    EXPECT_EQ(again.status, exit_bad_request);
    EXPECT_NE(again.err.find("already exists"), std::string::npos) << again.err;
    EXPECT_EQ(call({"export", output, format, "--force"}).status, exit_done);
  }
  EXPECT_EQ(call({"export", output, "xlsx"}).status, exit_bad_request);
  EXPECT_EQ(call({"export", output, "netcdf", "-o", output, "--force"}).status, exit_bad_request);
  std::ofstream(output, std::ios::app) << "more";
  for (const char* format : {"csv", "netcdf"})
    EXPECT_EQ(call({"export", output, format, "--force"}).status, exit_file);
}

}  // namespace
}  // namespace livens::host
