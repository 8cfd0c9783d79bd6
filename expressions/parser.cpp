#include "expressions/parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "expressions/derivatives.hpp"
#include "expressions/nearest.hpp"
#include "expressions/second_reading.hpp"
#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

/// Functions of one scalar that are an operation of the graph; tan is sin/cos.
constexpr std::pair<std::string_view, Op> scalar_functions[] = {
    {"sqrt", Op::sqrt}, {"sin", Op::sin},   {"cos", Op::cos},   {"exp", Op::exp},   {"log", Op::log},
    {"tanh", Op::tanh}, {"abs", Op::abs},   {"asin", Op::asin}, {"acos", Op::acos}, {"atan", Op::atan},
    {"sinh", Op::sinh}, {"cosh", Op::cosh}, {"sign", Op::sign}};
/// Of two scalars.
constexpr std::pair<std::string_view, Op> binary_functions[] = {
    {"min", Op::min}, {"max", Op::max}, {"atan2", Op::atan2}};
constexpr std::string_view other_functions[] = {"tan", "dot", "cross", "norm", "p", "sum", "list", "where"};

/// What others call them, where the names are too far apart to guess.
constexpr std::pair<std::string_view, std::string_view> names_elsewhere[] = {
    {"ln", "log"}, {"pow", "a^b"}, {"sgn", "sign"}, {"signum", "sign"}, {"if", "where"}, {"length", "norm"}};

/// In T, V and g nothing jumps.
constexpr std::string_view jumping[] = {"sign", "where", "atan2"};

std::vector<std::string> function_names() {
  std::vector<std::string> names(std::begin(other_functions), std::end(other_functions));
  for (const auto& [name, op] : scalar_functions) names.emplace_back(name);
  for (const auto& [name, op] : binary_functions) names.emplace_back(name);
  return names;
}

class Parser {
 public:
  Parser(Graph& graph, const Scope& scope, std::string_view text)
      : g_(graph), scope_(scope), words_(tokens_of(text)), tokens_(&words_) {}

  Value whole() {
    const Value value = expression();
    expect_end();
    return value;
  }
  int whole_count() {
    const int count = whole_number();
    expect_end();
    return count;
  }

 private:
  void expect_end() const {
    if (now().is_comparison()) fail("a comparison is the first argument of where, and stands nowhere else");
    if (now().kind != Kind::end) fail("unexpected '" + shown(now()) + "'", "an operator");
  }
  const Token& now() const { return (*tokens_)[at_]; }
  const Token& take() { return (*tokens_)[at_++]; }
  bool taken(char symbol) {
    if (!now().is(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(char symbol) {
    if (!taken(symbol)) fail(found(), std::string("'") + symbol + "'");
  }
  static std::string shown(const Token& token) { return std::string(token.text); }
  std::string found() const {
    return now().kind == Kind::end ? "found the end" : "found '" + shown(now()) + "'";
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& expected = {}) const {
    fail_at(now(), problem, expected);
  }
  [[noreturn]] static void fail_at(const Token& token, const std::string& problem,
                                   const std::string& expected = {}, const std::string& suggestion = {}) {
    throw Slip{token.offset, problem, expected, suggestion};
  }

  Value expression() {
    Value sum = term();
    while (now().is('+') || now().is('-')) {
      const Token& sign = take();
      add(sum, sign.is('+') ? Op::add : Op::subtract, term(), sign);
    }
    return sum;
  }
  void add(Value& sum, Op op, const Value& next, const Token& sign) {
    if (sum.is_vector != next.is_vector || sum.entries.size() != next.entries.size())
      fail_at(sign, "a sum of " + kind(sum) + " and " + kind(next));
    for (std::size_t i = 0; i < sum.entries.size(); ++i)
      sum.entries[i] = g_.binary(op, sum.entries[i], next.entries[i]);
  }

  Value term() {
    Value product = sign();
    while (now().is('*') || now().is('/')) {
      const Token& symbol = take();
      if (symbol.is('*') && now().is('*')) fail_at(symbol, "found '**'", "", "^");
      const Value next = sign();
      if (symbol.is('/')) {
        if (next.is_vector) fail_at(symbol, "division by a vector");
        for (NodeId& entry : product.entries) entry = g_.divide(entry, next.scalar());
      } else if (product.is_vector && next.is_vector) {
        fail_at(symbol, "a product of two vectors", "", "dot(u, v)");
      } else if (next.is_vector) {
        const NodeId factor = product.scalar();
        product = next;
        for (NodeId& entry : product.entries) entry = times(factor, entry);
      } else {
        for (NodeId& entry : product.entries) entry = times(entry, next.scalar());
      }
    }
    return product;
  }

  Value sign() {
    bool negative = false;
    while (now().is('-') || now().is('+')) negative ^= take().is('-');
    Value value = power();
    if (negative)
      for (NodeId& entry : value.entries) entry = g_.negate(entry);
    return value;
  }

  Value power() {
    const Token& begin = now();
    const Value base = item();
    if (!now().is('^')) return base;
    const Token& symbol = take();
    if (base.is_vector) fail_at(begin, "a power of a vector", "", "dot(u, u)");
    const Level level(*this);
    const std::size_t begin_of_exponent = at_;
    const Value exponent = sign();
    if (exponent.is_vector) fail_at(symbol, "a vector as exponent");
    const NodeId e = exponent.scalar();
    if (!is_written_with_numbers(begin_of_exponent)) return {{power_of(base.scalar(), e)}};
    const double number = g_[e].value;
    if (number == std::rint(number) && std::abs(number) > largest_exponent)
      fail_at(symbol, whole_exponent_too_large);
    return {{number_power(base.scalar(), number)}};
  }

  /// A power whose exponent is a number as it is written. That of a root is one of half the size of its
  /// argument: where both vanish the root has no slope.
  NodeId number_power(NodeId base, double e) {
    const bool is_whole = e == std::rint(e);
    if (is_whole && std::fmod(e, 2.0) == 0.0 && e > 0.0) base = without_sizes(base);
    const Factors factors = factors_of(base);
    if (factors.of_root == none || e < 2.0) {
      const NodeId power = g_.raised(base, g_.constant(e));
      return is_whole || e < 1.0 ? power : g_.mark(power, Graph::Power{base, g_.constant(e)});
    }
    const NodeId square = g_.multiply(factors.of_root, times(factors.others, factors.others));
    if (is_whole && std::fmod(e, 2.0) == 0.0) return number_power(square, 0.5 * e);
    if (g_[factors.others].is_constant(1.0)) return power_of_root(factors.of_root, e);
    // Of an odd power the cube by its factors, which keep the sign of the base, and the rest by the square:
    // no factor grows beyond all bounds.
    const double apart = is_whole ? 3.0 : e;
    return g_.multiply(
        g_.multiply(number_power(factors.others, apart), power_of_root(factors.of_root, apart)),
        number_power(square, 0.5 * (e - apart)));
  }
  /// sqrt(a)^e for e >= 2.
  NodeId power_of_root(NodeId a, double e) {
    const NodeId power = g_.raised(g_.unary(Op::sqrt, a), g_.constant(e));
    for (e /= 2.0; g_[a].is(Op::sqrt) && e >= 2.0; e /= 2.0) a = g_[a].a;
    return g_.mark(power, Graph::Power{a, g_.constant(e)});
  }
  /// A node as others * sqrt(of_root); `of_root` is none where no root is a factor of it. What is marked as a
  /// power has its own slopes.
  struct Factors {
    NodeId of_root, others;
  };
  Factors factors_of(NodeId id) {
    if (!has_root(id)) return {none, id};
    NodeId of_root = g_.constant(1.0), others = of_root;
    std::vector<std::pair<NodeId, bool>> left{{id, false}};
    while (!left.empty()) {
      const auto [factor, divides] = left.back();
      const Node node = g_[factor];
      left.pop_back();
      const auto take = [this, divides = divides](NodeId& product, NodeId by) {
        product = divides ? g_.divide(product, by) : g_.multiply(product, by);
      };
      if (!has_root(factor)) {
        take(others, factor);
      } else if (node.is(Op::sqrt)) {
        take(of_root, node.a);
      } else if (node.is(Op::negate)) {
        others = g_.negate(others);
        left.emplace_back(node.a, divides);
      } else {
        left.emplace_back(node.b, divides != node.is(Op::divide));
        left.emplace_back(node.a, divides);
      }
    }
    return {of_root, others};
  }
  bool has_root(NodeId id) { return has_factor(Op::sqrt, id); }
  /// A root, or an absolute value, is a factor of it, and not only of what divides it. A product of more of
  /// them than a walk through all its factors should meet counts as one without. Nodes come after their
  /// operands.
  bool has_factor(Op op, NodeId id) {
    constexpr int most = 64;
    std::vector<int>& known = op == Op::sqrt ? roots_ : sizes_;
    while (static_cast<NodeId>(known.size()) <= id) {
      const auto next = static_cast<NodeId>(known.size());
      const Node& node = g_[next];
      const auto of = [&](NodeId operand) { return known[static_cast<std::size_t>(operand)]; };
      int count = node.is(op) ? 1 : 0;
      if (node.is(Op::negate) || node.is(Op::divide)) count = of(node.a);
      if (node.is(Op::multiply)) count = of(node.a) + of(node.b);
      known.push_back(g_.power_at(next) || count > most ? 0 : count);
    }
    return known[static_cast<std::size_t>(id)] > 0;
  }
  /// A base whose power is even: |a|^2 is a^2, and has the slopes of it where a is 0.
  NodeId without_sizes(NodeId id) {
    if (!has_factor(Op::abs, id)) return id;
    const Node node = g_[id];
    if (node.is(Op::abs)) return without_sizes(node.a);
    if (node.is(Op::negate)) return g_.negate(without_sizes(node.a));
    if (node.is(Op::divide)) return g_.divide(without_sizes(node.a), node.b);
    const NodeId a = without_sizes(node.a);
    return g_.multiply(a, without_sizes(node.b));
  }
  /// a*b. A root, or an absolute value, that is a factor of both is squared: its square has slopes where it is 0.
  NodeId times(NodeId a, NodeId b) {
    for (const Op op : {Op::sqrt, Op::abs}) {
      const NodeId both = common_factor(op, a, b);
      if (both == none) continue;
      const NodeId of = g_[both].a, rest = times(without(op, a, both), without(op, b, both));
      return times(rest, op == Op::sqrt ? of : times(of, of));
    }
    return g_.multiply(a, b);
  }
  /// The first factor of b that is one of a as well, both not of what divides.
  NodeId common_factor(Op op, NodeId a, NodeId b) {
    if (!has_factor(op, a) || !has_factor(op, b)) return none;
    const Node node = g_[b];
    if (node.is(op)) return is_factor(op, b, a) ? b : none;
    const NodeId first = common_factor(op, a, node.a);
    return first != none || !node.is(Op::multiply) ? first : common_factor(op, a, node.b);
  }
  bool is_factor(Op op, NodeId factor, NodeId id) {
    if (id == factor) return true;
    const Node node = g_[id];
    if (!has_factor(op, id) || node.is(op)) return false;
    return is_factor(op, factor, node.a) || (node.is(Op::multiply) && is_factor(op, factor, node.b));
  }
  NodeId without(Op op, NodeId id, NodeId factor) {
    if (id == factor) return g_.constant(1.0);
    const Node node = g_[id];
    if (node.is(Op::negate)) return g_.negate(without(op, node.a, factor));
    if (node.is(Op::divide)) return g_.divide(without(op, node.a, factor), node.b);
    if (is_factor(op, factor, node.a)) return g_.multiply(without(op, node.a, factor), node.b);
    return g_.multiply(node.a, without(op, node.b, factor));
  }
  /// Any other: exp(e log(base)), for a positive base.
  NodeId power_of(NodeId base, NodeId e) {
    const NodeId power = g_.unary(Op::exp, g_.multiply(e, g_.unary(Op::log, base)));
    for (const Leaf kind : {Leaf::position, Leaf::velocity, Leaf::momentum, Leaf::time, Leaf::argument})
      if (depends(g_, e, kind)) return power;
    if (g_[e].is(Op::constant) && !(g_[e].value > 1.0)) return power;
    const Factors factors = factors_of(base);
    if (factors.of_root == none || (g_[e].is(Op::constant) && g_[e].value < 2.0))
      return g_.mark(power, Graph::Power{base, e});
    if (g_[base].is(Op::sqrt))
      return g_.mark(power, Graph::Power{factors.of_root, g_.multiply(g_.constant(0.5), e)});
    return g_.multiply(power_of(factors.others, e), power_of(g_.unary(Op::sqrt, factors.of_root), e));
  }
  /// True if no name but those of constants and indices stands between `begin` and here, or of arguments in
  /// whose place a number stands.
  bool is_written_with_numbers(std::size_t begin) const {
    const auto is_number = [&](const Token& token) {
      const auto has_name = [&](const auto& one) { return one.name == token.text; };
      if (const auto argument = std::ranges::find_if(arguments_, has_name); argument != arguments_.end())
        return token.kind != Kind::name || argument->is_number;
      return token.kind != Kind::name || std::ranges::any_of(indices_, has_name) ||
             std::ranges::any_of(scope_.constants, has_name);
    };
    return std::all_of(tokens_->begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_->begin() + static_cast<std::ptrdiff_t>(at_), is_number);
  }

  Value item() {
    const bool is_coordinate = names_coordinate(now());
    Value value = primary();
    for (;;) {
      const Token& symbol = now();
      if (taken('['))
        value = {{component(value, symbol)}};
      else if (taken('\''))
        value = velocity(std::move(value), symbol, is_coordinate);
      else
        return value;
    }
  }

  NodeId component(const Value& value, const Token& bracket) {
    if (!value.is_vector) fail_at(bracket, "an index of a scalar");
    const Token& at = now();
    const Level level(*this);
    const std::optional<double> index = constant_expression();
    const double last = static_cast<double>(value.entries.size()) - 1.0;
    if (!index || !(*index >= 0.0) || *index != std::rint(*index) || *index > last)
      fail_at(at, "", "an index from 0 to " + std::to_string(value.entries.size() - 1));
    expect(']');
    return value.entries[static_cast<std::size_t>(*index)];
  }
  /// The number that the next expression is, where it is written with numbers alone.
  std::optional<double> constant_expression() {
    const std::size_t begin = at_;
    const Value value = expression();
    if (value.is_vector || !is_written_with_numbers(begin)) return std::nullopt;
    return g_[value.scalar()].value;
  }
  int whole_number() {
    const Token& at = now();
    const std::optional<double> number = constant_expression();
    if (!number || *number != std::rint(*number) || std::abs(*number) > largest_constant)
      fail_at(at, "",
              "a whole number, of numbers and constants, of at most " + std::to_string(largest_constant));
    return static_cast<int>(*number);
  }

  /// Not of an argument that hides it, or has it for its value.
  bool names_coordinate(const Token& token) const {
    const auto known = std::ranges::find(scope_.names, token.text, &Scope::Name::name);
    return token.kind == Kind::name && known != scope_.names.end() && known->leaf == Leaf::position &&
           std::ranges::find(arguments_, token.text, &Argument::name) == arguments_.end();
  }
  Value velocity(Value value, const Token& prime, bool is_coordinate) {
    if (!scope_.velocities) fail_at(prime, "velocities have no place here");
    for (NodeId& entry : value.entries) {
      const Node node = g_[entry];
      if (!is_coordinate || !node.is(Op::leaf) || node.leaf != Leaf::position)
        fail_at(prime, "only a coordinate has a velocity: write (a + b)' as a' + b'");
      entry = g_.leaf(Leaf::velocity, node.a);
    }
    return value;
  }

  Value primary() {
    const Token& token = now();
    if (token.kind == Kind::number) return {{g_.constant(take().value)}};
    if (token.kind == Kind::name) {
      ++at_;
      if (now().is('(')) return call(token);
      const bool is_slope = now().is('\'') && (*tokens_)[at_ + 1].is('(');
      if (const Function* function = is_slope ? known_function(token.text) : nullptr) {
        ++at_;
        return slope_of(*function, token);
      }
      return named(token);
    }
    if (taken('[')) return written_vector(token);
    if (taken('(')) {
      const Level level(*this);
      const Value value = expression();
      expect(')');
      return value;
    }
    fail(found(), "a number, a name or '('");
  }

  Value written_vector(const Token& bracket) {
    const Level level(*this);
    Value result{{}, true};
    do {
      const Value entry = expression();
      if (entry.is_vector) fail_at(bracket, "an entry of a vector is a scalar, not " + kind(entry));
      result.entries.push_back(entry.scalar());
    } while (taken(','));
    expect(']');
    return result;
  }

  Value named(const Token& token) {
    for (const Argument& argument : arguments_)
      if (argument.name == token.text) return {{argument.node}};
    if (token.text == "pi") return {{g_.constant(std::numbers::pi)}};
    if (token.text == "t") {
      if (!scope_.time) fail_at(token, "the time t has no place here");
      return {{g_.leaf(Leaf::time)}};
    }
    for (const auto* constants : std::array<const std::vector<Constant>*, 2>{&indices_, &scope_.constants})
      for (const Constant& constant : *constants)
        if (constant.name == token.text) return {{g_.constant(constant.value)}};
    for (const Scope::Name& name : scope_.names) {
      if (name.name != token.text) continue;
      if (name.leaf == Leaf::position && !scope_.positions && !now().is('\''))
        fail_at(token, "coordinates have no place here");
      if (name.leaf == Leaf::position && derivatives_ > 0)
        fail_at(token, "coordinates have no place in what is differentiated");
      Value value;
      value.is_vector = name.is_vector;
      for (int i = 0; i < name.count; ++i) value.entries.push_back(g_.leaf(name.leaf, name.first + i));
      return value;
    }
    const auto& short_names = scope_.abbreviations;
    if (const auto found = std::ranges::find(short_names, token.text, &Function::name);
        found != short_names.end())
      return meaning_of(*found, token);
    const std::vector<std::string> names = known_names();
    if (is_reserved(token.text) || known_function(token.text))
      fail_at(token, "'" + shown(token) + "' is a function", "'('");
    fail_unknown(token, "name", names);
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const Scope::Name& name : scope_.names) names.push_back(name.name);
    for (const Function& abbreviation : scope_.abbreviations) names.push_back(abbreviation.name);
    for (const Constant& constant : scope_.constants) names.push_back(constant.name);
    for (const Constant& index : indices_) names.push_back(index.name);
    for (const Argument& argument : arguments_) names.push_back(argument.name);
    return names;
  }
  const Function* known_function(std::string_view name) const {
    const auto found = std::ranges::find(scope_.functions, name, &Function::name);
    return found == scope_.functions.end() ? nullptr : &*found;
  }

  Value call(const Token& function) {
    const Level level(*this);
    if (const Function* known = known_function(function.text)) return expanded(*known, function);
    const std::vector<std::string> names = function_names();
    if (std::ranges::find(names, function.text) == names.end()) fail_unknown_function(function);
    expect('(');
    if (function.text == "sum" || function.text == "list") return repeated(function);
    if (!scope_.jumps && std::ranges::find(jumping, function.text) != std::end(jumping))
      fail_at(function,
              shown(function) + " has no place in kinetic, potential, constraints and gap: it jumps");
    if (function.text == "where") return chosen(function);
    std::vector<Value> arguments{expression()};
    while (taken(',')) arguments.push_back(expression());
    expect(')');
    const auto want = [&](std::size_t count) {
      if (arguments.size() != count)
        fail_at(function, shown(function) + " takes " + (count == 1 ? "one argument" : "two arguments"));
    };
    for (const auto& [name, op] : scalar_functions)
      if (name == function.text) {
        want(1);
        return {{g_.unary(op, scalar(arguments[0], function))}};
      }
    for (const auto& [name, op] : binary_functions)
      if (name == function.text) {
        want(2);
        const NodeId a = scalar(arguments[0], function);
        return {{g_.binary(op, a, scalar(arguments[1], function))}};
      }
    if (function.text == "tan") {
      want(1);
      const NodeId angle = scalar(arguments[0], function);
      return {{g_.divide(g_.unary(Op::sin, angle), g_.unary(Op::cos, angle))}};
    }
    if (function.text == "dot") {
      want(2);
      return {{dot(arguments[0], arguments[1], function)}};
    }
    if (function.text == "norm") {
      want(1);
      if (!arguments[0].is_vector) fail_at(function, "norm takes a vector, not a scalar", "", "abs");
      return {{g_.unary(Op::sqrt, dot(arguments[0], arguments[0], function))}};
    }
    if (function.text == "cross") {
      want(2);
      return cross(arguments[0], arguments[1], function);
    }
    if (function.text == "p") {
      want(1);
      return momentum(arguments[0], function);
    }
    throw std::logic_error("a function without a meaning");
  }

  [[noreturn]] void fail_unknown_function(const Token& function) const {
    std::vector<std::string> known = known_names();
    known.insert(known.end(), {"t", "pi"});
    if (std::ranges::find(known, function.text) != known.end())
      fail_at(function, "'" + shown(function) + "' is no function", "an operator, as in a*(b + c)");
    for (const auto& [elsewhere, here] : names_elsewhere)
      if (function.text == elsewhere)
        fail_at(function, "unknown function '" + shown(function) + "'", "", std::string(here));
    std::vector<std::string> names = function_names();
    for (const Function& one : scope_.functions) names.push_back(one.name);
    fail_unknown(function, "function", names);
  }

  /// where(a < b, c, d): c where the comparison holds, d where it does not, neither where it is not chosen.
  Value chosen(const Token& function) {
    const NodeId left = scalar(expression(), function);
    const Token& sign = now();
    if (!sign.is_comparison()) fail(found(), "a comparison, as in where(x < 0, a, b)");
    ++at_;
    const NodeId right = scalar(expression(), function);
    const Op op = sign.text.size() > 1 ? Op::less_or_equal : Op::less;
    const NodeId holds = sign.is('<') ? g_.binary(op, left, right) : g_.binary(op, right, left);
    const NodeId fails = g_.subtract(g_.constant(1.0), holds);
    expect(',');
    Value result = expression();
    expect(',');
    const Value otherwise = expression();
    expect(')');
    if (result.is_vector != otherwise.is_vector || result.entries.size() != otherwise.entries.size())
      fail_at(function, "where has " + kind(result) + " and " + kind(otherwise));
    for (std::size_t i = 0; i < result.entries.size(); ++i)
      result.entries[i] = g_.add(g_.binary(Op::kept, holds, result.entries[i]),
                                 g_.binary(Op::kept, fails, otherwise.entries[i]));
    return result;
  }

  /// What stands for the name of an argument in a function's expressions.
  struct Argument {
    std::string name;
    NodeId node;
    bool is_number;  ///< it is written with numbers
  };
  std::vector<Argument> read_arguments(const Function& function, const Token& name) {
    if (++calls_ > most_terms)
      fail_at(name, "functions are called more than " + std::to_string(most_terms) + " times");
    std::vector<Argument> arguments;
    const std::size_t count = function.arguments.size();
    expect('(');
    do {
      const std::size_t begin = at_;
      const NodeId node = scalar(expression(), name);
      if (arguments.size() < count)
        arguments.push_back({function.arguments[arguments.size()], node, is_written_with_numbers(begin)});
      else
        arguments.push_back({});
    } while (taken(','));
    expect(')');
    if (arguments.size() != count)
      fail_at(name, shown(name) + " takes " +
                        (count == 1 ? "one argument" : std::to_string(count) + " arguments") + ", not " +
                        std::to_string(arguments.size()));
    return arguments;
  }
  Value expanded(const Function& function, const Token& name) {
    if (derivatives_ > 0 && !is_of_time(function))
      fail_at(name, "what is differentiated calls tables and functions whose one argument is t alone");
    std::vector<Argument> arguments = read_arguments(function, name);
    if (function.table)
      return {{g_.of_table(Op::table, g_.place_of(function.table), 0, arguments.front().node)}};
    return body_of(function, std::move(arguments));
  }
  /// f'(a): the derivative by the argument t, and then a in its place.
  Value slope_of(const Function& function, const Token& name) {
    const Level level(*this);
    if (!is_of_time(function))
      fail_at(name, "only a table and a function whose one argument is t have a derivative");
    const std::vector<Argument> arguments = read_arguments(function, name);
    Value result;
    const int depth = derivatives_++;
    const NodeId t = g_.leaf(Leaf::argument, depth);
    result = function.table ? Value{{g_.of_table(Op::table, g_.place_of(function.table), 0, t)}}
                            : body_of(function, {{function.arguments.front(), t, false}});
    --derivatives_;
    result.entries = derivative(g_, result.entries, Leaf::argument, depth);
    if (!scope_.jumps && jumps(result.entries))
      fail_at(name, "the derivative of " + shown(name) +
                        " jumps: it has no place in kinetic, potential, constraints and gap");
    result.entries = substitute(g_, result.entries, Leaf::argument, [&](int index) {
      return index == depth ? arguments.front().node : g_.leaf(Leaf::argument, index);
    });
    return result;
  }
  static bool is_of_time(const Function& function) {
    return function.table || (function.arguments.size() == 1 && function.arguments.front() == "t");
  }
  /// The slopes of abs, min and max, of a table with corners, and the third ones of any table.
  bool jumps(const std::vector<NodeId>& slopes) const {
    const std::vector<bool> needed = reachable(g_, slopes);
    for (std::size_t id = 0; id < needed.size(); ++id) {
      const Node& node = g_[static_cast<NodeId>(id)];
      if (!needed[id]) continue;
      if (node.is(Op::sign)) return true;
      if (!node.is(Op::table) || node.order == 0) continue;
      const TableFunction& table = *g_.tables()[static_cast<std::size_t>(node.table)];
      if (table.has_corners() || node.order == 3) return true;
    }
    return false;
  }
  /// What an abbreviation stands for. Where it has no place, its name has none.
  Value meaning_of(const Function& abbreviation, const Token& name) {
    if (derivatives_ > 0) fail_at(name, "coordinates have no place in what is differentiated");
    if (now().is('\'')) fail("'" + shown(name) + "' is no coordinate, and has no velocity");
    const Level level(*this);
    try {
      return Parser(g_, scope_, abbreviation.is.front().text).whole();
    } catch (const Slip& slip) {
      fail_at(name, "'" + shown(name) + "' has no place here: " + slip.problem);
    }
  }
  /// A function's expressions, in which its arguments hide the names around it and no index has a meaning.
  Value body_of(const Function& function, std::vector<Argument> arguments) {
    std::vector<Constant> indices;
    indices_.swap(indices);
    arguments_.swap(arguments);
    const std::vector<Token>* const tokens = tokens_;
    const std::size_t at = at_;
    Value result;
    for (const Expression& expression : function.is) {
      const Value value = body_of(expression);
      if (value.is_vector) refuse(expression.place, "is a vector", "a scalar, or a list of them");
      result.entries.push_back(value.scalar());
    }
    result.is_vector = function.one_by_one;
    tokens_ = tokens;
    at_ = at;
    arguments_.swap(arguments);
    indices_.swap(indices);
    return result;
  }
  Value body_of(const Expression& body) {
    try {
      const auto [words, is_new] = words_of_.try_emplace(&body);
      if (is_new) words->second = tokens_of(body.text);
      tokens_ = &words->second;
      at_ = 0;
      return whole();
    } catch (const Slip& slip) {
      refuse(body.place, slip, body.text);
    }
  }

  /// sum(i, from, to, e) or list(i, from, to, e): e is read for every i from `from` to `to`.
  Value repeated(const Token& function) {
    const bool sums = function.text == "sum";
    const std::string index = index_name();
    expect(',');
    const int from = whole_number();
    expect(',');
    const int to = whole_number();
    expect(',');
    const std::size_t begin = at_;
    Value result;
    if (to < from) {
      if (!sums) fail_at(function, "a list without entries");
      result = {{g_.constant(0.0)}};
      skip_argument();
    }
    indices_.push_back({index, from});
    for (int i = from; i <= to; ++i) {
      if (++terms_ > most_terms)
        fail_at(function, "sums and lists of more than " + std::to_string(most_terms) + " terms");
      at_ = begin;
      indices_.back().value = i;
      const Value term = expression();
      if (!sums)
        result.entries.push_back(scalar(term, function));
      else if (i == from)
        result = term;
      else
        add(result, Op::add, term, function);
    }
    indices_.pop_back();
    expect(')');
    result.is_vector = result.is_vector || !sums;
    return result;
  }
  std::string index_name() {
    const Token& token = now();
    if (token.kind != Kind::name) fail("", "the name of an index, as in sum(i, 0, 2, u[i])");
    const std::vector<std::string> names = known_names();
    if (is_reserved(token.text) || known_function(token.text) ||
        std::find(names.begin(), names.end(), token.text) != names.end())
      fail("'" + shown(token) + "' has a meaning already", "another name for the index");
    return shown(take());
  }
  /// Up to the bracket that closes a call.
  void skip_argument() {
    for (int open = 0; now().kind != Kind::end && !(open == 0 && now().is(')')); ++at_) {
      if (now().is('(')) ++open;
      if (now().is(')')) --open;
    }
  }

  static NodeId scalar(const Value& value, const Token& function) {
    if (value.is_vector) fail_at(function, shown(function) + " takes a scalar, not a vector");
    return value.scalar();
  }
  NodeId dot(const Value& u, const Value& v, const Token& function) {
    if (!u.is_vector || !v.is_vector || u.entries.size() != v.entries.size())
      fail_at(function, shown(function) + " takes vectors of one size, not " + kind(u) + " and " + kind(v));
    NodeId sum = g_.multiply(u.entries[0], v.entries[0]);
    for (std::size_t i = 1; i < u.entries.size(); ++i)
      sum = g_.add(sum, g_.multiply(u.entries[i], v.entries[i]));
    return sum;
  }
  Value cross(const Value& u, const Value& v, const Token& function) {
    if (u.entries.size() != 3 || v.entries.size() != 3)
      fail_at(function, "cross takes two vectors of 3 entries, not " + kind(u) + " and " + kind(v));
    Value result{{}, true};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      result.entries.push_back(
          g_.subtract(g_.multiply(u.entries[j], v.entries[k]), g_.multiply(u.entries[k], v.entries[j])));
    }
    return result;
  }
  Value momentum(Value value, const Token& function) {
    if (!scope_.momenta) fail_at(function, "momenta have no place here");
    for (NodeId& entry : value.entries) {
      const Node node = g_[entry];
      if (!node.is(Op::leaf) || node.leaf != Leaf::position)
        fail_at(function, "only a coordinate has a momentum, as in p(x)");
      entry = g_.leaf(Leaf::momentum, node.a);
    }
    return value;
  }

  static std::string kind(const Value& value) {
    return value.is_vector ? "a vector of " + std::to_string(value.entries.size()) : "a scalar";
  }
  [[noreturn]] static void fail_unknown(const Token& token, const char* what,
                                        const std::vector<std::string>& names) {
    const std::string close = nearest(token.text, names);
    // All the names there are help where there are few.
    const bool listed = close.empty() && names.size() <= 12;
    fail_at(token, std::string("unknown ") + what + " '" + shown(token) + "'", listed ? enumerate(names) : "",
            close);
  }

  /// One level of nesting, for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest_nesting)
        parser_.fail("nested deeper than " + std::to_string(deepest_nesting) + " levels");
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Graph& g_;
  const Scope& scope_;
  std::vector<Token> words_;          ///< of the text
  const std::vector<Token>* tokens_;  ///< what is being read: the text, or a function's expression
  std::size_t at_ = 0;
  std::map<const Expression*, std::vector<Token>> words_of_;
  std::vector<Argument> arguments_;  ///< of the function that is being read
  int derivatives_ = 0;              ///< of functions, one within the other
  std::vector<int> roots_, sizes_;   ///< factors by node, as far as it was asked for
  std::vector<Constant> indices_;    ///< of the sums and lists that are being read
  int depth_ = 0, terms_ = 0, calls_ = 0;
};

}  // namespace

bool is_reserved(std::string_view name) {
  if (name == "t" || name == "pi") return true;
  const std::vector<std::string> names = function_names();
  return std::ranges::find(names, name) != names.end();
}

Value parse_once(Graph& graph, const Scope& scope, std::string_view text) {
  return Parser(graph, scope, text).whole();
}

Value parse(Graph& graph, const Scope& scope, std::string_view text) {
  const Value value = parse_once(graph, scope, text);
  try {
    expect_agreement(scope, text);
  } catch (const TooLarge&) {
    // Derivatives that nobody may ask for; whoever does is told.
  }
  return value;
}

int parse_count(const std::vector<Constant>& constants, std::string_view text) {
  Graph graph;
  Scope scope;
  scope.constants = constants;
  return Parser(graph, scope, text).whole_count();
}

}  // namespace livens::expressions
