#pragma once
// A text read once, and the system that it is for given parameters: the same as those of reference/systems,
// whose formulas walk the trees.

#include <map>

#include "description.hpp"
#include "expression.hpp"
#include "reference/parameters.hpp"
#include "reference/system.hpp"

namespace livens::reference {

class TextSystem {
 public:
  /// Throws std::invalid_argument, with the key and the column of an expression, for what docs/equations/
  /// text.md refuses.
  explicit TextSystem(const TextDescription& text);

  /// Keeps nothing of this object but the trees.
  System make(Parameters& given) const;

 private:
  using Expressions = std::vector<Expression>;

  void declare(const TextDescription& text);
  Expressions read(const std::vector<std::string>& texts, const std::string& key,
                   const std::set<Operation>& allowed) const;
  Expression read_scalar(const std::string& text, const std::string& key,
                         const std::set<Operation>& allowed) const;
  Expressions read(const std::vector<TextDescription::Assignment>& assignments, const std::string& key,
                   const std::set<Operation>& allowed) const;

  std::vector<TextDescription::Parameter> parameters_;
  Names names_;
  int d_ = 0;
  std::size_t parameter_entries_ = 0;
  Expression kinetic_, potential_, rayleigh_, action_damping_;  // rayleigh_: null if absent
  Expressions constraints_, nonholonomic_, momentum_;
  Expressions force_, position_, velocity_;  // d_ entries together; force_: none if absent
};

}  // namespace livens::reference
