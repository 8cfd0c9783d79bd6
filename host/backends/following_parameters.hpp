#pragma once
// Parameters that follow from others where they are not given, as ParameterInfo::derived says.

#include <vector>

#include "expressions/graph.hpp"
#include "kernels/description/interface.hpp"

namespace livens::host {

class FollowingParameters {
 public:
  /// Of a system whose ParameterInfo::derived are expressions.
  explicit FollowingParameters(const SystemInfo& system);

  /// Puts what follows in the place of NaN. `parameters`: those of an instance, flattened.
  void complete(std::vector<double>& parameters) const;

 private:
  struct Following {
    int place;
    expressions::NodeId value;
  };
  expressions::Graph graph_;
  std::vector<Following> all_;  // in their order: one may follow from one before
};

}  // namespace livens::host
