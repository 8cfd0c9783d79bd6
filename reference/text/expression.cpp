#include "expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "walk.hpp"

namespace livens::reference {
namespace {

constexpr int most_depth = 500;
constexpr double most_exponent = 64.0;
constexpr std::size_t longest_name = 64;
constexpr int most_terms = 10000, most_calls = 10000, largest_bound = 1000;

const std::map<std::string, Operation>& functions() {
  using enum Operation;
  static const std::map<std::string, Operation> named = {
      {"sqrt", sqrt},   {"sin", sin},   {"cos", cos},     {"tan", tan},   {"exp", exp},
      {"log", log},     {"asin", asin}, {"acos", acos},   {"atan", atan}, {"sinh", sinh},
      {"cosh", cosh},   {"tanh", tanh}, {"abs", abs},     {"sign", sign}, {"dot", dot},
      {"cross", cross}, {"norm", norm}, {"atan2", atan2}, {"min", min},   {"max", max}};
  return named;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '_'; }

/// The number that a numeric expression stands for, and the whole one.
std::optional<double> number_of(const Tree& expression) {
  if (!expression.numeric) return std::nullopt;
  return walk(expression, Leaves<double>())[0];
}
bool is_whole(double number) { return number == std::trunc(number); }
std::optional<double> whole(const Tree& expression) {
  const std::optional<double> number = number_of(expression);
  return number && is_whole(*number) ? number : std::nullopt;
}

Expression number_tree(double value, bool numeric) {
  auto tree = std::make_shared<Tree>();
  tree->operation = Operation::number;
  tree->number = value;
  tree->numeric = numeric;
  return tree;
}

/// What an expression may have so many of, functions expanded.
struct Counts {
  int nesting = 0, terms = 0, calls = 0;
  std::set<std::string> open;  // functions that are being expanded
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& key, const Names& names,
         const std::set<Operation>& allowed, Counts& counts, std::map<std::string, Expression> arguments = {})
      : text_(text),
        key_(key),
        names_(names),
        allowed_(allowed),
        counts_(counts),
        arguments_(std::move(arguments)) {}

  Expression whole_text() {
    const Expression result = expression();
    if (place_ < text_.size()) fail("unexpected '" + std::string(1, text_[place_]) + "'");
    return result;
  }

  /// A function of the text with these arguments.
  Expression expanded(const TextDescription::Function& function, const std::vector<Expression>& given,
                      const std::set<Operation>& allowed) {
    if (!counts_.open.insert(function.name).second) fail("'" + function.name + "' calls itself");
    std::map<std::string, Expression> arguments;
    for (std::size_t i = 0; i < given.size(); ++i) arguments[function.of[i]] = given[i];
    std::vector<Expression> entries;
    for (const std::string& text : function.is) {
      const std::string key = "functions." + function.name;
      entries.push_back(Parser(text, key, names_, allowed, counts_, arguments).whole_text());
      if (entries.back()->vector) fail("'" + function.name + "' is of scalars");
    }
    counts_.open.erase(function.name);
    return function.vector ? listed(std::move(entries)) : entries[0];
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(key_ + ", column " + std::to_string(place_ + 1) + ": " + what);
  }

  char ahead() {
    while (place_ < text_.size() && std::string_view(" \t\r\n").find(text_[place_]) != std::string::npos)
      ++place_;
    return place_ < text_.size() ? text_[place_] : '\0';
  }
  bool accept(char c) {
    if (ahead() != c || place_ == text_.size()) return false;
    ++place_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  /// A tree whose value has the given shape.
  Expression made(Operation operation, std::vector<Expression> arguments, bool vector, int size,
                  int place = 0) const {
    auto tree = std::make_shared<Tree>();
    tree->operation = operation;
    tree->vector = vector;
    tree->size = size;
    tree->place = place;
    for (const Expression& argument : arguments) tree->depth = std::max(tree->depth, argument->depth + 1);
    if (tree->depth > most_depth) fail("operations are nested more than 500 deep");
    const auto numeric = [](const Expression& argument) { return argument->numeric; };
    tree->numeric = operation <= Operation::whole_power && operation >= Operation::negate &&
                    std::ranges::all_of(arguments, numeric);
    tree->arguments = std::move(arguments);
    return tree;
  }

  void expect_scalar(const Expression& a) const {
    if (a->vector) fail("a scalar is needed here, not a vector");
  }
  void expect_vectors_alike(const Expression& a, const Expression& b) const {
    if (!a->vector || !b->vector || a->size != b->size)
      fail("two vectors of the same length are needed here");
  }

  Expression expression() {
    Expression left = term();
    while (true) {
      const bool plus = accept('+');
      if (!plus && !accept('-')) return left;
      left = total(plus ? Operation::add : Operation::subtract, left, term());
    }
  }
  Expression total(Operation operation, const Expression& left, const Expression& right) const {
    if (left->vector != right->vector || left->size != right->size)
      fail("a sum of a vector and a scalar, or of vectors of different lengths");
    return made(operation, {left, right}, left->vector, left->size);
  }

  Expression term() {
    Expression left = signed_power();
    while (true) {
      if (accept('*')) {
        const Expression right = signed_power();
        if (left->vector && right->vector) fail("a product of two vectors is dot or cross");
        left = product(left, right);
      } else if (accept('/')) {
        const Expression right = signed_power();
        expect_scalar(right);
        left = made(Operation::divide, {left, right}, left->vector, left->size);
      } else {
        return left;
      }
    }
  }

  /// All recursion comes through here.
  Expression signed_power() {
    if (++counts_.nesting > most_depth) fail("operations are nested more than 500 deep");
    Expression result;
    if (accept('-')) {
      const Expression a = signed_power();
      result = made(Operation::negate, {a}, a->vector, a->size);
    } else if (accept('+')) {
      result = signed_power();
    } else {
      result = power();
    }
    --counts_.nesting;
    return result;
  }

  Expression power() {
    Expression base = component();
    if (!accept('^')) return base;
    Expression exponent = signed_power();
    expect_scalar(base);
    expect_scalar(exponent);
    const std::optional<double> n = number_of(*exponent);
    if (!n) return power_of_factors(base, exponent);
    if (is_whole(*n) && std::abs(*n) > most_exponent)
      fail("a whole exponent is at most 64 in absolute value");
    return power_of_factors(base, *n);
  }
  Expression power_of_factors(const Expression& base, const Expression& exponent) const {
    const Split split = split_of(base);
    const auto power = [&](const Expression& a) { return made(Operation::power, {a, exponent}, false, 1); };
    if (!split.of_root || !split.others) return power(base);
    return times(power(split.others), power(root_of(split.of_root)));
  }
  /// A root to a power of at least 2 is its argument to one of half the size. Where it is a factor of the
  /// base, an even power is one of the square, an odd one the cube of the factors times one of the square,
  /// any other that of the factors.
  Expression power_of_factors(const Expression& given, double n) const {
    const bool even = is_whole(n / 2.0) && n > 0.0;
    const Expression base = even ? without_sizes(given) : given;
    const Split split = split_of(base);
    if (!split.of_root || n < 2.0) return power_of_number(base, n);
    if (!split.others) return power_of_factors(split.of_root, n / 2.0);
    const Expression& c = split.others;
    const Expression square = times(split.of_root, product(c, c));
    if (is_whole(n / 2.0)) return power_of_factors(square, n / 2.0);
    const double apart = is_whole(n) ? 3.0 : n;
    const Expression both = times(power_of_factors(c, apart), power_of_factors(split.of_root, apart / 2.0));
    return n == apart ? both : times(both, power_of_factors(square, (n - apart) / 2.0));
  }
  Expression power_of_number(const Expression& base, double n) const {
    if (n == 0.5) return root_of(base);
    if (n == 1.0) return base;
    if (is_whole(n)) return made(Operation::whole_power, {base}, false, 1, static_cast<int>(n));
    return made(Operation::power, {base, number_tree(n, true)}, false, 1);
  }

  /// others * sqrt(of_root), each absent where there is none.
  struct Split {
    Expression of_root, others;
  };
  Split split_of(const Expression& a) const {
    const auto either = [&](Operation operation, const Expression& x, const Expression& y) {
      if (!y) return x;
      if (!x && operation == Operation::multiply) return y;
      return made(operation, {x ? x : number_tree(1.0, true), y}, false, 1);
    };
    if (is_root(*a)) return {argument_of_root(*a), nullptr};
    if (a->vector || (a->operation != Operation::negate && a->operation != Operation::multiply &&
                      a->operation != Operation::divide))
      return {nullptr, a};
    const Split x = split_of(a->arguments.front());
    if (a->operation == Operation::negate) {
      if (!x.of_root) return {nullptr, a};
      const Expression others = x.others ? x.others : number_tree(1.0, true);
      return {x.of_root, made(Operation::negate, {others}, false, 1)};
    }
    const Split y = split_of(a->arguments.back());
    if (!x.of_root && (!y.of_root || a->operation == Operation::divide)) return {nullptr, a};
    return {either(a->operation, x.of_root, y.of_root), either(a->operation, x.others, y.others)};
  }
  Expression times(const Expression& a, const Expression& b) const {
    const Expression& shape = a->vector ? a : b;
    return made(Operation::multiply, {a, b}, shape->vector, shape->size);
  }
  /// |a| that is a factor, as a.
  Expression without_sizes(const Expression& a) const {
    const auto& of = a->arguments;
    switch (a->operation) {
      case Operation::abs:
        return without_sizes(of[0]);
      case Operation::negate:
        return made(Operation::negate, {without_sizes(of[0])}, a->vector, a->size);
      case Operation::divide:
        return made(Operation::divide, {without_sizes(of[0]), of[1]}, a->vector, a->size);
      case Operation::multiply:
        return times(without_sizes(of[0]), without_sizes(of[1]));
      default:
        return a;
    }
  }
  /// A root, or an absolute value, that is a factor of both is squared.
  Expression product(const Expression& a, const Expression& b) const {
    std::vector<Expression> factors;
    list_factors(b, factors);
    for (const Expression& factor : factors) {
      if (!is_factor(*factor, a)) continue;
      const Expression rest = product(without(*factor, a), without(*factor, b));
      const Expression& of = factor->arguments[0];
      return product(rest, is_root(*factor) ? argument_of_root(*factor) : product(of, of));
    }
    return times(a, b);
  }
  static bool has_factors(const Tree& a) {
    return a.operation == Operation::negate || a.operation == Operation::multiply ||
           a.operation == Operation::divide;
  }
  /// Roots and absolute values.
  static void list_factors(const Expression& a, std::vector<Expression>& factors) {
    if (is_root(*a) || a->operation == Operation::abs) factors.push_back(a);
    if (!has_factors(*a)) return;
    list_factors(a->arguments[0], factors);
    if (a->operation == Operation::multiply) list_factors(a->arguments[1], factors);
  }
  static bool is_factor(const Tree& factor, const Expression& a) {
    if (is_same(factor, *a)) return true;
    return has_factors(*a) && (is_factor(factor, a->arguments[0]) ||
                               (a->operation == Operation::multiply && is_factor(factor, a->arguments[1])));
  }
  Expression without(const Tree& factor, const Expression& a) const {
    if (is_same(factor, *a)) return number_tree(1.0, true);
    std::vector<Expression> arguments = a->arguments;
    Expression& with = arguments[is_factor(factor, arguments[0]) ? 0 : 1];
    with = without(factor, with);
    return made(a->operation, arguments, a->vector, a->size);
  }
  static bool is_same(const Tree& a, const Tree& b) {
    if (&a == &b) return true;
    const auto same = [](const Expression& x, const Expression& y) { return is_same(*x, *y); };
    return a.operation == b.operation && a.size == b.size && a.number == b.number && a.place == b.place &&
           a.comparison == b.comparison && a.table == b.table && a.depth == b.depth &&
           std::ranges::equal(a.arguments, b.arguments, same);
  }
  Expression root_of(const Expression& a) const { return made(Operation::sqrt, {a}, false, 1); }
  static bool is_root(const Tree& a) {
    return a.operation == Operation::sqrt || a.operation == Operation::norm;
  }
  Expression argument_of_root(const Tree& root) const {
    const Expression& a = root.arguments[0];
    return root.operation == Operation::sqrt ? a : made(Operation::dot, {a, a}, false, 1);
  }

  Expression component() { return component_of(primary()); }

  Expression component_of(const Expression& a) {
    if (!accept('[')) return a;
    if (!a->vector) fail("a scalar has no components");
    const int index = whole_number(0, a->size - 1);
    expect(']');
    return made(Operation::component, {a}, false, 1, index);
  }

  int whole_number(int least, int most) {
    const std::size_t start = place_;
    const std::optional<double> number = whole(*expression());
    if (!number || *number < least || *number > most) {
      place_ = start;
      fail("a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
           " is needed here");
    }
    return static_cast<int>(*number);
  }

  /// sum(i, a, b, e) and list(i, a, b, e), from behind their names.
  Expression repeated(bool summed) {
    expect('(');
    ahead();
    const std::string index = name();
    if (!is_name(index) || is_reserved(index) || find(names_.coordinates, index) ||
        find(names_.parameters, index) || names_.constants.contains(index) || indices_.contains(index) ||
        arguments_.contains(index) || is_function(index))
      fail("an index needs a name of its own");
    expect(',');
    const int from = whole_number(-largest_bound, largest_bound);
    expect(',');
    const int to = whole_number(-largest_bound, largest_bound);
    expect(',');
    if (!summed && to < from) fail("a list has one entry at least");
    const std::size_t start = place_;
    std::vector<Expression> terms;
    for (int i = from; i <= to; ++i) {
      if (++counts_.terms > most_terms) fail("sums and lists of more than 10000 terms");
      place_ = start;
      indices_[index] = i;
      terms.push_back(expression());
    }
    indices_.erase(index);
    if (terms.empty()) skip_argument();
    expect(')');
    if (!summed) return listed(std::move(terms));
    if (terms.empty()) return number_tree(0.0, true);
    Expression sum = terms[0];
    for (std::size_t i = 1; i < terms.size(); ++i) sum = total(Operation::add, sum, terms[i]);
    return sum;
  }
  Expression listed(std::vector<Expression> entries) const {
    for (const Expression& entry : entries) expect_scalar(entry);
    const int size = static_cast<int>(entries.size());
    return made(Operation::list, std::move(entries), true, size);
  }
  void skip_argument() {
    int depth = 0;
    while (place_ < text_.size() && (depth > 0 || text_[place_] != ')')) {
      if (text_[place_] == '(') ++depth;
      if (text_[place_] == ')') --depth;
      ++place_;
    }
  }

  Expression primary() {
    const char c = ahead();
    if (accept('(')) {
      const Expression inner = expression();
      expect(')');
      return inner;
    }
    if (accept('[')) return written_list();
    if (is_digit(c) || c == '.') return number();
    if (begins_name(c)) return named(name());
    fail("a number, a name or '(' is needed here");
  }

  Expression written_list() {
    std::vector<Expression> entries{expression()};
    while (accept(',')) entries.push_back(expression());
    expect(']');
    return listed(std::move(entries));
  }

  Expression number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + place_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("not a number that a double holds");
    place_ = static_cast<std::size_t>(end - text_.data());
    return number_tree(value, true);
  }

  /// Two names with a dot and no blank between them are one.
  std::string name() {
    const std::size_t start = place_;
    skip_name();
    if (place_ + 1 < text_.size() && text_[place_] == '.' && begins_name(text_[place_ + 1])) {
      ++place_;
      skip_name();
    }
    return std::string(text_.substr(start, place_ - start));
  }
  void skip_name() {
    while (place_ < text_.size() && continues_name(text_[place_])) ++place_;
  }

  Expression named(const std::string& name) {
    if (const auto argument = arguments_.find(name); argument != arguments_.end()) return argument->second;
    if (const auto function = functions().find(name); function != functions().end())
      return call(function->second);
    if (name == "where") return choice();
    if (is_function(name)) return call_of_text(name);
    if (name == "sum" || name == "list") return repeated(name == "sum");
    for (const auto& numbers : {indices_, names_.constants}) {
      if (const auto found = numbers.find(name); found != numbers.end())
        return number_tree(found->second, true);
    }
    if (name == "pi") return number_tree(std::numbers::pi, false);
    if (name == "t") return leaf(Operation::time, {name, false, 1, 0});
    if (name == "p" && ahead() == '(') {
      expect('(');
      ahead();
      const std::string coordinate = this->name();
      const Symbol* symbol = find(names_.coordinates, coordinate);
      if (!symbol) fail("no coordinate is called '" + coordinate + "'");
      const Expression entry = component_of(leaf(Operation::momentum, *symbol));
      expect(')');
      return entry;
    }
    if (const Symbol* symbol = find(names_.coordinates, name)) return coordinate(*symbol);
    if (const Symbol* symbol = find(names_.parameters, name)) return leaf(Operation::parameter, *symbol);
    if (const Symbol* symbol = find(names_.velocities, name)) return leaf(Operation::velocity, *symbol);
    if (const Symbol* symbol = find(names_.momenta, name)) return leaf(Operation::momentum, *symbol);
    if (const auto found = names_.quantities.find(name); found != names_.quantities.end())
      return quantity(*found);
    fail("unknown name '" + name + "'");
  }

  /// u, u', u[0] or u[0]', from behind the name.
  Expression coordinate(const Symbol& symbol) {
    if (accept('\'')) return leaf(Operation::velocity, symbol);
    if (ahead() != '[') return leaf(Operation::position, symbol);
    const Expression entry =
        component_of(made(Operation::position, {}, symbol.vector, symbol.size, symbol.place));
    const Operation of = accept('\'') ? Operation::velocity : Operation::position;
    return made(Operation::component, {leaf(of, symbol)}, false, 1, entry->place);
  }

  static const Symbol* find(const std::vector<Symbol>& symbols, const std::string& name) {
    const auto found = std::ranges::find(symbols, name, &Symbol::name);
    return found == symbols.end() ? nullptr : &*found;
  }

  Expression leaf(Operation operation, const Symbol& symbol) const {
    if (operation != Operation::parameter) expect_allowed(operation, symbol.name);
    return made(operation, {}, symbol.vector, symbol.size, symbol.place);
  }
  /// Of a joint, as if it were written in place of its name.
  Expression quantity(const std::pair<const std::string, Expression>& named) const {
    const auto& [name, tree] = named;
    for (const Operation leaf : {Operation::position, Operation::velocity, Operation::time}) {
      if (contains(*tree, leaf)) expect_allowed(leaf, name);
    }
    return tree;
  }
  void expect_allowed(Operation leaf, const std::string& name) const {
    static const std::map<Operation, std::string> kinds = {{Operation::position, "coordinates"},
                                                           {Operation::velocity, "velocities"},
                                                           {Operation::momentum, "momenta"},
                                                           {Operation::time, "the time"}};
    if (!allowed_.contains(leaf)) fail(kinds.at(leaf) + " may not be used here: '" + name + "'");
  }

  Expression call(Operation function) {
    expect('(');
    std::vector<Expression> arguments{expression()};
    const bool two = function == Operation::dot || function == Operation::cross;
    if (function == Operation::atan2 || function == Operation::min || function == Operation::max) {
      expect_scalar(arguments[0]);
      expect(',');
      arguments.push_back(expression());
      expect_scalar(arguments[1]);
    } else if (two) {
      expect(',');
      arguments.push_back(expression());
      expect_vectors_alike(arguments[0], arguments[1]);
    } else if (function == Operation::norm) {
      if (!arguments[0]->vector) fail("norm is of a vector; abs of a scalar");
    } else {
      expect_scalar(arguments[0]);
    }
    if (function == Operation::cross && arguments[0]->size != 3) fail("cross is of vectors of length 3");
    expect(')');
    const bool vector = function == Operation::cross;
    return made(function, std::move(arguments), vector, vector ? 3 : 1);
  }

  /// where(a < b, c, d), from behind its name.
  Expression choice() {
    expect('(');
    std::vector<Expression> arguments{expression()};
    const bool less = accept('<');
    if (!less && !accept('>')) fail("a comparison by <, <=, > or >= is needed here");
    const bool equal = place_ < text_.size() && text_[place_] == '=';
    if (equal) ++place_;
    arguments.push_back(expression());
    expect_scalar(arguments[0]);
    expect_scalar(arguments[1]);
    for (int i = 0; i < 2; ++i) {
      expect(',');
      arguments.push_back(expression());
    }
    expect(')');
    const auto &c = arguments[2], &d = arguments[3];
    if (c->vector != d->vector || c->size != d->size) fail("where has two values of one shape");
    auto tree = std::make_shared<Tree>(*made(Operation::where, arguments, c->vector, c->size));
    tree->comparison = less ? (equal ? Comparison::at_most : Comparison::less)
                            : (equal ? Comparison::at_least : Comparison::greater);
    return tree;
  }

  bool is_function(const std::string& name) const {
    return names_.tables.contains(name) || function_called(name) != nullptr;
  }
  const TextDescription::Function* function_called(const std::string& name) const {
    const auto found = std::ranges::find(names_.functions, name, &TextDescription::Function::name);
    return found == names_.functions.end() ? nullptr : &*found;
  }

  /// A function or a table of the text, or its derivative, from behind the name.
  Expression call_of_text(const std::string& name) {
    if (++counts_.calls > most_calls) fail("functions are expanded more than 10000 times");
    const bool slope = accept('\'');
    expect('(');
    std::vector<Expression> given{expression()};
    while (accept(',')) given.push_back(expression());
    for (const Expression& argument : given) expect_scalar(argument);
    expect(')');
    if (const auto found = names_.tables.find(name); found != names_.tables.end()) {
      if (given.size() != 1) fail("'" + name + "' has one argument");
      auto tree = std::make_shared<Tree>(*made(Operation::table, given, false, 1));
      tree->table = slope ? std::make_shared<const Table>(found->second->derivative()) : found->second;
      return tree;
    }
    const TextDescription::Function& function = *function_called(name);
    if (given.size() != function.of.size())
      fail("'" + name + "' has " + std::to_string(function.of.size()) + " arguments");
    if (!slope) return expanded(function, given, allowed_);
    if (function.of != std::vector<std::string>{"t"})
      fail("'" + name + "' has not t alone as argument, and no derivative");
    auto argument = std::make_shared<Tree>();
    argument->operation = Operation::argument;
    return derivative_at(expanded(function, {argument}, {}), given[0]);
  }

  std::string_view text_;
  std::size_t place_ = 0;
  std::map<std::string, int> indices_;
  const std::string& key_;
  const Names& names_;
  const std::set<Operation>& allowed_;
  Counts& counts_;
  std::map<std::string, Expression> arguments_;  // of the function whose text this is
};

}  // namespace

bool is_reserved(const std::string& name) {
  static const std::set<std::string> others = {"where", "sum", "list", "p", "t", "pi"};
  return functions().contains(name) || others.contains(name);
}

bool is_name(const std::string& name) {
  return !name.empty() && name.size() <= longest_name && begins_name(name[0]) &&
         std::ranges::all_of(name, continues_name);
}

bool is_name_of_coordinate(const std::string& name) {
  const std::size_t dot = name.find('.');
  return is_name(name.substr(0, dot)) && (dot == std::string::npos || is_name(name.substr(dot + 1)));
}

Expression parse(const std::string& text, const std::string& key, const Names& names,
                 const std::set<Operation>& allowed) {
  Counts counts;
  return Parser(text, key, names, allowed, counts).whole_text();
}

void expect_functions(const Names& names) {
  using enum Operation;
  const std::set<Operation> all = {position, velocity, momentum, time};
  for (const auto& function : names.functions) {
    std::set<std::string> taken;
    for (const std::string& name : function.of) {
      if (!is_name(name) || (is_reserved(name) && name != "t") || !taken.insert(name).second)
        throw std::invalid_argument("functions." + function.name + ": '" + name +
                                    "' is no name of an argument");
    }
    if (function.of.empty() || function.is.empty() || (!function.vector && function.is.size() != 1))
      throw std::invalid_argument("functions." + function.name + ": has no argument, or no value");
    Counts counts;
    auto argument = std::make_shared<Tree>();
    argument->operation = Operation::argument;
    const std::vector<Expression> given(function.of.size(), argument);
    const std::string key = "functions." + function.name;
    Parser("", key, names, all, counts).expanded(function, given, all);
  }
}

bool contains(const Tree& tree, Operation operation) {
  const auto within = [&](const Expression& argument) { return contains(*argument, operation); };
  return tree.operation == operation || std::ranges::any_of(tree.arguments, within);
}

static bool jumps(const Tree& f) {
  using enum Operation;
  const bool here = f.operation == sign || f.operation == where || f.operation == atan2 ||
                    (f.operation == table && f.table->jumps());
  return here || std::ranges::any_of(f.arguments, [](const Expression& part) { return jumps(*part); });
}

void expect_continuous(const Tree& tree, const std::string& key) {
  if (jumps(tree))
    throw std::invalid_argument(key + ": where, sign, atan2 and derivatives that jump may not be used here");
}

}  // namespace livens::reference
