// livens merge: the shards of an ensemble in, the result of the whole out.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "host/checkpoint/assemble.hpp"
#include "host/checkpoint/bytes.hpp"
#include "host/commands/commands.hpp"
#include "host/errors.hpp"

namespace livens::host {
namespace {

/// What is kept of a part while the others are looked at.
struct Part {
  std::string path;
  Identity identity;
  ensembles::Shape shape;
  std::string backend, device;
  double wall_seconds;
};

Part look_at(const std::string& path) {
  const ResultFile file = read_result(path);
  if (!file.shard) throw RequestError(path + ": not a shard; expected files that --shard has written");
  const ensembles::Result& result = file.result;
  Part part{path, file.identity(), {}, result.backend, result.device, result.wall_seconds};
  part.shape = {result.coordinates,
                result.constraints,
                result.momentum_maps,
                file.shard->range,
                result.time,
                result.quantile_levels,
                result.trajectories.instance,
                {},
                {}};
  for (const ensembles::ObservableStatistics& entry : result.statistics)
    part.shape.observables.push_back({entry.name, entry.unit, entry.description});
  for (const ensembles::Quantity& one : result.trajectories.observed)
    part.shape.observed.push_back({one.name, one.unit, one.description});
  return part;
}

/// Throws RequestError unless the parts, in the order of their instances, are the shards of one ensemble.
void check_together(const std::vector<Part>& parts) {
  std::int64_t next = 0;
  for (const Part& part : parts) {
    const std::string other = difference(parts.front().identity, part.identity);
    if (!other.empty())
      throw RequestError(
          fmt::format("{} and {} are not of the same run: {} differs", parts.front().path, part.path, other));
    const ensembles::Range& range = part.identity.range;
    if (range.first != next)
      throw RequestError(fmt::format(
          "{}: begins with instance {}; expected {}, {}", part.path, range.first, next,
          range.first > next ? "as the shards before it end there" : "as other shards have those before"));
    next = range.last;
  }
  if (next != parts.front().identity.size)
    throw RequestError(fmt::format("the shards end with instance {}; expected {} instances", next - 1,
                                   parts.front().identity.size));
}

PartSource source_of(const std::string& path) {
  return {[path](const SampleVisitor& visit) {
            const ResultFile file = read_result(path);
            const auto& bytes = file.shard->samples;
            try {
              visit_samples({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, visit);
            } catch (const Malformed& problem) {
              throw FileError(path, fmt::format("damaged ({})", problem.what()));
            }
          },
          [path](const InstancesVisitor& visit) {
            ResultFile file = read_result(path);
            visit({file.shard->range, std::move(file.result.instances)});
          }};
}

}  // namespace

int merge(const std::vector<std::string>& paths, const std::string& output) {
  std::vector<Part> parts;
  for (const std::string& path : paths) {
    std::error_code none;
    if (std::filesystem::equivalent(path, output, none))
      throw RequestError(output + ": is one of the parts; expected another file to write");
    parts.push_back(look_at(path));
  }
  check_writable(output);
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.identity.range.first < b.identity.range.first; });
  check_together(parts);

  ensembles::Shape shape = parts.front().shape;
  shape.range = {0, parts.front().identity.size};
  shape.followed.clear();
  ensembles::Result about{};
  about.backend = parts.front().backend;
  about.device = parts.front().device;
  about.seed = parts.front().identity.seed;
  std::vector<PartSource> sources;
  for (const Part& part : parts) {
    shape.followed.insert(shape.followed.end(), part.shape.followed.begin(), part.shape.followed.end());
    about.wall_seconds += part.wall_seconds;
    sources.push_back(source_of(part.path));
  }
  const Provenance& provenance = parts.front().identity.provenance;
  const Assembled made =
      assemble({output, {}, units_in(parts.front().path), provenance, {}}, shape, sources, about);
  fmt::print("{}{}written to {}\n", headline(made.result, provenance), made.figures.text(made.result),
             output);
  return exit_done;
}

}  // namespace livens::host
