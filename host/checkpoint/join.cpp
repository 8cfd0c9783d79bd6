#include "host/checkpoint/join.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "host/checkpoint/parts.hpp"
#include "host/errors.hpp"

namespace livens::host {

PartSource segments_of(const std::string& directory) {
  return {[directory](const SampleVisitor& visit) { read_parts(directory, visit, {}); },
          [directory](const InstancesVisitor& visit) { read_parts(directory, {}, visit); }};
}

namespace {

ensembles::Result empty_result(const ensembles::Shape& shape) {
  ensembles::Result result{};
  result.coordinates = shape.coordinates;
  result.size = shape.range.size();
  result.wrt = shape.wrt;
  result.labels = shape.labels;
  return result;
}

}  // namespace

Joiner::Joiner(Destination to, const ensembles::Shape& shape)
    : to_(std::move(to)),
      joined_(shape),
      range_(shape.range),
      next_(shape.range.first),
      made_{empty_result(shape), {}},
      writer_(to_.path, to_.scratch, made_.result, to_.units, shape.range.first, to_.left_out) {}

template <class Action>
void Joiner::attempt(Action action) const {
  try {
    action();
  } catch (const std::logic_error& problem) {  // parts that do not fit, whoever has made them
    throw FileError(to_.path, fmt::format("cannot be put together ({})", problem.what()));
  }
}

void Joiner::add(const ensembles::SamplePart& part) {
  attempt([&] { joined_.add(part); });
  if (!to_.shard) return;
  const std::string frame = make_frame(samples_++, FrameKind::sample, encode(part));
  to_.shard->samples.insert(to_.shard->samples.end(), frame.begin(), frame.end());
}

void Joiner::place(const ensembles::InstancesPart& part) {
  attempt([&] {
    if (part.range.first != next_ || part.range.last > range_.last ||
        static_cast<std::int64_t>(part.instances.status.size()) != part.range.size())
      throw std::logic_error("instances are missing");
    next_ = part.range.last;
    writer_.add(part.range.first - range_.first, part.instances);
    made_.figures.add(part.instances);
    made_.result.instances.steps += part.instances.steps;
  });
}

void Joiner::unload(ensembles::InstancesPart& part) const { writer_.unload(part.instances); }

void Joiner::load(ensembles::InstancesPart& part) const {
  writer_.load(part.range.first - range_.first, part.range.size(), part.instances);
}

Joined Joiner::finish(const ensembles::Result& about) {
  attempt([&] {
    if (next_ != range_.last) throw std::logic_error("instances are missing");
    ensembles::Result& result = made_.result;
    joined_.finish(result);
    result.backend = about.backend;
    result.device = about.device;
    result.seed = about.seed;
    result.wall_seconds = about.wall_seconds;
    if (result.wall_seconds > 0.0) result.steps_per_second = result.instances.steps / result.wall_seconds;
    writer_.commit(to_.provenance, to_.shard);
  });
  return std::move(made_);
}

Joined join(const Destination& to, const ensembles::Shape& shape, const std::vector<PartSource>& sources,
            const ensembles::Result& about) {
  Joiner joiner(to, shape);
  for (const PartSource& source : sources)
    source.samples([&](const ensembles::SamplePart& part) { joiner.add(part); });
  for (const PartSource& source : sources)
    source.instances([&](const ensembles::InstancesPart& part) { joiner.place(part); });
  return joiner.finish(about);
}

}  // namespace livens::host
