#include "expressions/second_reading.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <string>

#include "expressions/derivatives.hpp"
#include "expressions/tokens.hpp"

namespace livens::expressions {
namespace {

/// Larger than a rounding: functions of the kernels are good to four units in the last place.
constexpr double unit = 0x1p-50;
/// What is as small as that may be zero instead.
constexpr double underflow = 0x1p-1000;

/// A value and its slope along one direction, each with a bound of its error, to first order.
struct Number {
  double value = 0.0, error = 0.0, slope = 0.0, slope_error = 0.0;
  int coordinate = none;  ///< of a coordinate as it is: what has a velocity and a momentum
};
constexpr Number unknown = {std::numeric_limits<double>::quiet_NaN(), 0.0,
                            std::numeric_limits<double>::quiet_NaN()};

Number operator-(const Number& a) { return {-a.value, a.error, -a.slope, a.slope_error}; }
Number operator+(const Number& a, const Number& b) {
  const double value = a.value + b.value, slope = a.slope + b.slope;
  return {value, a.error + b.error + unit * std::abs(value), slope,
          a.slope_error + b.slope_error + unit * std::abs(slope)};
}
Number operator*(const Number& a, const Number& b) {
  const double value = a.value * b.value, of_a = a.slope * b.value, of_b = a.value * b.slope;
  return {value, std::abs(a.value) * b.error + std::abs(b.value) * a.error + unit * std::abs(value),
          of_a + of_b,
          std::abs(a.slope) * b.error + std::abs(b.value) * a.slope_error + std::abs(b.slope) * a.error +
              std::abs(a.value) * b.slope_error + unit * (std::abs(of_a) + std::abs(of_b))};
}
/// f(a) from the values of f, f' and f'' there; `places`: roundings of f itself.
Number function(const Number& a, double f, double first, double second, double places = 1.0) {
  const double slope = first * a.slope;
  return {f, std::abs(first) * a.error + places * unit * std::abs(f) + underflow, slope,
          std::abs(first) * a.slope_error + std::abs(second * a.slope) * a.error +
              places * unit * std::abs(slope) + underflow};
}
Number reciprocal(const Number& a) {
  const double f = 1.0 / a.value;
  return function(a, f, -f * f, 2.0 * f * f * f);
}

Number sqrt_of(const Number& a) {
  const double f = std::sqrt(a.value);
  return function(a, f, 0.5 / f, -0.25 / (f * a.value));
}
/// Angles that the kernels reduce to the last place.
bool is_large_angle(const Number& a) { return !(std::abs(a.value) < 1e5); }
Number sin_of(const Number& a) {
  if (is_large_angle(a)) return unknown;
  return function(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value));
}
Number cos_of(const Number& a) {
  if (is_large_angle(a)) return unknown;
  return function(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value));
}
Number tan_of(const Number& a) {
  if (is_large_angle(a)) return unknown;
  const double f = std::tan(a.value), first = 1.0 + f * f;
  return function(a, f, first, 2.0 * f * first, 4.0 * first);
}
Number exp_of(const Number& a) {
  const double f = std::exp(a.value);
  return function(a, f, f, f);
}
Number log_of(const Number& a) {
  return function(a, std::log(a.value), 1.0 / a.value, -1.0 / (a.value * a.value));
}
Number tanh_of(const Number& a) {
  const double f = std::tanh(a.value), first = 1.0 / (std::cosh(a.value) * std::cosh(a.value));
  return function(a, f, first, -2.0 * f * first, 1.0 + 4.0 / first);  // 1 - f^2 cancels
}
Number abs_of(const Number& a) {
  // Of a number that rounding has made, neither side of zero.
  if (std::abs(a.value) < 64.0 * a.error) return unknown;
  return function(a, std::abs(a.value), a.value > 0.0 ? 1.0 : a.value < 0.0 ? -1.0 : 0.0, 0.0);
}
Number power_of(const Number& a, double e) {
  const double f = std::pow(a.value, e), first = e * std::pow(a.value, e - 1.0);
  return function(a, f, first, e * (e - 1.0) * std::pow(a.value, e - 2.0),
                  4.0 + std::abs(e) * (1.0 + std::abs(std::log(std::abs(a.value)))));
}

/// Near an end the slopes grow faster than what the error of `a` is worth to first order.
bool is_at_end(const Number& a) { return !(std::abs(a.value) + 64.0 * a.error < 1.0 - 1e-6); }
Number asin_of(const Number& a) {
  if (is_at_end(a)) return unknown;
  const double first = 1.0 / std::sqrt((1.0 - a.value) * (1.0 + a.value));
  return function(a, std::asin(a.value), first, a.value * first * first * first, 2.0);
}
Number acos_of(const Number& a) {
  if (is_at_end(a)) return unknown;
  const double first = -1.0 / std::sqrt((1.0 - a.value) * (1.0 + a.value));
  return function(a, std::acos(a.value), first, a.value * first * first * first, 2.0);
}
Number atan_of(const Number& a) {
  const double first = 1.0 / (1.0 + a.value * a.value);
  return function(a, std::atan(a.value), first, -2.0 * a.value * first * first);
}
Number sinh_of(const Number& a) {
  const double f = std::sinh(a.value), first = std::cosh(a.value);
  return function(a, f, first, f, 1.0 + std::abs(a.value));
}
Number cosh_of(const Number& a) {
  const double f = std::cosh(a.value), first = std::sinh(a.value);
  return function(a, f, first, f, 1.0 + std::abs(a.value));
}
Number sign_of(const Number& a) {
  if (!(std::abs(a.value) >= 64.0 * a.error)) return unknown;
  return {a.value > 0.0 ? 1.0 : a.value < 0.0 ? -1.0 : 0.0};
}
/// Which of two is larger is rounding's to say.
bool are_close(const Number& a, const Number& b) {
  return !(std::abs(a.value - b.value) >= 64.0 * (a.error + b.error));
}
Number least(const Number& a, const Number& b) {
  if (are_close(a, b) || a.value == b.value) return unknown;
  return a.value < b.value ? a : b;
}
Number atan2_of(const Number& y, const Number& x) {
  const double square = x.value * x.value + y.value * y.value;
  // On either side of the cut.
  if (x.value <= 0.0 && std::abs(y.value) <= 64.0 * y.error) return unknown;
  const double of_y = x.value / square, of_x = -y.value / square, slope = of_y * y.slope + of_x * x.slope;
  const double relative = (std::abs(x.value) * x.error + std::abs(y.value) * y.error) / square;
  const double size = std::abs(of_y * y.slope) + std::abs(of_x * x.slope);
  return {std::atan2(y.value, x.value),
          std::abs(of_y) * y.error + std::abs(of_x) * x.error + unit * std::numbers::pi, slope,
          std::abs(of_y) * y.slope_error + std::abs(of_x) * x.slope_error +
              (std::abs(y.slope) * x.error + std::abs(x.slope) * y.error) / square + 2.0 * relative * size +
              4.0 * unit * size};
}

using Elementary = Number (*)(const Number&);
constexpr std::pair<std::string_view, Elementary> functions[] = {
    {"sqrt", sqrt_of}, {"sin", sin_of},   {"cos", cos_of},   {"tan", tan_of},   {"exp", exp_of},
    {"log", log_of},   {"tanh", tanh_of}, {"abs", abs_of},   {"asin", asin_of}, {"acos", acos_of},
    {"atan", atan_of}, {"sinh", sinh_of}, {"cosh", cosh_of}, {"sign", sign_of}};

/// A table by the values and curvatures at its points, whose means the spline and its curvature are.
Number table_of(const TableFunction& table, const Number& a) {
  const double first = table.x.front(), period = table.x.back() - first;
  const double at = table.periodic ? a.value - std::floor((a.value - first) / period) * period : a.value;
  if (at < table.x.front() || at > table.x.back()) {
    if (table.beyond == Beyond::error) return unknown;
    const bool is_before = at < first;
    const double value = is_before ? table.y.front() : table.y.back();
    if (table.beyond == Beyond::hold) return {value};
    const double end = is_before ? first : table.x.back();
    const double inside = 0.5 * (end + (is_before ? table.x[1] : table.x[table.x.size() - 2]));
    // The line through the end: its slope is that of the cubic, half a piece away and by the mean curvature.
    const Number middle = table_of(table, {inside, 0.0, 1.0, 0.0});
    const std::size_t i = is_before ? 0 : table.x.size() - 1, j = is_before ? 1 : i - 1;
    const double curvature = 0.75 * table.curvature[i] + 0.25 * table.curvature[j];
    const double slope = middle.slope + (end - inside) * curvature;
    const double scale = std::abs(middle.slope) + std::abs((end - inside) * curvature) + middle.slope_error;
    return {value + slope * (at - end),
            std::abs(slope) * a.error + 8.0 * unit * (std::abs(value) + scale * std::abs(at - end)),
            slope * a.slope, std::abs(slope) * a.slope_error + 8.0 * unit * scale * std::abs(a.slope)};
  }
  const auto next = std::upper_bound(table.x.begin() + 1, table.x.end() - 1, at);
  const auto j = static_cast<std::size_t>(next - table.x.begin()), i = j - 1;
  const double h = table.x[j] - table.x[i], u = (table.x[j] - at) / h, w = (at - table.x[i]) / h;
  const double slack = 64.0 * a.error + unit * std::abs(a.value);
  // A corner is on one side or the other.
  if (table.has_corners() && a.error > 0.0 && (u * h < slack || w * h < slack)) return unknown;
  const double bend_i = table.curvature[i] * h * h / 6.0, bend_j = table.curvature[j] * h * h / 6.0;
  const double f = u * table.y[i] + w * table.y[j] - u * (1.0 - u * u) * bend_i - w * (1.0 - w * w) * bend_j;
  const double slope =
      (table.y[j] - table.y[i] + (1.0 - 3.0 * u * u) * bend_i - (1.0 - 3.0 * w * w) * bend_j) / h;
  const double second = 6.0 * (u * bend_i + w * bend_j) / (h * h);
  const double size =
      std::abs(table.y[i]) + std::abs(table.y[j]) + 8.0 * (std::abs(bend_i) + std::abs(bend_j));
  // The place is off by a rounding of the number, without the periods.
  const double off = a.error + unit * std::abs(a.value);
  return {
      f, std::abs(slope) * off + 8.0 * unit * size, slope * a.slope,
      std::abs(slope) * a.slope_error + (std::abs(second) * off + 8.0 * unit * size / h) * std::abs(a.slope)};
}

/// Values of the leaves, and the direction of the slopes.
struct State {
  std::vector<double> position, velocity, momentum, parameters, reaction;
  std::vector<double> along_position, along_velocity, along_momentum;
  double time = 0.0;

  Number at(Leaf leaf, int index) const {
    const auto i = static_cast<std::size_t>(index);
    switch (leaf) {
      case Leaf::position:
        return {position[i], 0.0, along_position[i], 0.0};
      case Leaf::velocity:
        return {velocity[i], 0.0, along_velocity[i], 0.0};
      case Leaf::momentum:
        return {momentum[i], 0.0, along_momentum[i], 0.0};
      case Leaf::reaction:
        return {reaction[i]};
      default:
        return {parameters[i]};
    }
  }
};

class Evaluator {
 public:
  Evaluator(const Scope& scope, std::string_view text, const State& state)
      : scope_(scope), state_(state), words_(tokens_of(text)), tokens_(&words_) {}

  std::vector<Number> whole() { return sum(); }

 private:
  /// Scalars have one entry; what a vector is the parser has looked at.
  using Entries = std::vector<Number>;

  const Token& now() const { return (*tokens_)[at_]; }
  bool taken(char symbol) {
    if (!now().is(symbol)) return false;
    ++at_;
    return true;
  }
  static Entries each(const Entries& a, const Entries& b, const std::function<Number(Number, Number)>& f) {
    Entries result;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      result.push_back(f(a[a.size() > 1 ? i : 0], b[b.size() > 1 ? i : 0]));
    return result;
  }
  static Entries plus(const Entries& a, const Entries& b) {
    return each(a, b, [](const Number& x, const Number& y) { return x + y; });
  }

  Entries sum() {
    Entries result = product();
    for (;;) {
      if (taken('+')) {
        result = plus(result, product());
      } else if (taken('-')) {
        result = each(result, product(), [](const Number& x, const Number& y) { return x + -y; });
      } else {
        return result;
      }
    }
  }
  Entries product() {
    Entries result = signed_power();
    for (;;) {
      if (taken('*')) {
        result = each(result, signed_power(), [](const Number& x, const Number& y) { return x * y; });
      } else if (taken('/')) {
        result =
            each(result, signed_power(), [](const Number& x, const Number& y) { return x * reciprocal(y); });
      } else {
        return result;
      }
    }
  }
  Entries signed_power() {
    bool negative = false;
    for (; now().is('-') || now().is('+'); ++at_) negative ^= now().is('-');
    Entries result = power();
    if (negative)
      for (Number& entry : result) entry = -entry;
    return result;
  }
  Entries power() {
    const Entries base = item();
    if (!taken('^')) return base;
    const std::size_t begin = at_;
    const Number e = signed_power().front();
    if (is_of_numbers(begin)) return {power_of(base.front(), e.value)};
    return {exp_of(e * log_of(base.front()))};
  }
  /// From there to here nothing has a name but numbers.
  bool is_of_numbers(std::size_t begin) const {
    const auto is_number = [&](const Token& token) {
      if (token.kind != Kind::name) return true;
      if (const Argument* argument = find(arguments_, token.text)) return argument->is_number;
      return find(indices_, token.text) || find(scope_.constants, token.text);
    };
    return std::all_of(tokens_->begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_->begin() + static_cast<std::ptrdiff_t>(at_), is_number);
  }
  Entries item() {
    Entries result = primary();
    for (;;) {
      if (taken('[')) {
        const auto index = static_cast<std::size_t>(sum().front().value);
        taken(']');
        result = {result[index]};
      } else if (taken('\'')) {
        result = of_coordinates(result, Leaf::velocity);
      } else {
        return result;
      }
    }
  }
  Entries of_coordinates(const Entries& coordinates, Leaf leaf) const {
    Entries result;
    for (const Number& one : coordinates)
      result.push_back(one.coordinate == none ? unknown : state_.at(leaf, one.coordinate));
    return result;
  }
  Entries primary() {
    const Token& token = now();
    ++at_;
    if (token.kind == Kind::number) return {Number{token.value}};
    if (token.is('(')) {
      Entries result = sum();
      taken(')');
      return result;
    }
    if (token.is('[')) {
      Entries result = sum();
      while (taken(',')) result.push_back(sum().front());
      taken(']');
      return result;
    }
    if (now().is('(')) return call(token);
    if (now().is('\'') && (*tokens_)[at_ + 1].is('(')) {
      ++at_;
      return slope_of(*find(scope_.functions, token.text));
    }
    if (const Argument* argument = find(arguments_, token.text)) return {argument->value};
    if (token.text == "pi") return {Number{std::numbers::pi}};
    if (token.text == "t") return {Number{state_.time}};
    if (const Constant* index = find(indices_, token.text))
      return {Number{static_cast<double>(index->value)}};
    if (const Constant* constant = find(scope_.constants, token.text))
      return {Number{static_cast<double>(constant->value)}};
    const auto name = std::ranges::find(scope_.names, token.text, &Scope::Name::name);
    if (name == scope_.names.end()) return body_of(*find(scope_.abbreviations, token.text), {});
    Entries result;
    for (int i = 0; i < name->count; ++i) {
      result.push_back(state_.at(name->leaf, name->first + i));
      if (name->leaf == Leaf::position) result.back().coordinate = name->first + i;
    }
    return result;
  }
  template <class Named>
  static const Named* find(const std::vector<Named>& all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &Named::name);
    return found == all.end() ? nullptr : &*found;
  }

  static Number dot(const Entries& a, const Entries& b) {
    Number result = a[0] * b[0];
    for (std::size_t i = 1; i < a.size(); ++i) result = result + a[i] * b[i];
    return result;
  }
  Entries call(const Token& function) {
    if (const Function* known = find(scope_.functions, function.text))
      return body_of(*known, arguments_of(*known));
    taken('(');
    if (function.text == "sum" || function.text == "list") return repeated(function.text == "sum");
    if (function.text == "where") return chosen();
    const Entries a = sum();
    const Entries b = taken(',') ? sum() : Entries();
    taken(')');
    for (const auto& [name, f] : functions)
      if (name == function.text) return {f(a.front())};
    if (function.text == "min") return {least(a.front(), b.front())};
    if (function.text == "max") return {-least(-a.front(), -b.front())};
    if (function.text == "atan2") return {atan2_of(a.front(), b.front())};
    if (function.text == "dot") return {dot(a, b)};
    if (function.text == "norm") return {sqrt_of(dot(a, a))};
    if (function.text == "p") return of_coordinates(a, Leaf::momentum);
    Entries result;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      result.push_back(a[j] * b[k] + -(a[k] * b[j]));
    }
    return result;
  }
  Entries chosen() {
    const Number left = sum().front();
    const std::string_view sign = now().text;
    ++at_;
    const Number right = sum().front();
    taken(',');
    Entries a = sum();
    taken(',');
    Entries b = sum();
    taken(')');
    const double x = left.value, y = right.value;
    const bool is_exact = left.error + right.error == 0.0 && !std::isnan(x - y);
    const bool known = is_exact || !are_close(left, right);
    const bool holds = sign == "<" ? x < y : sign == "<=" ? x <= y : sign == ">" ? x > y : x >= y;
    if (!known) std::ranges::fill(a, unknown);
    return holds || !known ? a : b;
  }

  struct Argument {
    std::string name;
    Number value;
    bool is_number;
  };
  using Arguments = std::vector<Argument>;
  Arguments arguments_of(const Function& function) {
    Arguments arguments;
    taken('(');
    for (const std::string& name : function.arguments) {
      const std::size_t begin = at_;
      const Number value = sum().front();
      arguments.push_back({name, value, is_of_numbers(begin)});
      taken(',');
    }
    taken(')');
    return arguments;
  }
  Entries body_of(const Function& function, Arguments arguments) {
    if (function.table) return {table_of(*function.table, arguments.front().value)};
    std::vector<Constant> indices;
    indices_.swap(indices);
    arguments_.swap(arguments);
    const std::vector<Token>* const tokens = tokens_;
    const std::size_t at = at_;
    Entries result;
    for (const Expression& expression : function.is) {
      const auto [words, is_new] = words_of_.try_emplace(&expression);
      if (is_new) words->second = tokens_of(expression.text);
      tokens_ = &words->second;
      at_ = 0;
      const Entries entries = sum();
      result.insert(result.end(), entries.begin(), entries.end());
    }
    tokens_ = tokens;
    at_ = at;
    arguments_.swap(arguments);
    indices_.swap(indices);
    return result;
  }
  /// By differences over one and two lengths; how far these two are apart is far more than the better one, of
  /// fourth order, is off by.
  Entries slope_of(const Function& function) {
    constexpr double length = 1e-3;
    const Arguments arguments = arguments_of(function);
    const auto moved = [&](double by) {
      Arguments other = arguments;
      other.front().value.value += by;
      other.front().value.coordinate = none;
      other.front().is_number = false;
      return body_of(function, other);
    };
    // The places themselves are rounded, and then divided by the length.
    const double misplaced = unit * (1.0 + std::abs(arguments.front().value.value) / length);
    const Entries above = moved(length), below = moved(-length), far_above = moved(2.0 * length),
                  far_below = moved(-2.0 * length);
    Entries result;
    for (std::size_t i = 0; i < above.size(); ++i) {
      const auto best = [&](double Number::*part, double Number::*error) {
        const double near = (above[i].*part - below[i].*part) / (2.0 * length),
                     wide = (far_above[i].*part - far_below[i].*part) / (4.0 * length);
        return std::pair{near + (near - wide) / 3.0, std::abs(near - wide) + misplaced * std::abs(near) +
                                                         (above[i].*error + below[i].*error) / length};
      };
      const auto [value, error] = best(&Number::value, &Number::error);
      const auto [slope, slope_error] = best(&Number::slope, &Number::slope_error);
      result.push_back({value, error, slope, slope_error});
    }
    return result;
  }

  Entries repeated(bool sums) {
    const std::string index(now().text);
    ++at_;
    taken(',');
    const int from = static_cast<int>(sum().front().value);
    taken(',');
    const int to = static_cast<int>(sum().front().value);
    taken(',');
    const std::size_t begin = at_;
    Entries result;
    indices_.push_back({index, from});
    for (int i = from; i <= to; ++i) {
      at_ = begin;
      indices_.back().value = i;
      const Entries term = sum();
      if (!sums || i == from)
        result.insert(result.end(), term.begin(), term.end());
      else
        result = plus(result, term);
    }
    indices_.pop_back();
    if (to < from) {
      for (int open = 0; open > 0 || !now().is(')'); ++at_)
        open += now().is('(') ? 1 : now().is(')') ? -1 : 0;
      result = {Number{0.0}};
    }
    taken(')');
    return result;
  }

  const Scope& scope_;
  const State& state_;
  std::vector<Token> words_;
  const std::vector<Token>* tokens_;  ///< the text, or an expression of a function
  std::size_t at_ = 0;
  std::map<const Expression*, std::vector<Token>> words_of_;
  Arguments arguments_;            ///< of the function that is being read
  std::vector<Constant> indices_;  ///< of the sums and lists that are being read
};

/// splitmix64, from -1 to 1.
class Random {
 public:
  double operator()() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return 2.0 * static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53 - 1.0;
  }
  std::vector<double> operator()(int count, double middle, double spread) {
    std::vector<double> result;
    for (int i = 0; i < count; ++i) result.push_back(middle + spread * (*this)());
    return result;
  }

 private:
  std::uint64_t state_ = 0;
};

/// Bounds of errors are to first order.
constexpr double certain = 64.0;
/// What is not finite on either side is outside the domain of a function, or at its edge.
bool differ(double a, double b, double error) {
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) > certain * error;
}

}  // namespace

void expect_agreement(const Scope& scope, std::string_view text) {
  int coordinates = 0, parameters = 0;
  for (const Scope::Name& name : scope.names)
    (name.leaf == Leaf::parameter ? parameters : coordinates) =
        std::max(name.leaf == Leaf::parameter ? parameters : coordinates, name.first + name.count);
  Graph graph;
  const Value value = parse_once(graph, scope, text);
  Random random;
  // The derivative of all entries together, each with a weight.
  std::vector<double> weights;
  NodeId weighted = graph.constant(0.0);
  for (const NodeId entry : value.entries) {
    weights.push_back(random());
    weighted = graph.add(weighted, graph.multiply(graph.constant(weights.back()), entry));
  }
  std::vector<NodeId> roots = value.entries;
  for (const Leaf kind : {Leaf::position, Leaf::velocity, Leaf::momentum})
    std::ranges::copy(gradient(graph, weighted, kind, coordinates), std::back_inserter(roots));

  const auto complain = [&](const char* what, double ours, double theirs) {
    throw Slip{0, std::string("is read in two ways, whose ") + what + " at a random state are " +
                      std::to_string(ours) + " and " + std::to_string(theirs) +
                      ": an error of livens, please report it"};
  };
  // Around 1, where roots and logarithms are, and around 0.
  for (const double middle : {1.0, 0.0}) {
    const double spread = middle == 0.0 ? 1.0 : 0.75;
    State state;
    for (std::vector<double>* part : {&state.position, &state.velocity, &state.momentum, &state.reaction})
      *part = random(coordinates, middle, spread);
    for (std::vector<double>* part : {&state.along_position, &state.along_velocity, &state.along_momentum})
      *part = random(coordinates, 0.0, 1.0);
    state.parameters = random(parameters, 1.0, 0.75);
    state.time = random();
    const std::vector<Number> judged = Evaluator(scope, text, state).whole();
    Values values;
    values.position = state.position;
    values.velocity = state.velocity;
    values.momentum = state.momentum;
    values.parameters = state.parameters;
    values.reaction = state.reaction;
    values.time = state.time;
    const std::vector<double> ours = evaluate(graph, roots, values);
    // Vectors of other lengths, and a norm in place of its vector, are in this, too.
    if (judged.size() != value.entries.size())
      complain("numbers of entries", static_cast<double>(value.entries.size()),
               static_cast<double>(judged.size()));
    double slope = 0.0, error = 0.0;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      if (differ(ours[i], judged[i].value, judged[i].error)) complain("values", ours[i], judged[i].value);
      slope += weights[i] * judged[i].slope;
      error += std::abs(weights[i]) * (judged[i].slope_error + unit * std::abs(judged[i].slope));
    }
    double by_graph = 0.0;
    std::size_t place = judged.size();
    for (const auto* along : {&state.along_position, &state.along_velocity, &state.along_momentum})
      for (const double part : *along) {
        by_graph += part * ours[place];
        error += unit * std::abs(part * ours[place++]);
      }
    if (differ(by_graph, slope, error)) complain("derivatives", by_graph, slope);
  }
}

bool Bounded::is_known() const { return std::isfinite(value) && std::isfinite(error); }

Bounded slope_by_velocity(const Scope& scope, std::string_view text, const Values& at,
                          std::span<const double> along) {
  const auto copy = [](std::span<const double> values) { return std::vector(values.begin(), values.end()); };
  State state;
  state.position = copy(at.position);
  state.velocity = copy(at.velocity);
  state.parameters = copy(at.parameters);
  state.time = at.time;
  state.along_position.assign(at.position.size(), 0.0);
  state.along_velocity = copy(along);
  const Number number = Evaluator(scope, text, state).whole().front();
  return {number.slope, certain * number.slope_error};
}

}  // namespace livens::expressions
