#pragma once
// Expressions over a system whose nodes are known: what a spec observes beside what the system has, and the
// conditions that end an instance.

#include "expression.hpp"
#include "reference/reference.hpp"

namespace livens::reference {

class Observation {
 public:
  Observation() = default;
  /// Throws std::invalid_argument for what is no scalar over these names.
  Observation(const Names& names, const std::vector<std::string>& texts);

  /// Their values at a node and its time, for all parameters one after the other.
  VectorXd at(const Node& node, double t, const std::vector<double>& parameters) const;

 private:
  std::vector<Expression> expressions_;
};

}  // namespace livens::reference
