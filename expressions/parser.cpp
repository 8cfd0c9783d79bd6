#include "expressions/parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "expressions/nearest.hpp"
#include "expressions/second_reading.hpp"
#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

/// Functions of one scalar that are an operation of the graph; tan is sin/cos.
constexpr std::array<std::pair<std::string_view, Op>, 7> scalar_functions = {{{"sqrt", Op::sqrt},
                                                                              {"sin", Op::sin},
                                                                              {"cos", Op::cos},
                                                                              {"exp", Op::exp},
                                                                              {"log", Op::log},
                                                                              {"tanh", Op::tanh},
                                                                              {"abs", Op::abs}}};
constexpr std::array<std::string_view, 7> other_functions = {"tan", "dot", "cross", "norm",
                                                             "p",   "sum", "list"};

class Parser {
 public:
  Parser(Graph& graph, const Scope& scope, std::string_view text)
      : g_(graph), scope_(scope), tokens_(tokens_of(text)) {}

  Value whole() {
    const Value value = expression();
    if (now().kind != Kind::end) fail("unexpected '" + shown(now()) + "'", "an operator");
    return value;
  }
  int whole_count() {
    const int count = whole_number();
    if (now().kind != Kind::end) fail("unexpected '" + shown(now()) + "'", "an operator");
    return count;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& take() { return tokens_[at_++]; }
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
      const Value next = sign();
      if (symbol.is('/')) {
        if (next.is_vector) fail_at(symbol, "division by a vector");
        for (NodeId& entry : product.entries) entry = g_.divide(entry, next.scalar());
      } else if (product.is_vector && next.is_vector) {
        fail_at(symbol, "a product of two vectors", "", "dot(u, v)");
      } else if (next.is_vector) {
        const NodeId factor = product.scalar();
        product = next;
        for (NodeId& entry : product.entries) entry = g_.multiply(factor, entry);
      } else {
        for (NodeId& entry : product.entries) entry = g_.multiply(entry, next.scalar());
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
    const Factors factors = factors_of(base);
    const bool is_whole = e == std::rint(e);
    if (factors.of_root == none || e < 2.0) {
      const NodeId power = g_.raised(base, g_.constant(e));
      return is_whole || e < 1.0 ? power : g_.mark(power, Graph::Power{base, g_.constant(e)});
    }
    const NodeId square = g_.multiply(factors.of_root, g_.multiply(factors.others, factors.others));
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
  /// A root is a factor of it, and not only of what divides it. Nodes come after their operands.
  bool has_root(NodeId id) {
    while (static_cast<NodeId>(has_root_.size()) <= id) {
      const auto next = static_cast<NodeId>(has_root_.size());
      const Node& node = g_[next];
      const auto of = [&](NodeId operand) { return has_root_[static_cast<std::size_t>(operand)]; };
      bool has = node.is(Op::sqrt);
      if (node.is(Op::negate) || node.is(Op::divide)) has = of(node.a);
      if (node.is(Op::multiply)) has = of(node.a) || of(node.b);
      has_root_.push_back(has && !g_.power_at(next));
    }
    return has_root_[static_cast<std::size_t>(id)];
  }
  /// Any other: exp(e log(base)), for a positive base.
  NodeId power_of(NodeId base, NodeId e) {
    const NodeId power = g_.unary(Op::exp, g_.multiply(e, g_.unary(Op::log, base)));
    for (const Leaf kind : {Leaf::position, Leaf::velocity, Leaf::momentum, Leaf::time})
      if (depends(g_, e, kind)) return power;
    if (g_[e].is(Op::constant) && !(g_[e].value > 1.0)) return power;
    const Factors factors = factors_of(base);
    if (factors.of_root == none || (g_[e].is(Op::constant) && g_[e].value < 2.0))
      return g_.mark(power, Graph::Power{base, e});
    if (g_[base].is(Op::sqrt))
      return g_.mark(power, Graph::Power{factors.of_root, g_.multiply(g_.constant(0.5), e)});
    return g_.multiply(power_of(factors.others, e), power_of(g_.unary(Op::sqrt, factors.of_root), e));
  }
  /// True if no name but those of constants and indices stands between `begin` and here.
  bool is_written_with_numbers(std::size_t begin) const {
    const auto is_number = [&](const Token& token) {
      const auto has_name = [&](const Constant& one) { return one.name == token.text; };
      return token.kind != Kind::name || std::ranges::any_of(indices_, has_name) ||
             std::ranges::any_of(scope_.constants, has_name);
    };
    return std::all_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(at_), is_number);
  }

  Value item() {
    Value value = primary();
    for (;;) {
      const Token& symbol = now();
      if (taken('['))
        value = {{component(value, symbol)}};
      else if (taken('\''))
        value = velocity(std::move(value), symbol);
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

  Value velocity(Value value, const Token& prime) {
    if (!scope_.velocities) fail_at(prime, "velocities have no place here");
    for (NodeId& entry : value.entries) {
      const Node node = g_[entry];
      if (!node.is(Op::leaf) || node.leaf != Leaf::position)
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
      return now().is('(') ? call(token) : named(token);
    }
    if (taken('(')) {
      const Level level(*this);
      const Value value = expression();
      expect(')');
      return value;
    }
    fail(found(), "a number, a name or '('");
  }

  Value named(const Token& token) {
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
      Value value;
      value.is_vector = name.is_vector;
      for (int i = 0; i < name.count; ++i) value.entries.push_back(g_.leaf(name.leaf, name.first + i));
      return value;
    }
    const std::vector<std::string> names = known_names();
    if (is_reserved(token.text)) fail_at(token, "'" + shown(token) + "' is a function", "'('");
    fail_unknown(token, "name", names);
  }

  std::vector<std::string> known_names() const {
    std::vector<std::string> names;
    for (const Scope::Name& name : scope_.names) names.push_back(name.name);
    for (const Constant& constant : scope_.constants) names.push_back(constant.name);
    for (const Constant& index : indices_) names.push_back(index.name);
    return names;
  }

  Value call(const Token& function) {
    const Level level(*this);
    expect('(');
    if (function.text == "sum" || function.text == "list") return repeated(function);
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
    std::vector<std::string> names(other_functions.begin(), other_functions.end());
    for (const auto& [name, op] : scalar_functions) names.emplace_back(name);
    for (const Scope::Name& name : scope_.names)
      if (name.name == function.text)
        fail_at(function, "'" + shown(function) + "' is no function", "an operator, as in a*(b + c)");
    fail_unknown(function, "function", names);
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
    if (is_reserved(token.text) || std::find(names.begin(), names.end(), token.text) != names.end())
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
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::vector<bool> has_root_;     ///< by node, as far as it was asked for
  std::vector<Constant> indices_;  ///< of the sums and lists that are being read
  int depth_ = 0, terms_ = 0;
};

}  // namespace

bool is_reserved(std::string_view name) {
  if (name == "t" || name == "pi") return true;
  if (std::find(other_functions.begin(), other_functions.end(), name) != other_functions.end()) return true;
  return std::any_of(scalar_functions.begin(), scalar_functions.end(),
                     [&](const auto& function) { return function.first == name; });
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
