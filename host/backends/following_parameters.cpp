#include "host/backends/following_parameters.hpp"

#include <cmath>

#include "expressions/observing_class.hpp"
#include "host/pairs/catalogue.hpp"

namespace livens::host {

FollowingParameters::FollowingParameters(const SystemInfo& system) {
  const expressions::Scope scope = expressions::names_at_nodes(system, nullptr);
  for (const ParameterInfo& parameter : system.parameters)
    if (parameter.derived)
      all_.push_back({parameter_offset(system, parameter),
                      expressions::parse(graph_, scope, parameter.derived).scalar()});
}

void FollowingParameters::complete(std::vector<double>& parameters) const {
  for (const auto& [place, value] : all_) {
    double& parameter = parameters[static_cast<std::size_t>(place)];
    if (!std::isnan(parameter)) continue;
    expressions::Values values;
    values.parameters = parameters;
    parameter = expressions::evaluate(graph_, std::span(&value, 1), values).front();
  }
}

}  // namespace livens::host
