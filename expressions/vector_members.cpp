#include "expressions/vector_members.hpp"

#include <algorithm>

#include "expressions/derivatives.hpp"

namespace livens::expressions {
namespace {

std::size_t at(int row, int width, int column) { return static_cast<std::size_t>(row * width + column); }

std::string inertia_type(bool coupled) { return coupled ? "CoupledInertia" : "DiagonalInertia"; }

}  // namespace

void VectorMembers::vectors(const Mechanics& mechanics) {
  const VectorParts& parts = mechanics.vectors;
  if (parts.count() == 0) return;
  form(parts, mechanics.facts.damped);
  to_vectors(parts);
  from_vectors(parts);
  if (parts.dimension == 3 && parts.frames == 0 && !parts.coupled) slip(parts);
  if (!parts.tied) return;
  const std::string arm = one(parts.placed[2]);
  body_ += "  LIVENS_HD TiedPoint<Scalar> tied_point() const { return {inertia.mass(0, 0), " + arm + "}; }\n";
}

std::string VectorMembers::inertia_of_vectors(const VectorParts& parts, const std::vector<NodeId>& matrix,
                                              bool coupled) {
  const int n = parts.count();
  const std::string size = text(n);
  std::vector<std::string> entries;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      if (coupled || a == b) entries.push_back(one(matrix[at(a, n, b)]));
  return inertia_type(coupled) + "<Scalar, " + size + ", " + text(parts.dimension) + ">(" +
         (coupled ? "Mat<Scalar, " + size + ", " : "Vec<Scalar, ") + size + ">{{" + joined(entries) + "}})";
}

void VectorMembers::springs(const VectorParts& parts) {
  std::string types, coefficients, values, closing;
  for (const VectorSpring& spring : parts.springs) {
    const auto [name, constants] = law(spring.law);
    types += (types.empty() ? "Spring<" : ", Spring<") + name + ">";
    for (const NodeId entry : spring.coefficient)
      coefficients += (coefficients.empty() ? "" : ", ") + one(entry);
    values += "{{{" + constants + "}, " + one(spring.viscosity) + "}, ";
    closing += "}";
  }
  body_ += "  using Springs = SpringList<" + types + ">;\n";
  spring_values_ =
      "    f.spring = " + values + "{}" + closing + ";\n    f.coefficient = {{" + coefficients + "}};\n";
}

std::pair<std::string, std::string> VectorMembers::law(NodeId f) {
  const auto rate = [&](NodeId node, Leaf leaf) {
    return derivative(g_, std::span(&node, 1), leaf, 0).front();
  };
  LeafNames names;
  names.time = "sigma";
  names.end_time = "sigma1";
  Members constants(true);
  std::string functions;
  const auto add = [&](const std::string& name, const std::string& arguments, NodeId node) {
    const Code code = code_of(g_, std::span(&node, 1), names, &constants);
    functions += member_function("Scalar " + name, arguments,
                                 code.statements + "    return " + code.values.front() + ";\n");
  };
  const std::string of_one = "const Scalar& sigma", of_two = "const Scalar& sigma, const Scalar& sigma1";
  const NodeId slope = rate(f, Leaf::time), quotient = discrete_gradient_in_time(g_, f, 0).front();
  add("energy", of_one, f);
  add("slope", of_one, slope);
  add("curvature", of_one, rate(slope, Leaf::time));
  add("quotient", of_two, quotient);
  add("mean_curvature", of_two, g_.multiply(g_.constant(2.0), rate(quotient, Leaf::end_time)));
  std::string law = "    using Scalar = Scalar_;\n", values;
  for (const NodeId node : constants.nodes()) {
    law += "    Scalar " + constants.name(node) + ";\n";
    values += (values.empty() ? "" : ", ") + one(node);
  }
  law += functions;
  const auto found = std::find(laws_.begin(), laws_.end(), law);
  const std::string name = "Law" + text(static_cast<int>(found - laws_.begin()));
  if (found == laws_.end()) {
    laws_.push_back(law);
    body_ += "  /// f(sigma) of a spring.\n  struct " + name + " {\n" + law + "  };\n";
  }
  return {name, values};
}

void VectorMembers::form(const VectorParts& parts, bool damped) {
  const int n = parts.count();
  const auto all = [&](const std::vector<NodeId>& nodes) {
    std::vector<std::string> entries;
    for (const NodeId node : nodes) entries.push_back(one(node));
    return "{{" + joined(entries) + "}}";
  };
  // Viscous elements between particles stand beside springs.
  const bool dragged = damped && parts.springs.empty() && !parts.drag.empty();
  const bool weighted =
      std::any_of(parts.weight.begin(), parts.weight.end(), [&](NodeId w) { return !is_zero(w); });
  if (!parts.springs.empty()) springs(parts);
  body_ += "  /// q = S z + c with vectors z.\n  using Vectors = VectorForm<Scalar, " +
           inertia_type(parts.coupled) + ", VectorShape{.dimension = " + text(parts.dimension) +
           (parts.drifting > 0 ? ", .drifting = " + text(parts.drifting) : "") +
           (parts.free > 0 ? ", .free = " + text(parts.free) : "") + ", .unit = " + text(parts.unit) +
           ", .frames = " + text(parts.frames) + (weighted ? ", .weighted = true" : "") +
           (dragged ? ", .dragged = true" : "") + (is_zero(parts.level) ? "" : ", .raised = true") +
           (parts.momentum_maps > 0 ? ", .momentum_maps = " + text(parts.momentum_maps) : "") +
           std::string("}") + (parts.springs.empty() ? "" : ", Springs") + ">;\n";
  std::string body =
      "    Vectors f;\n    f.inertia = " + inertia_of_vectors(parts, parts.inertia, parts.coupled) +
      ";\n    f.weight = " + all(parts.weight) + ";\n    f.constraint_scale = " + all(parts.scale) + ";\n";
  if (dragged) body += "    f.drag = " + all(parts.drag) + ";\n";
  body += spring_values_;
  if (!is_zero(parts.level)) body += "    f.level = " + one(parts.level) + ";\n";
  function("Vectors vector_form", "", body + "    return f;\n");
  if (parts.metric.empty()) return;
  body_ += "  /// S^T S.\n";
  const std::string type =
      inertia_type(parts.coupled_metric) + "<Scalar, " + text(n) + ", " + text(parts.dimension) + ">";
  function(type + " coordinate_metric", "",
           "    return " + inertia_of_vectors(parts, parts.metric, parts.coupled_metric) + ";\n");
}

NodeId VectorMembers::sum_of(Leaf kind, int dimension, int component,
                             const std::function<NodeId(int)>& factor) {
  NodeId sum = g_.constant(0.0);
  for (int block = 0; block < d_ / dimension; ++block)
    sum = g_.add(sum, g_.multiply(factor(block), g_.leaf(kind, dimension * block + component)));
  return sum;
}

void VectorMembers::to_vectors(const VectorParts& parts) {
  const int D = parts.dimension, n = parts.count(), blocks = d_ / D;
  std::vector<NodeId> state;  // z, then p
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < D; ++i)
      state.push_back(g_.multiply(parts.per_length[static_cast<std::size_t>(b)],
                                  sum_of(Leaf::position, D, parts.component(i),
                                         [&](int block) { return parts.taken[at(b, blocks, block)]; })));
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < D; ++i)
      state.push_back(sum_of(Leaf::momentum, D, parts.component(i),
                             [&](int block) { return parts.placed[at(block, n, b)]; }));
  const Code code = code_of(g_, state, names_, &members_);
  const auto middle = code.values.begin() + D * n;
  function("typename Vectors::State to_vectors", "const Position& q, const Position& p",
           code.statements + "    return {{{" + joined({code.values.begin(), middle}) + "}}, {{" +
               joined({middle, code.values.end()}) + "}}};\n");
}

/// FourParticle::coordinate_slip().
void VectorMembers::slip(const VectorParts& parts) {
  std::vector<std::string> entries;
  for (const NodeId entry : parts.slip) entries.push_back(one(entry));
  const std::string type = "Mat<Scalar, " + text(parts.drifting + parts.free) + ", " + text(parts.unit) + ">";
  function(type + " coordinate_slip", "", "    return {{" + joined(entries) + "}};\n");
}

void VectorMembers::from_vectors(const VectorParts& parts) {
  const int D = parts.dimension, n = parts.count();
  std::vector<NodeId> position, velocity;
  for (int block = 0; block < d_ / D; ++block)
    for (int component = 0; component < D; ++component) {
      int i = 0;
      while (parts.component(i) != component) ++i;
      NodeId x = g_.constant(0.0), v = x;
      for (int b = 0; b < n; ++b) {
        const NodeId share = parts.placed[at(block, n, b)];
        x = g_.add(x, g_.multiply(share, g_.leaf(Leaf::position, D * b + i)));
        v = g_.add(v, g_.multiply(share, g_.leaf(Leaf::velocity, D * b + i)));
      }
      position.push_back(g_.add(x, parts.offset[at(block, D, component)]));
      velocity.push_back(v);
    }
  names_.position = "s.z";
  names_.velocity = "rate";
  const Code at_node = code_of(g_, position, names_, &members_),
             moving = code_of(g_, velocity, names_, &members_);
  names_.position = "q";
  names_.velocity = "v";
  const std::string type = "NodeState<Scalar, " + text(d_) + ">";
  function(type + " from_vectors", "const typename Vectors::State& s",
           "    " + type + " n;\n    const auto rate = vector_form().inertia.solve(s.p);\n    {\n" +
               at_node.statements + "    n.q = {{" + joined(at_node.values) + "}};\n    }\n" +
               moving.statements + "    n.v = {{" + joined(moving.values) +
               "}};\n    n.p = inertia.times(n.v);\n    return n;\n");
}

}  // namespace livens::expressions
