#include "expressions/observing_class.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "expressions/class_body.hpp"
#include "expressions/description.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/toml_text.hpp"

namespace livens::expressions {
namespace {

std::vector<Scope::Name> parameter_names(const SystemInfo& system) {
  std::vector<Scope::Name> names;
  int first = 0;
  for (const ParameterInfo& parameter : system.parameters) {
    names.push_back({parameter.name, Leaf::parameter, first, parameter.size(), parameter.size() > 1});
    first += parameter.size();
  }
  return names;
}

/// A part that is not finite whatever the state, such as 1/0.
bool has_infinite_part(const Graph& graph, NodeId root) {
  const std::vector<bool> needed = reachable(graph, std::span(&root, 1));
  for (NodeId id = 0; id <= root; ++id) {
    const Node& node = graph[id];
    if (!needed[static_cast<std::size_t>(id)]) continue;
    if (node.is(Op::divide) && graph.is_zero(node.b)) return true;
    if (node.is(Op::constant) && !std::isfinite(node.value)) return true;
  }
  return false;
}

NodeId read(Graph& graph, const Scope& scope, const std::string& expression, const Span& place) {
  try {
    const Value value = parse(graph, scope, expression);
    if (value.is_vector) refuse(place, "is a vector", "a scalar");
    if (has_infinite_part(graph, value.scalar()))
      refuse(place, "has a part that is not finite, such as a division by zero");
    return value.scalar();
  } catch (const Slip& slip) {
    refuse(place, slip, expression);
  } catch (const TooLarge&) {
    refuse(place, "grows beyond " + std::to_string(most_nodes) + " operations");
  }
}

class ObservingBody : ClassBody {
 public:
  ObservingBody(Graph& graph, const SystemInfo& system, std::string base)
      : ClassBody(graph, system.coordinates), system_(system), base_(std::move(base)) {
    names_.position = "node.q";
    names_.velocity = "node.v";
    names_.momentum = "node.p";
    names_.parameter = "given";
  }

  std::string write(const std::vector<NodeId>& observed, const std::vector<NodeId>& stops) {
    // What the base has of its own comes first, as in SystemInfo::sampled.
    if (!observed.empty())
      evaluated("sampled", "sampled_count", observed, static_cast<int>(system_.sampled.size()));
    if (!stops.empty()) evaluated("stop_values", "stop_count", stops, 0);
    return head() + body_ + "};\n\n}  // namespace livens::inline LIVENS_ISA\n";
  }

 private:
  void evaluated(const char* name, const char* count, const std::vector<NodeId>& roots, int of_base) {
    // Nothing is kept as a member: the system's own class is as it was.
    const Code code = code_of(g_, roots, names_, nullptr);
    std::string body;
    std::vector<std::string> values;
    if (of_base > 0) body += std::string("    const auto own = Base::") + name + "(node, t);\n";
    for (int k = 0; k < of_base; ++k) values.push_back("own[" + text(k) + "]");
    values.insert(values.end(), code.values.begin(), code.values.end());
    body += code.statements + "    return {{" + joined(values) + "}};\n";
    const std::string type = "Vec<Scalar, " + text(static_cast<int>(values.size())) + ">";
    body_ += std::string("  static constexpr int ") + count + " = " + text(static_cast<int>(values.size())) +
             ";\n";
    function(type + " " + name, "const Node& node, const Scalar& t", body);
  }

  std::string head() const {
    const std::string P = text(parameter_count(system_));
    return "\n#include \"kernels/math/quotients.hpp\"\n#include \"kernels/systems/shared/concept.hpp\"\n" +
           tables_of(g_) +
           "\nnamespace livens::inline LIVENS_ISA {\n\n"
           "// The system above with what a spec observes, and where it stops.\n"
           "template <class Scalar_>\nstruct " +
           std::string(observing_class_name) + " : " + base_ +
           "<Scalar_> {\n  using Scalar = Scalar_;\n  template <class Other>\n  using Over = " +
           std::string(observing_class_name) + "<Other>;\n  using Base = " + base_ +
           "<Scalar>;\n  using Node = NodeState<Scalar, " + text(d_) + ">;\n\n  Vec<Scalar, " + P +
           "> given;\n\n  LIVENS_HD explicit " + std::string(observing_class_name) + "(const Vec<Scalar, " +
           P + ">& parameters) : Base(parameters), given(parameters) {}\n\n";
  }

  const SystemInfo& system_;
  std::string base_;
};

}  // namespace

Scope names_at_nodes(const SystemInfo& system, const TextSystem* text) {
  const int d = system.coordinates;
  Scope scope;
  scope.velocities = scope.momenta = scope.time = true;
  // A text's own come first: where it has a coordinate q, that is what q means.
  if (text) {
    Description description = describe(parse_toml(text->identity(), text->name()), text->name());
    scope.names = names_of(description);
    scope.functions = std::move(description.functions);
  } else {
    scope.names = parameter_names(system);
  }
  for (const auto& [name, leaf] :
       {std::pair{"q", Leaf::position}, {"v", Leaf::velocity}, {"p", Leaf::momentum}})
    scope.names.push_back({name, leaf, 0, d, true});
  return scope;
}

Dependence dependence_of(const Scope& scope, const std::string& expression, const Span& place) {
  Graph graph;
  const NodeId root = read(graph, scope, expression, place);
  Dependence found{};
  for (const Leaf leaf : {Leaf::position, Leaf::velocity, Leaf::momentum, Leaf::time})
    found.varies = found.varies || depends(graph, root, leaf);
  for (const Scope::Name& name : scope.names)
    for (int k = name.first; name.leaf == Leaf::parameter && k < name.first + name.count; ++k)
      if (depends(graph, root, Leaf::parameter, k)) found.parameters.push_back(k);
  return found;
}

std::string observing_header(const SystemInfo& system, const Scope& scope, const std::string& base,
                             const std::string& header, std::span<const std::string> observed,
                             std::span<const std::string> stops) {
  Graph graph;
  const auto read_all = [&](std::span<const std::string> expressions, const char* key) {
    std::vector<NodeId> roots;
    for (const std::string& expression : expressions)
      roots.push_back(read(graph, scope, expression, {{"spec", 0, key}}));
    return roots;
  };
  const std::vector<NodeId> sampled = read_all(observed, "output.observe"),
                            stopping = read_all(stops, "output.stop");
  return header + ObservingBody(graph, system, base).write(sampled, stopping);
}

}  // namespace livens::expressions
