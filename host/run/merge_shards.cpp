#include "host/run/merge_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/join.hpp"
#include "host/errors.hpp"
#include "host/files/bytes.hpp"

namespace livens::host {
namespace {

/// In which respect the datasets of two parts cannot be joined, e.g. "the sample times"; empty where they
/// can.
std::string difference(const ensembles::Result& a, const ensembles::Result& b) {
  const auto same = [](const auto& left, const auto& right, auto... members) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](const auto& x, const auto& y) { return ((x.*members == y.*members) && ...); });
  };
  using ensembles::Instances;
  using ensembles::ObservableStatistics;
  if (a.coordinates != b.coordinates || a.constraints != b.constraints || a.momentum_maps != b.momentum_maps)
    return "the number of coordinates, constraints or momentum maps";
  if (a.time != b.time) return "the sample times";
  if (a.quantile_levels != b.quantile_levels) return "the levels of the quantiles";
  if (!same(a.statistics, b.statistics, &ObservableStatistics::name)) return "what there are statistics of";
  const auto joints_of = [](const ensembles::Result& result) {
    std::vector<std::string> names;
    for (const ensembles::JointStatistics& one : result.joints) {
      names.push_back(one.joint.name);
      for (const ensembles::JointAxis& axis : one.joint.axes) names.push_back(axis.name);
    }
    return names;
  };
  if (a.wrt != b.wrt) return "what derivatives are taken of";
  if (a.labels != b.labels) return "what coordinates and constraints are called";
  if (joints_of(a) != joints_of(b)) return "what there are joint histograms of";
  if (!same(a.trajectories.observed, b.trajectories.observed, &ensembles::Quantity::name))
    return "what is observed of those followed";
  if (!same(a.trajectories.tangents, b.trajectories.tangents, &ensembles::Quantity::name))
    return "the derivatives of those followed";
  if (!same(a.instances.observables, b.instances.observables, &ensembles::Quantity::name) ||
      !same(a.instances.parameters, b.instances.parameters, &Instances::Varied::what,
            &Instances::Varied::width))
    return "what there is of every instance";
  return {};
}

/// Throws RequestError unless the parts, in the order of their instances, are the shards of one ensemble.
void check_together(const std::vector<ResultReader>& parts) {
  std::int64_t next = 0;
  const ResultReader& front = parts.front();
  for (const ResultReader& part : parts) {
    std::string other = difference(front.identity(), part.identity());
    if (other.empty()) other = difference(front.outline().result, part.outline().result);
    if (!other.empty())
      refuse({},
             fmt::format("{} and {} are not of the same run: {} differs", front.path(), part.path(), other));
    const ensembles::Range& range = part.outline().shard->range;
    if (range.first != next)
      refuse({part.path()}, fmt::format("begins with instance {}", range.first),
             fmt::format("{}, {}", next,
                         range.first > next ? "as the shards before it end there"
                                            : "as other shards have those before"));
    next = range.last;
  }
  const std::int64_t size = front.outline().shard->size;
  if (next != size)
    refuse({}, fmt::format("the shards end with instance {}", next - 1), fmt::format("{} instances", size));
}

/// Samples and instances are different datasets: each number of the part is read once.
PartSource source_of(const ResultReader& part) {
  return {[&part](const SampleVisitor& visit) {
            const std::vector<std::uint8_t> frames = part.samples();
            try {
              visit_samples({reinterpret_cast<const char*>(frames.data()), frames.size()}, visit);
            } catch (const Malformed& problem) {
              throw unreadable(part.path(), problem);
            }
          },
          [&part](const InstancesVisitor& visit) {
            visit({part.outline().shard->range, part.instances()});
          }};
}

/// Of the whole, as far as the parts say it.
ensembles::Shape shape_of(const std::vector<ResultReader>& parts) {
  const ensembles::Result& front = parts.front().outline().result;
  ensembles::Shape shape{front.coordinates,
                         front.constraints,
                         front.momentum_maps,
                         {0, parts.front().outline().shard->size},
                         front.time,
                         front.quantile_levels,
                         {},
                         {},
                         {},
                         {}};
  for (const ensembles::ObservableStatistics& entry : front.statistics)
    shape.observables.push_back({entry.name, entry.unit, entry.description});
  for (const ensembles::Quantity& one : front.trajectories.observed)
    shape.observed.push_back({one.name, one.unit, one.description});
  for (const ensembles::JointStatistics& one : front.joints) shape.joints.push_back(one.joint);
  shape.wrt = front.wrt;
  shape.labels = front.labels;
  shape.tangents = front.trajectories.tangents;
  for (const ResultReader& part : parts) {
    const std::vector<std::int64_t>& followed = part.outline().result.trajectories.instance;
    shape.followed.insert(shape.followed.end(), followed.begin(), followed.end());
  }
  return shape;
}

}  // namespace

std::string merge_shards(const std::vector<std::string>& paths, const std::string& output) {
  std::vector<ResultReader> parts;
  for (const std::string& path : paths) {
    std::error_code none;
    if (std::filesystem::equivalent(path, output, none))
      refuse({output}, "is one of the parts", "another file to write");
    if (!parts.emplace_back(path).outline().shard)
      refuse({path}, "not a shard", "files that --shard has written");
  }
  check_writable(output);
  std::sort(parts.begin(), parts.end(), [](const ResultReader& a, const ResultReader& b) {
    return a.outline().shard->range.first < b.outline().shard->range.first;
  });
  check_together(parts);

  const ResultFile& front = parts.front().outline();
  ensembles::Result about{};
  about.backend = front.result.backend;
  about.device = front.result.device;
  about.seed = front.result.seed;
  // What a killed merge leaves lies where the next one, or a run, finds and removes it.
  refuse_to_begin(checkpoint_directory(output));
  const ensembles::Range whole{0, front.shard->size};
  Checkpoint scratch(checkpoint_directory(output), {front.provenance, about.seed, whole.size(), whole}, 0.0,
                     Begin::anew);
  std::vector<PartSource> sources;
  for (const ResultReader& part : parts) {
    about.wall_seconds += part.outline().result.wall_seconds;
    sources.push_back(source_of(part));
  }
  const Joined made =
      join({output, scratch.directory(), parts.front().units(), front.provenance, {}, front.left_out},
           shape_of(parts), sources, about);
  return headline(made.result, front.provenance) + made.figures.text(made.result);
}

}  // namespace livens::host
