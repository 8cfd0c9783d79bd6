// livens info: what a result file holds, after its checksum has been verified.

#include <fmt/format.h>

#include "host/commands/commands.hpp"
#include "host/errors.hpp"
#include "host/printable.hpp"
#include "host/results/result_file.hpp"
#include "host/results/summary.hpp"

namespace livens::host {

int info(const std::string& file, const std::vector<Threshold>& thresholds) {
  const auto [result, provenance, shard] = read_result(file);
  Figures figures;
  figures.add(result.instances);
  fmt::print("{}: intact, written by livens {}\n{}", printable(file), printable(provenance.version),
             headline(result, provenance));
  if (!provenance.overrides.empty())
    fmt::print("options in place of the spec: {}\n", printable(provenance.overrides));
  if (shard)
    fmt::print("a shard: instances {} to {} of {}\n", shard->range.first, shard->range.last - 1, shard->size);
  for (const auto& varied : result.instances.parameters) fmt::print("varied: {}\n", printable(varied.what));
  fmt::print("{} samples, {} trajectories\n{}", result.time.size(), result.trajectories.instance.size(),
             figures.text(result));
  for (const Threshold& threshold : thresholds) fmt::print("{}", describe(threshold, result));
  return exit_done;
}

}  // namespace livens::host
