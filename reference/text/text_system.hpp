#pragma once
// A text read once, and the system that it is for given parameters: the same as those of reference/systems,
// whose formulas walk the trees.

#include <map>

#include "bodies.hpp"
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

  /// What the text says, for an arithmetic of one's own. `rayleigh` and `force`: empty if absent; `dropped` as
  /// long as the rows of `constraints`, or empty.
  struct Trees {
    Expression kinetic, potential, rayleigh, action_damping;
    std::vector<Expression> constraints, nonholonomic, force, position, velocity;
    std::vector<bool> dropped;
    std::vector<double> parameters;  // the defaults, one after the other
    int d;
    bool mass_is_constant;
  };
  Trees trees() const;

  /// hinge.angle and its like.
  const std::map<std::string, Expression>& quantities() const { return names_.quantities; }

 private:
  using Expressions = std::vector<Expression>;

  void declare(const TextDescription& text);
  /// Of all parameters, one after the other.
  std::vector<double> values(Parameters& given) const;
  void decide_rows(bool may_drop);
  Expressions read(const std::vector<std::string>& texts, const std::string& key,
                   const std::set<Operation>& allowed) const;
  Expression read_scalar(const std::string& text, const std::string& key,
                         const std::set<Operation>& allowed) const;
  /// What is given by name, and of it what is given for each coordinate, nothing for none.
  Given read_given(const std::vector<TextDescription::Assignment>& assignments, const std::string& key,
                   const std::set<Operation>& allowed) const;
  Expressions of_coordinates(Given given, const std::string& key) const;

  std::vector<TextDescription::Parameter> parameters_;
  Expressions follows_;  // what each of them follows from, or null
  Names names_;
  int d_ = 0;
  std::size_t parameter_entries_ = 0;
  Expression kinetic_, potential_, rayleigh_, action_damping_;  // rayleigh_: null if absent
  Expressions constraints_, nonholonomic_, momentum_, gaps_, restitutions_;
  Expressions force_, position_, velocity_;  // one for each coordinate; force_: none if absent
  bool has_bodies_ = false;
  std::vector<bool> dropped_;  // of the rows of constraints_; no entries where none is
};

}  // namespace livens::reference
