#pragma once
// The parameters of a system: what the user gave, else the default, refused by name where the length is
// wrong or nothing reads them.

#include <set>

#include "reference.hpp"

namespace livens::reference {

class Parameters {
 public:
  explicit Parameters(const Model& model) : model_(model) {}

  /// The values given for `name`, as many as the defaults. Throws std::invalid_argument for another number
  /// of them.
  std::vector<double> values(const std::string& name, const std::vector<double>& defaults) {
    read_.insert(name);
    const auto given = model_.parameters.find(name);
    if (given == model_.parameters.end()) return defaults;
    if (given->second.size() != defaults.size()) {
      throw std::invalid_argument(model_.system + "." + name + " has " + std::to_string(defaults.size()) +
                                  " entries");
    }
    return given->second;
  }
  double value(const std::string& name, double fallback) { return values(name, {fallback})[0]; }

  /// Throws std::invalid_argument for a given parameter that was never read.
  void expect_no_more() const {
    for (const auto& [name, values] : model_.parameters) {
      if (!read_.contains(name)) throw std::invalid_argument(model_.system + " has no parameter " + name);
    }
  }

 private:
  const Model& model_;
  std::set<std::string> read_;
};

}  // namespace livens::reference
