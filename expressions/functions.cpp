#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "expressions/description.hpp"
#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

/// The names in an expression, and those of them that are called: f(x), f'(x).
struct Names {
  std::set<std::string, std::less<>> all, called;
};

/// Throws Mistake, which whoever reads the expression throws again.
Names names_in(const Expression& expression) {
  const std::vector<Token> tokens = tokens_of(expression.text);
  Names names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::name) continue;
    names.all.emplace(tokens[i].text);
    const std::size_t next = tokens[i + 1].is('\'') ? i + 2 : i + 1;
    if (tokens[next].is('(')) names.called.emplace(tokens[i].text);
  }
  return names;
}
Names names_in(const std::vector<Expression>& expressions) {
  Names names;
  for (const Expression& expression : expressions) {
    Names more = names_in(expression);
    names.all.merge(more.all);
    names.called.merge(more.called);
  }
  return names;
}

class Calls {
 public:
  explicit Calls(const Description& description) : functions_(description.functions) {
    for (const Function& function : functions_) names_[function.name] = names_in(function.is);
    for_each_expression(description, [&](const Expression& expression) { visit(names_in(expression)); });
  }

  void visit(const Names& names) {
    // A name that is not called, too: that is another mistake, which is said where it is read.
    for (const std::string& name : names.all) {
      const Function* const function = function_of(name);
      if (function == nullptr) {
        others_.insert(name);
      } else if (used_.insert(name).second) {
        Names inside = names_.at(name);
        for (const std::string& argument : function->arguments) inside.all.erase(argument);
        visit(inside);
      }
    }
  }
  void refuse_unused() const {
    for (const Function& function : functions_) {
      if (!used_.contains(function.name)) refuse(function.place, "is used nowhere", "no such function");
      for (const std::string& argument : function.arguments)
        if (!function.table && !names_.at(function.name).all.contains(argument))
          refuse(function.place, "does not use its argument '" + argument + "'");
    }
  }
  /// Names of no function, which have their meaning from elsewhere.
  bool uses(const std::string& name) const { return others_.contains(name); }
  void refuse_circles() const {
    for (const Function& first : functions_) {
      // All that it reaches, each once, with nothing said about the way there but its last step.
      std::vector<std::string> reached{first.name};
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (const std::string& name : names_.at(reached[i]).called) {
          if (name == first.name)
            refuse(first.place, "calls itself" + (i > 0 ? ", by way of '" + reached[i] + "'" : ""));
          if (function_of(name) && std::ranges::find(reached, name) == reached.end()) reached.push_back(name);
        }
    }
  }

 private:
  const Function* function_of(const std::string& name) const {
    const auto found = std::ranges::find(functions_, name, &Function::name);
    return found == functions_.end() ? nullptr : &*found;
  }
  const std::vector<Function>& functions_;
  std::map<std::string, Names> names_;
  std::set<std::string> used_, others_;
};

}  // namespace

void check_functions(const Description& description) {
  try {
    const Calls calls(description);
    calls.refuse_circles();
    calls.refuse_unused();
  } catch (const Slip&) {
    // What is no expression is refused where it is read.
  }
}

std::vector<std::string> unused_parameters(const Description& description,
                                           std::span<const std::string> others) {
  Calls calls(description);
  for (const std::string& other : others) calls.visit(names_in(Expression{other, {}}));
  std::vector<std::string> result;
  for (const Parameter& parameter : description.parameters)
    if (!calls.uses(parameter.name))
      result.push_back(printed(Mistake{parameter.place, "is used nowhere in the text"}));
  return result;
}

}  // namespace livens::expressions
