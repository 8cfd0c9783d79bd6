#include "expressions/dimensions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

namespace livens::expressions {
namespace {

/// Exponents of kg, m, s, A.
using Base = std::array<double, 4>;
constexpr std::array<const char*, 4> base_names = {"kg", "m", "s", "A"};

const std::map<std::string_view, Base> known_units = {
    {"kg", {1, 0, 0, 0}},  {"m", {0, 1, 0, 0}},   {"s", {0, 0, 1, 0}},   {"A", {0, 0, 0, 1}},
    {"N", {1, 1, -2, 0}},  {"J", {1, 2, -2, 0}},  {"W", {1, 2, -3, 0}},  {"Pa", {1, -1, -2, 0}},
    {"Hz", {0, 0, -1, 0}}, {"C", {0, 0, 1, 1}},   {"V", {1, 2, -3, -1}}, {"T", {1, 0, -2, -1}},
    {"F", {-1, -2, 4, 2}}, {"H", {1, 2, -2, -2}}, {"rad", {0, 0, 0, 0}}, {"1", {0, 0, 0, 0}}};
constexpr Base energy = {1, 2, -2, 0}, power = {1, 2, -3, 0}, action = {1, 2, -1, 0}, second = {0, 0, 1, 0},
               rate = {0, 0, -1, 0}, nothing = {};

/// "kg m^2/s^2"; a slash divides by the one factor behind it.
std::optional<Base> read_unit(std::string_view text) {
  Base result = nothing;
  bool any = false;
  for (double sign = 1.0; !text.empty();) {
    if (text.front() == ' ' || text.front() == '/') {
      if (text.front() == '/') sign = -1.0;
      text.remove_prefix(1);
      continue;
    }
    const std::string_view factor = text.substr(0, text.find_first_of(" /"));
    const std::size_t hat = factor.find('^');
    const auto unit = known_units.find(factor.substr(0, hat));
    if (unit == known_units.end()) return std::nullopt;
    int exponent = 1;
    if (hat != factor.npos) {
      const char* const end = factor.data() + factor.size();
      if (std::from_chars(factor.data() + hat + 1, end, exponent).ptr != end) return std::nullopt;
    }
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += sign * exponent * unit->second[i];
    text.remove_prefix(factor.size());
    sign = 1.0;
    any = true;
  }
  if (!any) return std::nullopt;
  return result;
}

std::string name_of(const Base& unit) {
  std::string result;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (unit[i] == 0.0) continue;
    result += (result.empty() ? "" : " ") + std::string(base_names[i]);
    if (unit[i] == 1.0) continue;
    std::array<char, 32> digits;
    result += "^" + std::string(digits.data(), std::to_chars(digits.data(), digits.data() + 32, unit[i]).ptr);
  }
  return result.empty() ? "1" : result;
}

/// A product of powers of known units and of the coordinates' units.
struct Dimension {
  Base base = nothing;
  std::vector<double> of_coordinates;  ///< exponents, one for each name; empty: none
  bool any = false;                    ///< of a number alone
};
Dimension combined(const Dimension& a, const Dimension& b, double exponent_of_b) {
  Dimension r = a;
  r.any = false;
  r.of_coordinates.resize(std::max(a.of_coordinates.size(), b.of_coordinates.size()));
  for (std::size_t i = 0; i < r.base.size(); ++i) r.base[i] += exponent_of_b * b.base[i];
  for (std::size_t i = 0; i < b.of_coordinates.size(); ++i)
    r.of_coordinates[i] += exponent_of_b * b.of_coordinates[i];
  return r;
}

/// What has been said about the coordinates' units, solved as it comes (Gauss and Jordan).
class Equations {
 public:
  /// The difference of two that must agree, as known units; nothing where they do, or can.
  std::optional<Base> add(const Dimension& a, const Dimension& b) {
    if (a.any || b.any) return std::nullopt;
    const Dimension difference = reduced(combined(a, b, -1.0));
    const auto& exponents = difference.of_coordinates;
    const auto pivot =
        std::find_if(exponents.begin(), exponents.end(), [](double e) { return std::abs(e) > 1e-9; });
    if (pivot == exponents.end()) {
      for (const double e : difference.base)
        if (std::abs(e) > 1e-9) return difference.base;
      return std::nullopt;
    }
    // unit(coordinate) = the rest to the power -1/exponent.
    Dimension rest = difference;
    const std::size_t coordinate = static_cast<std::size_t>(pivot - exponents.begin());
    const double exponent = *pivot;
    rest.of_coordinates[coordinate] = 0.0;
    const Dimension solution = combined({}, rest, -1.0 / exponent);
    for (auto& [other, known] : known_) known = replaced(known, coordinate, solution);
    known_[coordinate] = solution;
    return std::nullopt;
  }
  Dimension reduced(Dimension d) const {
    for (const auto& [coordinate, known] : known_) d = replaced(d, coordinate, known);
    return d;
  }

 private:
  static Dimension replaced(Dimension d, std::size_t coordinate, const Dimension& by) {
    if (coordinate >= d.of_coordinates.size() || d.of_coordinates[coordinate] == 0.0) return d;
    const double exponent = d.of_coordinates[coordinate];
    d.of_coordinates[coordinate] = 0.0;
    return combined(d, by, exponent);
  }
  std::map<std::size_t, Dimension> known_;
};

class Check {
 public:
  Check(const Description& text, const Mechanics& mechanics)
      : text_(text), m_(mechanics), complete_(!text.parameters.empty()) {
    for (const Parameter& p : text.parameters) {
      const auto unit = read_unit(p.unit);
      complete_ = complete_ && unit.has_value();
      for (std::size_t k = 0; k < p.defaults.size(); ++k) parameters_.push_back(unit.value_or(nothing));
    }
    for (std::size_t c = 0; c < text.coordinates.size(); ++c)
      coordinate_of_.resize(coordinate_of_.size() + static_cast<std::size_t>(text.coordinates[c].count), c);
  }

  std::vector<std::string> complaints() {
    if (!complete_) return {};
    for (std::size_t c = 0; c < text_.coordinates.size(); ++c)
      if (const auto unit = read_unit(text_.coordinates[c].unit)) {
        Dimension coordinate;
        coordinate.of_coordinates.resize(text_.coordinates.size());
        coordinate.of_coordinates[c] = 1.0;
        equations_.add(coordinate, Dimension{*unit, {}, false});
      }
    auto following = m_.following.begin();
    for (const Parameter& p : text_.parameters)
      if (p.follows) check(*p.follows, (following++)->second, Dimension{*read_unit(p.unit), {}, false});
    check(text_.kinetic, m_.kinetic, Dimension{energy, {}, false});
    if (text_.potential) check(*text_.potential, m_.potential, Dimension{energy, {}, false});
    if (text_.rayleigh) check(*text_.rayleigh, m_.dissipation, Dimension{power, {}, false});
    if (text_.dissipation_rate)
      check(*text_.dissipation_rate, m_.dissipation_rate, Dimension{rate, {}, false});
    for (const Rows* rows : {&m_.constraints, &m_.rates, &m_.momentum})
      for (const Row& row : *rows) check(*row.text, row.node, std::nullopt);
    return std::move(complaints_);
  }

 private:
  /// Walks the expression, one complaint at most; `wanted`: what it must be as a whole.
  void check(const Expression& expression, NodeId root, std::optional<Dimension> wanted) {
    const std::vector<bool> needed = reachable(m_.graph, std::span(&root, 1));
    std::vector<Dimension> of(needed.size());
    for (NodeId id = 0; id <= root; ++id)
      if (needed[static_cast<std::size_t>(id)] && !dimension(id, of, expression)) return;
    const Dimension& whole = of[static_cast<std::size_t>(root)];
    if (!wanted) return;
    if (const auto off = equations_.add(whole, *wanted))
      complain(expression, "is in " + shown(whole) + ", expected " + name_of(wanted->base));
  }

  bool dimension(NodeId id, std::vector<Dimension>& of, const Expression& expression) {
    const Node& node = m_.graph[id];
    Dimension& r = of[static_cast<std::size_t>(id)];
    const auto at = [&](NodeId operand) -> const Dimension& { return of[static_cast<std::size_t>(operand)]; };
    switch (node.op) {
      case Op::constant:
        r.any = true;
        return true;
      case Op::leaf:
        r = leaf(node);
        return true;
      case Op::negate:
      case Op::abs:
        r = at(node.a);
        return true;
      case Op::add:
      case Op::subtract:
        r = at(node.a).any ? at(node.b) : at(node.a);
        return agree(node, of, "a sum of ", expression);
      case Op::min:
      case Op::max:
        r = at(node.a).any ? at(node.b) : at(node.a);
        return agree(node, of, "the smaller or larger of ", expression);
      case Op::less:
      case Op::less_or_equal:
        return agree(node, of, "a comparison of ", expression);
      case Op::atan2:
        return agree(node, of, "atan2 of ", expression);
      case Op::sign:
        return true;
      case Op::kept:
        r = at(node.b);
        return true;
      case Op::table:
        return false;  // nobody has said what units its numbers have
      case Op::multiply:
      case Op::divide:
        r = combined(at(node.a), at(node.b), node.is(Op::multiply) ? 1.0 : -1.0);
        r.any = at(node.a).any && at(node.b).any;
        return true;
      case Op::sqrt:
        r = combined({}, at(node.a), 0.5);
        r.any = at(node.a).any;
        return true;
      default:
        if (!equations_.add(at(node.a), Dimension{})) return true;
        complain(expression, "a function of " + shown(at(node.a)) + "; expected a number without unit");
        return false;
    }
  }

  bool agree(const Node& node, const std::vector<Dimension>& of, const char* what,
             const Expression& expression) {
    const Dimension &a = of[static_cast<std::size_t>(node.a)], &b = of[static_cast<std::size_t>(node.b)];
    if (!equations_.add(a, b)) return true;
    complain(expression, what + shown(a) + " and " + shown(b));
    return false;
  }

  Dimension leaf(const Node& node) const {
    Dimension unit;
    if (node.leaf == Leaf::parameter) return {parameters_[static_cast<std::size_t>(node.a)], {}, false};
    if (node.leaf == Leaf::time) return {second, {}, false};
    unit.of_coordinates.resize(text_.coordinates.size());
    unit.of_coordinates[coordinate_of_[static_cast<std::size_t>(node.a)]] = 1.0;
    if (node.leaf == Leaf::velocity) return combined(unit, {second, {}, false}, -1.0);
    if (node.leaf == Leaf::momentum) return combined({action, {}, false}, unit, -1.0);
    return unit;
  }

  /// A unit as far as it is known.
  std::string shown(const Dimension& dimension) const {
    const Dimension known = equations_.reduced(dimension);
    std::string result = name_of(known.base);
    for (std::size_t c = 0; c < known.of_coordinates.size(); ++c)
      if (std::abs(known.of_coordinates[c]) > 1e-9)
        result += " and powers of the unit of " + text_.coordinates[c].name;
    return result;
  }
  void complain(const Expression& expression, const std::string& problem) {
    complaints_.push_back(printed(Mistake{expression.place, "the units do not agree: " + problem}));
  }

  const Description& text_;
  const Mechanics& m_;
  bool complete_;
  std::vector<Base> parameters_;
  std::vector<std::size_t> coordinate_of_;
  Equations equations_;
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> disagreeing_units(const Description& description, const Mechanics& mechanics) {
  return Check(description, mechanics).complaints();
}

}  // namespace livens::expressions
