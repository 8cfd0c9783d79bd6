#pragma once
// An instance of the laws as the reference takes it.

#include <Eigen/Core>
#include <vector>

#include "reference/reference.hpp"
#include "tests/laws/instance.hpp"

namespace livens::laws {

inline reference::Model model_of(const SystemInfo& system, const Instance& instance) {
  reference::Model model{system.name, {}};
  auto value = instance.parameters.begin();
  for (const ParameterInfo& parameter : system.parameters) {
    model.parameters[parameter.name] = std::vector<double>(value, value + parameter.size());
    value += parameter.size();
  }
  return model;
}
inline reference::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const reference::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}
inline std::vector<double> list_of(const reference::VectorXd& values) {
  return {values.begin(), values.end()};
}

}  // namespace livens::laws
