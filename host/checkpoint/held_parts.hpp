#pragma once
// Parts of a run that are kept in memory, in their order: as they came, or without values that the result
// which is being written has.

#include <cstddef>
#include <functional>
#include <variant>
#include <vector>

#include "ensembles/journal.hpp"

namespace livens::host {

/// The stages of a run: the true motion that it is compared with, if any, then the run itself.
enum class Stage { true_motion, run };

using SampleVisitor = std::function<void(const ensembles::SamplePart&)>;
using InstancesVisitor = std::function<void(const ensembles::InstancesPart&)>;

/// Brings the values of a part back.
using Loading = std::function<void(ensembles::InstancesPart&)>;

class HeldParts {
 public:
  void add(Stage stage, const ensembles::SamplePart& part);
  void add(Stage stage, ensembles::InstancesPart part);
  /// One whose values `load` has. It is called when the part is visited.
  void add_unloaded(Stage stage, ensembles::InstancesPart part, const Loading& load);
  /// Brings all values into memory: what has them is about to go. Throws what a `load` throws.
  void load();
  std::size_t count() const { return parts_.size(); }
  std::size_t bytes() const { return bytes_; }  ///< about
  /// Of each part one of the two.
  using Visitor = std::function<void(Stage, const ensembles::SamplePart*, const ensembles::InstancesPart*)>;
  /// The first `count` parts.
  void visit(std::size_t count, const Visitor& visit) const;
  void clear();

 private:
  struct Entry {
    Stage stage;
    std::variant<ensembles::SamplePart, ensembles::InstancesPart> part;
    Loading load = {};  // where the values are elsewhere
  };
  std::vector<Entry> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace livens::host
