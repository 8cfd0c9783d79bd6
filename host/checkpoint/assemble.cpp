#include "host/checkpoint/assemble.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "host/errors.hpp"

namespace livens::host {

PartSource segments_of(const std::string& directory) {
  return {[directory](const SampleVisitor& visit) { read_parts(directory, visit, {}); },
          [directory](const InstancesVisitor& visit) { read_parts(directory, {}, visit); }};
}

namespace {

/// Everything but what goes wrong.
Assembled put_together(const Destination& to, const ensembles::Shape& shape,
                       const std::vector<PartSource>& sources, ensembles::Result about) {
  Assembled made{std::move(about), {}};
  ensembles::Result& result = made.result;
  ensembles::Assembly assembly(shape);
  for (const PartSource& source : sources)
    source.samples([&](const ensembles::SamplePart& part) { assembly.add(part); });
  assembly.finish(result);

  ResultWriter writer(to.path, to.scratch, result, to.units);
  std::int64_t next = shape.range.first;
  for (const PartSource& source : sources) {
    source.instances([&](const ensembles::InstancesPart& part) {
      if (part.range.first != next || part.range.last > shape.range.last ||
          static_cast<std::int64_t>(part.instances.status.size()) != part.range.size())
        throw std::logic_error("instances are missing");
      next = part.range.last;
      writer.add(part.range.first - shape.range.first, part.instances);
      made.figures.add(part.instances);
      result.instances.steps += part.instances.steps;
    });
  }
  if (next != shape.range.last) throw std::logic_error("instances are missing");
  const double seconds = result.wall_seconds;
  result.steps_per_second = seconds > 0.0 ? result.instances.steps / seconds : 0.0;
  writer.commit(to.provenance, to.shard);
  return made;
}

}  // namespace

Assembled assemble(const Destination& to, const ensembles::Shape& shape,
                   const std::vector<PartSource>& sources, ensembles::Result about) {
  try {
    return put_together(to, shape, sources, std::move(about));
  } catch (const std::logic_error& problem) {  // parts that do not fit, whoever has made them
    throw FileError(to.path, fmt::format("cannot be put together ({})", problem.what()));
  }
}

}  // namespace livens::host
