#pragma once
// Parameters that follow from those before them where they are not given.

#include <vector>

#include "expressions/description.hpp"
#include "expressions/graph.hpp"

namespace livens::expressions {

class FollowingParameters {
 public:
  explicit FollowingParameters(const Description& description);

  /// Puts what follows in the place of NaN. `parameters`: those of an instance, flattened.
  void complete(std::vector<double>& parameters) const;

 private:
  struct Following {
    std::size_t place;
    NodeId value;
  };
  Graph graph_;
  std::vector<Following> all_;  // in their order: one may follow from one before
};

}  // namespace livens::expressions
