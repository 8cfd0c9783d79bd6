#pragma once
// Parts of a run that are kept in memory: as they came, in their order.

#include <cstddef>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "ensembles/journal.hpp"

namespace livens::host {

/// The stages of a run: the true motion that it is compared with, if any, then the run itself.
enum class Stage { true_motion, run };

using SampleVisitor = std::function<void(const ensembles::SamplePart&)>;
using InstancesVisitor = std::function<void(const ensembles::InstancesPart&)>;

class HeldParts {
 public:
  void add(Stage stage, const ensembles::SamplePart& part);
  void add(Stage stage, ensembles::InstancesPart part);
  std::size_t count() const { return parts_.size(); }
  std::size_t bytes() const { return bytes_; }  ///< about
  /// Of each part one of the two.
  using Visitor = std::function<void(Stage, const ensembles::SamplePart*, const ensembles::InstancesPart*)>;
  /// The first `count` parts.
  void visit(std::size_t count, const Visitor& visit) const;
  void clear();

 private:
  std::vector<std::pair<Stage, std::variant<ensembles::SamplePart, ensembles::InstancesPart>>> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace livens::host
