#include "host/checkpoint/assemble.hpp"

#include <fmt/format.h>

#include "host/errors.hpp"

namespace livens::host {

PartSource segments_of(const std::string& directory) {
  return {[directory](const SampleVisitor& visit) { read_parts(directory, visit, {}); },
          [directory](const InstancesVisitor& visit) { read_parts(directory, {}, visit); }};
}

Assembled assemble(const Destination& to, const ensembles::Shape& shape,
                   const std::vector<PartSource>& sources, ensembles::Result about) {
  Assembled made{std::move(about), {}};
  ensembles::Result& result = made.result;
  try {
    ensembles::Assembly assembly(shape);
    for (const PartSource& source : sources)
      source.samples([&](const ensembles::SamplePart& part) { assembly.add(part); });
    assembly.finish(result);
  } catch (const std::logic_error& problem) {
    throw FileError(to.path, fmt::format("cannot be put together ({})", problem.what()));
  }

  ResultWriter writer(to.path, to.scratch, result, to.units);
  std::int64_t next = shape.range.first;
  for (const PartSource& source : sources) {
    source.instances([&](const ensembles::InstancesPart& part) {
      if (part.range.first != next ||
          static_cast<std::int64_t>(part.instances.status.size()) != part.range.size())
        throw FileError(to.path, "cannot be put together (instances are missing)");
      next = part.range.last;
      writer.add(part.range.first - shape.range.first, part.instances);
      made.figures.add(part.instances);
      result.instances.steps += part.instances.steps;
    });
  }
  if (next != shape.range.last) throw FileError(to.path, "cannot be put together (instances are missing)");
  const double seconds = result.wall_seconds;
  result.steps_per_second = seconds > 0.0 ? result.instances.steps / seconds : 0.0;
  writer.commit(to.provenance, to.shard);
  return made;
}

}  // namespace livens::host
