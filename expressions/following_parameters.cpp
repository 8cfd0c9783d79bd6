#include "expressions/following_parameters.hpp"

#include <cmath>
#include <span>

#include "expressions/mechanics.hpp"

namespace livens::expressions {

FollowingParameters::FollowingParameters(const Description& description) {
  const Scope scope = scope_of(description);
  std::size_t place = 0;
  for (const Parameter& parameter : description.parameters) {
    if (parameter.follows) all_.push_back({place, parse(graph_, scope, parameter.follows->text).scalar()});
    place += parameter.defaults.size();
  }
}

void FollowingParameters::complete(std::vector<double>& parameters) const {
  for (const auto& [place, value] : all_) {
    if (!std::isnan(parameters[place])) continue;
    Values values;
    values.parameters = parameters;
    parameters[place] = evaluate(graph_, std::span(&value, 1), values).front();
  }
}

}  // namespace livens::expressions
