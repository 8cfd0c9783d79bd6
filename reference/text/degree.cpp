#include <algorithm>

#include "expression.hpp"

namespace livens::reference {

Degree degree(const Tree& tree, Operation leaf) {
  if (tree.operation == leaf) return {1, 1};
  std::vector<Degree> of;
  bool constant = true;
  for (const Expression& argument : tree.arguments) {
    of.push_back(argument == tree.arguments[0] && !of.empty() ? of[0] : degree(*argument, leaf));
    constant = constant && of.back().highest == 0;
  }
  if (constant) return {0, 0};
  const auto capped = [](int lowest, int highest) -> Degree {
    return {std::min(lowest, Degree::endless), std::min(highest, Degree::endless)};
  };
  switch (tree.operation) {
    case Operation::negate:
    case Operation::component:
      return of[0];
    case Operation::add:
    case Operation::subtract:
    case Operation::list:
      return {std::ranges::min(of, {}, &Degree::lowest).lowest,
              std::ranges::max(of, {}, &Degree::highest).highest};
    case Operation::multiply:
    case Operation::dot:
    case Operation::cross:
      return capped(of[0].lowest + of[1].lowest, of[0].highest + of[1].highest);
    case Operation::divide:
      if (of[1].highest == 0) return of[0];
      break;
    case Operation::whole_power:
      if (tree.place >= 0) return capped(of[0].lowest * tree.place, of[0].highest * tree.place);
      break;
    default:
      break;
  }
  return {0, Degree::endless};
}

}  // namespace livens::reference
