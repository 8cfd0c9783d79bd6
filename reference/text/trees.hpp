#pragma once
// Trees that are made of others and not of a text: derivatives, and what bodies and joints stand for.

#include <algorithm>

#include "expression.hpp"

namespace livens::reference {

inline Expression tree_of(Operation operation, std::vector<Expression> arguments, bool vector = false,
                          int size = 1, int place = 0) {
  auto tree = std::make_shared<Tree>();
  tree->operation = operation;
  for (const Expression& argument : arguments) tree->depth = std::max(tree->depth, argument->depth + 1);
  tree->arguments = std::move(arguments);
  tree->vector = vector;
  tree->size = size;
  tree->place = place;
  return tree;
}
inline Expression constant_of(double value) {
  auto tree = std::make_shared<Tree>();
  tree->operation = Operation::number;
  tree->number = value;
  return tree;
}

/// In the shape of either factor that is a vector.
inline Expression operator*(const Expression& a, const Expression& b) {
  const Expression& shape = a->vector ? a : b;
  return tree_of(Operation::multiply, {a, b}, shape->vector, shape->size);
}
inline Expression operator*(double a, const Expression& b) { return constant_of(a) * b; }
inline Expression operator/(const Expression& a, const Expression& b) {
  return tree_of(Operation::divide, {a, b}, a->vector, a->size);
}
inline Expression operator+(const Expression& a, const Expression& b) {
  return tree_of(Operation::add, {a, b}, a->vector, a->size);
}
inline Expression operator-(const Expression& a, const Expression& b) {
  return tree_of(Operation::subtract, {a, b}, a->vector, a->size);
}
inline Expression operator-(const Expression& a) {
  return tree_of(Operation::negate, {a}, a->vector, a->size);
}

inline Expression list_of(std::vector<Expression> scalars) {
  const int size = static_cast<int>(scalars.size());
  return tree_of(Operation::list, std::move(scalars), true, size);
}
inline Expression entry_of(const Expression& vector, int i) {
  return tree_of(Operation::component, {vector}, false, 1, i);
}
inline Expression dot_of(const Expression& a, const Expression& b) { return tree_of(Operation::dot, {a, b}); }
inline Expression cross_of(const Expression& a, const Expression& b) {
  return tree_of(Operation::cross, {a, b}, true, 3);
}

/// The entries of scalars and vectors, one after the other; a single one is itself.
inline Expression joined(const std::vector<Expression>& parts) {
  if (parts.size() == 1) return parts[0];
  std::vector<Expression> entries;
  for (const Expression& part : parts) {
    for (int i = 0; i < part->size; ++i) entries.push_back(part->vector ? entry_of(part, i) : part);
  }
  return list_of(std::move(entries));
}

}  // namespace livens::reference
