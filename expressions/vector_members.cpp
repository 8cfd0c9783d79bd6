#include "expressions/vector_members.hpp"

#include <algorithm>
#include <utility>

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

std::string VectorMembers::inertia_of_vectors(const VectorParts& parts, std::span<const std::string> matrix,
                                              bool coupled) {
  const int n = parts.count();
  const std::string size = text(n);
  std::vector<std::string> entries;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      if (coupled || a == b) entries.push_back(matrix[at(a, n, b)]);
  return inertia_type(coupled) + "<Scalar, " + size + ", " + text(parts.dimension) + ">(" +
         (coupled ? "Mat<Scalar, " + size + ", " : "Vec<Scalar, ") + size + ">{{" + joined(entries) + "}})";
}

std::pair<std::string, std::vector<NodeId>> VectorMembers::law(NodeId f) {
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
  std::string law = "    using Scalar = Scalar_;\n";
  for (const NodeId node : constants.nodes()) law += "    Scalar " + constants.name(node) + ";\n";
  law += functions;
  const auto found = std::find(laws_.begin(), laws_.end(), law);
  const std::string name = "Law" + text(static_cast<int>(found - laws_.begin()));
  if (found == laws_.end()) {
    laws_.push_back(law);
    body_ += "  /// f(sigma) of a spring.\n  struct " + name + " {\n" + law + "  };\n";
  }
  return {name, constants.nodes()};
}

void VectorMembers::form(const VectorParts& parts, bool damped) {
  // Viscous elements between particles stand beside springs.
  const bool dragged = damped && parts.springs.empty() && !parts.drag.empty();
  const bool weighted =
      std::any_of(parts.weight.begin(), parts.weight.end(), [&](NodeId w) { return !is_zero(w); });
  // Schemes ask once and keep the answer: as members of the class, constants would be kept twice.
  std::vector<NodeId> nodes;
  const auto add = [&](const std::vector<NodeId>& list) {
    nodes.insert(nodes.end(), list.begin(), list.end());
  };
  for (const auto* list : {&parts.inertia, &parts.weight, &parts.scale, &parts.drag}) add(*list);
  std::vector<std::size_t> constants;
  std::string laws;
  for (const VectorSpring& spring : parts.springs) {
    const auto [name, of_law] = law(spring.law);
    laws += (laws.empty() ? "Spring<" : ", Spring<") + name + ">";
    constants.push_back(of_law.size());
    add(of_law);
    nodes.push_back(spring.viscosity);
  }
  for (const VectorSpring& spring : parts.springs)
    add({spring.coefficient.begin(), spring.coefficient.end()});
  nodes.push_back(parts.level);
  const Code code = code_of(g_, nodes, names_, nullptr);
  auto next = code.values.begin();
  const auto take = [&](std::size_t count) {
    const auto first = std::exchange(next, next + static_cast<std::ptrdiff_t>(count));
    return std::vector<std::string>(first, next);
  };
  if (!parts.springs.empty()) body_ += "  using Springs = SpringList<" + laws + ">;\n";
  body_ += "  /// q = S z + c with vectors z.\n  using Vectors = VectorForm<Scalar, " +
           inertia_type(parts.coupled) + ", VectorShape{.dimension = " + text(parts.dimension) +
           (parts.drifting > 0 ? ", .drifting = " + text(parts.drifting) : "") +
           (parts.free > 0 ? ", .free = " + text(parts.free) : "") + ", .unit = " + text(parts.unit) +
           ", .frames = " + text(parts.frames) + (weighted ? ", .weighted = true" : "") +
           (dragged ? ", .dragged = true" : "") + (is_zero(parts.level) ? "" : ", .raised = true") +
           (parts.momentum_maps > 0 ? ", .momentum_maps = " + text(parts.momentum_maps) : "") +
           std::string("}") + (parts.springs.empty() ? "" : ", Springs") + ">;\n";
  std::string body = code.statements + "    Vectors f;\n";
  body += "    f.inertia = " + inertia_of_vectors(parts, take(parts.inertia.size()), parts.coupled) + ";\n";
  body += "    f.weight = {{" + joined(take(parts.weight.size())) + "}};\n";
  body += "    f.constraint_scale = {{" + joined(take(parts.scale.size())) + "}};\n";
  const std::string drag = joined(take(parts.drag.size()));
  if (dragged) body += "    f.drag = {{" + drag + "}};\n";
  if (!parts.springs.empty()) {
    std::string springs, coefficients;
    for (const std::size_t count : constants) {
      springs += "{{{" + joined(take(count)) + "}, ";
      springs += take(1).front() + "}, ";
    }
    for (const VectorSpring& spring : parts.springs)
      coefficients += (coefficients.empty() ? "" : ", ") + joined(take(spring.coefficient.size()));
    body += "    f.spring = " + springs + "{}" + std::string(constants.size(), '}') +
            ";\n    f.coefficient = {{" + coefficients + "}};\n";
  }
  if (!is_zero(parts.level)) body += "    f.level = " + take(1).front() + ";\n";
  function("Vectors vector_form", "", body + "    return f;\n");
  if (!is_square(parts)) {
    // Its inverse takes divisions, and from_vectors() asks for it in every step.
    body_ += "  decltype(Vectors::inertia) inertia_of_vectors;\n";
    set_members_ += "    inertia_of_vectors = vector_form().inertia;\n";
  }
  if (parts.metric.empty()) return;
  body_ += "  /// S^T S.\n";
  const std::string type = inertia_type(parts.coupled_metric) + "<Scalar, " + text(parts.count()) + ", " +
                           text(parts.dimension) + ">";
  const Code metric = code_of(g_, parts.metric, names_, nullptr);
  function(type + " coordinate_metric", "",
           metric.statements + "    return " +
               inertia_of_vectors(parts, metric.values, parts.coupled_metric) + ";\n");
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
  const Code code = code_of(g_, state, names_, nullptr);
  const auto middle = code.values.begin() + D * n;
  function("typename Vectors::State to_vectors", "const Position& q, const Position& p",
           code.statements + "    return {{{" + joined({code.values.begin(), middle}) + "}}, {{" +
               joined({middle, code.values.end()}) + "}}};\n");
}

/// coordinate_slip(): what moves beside the unit vectors, and by what part of their way, where forces along them move all
/// particles as if they had one mass, as in ggl_mp.
void VectorMembers::slip(const VectorParts& parts) {
  const Code code = code_of(g_, parts.slip, names_, nullptr);
  const std::string type = "Mat<Scalar, " + text(parts.drifting + parts.free) + ", " + text(parts.unit) + ">";
  function(type + " coordinate_slip", "", code.statements + "    return {{" + joined(code.values) + "}};\n");
}

/// Where there are as many vectors as blocks of q, p = S^-T p_z; else v = S A^-1 p_z, whose entries depend on each other.
void VectorMembers::from_vectors(const VectorParts& parts) {
  const int D = parts.dimension, n = parts.count(), blocks = d_ / D;
  std::vector<NodeId> nodes, moving;  // q, then p or v
  for (int block = 0; block < blocks; ++block)
    for (int component = 0; component < D; ++component) {
      int i = 0;
      while (parts.component(i) != component) ++i;
      NodeId x = g_.constant(0.0), moves = x;
      for (int b = 0; b < n; ++b) {
        const NodeId share = parts.placed[at(block, n, b)];
        x = g_.add(x, g_.multiply(share, g_.leaf(Leaf::position, D * b + i)));
        const NodeId other =
            g_.multiply(parts.per_length[static_cast<std::size_t>(b)], parts.taken[at(b, blocks, block)]);
        moves = g_.add(moves, is_square(parts) ? g_.multiply(other, g_.leaf(Leaf::momentum, D * b + i))
                                               : g_.multiply(share, g_.leaf(Leaf::velocity, D * b + i)));
      }
      nodes.push_back(g_.add(x, parts.offset[at(block, D, component)]));
      moving.push_back(moves);
    }
  nodes.insert(nodes.end(), moving.begin(), moving.end());
  LeafNames names;
  names.position = "s.z";
  names.velocity = "rate";
  names.momentum = "s.p";
  const Code code = code_of(g_, nodes, names, nullptr);
  const auto middle = code.values.begin() + d_;
  const std::string type = "NodeState<Scalar, " + text(d_) + ">",
                    q = "    n.q = {{" + joined({code.values.begin(), middle}) + "}};\n",
                    values = " = {{" + joined({middle, code.values.end()}) + "}};\n";
  function(type + " from_vectors", "const typename Vectors::State& s",
           is_square(parts)
               ? code.statements + "    " + type + " n;\n" + q + "    n.p" + values +
                     "    n.v = inertia.solve(n.p);\n    return n;\n"
               : "    const auto rate = inertia_of_vectors.solve(s.p);\n" + code.statements + "    " + type +
                     " n;\n" + q + "    n.v" + values + "    n.p = inertia.times(n.v);\n    return n;\n");
}

}  // namespace livens::expressions
