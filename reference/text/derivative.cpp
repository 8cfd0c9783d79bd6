// The derivative of a function of a text, by its rules (docs/equations/text.md, section 1).

#include <algorithm>

#include "trees.hpp"

namespace livens::reference {
namespace {

using Arguments = std::vector<Expression>;

/// The same operation on other arguments.
Expression again(const Tree& tree, Arguments arguments) {
  auto copy = std::make_shared<Tree>(tree);
  copy->numeric = false;
  copy->depth = 1;
  for (const Expression& argument : arguments) copy->depth = std::max(copy->depth, argument->depth + 1);
  copy->arguments = std::move(arguments);
  return copy;
}

Expression of(Operation function, const Expression& a) { return tree_of(function, {a}); }
Expression square(const Expression& a) { return a * a; }

Expression zero_like(const Tree& tree) {
  if (!tree.vector) return constant_of(0.0);
  const Arguments entries(static_cast<std::size_t>(tree.size), constant_of(0.0));
  return tree_of(Operation::list, entries, true, tree.size);
}
Expression chosen(Comparison comparison, Arguments arguments) {
  auto tree = std::make_shared<Tree>(*tree_of(Operation::where, std::move(arguments)));
  tree->comparison = comparison;
  return tree;
}

Expression derivative(const Expression& f);

/// f' of a function of one scalar a.
Expression slope(const Expression& f, const Expression& a) {
  using enum Operation;
  const Expression one = constant_of(1.0);
  switch (f->operation) {
    case sqrt:
      return constant_of(0.5) / f;
    case sin:
      return of(cos, a);
    case cos:
      return -1.0 * of(sin, a);
    case tan:
      return one + square(f);
    case asin:
      return one / of(sqrt, (one - a) * (one + a));
    case acos:
      return constant_of(-1.0) / of(sqrt, (one - a) * (one + a));
    case atan:
      return one / (one + square(a));
    case sinh:
      return of(cosh, a);
    case cosh:
      return of(sinh, a);
    case tanh:
      return one - square(f);
    case exp:
      return f;
    case log:
      return one / a;
    case abs:
      return of(sign, a);
    case table: {
      auto tree = std::make_shared<Tree>(*f);
      tree->table = std::make_shared<const Table>(f->table->derivative());
      return tree;
    }
    case whole_power: {
      if (f->place == 0) return constant_of(0.0);
      return static_cast<double>(f->place) * tree_of(Operation::whole_power, {a}, false, 1, f->place - 1);
    }
    default:  // sign
      return constant_of(0.0);
  }
}

Expression derivative(const Expression& f) {
  using enum Operation;
  if (f->operation == argument) return constant_of(1.0);
  if (!contains(*f, argument)) return zero_like(*f);
  const Arguments& of_f = f->arguments;
  const Expression &a = of_f.front(), &b = of_f.back();
  switch (f->operation) {
    case negate:
    case component:
      return again(*f, {derivative(a)});
    case add:
    case subtract:
      return again(*f, {derivative(a), derivative(b)});
    case multiply:
      return derivative(a) * b + a * derivative(b);
    case divide:
      return derivative(a) / b - f * (derivative(b) / b);
    case power: {
      const Expression by_base = b * tree_of(Operation::power, {a, b - constant_of(1.0)}) * derivative(a);
      if (!contains(*b, argument)) return by_base;
      return by_base + f * of(log, a) * derivative(b);
    }
    case list: {
      Arguments entries;
      for (const Expression& entry : of_f) entries.push_back(derivative(entry));
      return again(*f, std::move(entries));
    }
    case dot:
    case cross:
      return again(*f, {derivative(a), b}) + again(*f, {a, derivative(b)});
    case norm:
      return tree_of(Operation::dot, {a, derivative(a)}) / f;
    case atan2:
      return (b * derivative(a) - a * derivative(b)) / (square(a) + square(b));
    case min:
    case max: {
      const Expression da = derivative(a), db = derivative(b), both = 0.5 * (da + db);
      const bool least = f->operation == min;
      return chosen(Comparison::less,
                    {a, b, least ? da : db, chosen(Comparison::greater, {a, b, least ? db : da, both})});
    }
    case where:
      return again(*f, {of_f[0], of_f[1], derivative(of_f[2]), derivative(of_f[3])});
    default:
      return slope(f, a) * derivative(a);
  }
}

Expression replaced(const Expression& tree, const Expression& at) {
  if (tree->operation == Operation::argument) return at;
  if (tree->arguments.empty()) return tree;
  Arguments arguments;
  for (const Expression& part : tree->arguments) arguments.push_back(replaced(part, at));
  return again(*tree, std::move(arguments));
}

}  // namespace

Expression derivative_at(const Expression& tree, const Expression& at) {
  return replaced(derivative(tree), at);
}

}  // namespace livens::reference
