#include "host/checkpoint/held_parts.hpp"

#include <algorithm>
#include <utility>

#include "host/checkpoint/parts.hpp"

namespace livens::host {

void HeldParts::add(Stage stage, const ensembles::SamplePart& part) {
  bytes_ += bytes_of(part);
  parts_.push_back({stage, part});
}

void HeldParts::add(Stage stage, ensembles::InstancesPart part) { add_unloaded(stage, std::move(part), {}); }

void HeldParts::add_unloaded(Stage stage, ensembles::InstancesPart part, const Loading& load) {
  bytes_ += bytes_of(part);
  parts_.push_back({stage, std::move(part), load});
}

void HeldParts::load() {
  for (Entry& entry : parts_) {
    if (!entry.load) continue;
    auto& part = std::get<ensembles::InstancesPart>(entry.part);
    bytes_ -= bytes_of(part);
    entry.load(part);
    entry.load = {};
    bytes_ += bytes_of(part);
  }
}

void HeldParts::visit(std::size_t count, const Visitor& visit) const {
  for (std::size_t i = 0; i < std::min(count, parts_.size()); ++i) {
    const Entry& entry = parts_[i];
    if (entry.load) {
      auto loaded = std::get<ensembles::InstancesPart>(entry.part);
      entry.load(loaded);
      visit(entry.stage, nullptr, &loaded);
    } else {
      visit(entry.stage, std::get_if<ensembles::SamplePart>(&entry.part),
            std::get_if<ensembles::InstancesPart>(&entry.part));
    }
  }
}

void HeldParts::clear() {
  parts_.clear();
  bytes_ = 0;
}

}  // namespace livens::host
