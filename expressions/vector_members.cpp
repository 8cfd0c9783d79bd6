#include "expressions/vector_members.hpp"

#include <algorithm>

namespace livens::expressions {
namespace {

std::size_t at(int row, int width, int column) { return static_cast<std::size_t>(row * width + column); }

}  // namespace

void VectorMembers::vectors(const Mechanics& mechanics) {
  const VectorParts& parts = mechanics.vectors;
  if (parts.count() == 0) return;
  form(parts, mechanics.facts.damped);
  to_vectors(parts);
  from_vectors(parts);
  if (!parts.tied) return;
  const std::string arm = one(parts.placed[2]);
  body_ += "  LIVENS_HD TiedPoint<Scalar> tied_point() const { return {inertia.mass(0, 0), " + arm + "}; }\n";
}

std::string VectorMembers::inertia_type(const VectorParts& parts) const {
  return parts.coupled ? "CoupledInertia" : "DiagonalInertia";
}

std::string VectorMembers::inertia_of_vectors(const VectorParts& parts, const std::vector<NodeId>& matrix) {
  const int n = parts.count();
  const std::string size = text(n);
  std::vector<std::string> entries;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      if (parts.coupled || a == b) entries.push_back(one(matrix[at(a, n, b)]));
  return inertia_type(parts) + "<Scalar, " + size + ", " + text(parts.dimension) + ">(" +
         (parts.coupled ? "Mat<Scalar, " + size + ", " : "Vec<Scalar, ") + size + ">{{" + joined(entries) +
         "}})";
}

void VectorMembers::form(const VectorParts& parts, bool damped) {
  const int n = parts.count();
  const auto all = [&](const std::vector<NodeId>& nodes) {
    std::vector<std::string> entries;
    for (const NodeId node : nodes) entries.push_back(one(node));
    return "{{" + joined(entries) + "}}";
  };
  const bool weighted =
      std::any_of(parts.weight.begin(), parts.weight.end(), [&](NodeId w) { return !is_zero(w); });
  body_ += "  /// q = S z + c with vectors z of fixed length.\n  using Vectors = VectorForm<Scalar, " +
           inertia_type(parts) + ", VectorShape{.dimension = " + text(parts.dimension) +
           ", .unit = " + text(parts.unit) + ", .frames = " + text(parts.frames) +
           (weighted ? ", .weighted = true" : "") + (damped ? ", .dragged = true" : "") +
           (is_zero(parts.level) ? "" : ", .raised = true") + "}>;\n";
  std::string body = "    Vectors f;\n    f.inertia = " + inertia_of_vectors(parts, parts.inertia) +
                     ";\n    f.weight = " + all(parts.weight) +
                     ";\n    f.constraint_scale = " + all(parts.scale) + ";\n";
  if (damped) body += "    f.drag = " + all(parts.drag) + ";\n";
  if (!is_zero(parts.level)) body += "    f.level = " + one(parts.level) + ";\n";
  function("Vectors vector_form", "", body + "    return f;\n");
  body_ += "  /// S^T S.\n";
  const std::string type = inertia_type(parts) + "<Scalar, " + text(n) + ", " + text(parts.dimension) + ">";
  function(type + " coordinate_metric", "", "    return " + inertia_of_vectors(parts, parts.metric) + ";\n");
}

void VectorMembers::to_vectors(const VectorParts& parts) {
  const int D = parts.dimension, n = parts.count();
  std::vector<NodeId> state;  // z, then p
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < D; ++i)
      state.push_back(g_.divide(
          g_.leaf(Leaf::position, D * parts.block[static_cast<std::size_t>(b)] + parts.component(i)),
          parts.length[static_cast<std::size_t>(b)]));
  for (int b = 0; b < n; ++b)
    for (int i = 0; i < D; ++i) {
      NodeId sum = g_.constant(0.0);
      for (int block = 0; block < d_ / D; ++block)
        sum = g_.add(sum, g_.multiply(parts.placed[at(block, n, b)],
                                      g_.leaf(Leaf::momentum, D * block + parts.component(i))));
      state.push_back(sum);
    }
  const Code code = code_of(g_, state, names_, &members_);
  const auto middle = code.values.begin() + D * n;
  function("typename Vectors::State to_vectors", "const Position& q, const Position& p",
           code.statements + "    return {{{" + joined({code.values.begin(), middle}) + "}}, {{" +
               joined({middle, code.values.end()}) + "}}};\n");
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
