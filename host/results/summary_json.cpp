// The summary of a result as JSON: `info --json`, `run --json`.

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "host/results/summary.hpp"

namespace livens::host {
namespace {

using nlohmann::ordered_json;

/// Instances by status, of those that occur.
ordered_json statuses_of(const Figures& figures) {
  ordered_json json;
  const auto counts = figures.statuses();
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] > 0) json[status_rows[code].name] = counts[code];
  return json;
}

ordered_json failures_of(const Figures& figures) {
  ordered_json json = ordered_json::object();
  for (const StatusRow& row : status_rows) {
    const ensembles::Summary& steps = figures.failed_steps(row.status);
    if (steps.moments.n == 0) continue;
    json[row.name] = {{"instances", steps.moments.n},
                      {"first_step", steps.moments.min},
                      {"median_step", median(steps)},
                      {"last_step", steps.moments.max}};
  }
  return json;
}

/// What is not a number becomes null.
ordered_json largest_of(const ensembles::Result& result, const Figures& figures) {
  ordered_json json = ordered_json::object();
  for (const Figures::Largest& one : figures.largest(result.constraints, result.momentum_maps)) {
    const ensembles::Moments& moments = one.summary->moments;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    json[one.key] = {{"mean", moments.n > 0 ? moments.mean : nan},
                     {"quantile_95", quantile(*one.summary, 0.95)},
                     {"max", moments.n > 0 ? moments.max : nan}};
  }
  return json;
}

/// The last sample of what there are statistics of.
ordered_json statistics_of(const ensembles::Result& result) {
  ordered_json json = ordered_json::object();
  for (const ensembles::ObservableStatistics& entry : result.statistics) {
    ordered_json& one = json[entry.name];
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
ordered_json joints_of(const ensembles::Result& result) {
  ordered_json json = ordered_json::object();
  for (const ensembles::JointStatistics& one : result.joints) {
    ordered_json& joint = json[one.joint.name];
    joint = {{"at", one.joint.at_samples ? "samples" : "end"}, {"of", ordered_json::object()}};
    for (std::size_t k = 0; k < one.joint.axes.size(); ++k)
      joint["of"][one.joint.axes[k].name] = one.middles[k].size();
  }
  return json;
}

}  // namespace

std::string summary_as_json(const std::string& file, const ensembles::Result& result,
                            const Provenance& provenance, const std::optional<Shard>& shard,
                            std::span<const std::string> left_out, const Figures& figures,
                            std::vector<std::string> varied) {
  ordered_json json = {{"file", file},
                       {"version", provenance.version},
                       {"system", provenance.system},
                       {"scheme", provenance.scheme},
                       {"form", provenance.form},
                       {"options", provenance.overrides},
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
  json["statuses"] = statuses_of(figures);
  json["failures"] = failures_of(figures);
  std::sort(varied.begin(), varied.end());  // as a file lists them
  json["varied"] = varied;
  if (!result.wrt.empty()) json["wrt"] = result.wrt;
  if (shard) json["shard"] = {{"first", shard->range.first}, {"ensemble_size", shard->size}};
  json["left_out"] = left_out;
  json["largest"] = largest_of(result, figures);
  if (figures.costs_kept()) {
    json["retried_steps"] = figures.retried_steps();
    json["newton_iterations_per_step"] = figures.newton_iterations_per_step();
  }
  json["joint"] = joints_of(result);
  json["statistics"] = statistics_of(result);
  // Text of a file may be anything.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace livens::host
