#include "expressions/observing_class.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "expressions/class_body.hpp"
#include "expressions/description.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/reactions.hpp"
#include "expressions/toml_text.hpp"
#include "expressions/without_bodies.hpp"

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
    // Derivatives by a parameter go through those that follow from it, which are NaN among what is given.
    follows_ = std::ranges::any_of(system.parameters, [](const ParameterInfo& p) { return p.derived; });
    names_.parameter = follows_ ? "known" : "given";
    names_.end_velocity = "lambda";  // MotionAtNode::multiplier
  }

  /// `motion`: what reactions follow from; null where there are none.
  std::string write(const std::vector<NodeId>& observed, const std::vector<NodeId>& stops,
                    const std::vector<NodeId>& events, const Additions& additions,
                    const MotionAtNode* motion) {
    if (motion != nullptr) multipliers(*motion);
    // What the base has of its own comes first, as in SystemInfo::sampled.
    if (!observed.empty())
      evaluated("sampled", "sampled_count", observed, static_cast<int>(system_.sampled.size()));
    if (!stops.empty()) evaluated("stop_values", "stop_count", stops, 0);
    if (!events.empty()) {
      evaluated("event_values", "event_count", events, 0);
      std::vector<std::string> kept;
      for (const WatchedEvent& event : additions.events)
        kept.push_back("{" + text(event.info.direction) + ", " + text(event.info.keep) +
                       (event.info.state ? ", true}" : ", false}"));
      body_ += "  static constexpr EventInfo events[] = {" + joined(kept) + "};\n";
    }
    if (additions.kept_impacts > 0)
      body_ += "  static constexpr int kept_impacts = " + text(additions.kept_impacts) + ";\n";
    has_tangents_ = additions.tangents.has_value();
    if (has_tangents_) body_ += tangents(*additions.tangents);
    return head() + body_ + "};\n\n}  // namespace livens::inline LIVENS_ISA\n";
  }

 private:
  static std::string tangents(const CarriedTangents& carried) {
    const auto constant = [](const std::string& type, const char* name, const std::string& value) {
      return "    static constexpr " + type + " " + name + " = " + value + ";\n";
    };
    const auto array_of = [](const char* type, std::size_t count) {
      return "std::array<" + std::string(type) + ", " + std::to_string(count) + ">";
    };
    const auto truth = [](bool value) { return value ? "true" : "false"; };
    const auto origins = [](const std::vector<Origin>& entries) {
      constexpr const char* words[] = {"given", "own", "multiplied"};
      std::vector<std::string> values;
      for (const Origin one : entries)
        values.push_back("Origin::" + std::string(words[static_cast<int>(one)]));
      return "{{" + joined(values) + "}}";
    };
    std::vector<std::string> directions;
    for (const Direction& one : carried.of) {
      constexpr const char* words[] = {"q", "v", "p", "parameter", "step"};
      directions.push_back("{WithRespectTo::" + std::string(words[static_cast<int>(one.of)]) + ", " +
                           text(one.entry) + "}");
    }
    return "  struct Tangents {\n" + constant("bool", "state", truth(carried.state)) +
           constant("int", "directions", text(carried.directions)) +
           (carried.state ? ""
                          : constant(array_of("Direction", directions.size()), "of",
                                     "{{" + joined(directions) + "}}")) +
           constant(array_of("Origin", carried.q.size()), "q", origins(carried.q)) +
           constant(array_of("Origin", carried.v.size()), "v", origins(carried.v)) +
           constant("bool", "momentum", truth(carried.momentum)) +
           constant("bool", "projected", truth(carried.projected)) +
           constant("int", "exponents", text(carried.exponents)) +
           constant("int", "every", text(carried.every)) + "  };\n";
  }

  void evaluated(const char* name, const char* count, const std::vector<NodeId>& roots, int of_base) {
    // Nothing is kept as a member: the system's own class is as it was.
    const Code code = code_of(g_, roots, names_, nullptr);
    std::string body;
    std::vector<std::string> values;
    if (has_multipliers_ && count == std::string("sampled_count"))
      body += "    const auto lambda = multipliers_of_motion(node, t);\n";
    if (of_base > 0) body += std::string("    const auto own = Base::") + name + "(node, t);\n";
    for (int k = 0; k < of_base; ++k) values.push_back("own[" + text(k) + "]");
    values.insert(values.end(), code.values.begin(), code.values.end());
    body += code.statements + "    return {{" + joined(values) + "}};\n";
    const std::string type = "Vec<Scalar, " + text(static_cast<int>(values.size())) + ">";
    body_ += std::string("  static constexpr int ") + count + " = " + text(static_cast<int>(values.size())) +
             ";\n";
    function(type + " " + name, "const Node& node, const Scalar& t", body);
  }

  /// M a + G^T lambda = f and G a = c, by pivots, one instance at a time.
  void multipliers(const MotionAtNode& motion) {
    has_multipliers_ = true;
    const int n = d_ + motion.rows;
    std::vector<NodeId> entries;
    std::string filled;
    for (std::size_t e = 0; e < motion.matrix.size(); ++e)
      if (!is_zero(motion.matrix[e])) entries.push_back(motion.matrix[e]);
    entries.insert(entries.end(), motion.right.begin(), motion.right.end());
    const Code code = code_of(g_, entries, names_, nullptr);
    std::size_t next = 0;
    for (std::size_t e = 0; e < motion.matrix.size(); ++e)
      if (!is_zero(motion.matrix[e]))
        filled += "    A[" + std::to_string(e) + "] = widen(" + code.values[next++] + ");\n";
    for (int k = 0; k < n; ++k) filled += "    b[" + text(k) + "] = widen(" + code.values[next++] + ");\n";
    const std::string rows = text(motion.rows), result = "Vec<Scalar, " + rows + ">";
    function(result + " multipliers_of_motion", "const Node& node, const Scalar& t",
             code.statements + "    double A[" + text(n * n) + "] = {}, b[" + text(n) + "];\n" + filled +
                 "    const bool solved = solve_pivoted<" + text(n) + ">(A, b);\n    " + result +
                 " lambda;\n    for (int k = 0; k < " + rows + "; ++k)\n      lambda[k] = solved ? " +
                 "static_cast<Scalar>(b[" + text(d_) +
                 " + k]) : not_a_number<Scalar>();\n    return lambda;\n");
  }

  std::string head() const {
    const std::string P = text(parameter_count(system_));
    return std::string("\n#include \"kernels/math/quotients.hpp\"\n") +
           (has_tangents_ ? "#include \"kernels/description/tangent_info.hpp\"\n" : "") +
           (has_multipliers_ ? "#include \"kernels/newton/scheme.hpp\"\n" : "") +
           "#include \"kernels/systems/shared/concept.hpp\"\n" + tables_of(g_) +
           "\nnamespace livens::inline LIVENS_ISA {\n\n"
           "// The system above with what a spec observes, and where it stops.\n"
           "template <class Scalar_>\nstruct " +
           std::string(observing_class_name) + " : " + base_ +
           "<Scalar_> {\n  using Scalar = Scalar_;\n  template <class Other>\n  using Over = " +
           std::string(observing_class_name) + "<Other>;\n  using Base = " + base_ +
           "<Scalar>;\n  using Node = NodeState<Scalar, " + text(d_) + ">;\n\n  Vec<Scalar, " + P +
           "> given" + (follows_ ? ", known" : "") + ";\n\n  LIVENS_HD explicit " +
           std::string(observing_class_name) + "(const Vec<Scalar, " + P +
           ">& parameters) : Base(parameters), given(parameters)" +
           (follows_ ? ", known(Base::completed(parameters))" : "") + " {}\n\n";
  }

  bool follows_;
  const SystemInfo& system_;
  std::string base_;
  bool has_multipliers_ = false, has_tangents_ = false;
};

}  // namespace

Scope names_at_nodes(const SystemInfo& system, const TextSystem* text) {
  const int d = system.coordinates;
  Scope scope;
  scope.velocities = scope.momenta = scope.time = true;
  // A text's own come first: where it has a coordinate q, that is what q means.
  if (text) {
    const Description typed = describe(parse_toml(text->identity(), text->name()), text->name());
    Description description = without_bodies(typed);
    scope.names = names_of(description);
    for (int k = 0; k < static_cast<int>(typed.joints.size()); ++k) {
      const Joint& joint = typed.joints[static_cast<std::size_t>(k)];
      const int first = reactions_of_a_joint * k;
      scope.names.push_back({joint.name + ".force", Leaf::reaction, first, joint.planar ? 2 : 3, true});
      scope.names.push_back(
          {joint.name + ".torque", Leaf::reaction, first + 3, joint.planar ? 1 : 3, !joint.planar});
    }
    scope.functions = std::move(description.functions);
    scope.abbreviations = std::move(description.abbreviations);
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
  found.of_reactions = depends(graph, root, Leaf::reaction);
  for (const Leaf leaf : {Leaf::position, Leaf::velocity, Leaf::momentum, Leaf::time, Leaf::reaction})
    found.varies = found.varies || depends(graph, root, leaf);
  return found;
}

std::string observing_header(const SystemInfo& system, const TextSystem* text, const Scope& scope,
                             const std::string& base, const std::string& header, const Additions& additions) {
  Mechanics mechanics;
  Graph& graph = mechanics.graph;
  const auto read_all = [&](std::span<const std::string> expressions, const char* key) {
    std::vector<NodeId> roots;
    for (const std::string& expression : expressions)
      roots.push_back(read(graph, scope, expression, {{"spec", 0, key}}));
    return roots;
  };
  const bool has_reactions = std::ranges::any_of(
      additions.observed, [&](const std::string& one) { return dependence_of(scope, one, {}).of_reactions; });
  if (has_reactions) mechanics = text->mechanics();
  std::vector<std::string> when;
  for (const WatchedEvent& event : additions.events) when.push_back(event.when);
  std::vector<NodeId> sampled = read_all(additions.observed, "output.observe");
  const std::vector<NodeId> stopping = read_all(additions.stops, "output.stop"),
                            events = read_all(when, "output.event");
  if (!has_reactions)
    return header + ObservingBody(graph, system, base).write(sampled, stopping, events, additions, nullptr);
  const MotionAtNode motion = motion_at_node(mechanics);
  const Description typed = describe(parse_toml(text->identity(), text->name()), text->name());
  sampled = substitute(graph, sampled, Leaf::reaction,
                       [&](int index) { return reaction(mechanics, typed, scope, index); });
  return header + ObservingBody(graph, system, base).write(sampled, stopping, events, additions, &motion);
}

}  // namespace livens::expressions
