#include "host/checkpoint/held_parts.hpp"

#include <algorithm>

#include "host/checkpoint/parts.hpp"

namespace livens::host {
void HeldParts::add(Stage stage, const ensembles::SamplePart& part) {
  bytes_ += bytes_of(part);
  parts_.emplace_back(stage, part);
}

void HeldParts::add(Stage stage, ensembles::InstancesPart part) {
  bytes_ += bytes_of(part);
  parts_.emplace_back(stage, std::move(part));
}

void HeldParts::visit(std::size_t count, const Visitor& visit) const {
  for (std::size_t i = 0; i < std::min(count, parts_.size()); ++i) {
    const auto& [stage, part] = parts_[i];
    visit(stage, std::get_if<ensembles::SamplePart>(&part), std::get_if<ensembles::InstancesPart>(&part));
  }
}

void HeldParts::clear() {
  parts_.clear();
  bytes_ = 0;
}

}  // namespace livens::host
