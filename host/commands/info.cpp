// livens info: what a result file holds, after its checksum has been verified.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/commands/colour.hpp"
#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/page.hpp"
#include "host/printable.hpp"
#include "host/results/result_file.hpp"
#include "host/results/summary.hpp"

namespace livens::host {

namespace {

std::string describe(const ensembles::JointStatistics& one) {
  std::string axes;
  for (std::size_t k = 0; k < one.joint.axes.size(); ++k)
    axes += fmt::format("{}{} ({} bins)", k > 0 ? ", " : "", one.joint.axes[k].name, one.middles[k].size());
  return fmt::format("joint histogram {}: {}, at {}", one.joint.name, axes,
                     one.joint.at_samples ? "the samples" : "the end");
}

}  // namespace

int info_as_json(const std::string& file) {
  const auto [result, provenance, shard, left_out] = read_result(file);
  Figures figures;
  figures.add(result.instances);
  std::vector<std::string> varied;
  for (const auto& one : result.instances.parameters) varied.push_back(one.what);
  fmt::print("{}", summary_as_json(file, result, provenance, shard, left_out, figures, std::move(varied)));
  return exit_done;
}

int info(const std::string& file, const std::vector<Threshold>& thresholds) {
  const auto [result, provenance, shard, left_out] = read_result(file);
  Figures figures;
  figures.add(result.instances);
  fmt::print(
      "{}\n{}",
      wrapped(fmt::format("{}: intact, written by livens {}", printable(file), printable(provenance.version)),
              2),
      headline(result, provenance));
  if (!provenance.overrides.empty())
    fmt::print("{}\n", wrapped("options in place of the spec: " + printable(provenance.overrides), 2));
  if (shard)
    fmt::print("a shard: instances {} to {} of {}\n", shard->range.first, shard->range.last - 1, shard->size);
  for (const auto& varied : result.instances.parameters) fmt::print("varied: {}\n", printable(varied.what));
  if (!result.wrt.empty())
    fmt::print(
        "{}\n",
        wrapped(printable(fmt::format("derivatives with respect to {}", fmt::join(result.wrt, ", "))), 2));
  if (!left_out.empty())
    fmt::print(
        "{}\n",
        wrapped(printable(fmt::format("left out by output.columns: {}", fmt::join(left_out, ", "))), 2));
  for (const auto& joint : result.joints) fmt::print("{}\n", wrapped(printable(describe(joint)), 2));
  fmt::print("{} samples, {} trajectories\n{}", result.time.size(), result.trajectories.instance.size(),
             with_coloured_statuses(figures.text(result), stdout));
  for (const Threshold& threshold : thresholds) fmt::print("{}", describe(threshold, result));
  return exit_done;
}

}  // namespace livens::host
