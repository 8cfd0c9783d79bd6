#include "ensembles/memory.hpp"

#include <algorithm>
#include <set>

#include "ensembles/instances.hpp"
#include "ensembles/schedule.hpp"
#include "ensembles/statistics.hpp"
#include "ensembles/tangents.hpp"

namespace livens::ensembles {
namespace {

constexpr double number = sizeof(double);

double width_of(const std::vector<Instances::Varied>& parameters) {
  double width = 0.0;
  for (const Instances::Varied& varied : parameters) width += varied.width;
  return width;
}

/// Parameters that have an array of their own in a Population.
double varied_parameters(const Request& request) {
  std::set<int> entries;
  for (const Variation* variation : recorded_entries(request))
    if (variation->target == Target::parameter)
      for (int k = 0; k < variation->count; ++k) entries.insert(variation->first + k);
  return static_cast<double>(entries.size());
}

double width_of(const std::vector<Quantity>& quantities) {
  double width = 0.0;
  for (const Quantity& one : quantities) width += static_cast<double>(one.width());
  return width;
}

/// Values of NodeValues: the status and what is evaluated.
double node_values(const std::vector<Observable>& observables, bool columns_too) {
  const auto evaluated = std::count_if(observables.begin(), observables.end(),
                                       [&](const Observable& one) { return columns_too || one.column < 0; });
  return evaluated == 0 ? 0.0 : number * static_cast<double>(1 + evaluated);
}

}  // namespace

InstanceMemory instance_memory(const Request& request, const Backend& backend) {
  const SystemInfo& system = backend.system();
  const Instances result = instances_to_collect(request, system);
  const std::vector<Observable> observables = observed(system, request.observe),
                                with_statistics = observables_of(system, request.observe);
  const double d = system.coordinates, recorded = width_of(result.parameters),
               bound = request.energy_bound > 0.0 ? number : 0.0,
               numbers = request.instances.empty() ? 0.0 : number,
               extremes = request.extremes ? 2.0 * number * static_cast<double>(observables.size()) : 0.0,
               records = number * backend.record_width();
  InstanceMemory memory{};
  memory.moving = number * (3.0 * d + varied_parameters(request) + recorded) + records + bound + numbers +
                  extremes + sizeof(Status);
  if (request.tangent) memory.moving += 2.0 * number * d;            // q and v as given
  if (varies_step(request)) memory.moving += 2.0 * number + number;  // h, steps a beat, and those of Ticks
  memory.sampling =
      std::max(node_values(with_statistics, false), request.extremes ? node_values(observables, true) : 0.0);
  memory.summaries = static_cast<double>(with_statistics.size()) *
                     (sizeof(Summary) / static_cast<double>(block_size) + sizeof(Point));
  memory.handed = number * (2.0 * d + recorded);
  memory.collected = memory.handed + bound + numbers + sizeof(Status) +
                     number * (3.0 * d + 3.0 + width_of(result.quantities) + width_of(result.observables));
  memory.collecting = node_values(observables, true);
  memory.standing = records + bound + extremes;
  return memory;
}

double node_memory(const Request& request, const SystemInfo& system) {
  const double observables = static_cast<double>(followed_observables(system, request.observe).size());
  double tangents = 0.0;
  for (const FollowedTangents& one : followed_tangents(system, request))
    tangents += static_cast<double>(one.quantity.width());
  return number * (3.0 * system.coordinates + 2.0 * system.constraints + system.momentum_maps + 3.0 +
                   observables + tangents);
}

double statistics_memory(Range range, const PointsOf& points) {
  constexpr double links = 4.0 * sizeof(void*) + sizeof(std::int64_t);  // of a std::map
  double bytes = 0.0;
  std::int64_t block = range.first / block_size;
  const std::int64_t last = block_count(range.last);
  while (block < last) {
    std::int64_t blocks = 1;
    while (block % (2 * blocks) == 0 && block + 2 * blocks <= last) blocks *= 2;
    const auto instances = static_cast<double>(std::min(blocks * block_size, range.size()));
    bytes += links + sizeof(SummaryTree::Node) + sizeof(Point) * points(instances);
    block += blocks;
  }
  return bytes;
}

double exact_memory(const Request& request, Range range) {
  const std::set<std::string> names(request.observe.begin(), request.observe.end());
  return sizeof(Point) * static_cast<double>(names.size()) * static_cast<double>(range.size());
}

}  // namespace livens::ensembles
