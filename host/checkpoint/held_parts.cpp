#include "host/checkpoint/held_parts.hpp"

#include <algorithm>

namespace livens::host {
namespace {

using namespace ensembles;

template <class... T>
std::size_t bytes_in(const std::vector<T>&... vectors) {
  return ((vectors.size() * sizeof(T)) + ... + 0);
}

std::size_t bytes_in(const std::vector<Quantity>& quantities) {
  std::size_t bytes = 0;
  for (const Quantity& one : quantities) bytes += bytes_in(one.values);
  return bytes;
}

std::size_t bytes_of(const SamplePart& part) {
  const Trajectories& t = part.followed;
  std::size_t bytes = bytes_in(t.q, t.p, t.v, t.lambda, t.gamma, t.momentum) + bytes_in(t.observed);
  for (const SummaryTree& tree : part.statistics.observables)
    for (const auto& [first_block, node] : tree.nodes())
      bytes += sizeof node + bytes_in(node.summary.histogram);
  for (const JointHistogram& joint : part.joints) bytes += bytes_in(joint.axes, joint.cells);
  return bytes;
}

std::size_t bytes_of(const InstancesPart& part) {
  const Instances& i = part.instances;
  std::size_t bytes = bytes_in(i.initial_q, i.initial_v, i.final_q, i.final_v, i.final_p) +
                      bytes_in(i.status, i.failed_step, i.newton_iterations, i.retried_steps) +
                      bytes_in(i.quantities) + bytes_in(i.observables);
  for (const Instances::Varied& varied : i.parameters) bytes += bytes_in(varied.values);
  return bytes;
}

}  // namespace

void HeldParts::add(Stage stage, const SamplePart& part) {
  bytes_ += bytes_of(part);
  parts_.emplace_back(stage, part);
}

void HeldParts::add(Stage stage, InstancesPart part) {
  bytes_ += bytes_of(part);
  parts_.emplace_back(stage, std::move(part));
}

void HeldParts::visit(std::size_t count, const Visitor& visit) const {
  for (std::size_t i = 0; i < std::min(count, parts_.size()); ++i) {
    const auto& [stage, part] = parts_[i];
    visit(stage, std::get_if<SamplePart>(&part), std::get_if<InstancesPart>(&part));
  }
}

void HeldParts::clear() {
  parts_.clear();
  bytes_ = 0;
}

}  // namespace livens::host
