#include "expressions/code.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace livens::expressions {
namespace {

/// True for the operations that are written between their operands.
bool is_sign(Op op) { return op >= Op::add && op <= Op::divide; }
/// The kernels' name of any other.
const char* function_name(Op op) {
  switch (op) {
    case Op::sqrt:
      return "sqrt";
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::tanh:
      return "tanh";
    case Op::abs:
      return "abs";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::sign:
      return "sign";
    case Op::sinc:
      return "sinc";
    case Op::sinc_slope:
      return "sinc_slope";
    case Op::sinhc:
      return "sinhc";
    case Op::sinhc_slope:
      return "sinhc_slope";
    case Op::tanhc:
      return "tanhc";
    case Op::tanhc_slope:
      return "tanhc_slope";
    case Op::atanhc:
      return "atanhc";
    case Op::atanhc_slope:
      return "atanhc_slope";
    case Op::ratio:
      return "ratio";
    case Op::power_quotient:
      return "power_quotient";
    case Op::power_quotient_slope:
      return "power_quotient_slope";
    case Op::min:
      return "lesser_of";
    case Op::max:
      return "greater_of";
    case Op::atan2:
      return "atan2";
    case Op::less:
      return "less";
    case Op::less_or_equal:
      return "less_or_equal";
    case Op::kept:
      return "kept";
    case Op::asin_quotient:
      return "asin_quotient";
    case Op::asin_quotient_slope:
      return "asin_quotient_slope";
    case Op::log_quotient:
      return "log_quotient";
    case Op::log_quotient_slope:
      return "log_quotient_slope";
    case Op::atan_quotient:
      return "atan_quotient";
    case Op::atan_quotient_slope:
      return "atan_quotient_slope";
    case Op::table:
      return "table_value";
    case Op::table_quotient:
      return "table_quotient";
    default:
      return "table_quotient_slope";
  }
}
const char* sign_of_operation(Op op) {
  return op == Op::add ? " + " : op == Op::subtract ? " - " : op == Op::multiply ? " * " : " / ";
}

std::string leaf_text(const Node& node, const LeafNames& names) {
  const auto entry = [&](const char* of) { return std::string(of) + "[" + std::to_string(node.a) + "]"; };
  switch (node.leaf) {
    case Leaf::position:
      return entry(names.position);
    case Leaf::end:
      return entry(names.end);
    case Leaf::velocity:
      return entry(names.velocity);
    case Leaf::end_velocity:
      return entry(names.end_velocity);
    case Leaf::momentum:
      return entry(names.momentum);
    case Leaf::parameter:
      return entry(names.parameter);
    case Leaf::time:
      return names.time;
    case Leaf::end_time:
      return names.end_time;
    default:
      return names.step;
  }
}

constexpr std::array of_the_state = {Leaf::position, Leaf::end,  Leaf::velocity, Leaf::end_velocity,
                                     Leaf::momentum, Leaf::time, Leaf::end_time, Leaf::step};

/// A node's text. A product that is not named can become part of an fma.
enum class Shape { atom, product, other };
struct Fragment {
  std::string text;
  Shape shape = Shape::atom;
};

class Writer {
 public:
  Writer(const Graph& graph, std::span<const NodeId> roots, const LeafNames& names, Members* members)
      : g_(graph), names_(names), members_(members), varies_(depends_on(graph, of_the_state)) {
    count_uses(roots);
  }

  Code write(std::span<const NodeId> roots) {
    fragments_.resize(uses_.size());
    for (NodeId id = 0; id < static_cast<NodeId>(uses_.size()); ++id)
      if (uses_[at(id)] > 0) fragments_[at(id)] = fragment_of(id);
    for (const NodeId root : roots) code_.values.push_back(text(root));
    return std::move(code_);
  }

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }

  bool is_member(NodeId id) const {
    return members_ != nullptr && members_->takes(g_[id]) && !varies_[at(id)];
  }

  /// How often each node is an operand or a root; 0 where members stand before it.
  void count_uses(std::span<const NodeId> roots) {
    NodeId last = none;
    for (const NodeId root : roots) last = std::max(last, root);
    uses_.resize(at(last + 1));
    for (const NodeId root : roots) ++uses_[at(root)];
    for (NodeId id = last; id >= 0; --id) {
      if (uses_[at(id)] == 0 || is_member(id)) continue;
      const Node& node = g_[id];
      if (operands_of(node.op) > 0) ++uses_[at(node.a)];
      if (is_binary(node.op)) ++uses_[at(node.b)];
      if (node.is(Op::sin)) angles_[node.a].first = true;
      if (node.is(Op::cos)) angles_[node.a].second = true;
    }
  }

  Fragment fragment_of(NodeId id) {
    const Node& node = g_[id];
    if (node.is(Op::constant)) return {"Scalar(" + literal(node.value) + ")", Shape::atom};
    if (is_member(id)) return {members_->name(id), Shape::atom};
    if (node.is(Op::leaf)) return {leaf_text(node, names_), Shape::atom};
    if (node.is(Op::sin) || node.is(Op::cos)) {
      const auto& [sine, cosine] = angles_.at(node.a);
      if (sine && cosine)
        return {sine_and_cosine(node.a) + (node.is(Op::sin) ? ".sine" : ".cosine"), Shape::atom};
    }
    Fragment fragment = is_binary(node.op) ? binary(node) : unary(node);
    constexpr std::size_t longest = 60;
    if (uses_[at(id)] < 2 && fragment.text.size() <= longest) return fragment;
    const std::string name = "e" + std::to_string(names_used_++);
    code_.statements += "    const auto " + name + " = " + fragment.text + ";\n";
    return {name, Shape::atom};
  }
  std::string sine_and_cosine(NodeId angle) {
    std::string& name = pairs_[angle];
    if (name.empty()) {
      name = "s" + std::to_string(pairs_.size() - 1);
      code_.statements += "    const auto " + name + " = sine_cosine(" + text(angle) + ");\n";
    }
    return name;
  }

  const std::string& text(NodeId id) const { return fragments_[at(id)].text; }
  Shape shape(NodeId id) const { return fragments_[at(id)].shape; }
  /// An operand of + - * /.
  std::string operand(NodeId id) const { return shape(id) == Shape::atom ? text(id) : "(" + text(id) + ")"; }

  Fragment unary(const Node& node) const {
    if (node.is(Op::negate)) return {"-" + operand(node.a), Shape::other};
    return {opening(node) + text(node.a) + ")", Shape::atom};
  }
  /// A call up to its operands: a table is the first argument of its functions.
  std::string opening(const Node& node) const {
    const std::string name = function_name(node.op);
    if (!is_of_table(node.op)) return name + "(";
    return name + "<" + std::to_string(node.order) + ">(" +
           g_.tables()[static_cast<std::size_t>(node.table)]->class_name() + "{}, ";
  }
  /// The operands of a function, which are of one type.
  std::string both(const Node& node) const {
    const NodeId operands[] = {node.a, node.b};
    const auto number = [&](const NodeId& id) { return number_of(g_, std::span(&id, 1), names_); };
    if (number(node.a) == number(node.b)) return text(node.a) + ", " + text(node.b);
    const std::string common = number_of(g_, operands, names_);
    return common + "(" + text(node.a) + "), " + common + "(" + text(node.b) + ")";
  }
  Fragment fused(const char* function, NodeId product, const std::string& summand) const {
    const Node& node = g_[product];
    return {std::string(function) + "(" + text(node.a) + ", " + text(node.b) + ", " + summand + ")",
            Shape::atom};
  }
  Fragment binary(const Node& node) const {
    if (!is_sign(node.op)) return {opening(node) + both(node) + ")", Shape::atom};
    if (node.is(Op::add) || node.is(Op::subtract)) {
      const bool adds = node.is(Op::add);
      if (shape(node.b) == Shape::product) return fused(adds ? "fma" : "fnma", node.b, text(node.a));
      if (shape(node.a) == Shape::product)
        return fused("fma", node.a, adds ? text(node.b) : "-" + operand(node.b));
    }
    return {operand(node.a) + sign_of_operation(node.op) + operand(node.b),
            node.is(Op::multiply) ? Shape::product : Shape::other};
  }

  const Graph& g_;
  const LeafNames& names_;
  Members* members_;
  std::vector<bool> varies_;
  std::vector<int> uses_;
  std::map<NodeId, std::pair<bool, bool>> angles_;  ///< sin and cos of it are needed
  std::map<NodeId, std::string> pairs_;
  std::vector<Fragment> fragments_;
  int names_used_ = 0;
  Code code_;
};

}  // namespace

std::string Members::name(NodeId id) {
  const auto [place, is_new] = place_.try_emplace(id, nodes_.size());
  if (is_new) nodes_.push_back(id);
  return "k" + std::to_string(place->second);
}

std::string literal(double value) {
  if (!std::isfinite(value)) return "__builtin_nan(\"\")";
  std::array<char, 32> digits;
  std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

std::string number_of(const Graph& graph, std::span<const NodeId> nodes, const LeafNames& names) {
  std::string result;
  for (const auto& [leaf, number] : {std::pair{Leaf::position, names.position_number},
                                     {Leaf::end, names.end_number},
                                     {Leaf::velocity, names.velocity_number},
                                     {Leaf::end_velocity, names.end_velocity_number}}) {
    const auto has = [&, of = leaf](NodeId id) { return graph.has(id, of); };
    if (number == 0 || result.find(number) != result.npos || std::none_of(nodes.begin(), nodes.end(), has))
      continue;
    result = result.empty() ? std::string(1, number) : "Sum<" + result + ", " + number + ">";
  }
  return result.empty() ? "Scalar" : result;
}

std::string tables_of(const Graph& graph) {
  if (graph.tables().empty()) return "";
  std::string text = "#include \"kernels/math/tables.hpp\"\n";
  for (const auto& table : graph.tables()) {
    // A class that observes a system may have the tables of the system, too.
    const std::string name = table->class_name(), guard = "LIVENS_" + name;
    text += "\n#if !defined(" + guard + ")\n#define " + guard +
            "\nnamespace livens::inline LIVENS_ISA {\n\n" + table->class_text() +
            "\n}  // namespace livens::inline LIVENS_ISA\n#endif\n";
  }
  return text;
}

Code code_of(const Graph& graph, std::span<const NodeId> roots, const LeafNames& names, Members* members) {
  return Writer(graph, roots, names, members).write(roots);
}

std::string formula(const Graph& graph, NodeId root) {
  constexpr std::size_t longest = 600;
  const std::vector<bool> needed = reachable(graph, std::span(&root, 1));
  std::vector<std::string> text(needed.size());
  for (NodeId id = 0; id <= root; ++id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    const Node& node = graph[id];
    const auto of = [&](NodeId operand) -> const std::string& {
      return text[static_cast<std::size_t>(operand)];
    };
    const auto bracketed = [&](NodeId operand) {
      return of(operand).find(' ') == std::string::npos ? of(operand) : "(" + of(operand) + ")";
    };
    std::string& result = text[static_cast<std::size_t>(id)];
    if (node.is(Op::constant))
      result = literal(node.value);
    else if (node.is(Op::leaf))
      result = leaf_text(node, {});
    else if (node.is(Op::negate))
      result = "-" + bracketed(node.a);
    else if (node.is(Op::add) || node.is(Op::subtract))
      result = of(node.a) + sign_of_operation(node.op) + (node.is(Op::add) ? of(node.b) : bracketed(node.b));
    else if (is_sign(node.op))
      result = bracketed(node.a) + sign_of_operation(node.op) + bracketed(node.b);
    else
      result = std::string(function_name(node.op)) + "(" + of(node.a) +
               (is_binary(node.op) ? ", " + of(node.b) : "") + ")";
    if (result.size() > longest) result = "...";
  }
  return text[static_cast<std::size_t>(root)];
}

}  // namespace livens::expressions
