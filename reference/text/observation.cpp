#include "observation.hpp"

#include "walk.hpp"

namespace livens::reference {

Observation::Observation(const Names& names, const std::vector<std::string>& texts) {
  using enum Operation;
  for (const std::string& text : texts) {
    expressions_.push_back(parse(text, "'" + text + "'", names, {position, velocity, momentum, time}));
    if (expressions_.back()->vector) throw std::invalid_argument("'" + text + "': is a vector");
  }
}

VectorXd Observation::at(const Node& node, double t, const std::vector<double>& parameters) const {
  if (expressions_.empty()) return {};
  const auto entries = [](const VectorXd& x) { return std::vector<double>(x.begin(), x.end()); };
  const Leaves<double> leaves{entries(node.q), entries(node.v), entries(node.p), parameters, t};
  VectorXd values(static_cast<Eigen::Index>(expressions_.size()));
  for (Eigen::Index k = 0; k < values.size(); ++k)
    values[k] = walk(*expressions_[static_cast<std::size_t>(k)], leaves)[0];
  return values;
}

}  // namespace livens::reference
