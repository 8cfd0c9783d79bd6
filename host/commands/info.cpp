// livens info: what a result file holds, after its checksum has been verified.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>

#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"
#include "host/results/result_file.hpp"
#include "host/results/summary.hpp"

namespace livens::host {

namespace {

/// Instances by status, of those that occur.
nlohmann::ordered_json statuses_of(const ensembles::Result& result) {
  std::array<std::int64_t, status_count> counts{};
  for (const std::uint8_t code : result.instances.status) ++counts.at(code);
  nlohmann::ordered_json json;
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] > 0) json[status_rows[code].name] = counts[code];
  return json;
}

/// The last sample of what there are statistics of; what is not a number is null.
nlohmann::ordered_json statistics_of(const ensembles::Result& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const ensembles::ObservableStatistics& entry : result.statistics) {
    nlohmann::ordered_json& one = json[entry.name];
    one = {{"unit", entry.unit}, {"description", entry.description}};
    if (entry.mean.empty()) continue;
    one["mean"] = entry.mean.back();
    one["std"] = entry.std.back();
    one["min"] = entry.min.back();
    one["max"] = entry.max.back();
    one["rms"] = entry.rms.back();
    one["growth_exponent"] = entry.growth.exponent;
  }
  return json;
}

/// Names of the axes and their numbers of bins.
nlohmann::ordered_json joints_of(const ensembles::Result& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const ensembles::JointStatistics& one : result.joints) {
    nlohmann::ordered_json& joint = json[one.joint.name];
    joint = {{"at", one.joint.at_samples ? "samples" : "end"}, {"of", nlohmann::ordered_json::object()}};
    for (std::size_t k = 0; k < one.joint.axes.size(); ++k)
      joint["of"][one.joint.axes[k].name] = one.middles[k].size();
  }
  return json;
}

std::string describe(const ensembles::JointStatistics& one) {
  std::string axes;
  for (std::size_t k = 0; k < one.joint.axes.size(); ++k)
    axes += fmt::format("{}{} ({} bins)", k > 0 ? ", " : "", one.joint.axes[k].name, one.middles[k].size());
  return fmt::format("joint histogram {}: {}, at {}", one.joint.name, axes,
                     one.joint.at_samples ? "the samples" : "the end");
}

nlohmann::ordered_json as_json(const std::string& file, const ResultFile& read) {
  const ensembles::Result& result = read.result;
  nlohmann::ordered_json json = {{"file", file},
                                 {"version", read.provenance.version},
                                 {"system", read.provenance.system},
                                 {"scheme", read.provenance.scheme},
                                 {"form", read.provenance.form},
                                 {"options", read.provenance.overrides},
                                 {"backend", result.backend},
                                 {"device", result.device},
                                 {"seed", result.seed},
                                 {"instances", result.size},
                                 {"end", result.time.empty() ? 0.0 : result.time.back()},
                                 {"samples", result.time.size()},
                                 {"trajectories", result.trajectories.instance.size()},
                                 {"steps", result.instances.steps},
                                 {"wall_seconds", result.wall_seconds},
                                 {"steps_per_second", result.steps_per_second}};
  json["statuses"] = statuses_of(result);
  json["varied"] = nlohmann::json::array();
  for (const auto& varied : result.instances.parameters) json["varied"].push_back(varied.what);
  if (read.shard) json["shard"] = {{"first", read.shard->range.first}, {"ensemble_size", read.shard->size}};
  json["left_out"] = read.left_out;
  json["joint"] = joints_of(result);
  json["statistics"] = statistics_of(result);
  return json;
}

}  // namespace

int info_as_json(const std::string& file) {
  // Text of a file may be anything.
  fmt::print("{}\n",
             as_json(file, read_result(file)).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return exit_done;
}

int info(const std::string& file, const std::vector<Threshold>& thresholds) {
  const auto [result, provenance, shard, left_out] = read_result(file);
  Figures figures;
  figures.add(result.instances);
  fmt::print("{}: intact, written by livens {}\n{}", printable(file), printable(provenance.version),
             headline(result, provenance));
  if (!provenance.overrides.empty())
    fmt::print("options in place of the spec: {}\n", printable(provenance.overrides));
  if (shard)
    fmt::print("a shard: instances {} to {} of {}\n", shard->range.first, shard->range.last - 1, shard->size);
  for (const auto& varied : result.instances.parameters) fmt::print("varied: {}\n", printable(varied.what));
  if (!left_out.empty())
    fmt::print("left out by output.columns: {}\n", printable(fmt::format("{}", fmt::join(left_out, ", "))));
  for (const auto& joint : result.joints) fmt::print("{}\n", printable(describe(joint)));
  fmt::print("{} samples, {} trajectories\n{}", result.time.size(), result.trajectories.instance.size(),
             figures.text(result));
  for (const Threshold& threshold : thresholds) fmt::print("{}", describe(threshold, result));
  return exit_done;
}

}  // namespace livens::host
