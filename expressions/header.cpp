#include "expressions/header.hpp"

#include <algorithm>

#include "expressions/class_body.hpp"
#include "expressions/derivatives.hpp"
#include "expressions/mass_kind.hpp"

namespace livens::expressions {
namespace {

class HeaderWriter : ClassBody {
 public:
  HeaderWriter(const Description& description, Mechanics& mechanics, std::string class_name,
               const SystemInfo& info)
      : ClassBody(mechanics.graph, mechanics.facts.coordinates),
        text_(description),
        m_(mechanics),
        facts_(mechanics.facts),
        class_(std::move(class_name)),
        info_(info) {}

  std::string write() {
    potential();
    if (facts_.nonholonomic)
      contact();
    else if (facts_.constraints > 0)
      constraints();
    if (facts_.constant_mass)
      constant_mass();
    else
      variable_mass();
    if (has_damping_matrix()) damping();
    if (facts_.momentum_maps > 0)
      vector("momentum_map", "const Position& q, const Position& p",
             "Vec<Scalar, " + text(facts_.momentum_maps) + ">", nodes_of(m_.momentum));
    if (facts_.nonholonomic)
      body_ += "  LIVENS_HD Scalar dissipation_rate() const { return " + one(m_.dissipation_rate) + "; }\n";
    if (facts_.forced) vector("load", "const Scalar& t", "Position", m_.force);
    initial("initial_position", m_.initial_position);
    initial("initial_velocity", m_.initial_velocity);
    return opening() + description_struct() + class_head() + body_ +
           "};\n\n}  // namespace livens::inline LIVENS_ISA\n";
  }

 private:
  /// The full forms take M, V and C apart; livens for any M and the contact schemes ask for less.
  bool is_regular() const { return !facts_.nonholonomic && facts_.constant_mass && !facts_.singular_mass; }
  bool has_damping_matrix() const { return !facts_.nonholonomic && facts_.damped; }

  void potential() {
    const bool linear = facts_.linear_potential;
    body_ += "  /// (b).\n";
    scalar("potential", "const Position& q", m_.potential);
    NodeId scale = g_.constant(0.0);
    for (const NodeId term : m_.potential_terms) scale = g_.add(scale, g_.unary(Op::abs, term));
    scalar("potential_scale", "const Position& q", scale);
    vector("gradient", "const Position& q", "Position", m_.potential_gradient);
    body_ += std::string("  static constexpr bool linear_potential = ") + (linear ? "true" : "false") + ";\n";
    if (facts_.nonholonomic) return;
    body_ += "  static constexpr bool defines_discrete_gradient = true;\n";
    std::vector<NodeId> hessian(static_cast<std::size_t>(d_ * d_), g_.constant(0.0));
    if (!linear || !is_regular()) {
      const std::vector<NodeId> Dbar = discrete_gradient(g_, m_.potential, d_);
      names_.position = "q0";
      body_ += "  /// The discrete chain rule, operation by operation.\n";
      vector("discrete_gradient", "const Position& q0, const Position& q1", "Position", Dbar);
      if (is_regular()) {
        hessian = jacobian(m_.potential_gradient, Leaf::position);
        const std::vector<NodeId> slope = jacobian(Dbar, Leaf::end);
        matrix("discrete_gradient_jacobian", "const Position& q0, const Position& q1", slope);
        names_.position = "q";
        matrix("hessian", "const Position& q", hessian);
        // The quotient's Jacobian has entries where the Hessian has them; both are looked at.
        for (std::size_t e = 0; e < static_cast<std::size_t>(d_ * d_); ++e)
          if (is_zero(hessian[e])) hessian[e] = slope[e];
      }
      names_.position = "q";
    }
    if (!is_regular() && !facts_.damped) return;
    std::vector<bool> stiff = nonzero(hessian);
    for (std::size_t e = 0; e < m_.damping.size(); ++e) stiff[e] = stiff[e] || !is_zero(m_.damping[e]);
    pattern("stiff(int i, int j)", "i", stiff);
  }

  void constraints() {
    const int m = facts_.constraints;
    body_ += "  /// (c).\n";
    vector("constraints_at", "const Position& q", "Vec<Scalar, " + text(m) + ">", nodes_of(m_.constraints));
    matrix("constraint_jacobian", "const Position& q", m_.constraint_jacobian);
    pattern("constrains(int k, int j)", "k", nonzero(m_.constraint_jacobian));
    if (facts_.quadratic_constraints)
      by_value("curvature", "int k, int i, int j", text(d_) + " * k + i", m_.curvature);
    else
      matrix("curvature_at", "const Position& q", m_.curvature);
    pattern("curved(int k, int i, int j)", text(d_) + " * k + i", nonzero(m_.curvature));
  }

  void damping() { by_value("damping", "int i, int j", "i", m_.damping); }

  void mass_pattern() {
    body_ += "  struct MassPattern {\n  static constexpr int size = " + text(d_) + ";\n";
    pattern("nonzero(int i, int j)", "i", nonzero(m_.mass));
    body_ += "  };\n";
  }
  void constant_mass() {
    const MassKind kind = mass_kind(m_);
    body_ += "  /// (a).\n";
    if (kind.structure == MassKind::patterned) mass_pattern();
    body_ += "  using Inertia = " + inertia_type(kind) + ";\n  Inertia inertia;\n";
    std::vector<NodeId> values;
    if (kind.structure == MassKind::diagonal)
      for (int b = 0; b < kind.blocks; ++b)
        values.push_back(m_.mass_entry(b * kind.dimension, b * kind.dimension));
    else
      for (int a = 0; a < kind.blocks; ++a)
        for (int b = 0; b < kind.blocks; ++b)
          values.push_back(m_.mass_entry(a * kind.dimension, b * kind.dimension));
    const Code code = code_of(g_, values, names_, &members_);
    const std::string n = text(kind.blocks);
    if (kind.structure == MassKind::diagonal)
      set_inertia_ = "    inertia = Inertia(Vec<Scalar, " + n + ">{{" + joined(code.values) + "}});\n";
    else if (kind.structure == MassKind::coupled)
      set_inertia_ =
          "    inertia = Inertia(Mat<Scalar, " + n + ", " + n + ">{{" + joined(code.values) + "}});\n";
    else
      set_inertia_ = "    inertia.value = {{" + joined(code.values) + "}};\n";
    set_inertia_ = code.statements + set_inertia_;
  }
  std::string inertia_type(const MassKind& kind) const {
    const std::string blocks = text(kind.blocks) + ", " + text(kind.dimension) + ">";
    if (kind.structure == MassKind::diagonal) return "DiagonalInertia<Scalar, " + blocks;
    if (kind.structure == MassKind::coupled) return "CoupledInertia<Scalar, " + blocks;
    return "PatternedInertia<Scalar, MassPattern>";
  }

  void variable_mass() {
    const std::string state = "const Position& q, const Position& v";
    body_ += "  /// (a): M(q).\n";
    mass_pattern();
    body_ += std::string("  using Inertia = ") + (facts_.singular_mass ? "" : "Regular") +
             "PatternedInertia<Scalar, MassPattern>;\n";
    const Code code = code_of(g_, m_.mass, names_, &members_);
    std::string body = code.statements + "    Inertia M;\n";
    for (std::size_t e = 0; e < static_cast<std::size_t>(d_ * d_); ++e)
      if (!is_zero(m_.mass[e]))
        body += "    M.value(" + text(static_cast<int>(e) / d_) + ", " + text(static_cast<int>(e) % d_) +
                ") = " + code.values[e] + ";\n";
    function("Inertia inertia_of", "const Position& q", body + "    return M;\n");
    const std::vector<NodeId> DT = gradient(g_, m_.kinetic, Leaf::position, d_);
    body_ += "  /// D_q T(q, v).\n";
    vector("kinetic_gradient", state, "Position", DT);
    if (!facts_.nonholonomic) {
      names_.position = "q0";
      vector("discrete_kinetic_gradient", "const Position& q0, const Position& q1, const Position& v",
             "Position", discrete_gradient(g_, m_.kinetic, d_));
      names_.position = "q";
    }
    std::vector<bool> cyclic;
    for (int i = 0; i < d_; ++i)
      cyclic.push_back(!depends(g_, m_.kinetic, Leaf::position, i) &&
                       !depends(g_, m_.potential, Leaf::position, i));
    body_ += "  /// Coordinates that neither T nor V depends on.\n";
    listed("cyclic", cyclic);
    if (!facts_.nonholonomic) return;
    body_ += "  /// D_q (M(q) v).\n";
    const std::vector<NodeId> momentum = gradient(g_, m_.kinetic, Leaf::velocity, d_);
    matrix("inertia_slope", state, jacobian(momentum, Leaf::position));
    std::vector<bool> varies;
    for (int i = 0; i < d_; ++i) {
      bool any = false;
      for (int j = 0; j < d_; ++j) any = any || depends(g_, m_.mass_entry(i, j), Leaf::position);
      varies.push_back(any);
    }
    listed("inertia_varies", varies);
    matrix("kinetic_hessian", state, jacobian(DT, Leaf::position));
  }

  void contact() {
    const int m = facts_.constraints;
    body_ += "  /// (c).\n";
    matrix("constraint_matrix", "const Position& q", m_.rate_matrix);
    const bool affine =
        std::any_of(m_.rate_offset.begin(), m_.rate_offset.end(), [&](NodeId b) { return !is_zero(b); });
    if (affine)
      vector("constraint_offset", "const Position& q", "Vec<Scalar, " + text(m) + ">", m_.rate_offset);
    // A(q) v + h b(q).
    std::vector<NodeId> rates;
    for (int k = 0; k < m; ++k) {
      NodeId rate = g_.multiply(g_.leaf(Leaf::step), m_.rate_offset[static_cast<std::size_t>(k)]);
      for (int i = 0; i < d_; ++i)
        rate = g_.add(rate, g_.multiply(m_.rate_matrix[static_cast<std::size_t>(k * d_ + i)],
                                        g_.leaf(Leaf::velocity, i)));
      rates.push_back(rate);
    }
    const std::vector<NodeId> slope = jacobian(rates, Leaf::position);
    body_ += "  /// D_q (A(q) v + h b(q)).\n";
    matrix("constraint_slope", "const Position& q, const Position& v, const Scalar& h", slope);
    if (!facts_.chaplygin) {
      body_ +=
          "  LIVENS_HD auto constrained_increment(const Position& q, const Position& unconstrained,\n"
          "                                       const Scalar& s, const Scalar& h) const {\n"
          "    return increment_along_rows(*this, q, unconstrained, s, h);\n  }\n";
      return;
    }
    std::vector<bool> bends;
    for (int j = 0; j < d_; ++j) {
      bool any = false;
      for (int k = 0; k < m; ++k) any = any || !is_zero(slope[static_cast<std::size_t>(k * d_ + j)]);
      bends.push_back(any);
    }
    listed("bends", bends);
  }

  /// Once an instance: nothing of it is kept.
  void initial(const char* name, const std::vector<NodeId>& roots) {
    const Code code = code_of(g_, roots, names_, nullptr);
    function(std::string("Position ") + name, "",
             code.statements + "    return {{" + joined(code.values) + "}};\n");
  }

  /// Lines of comment, broken at blanks.
  static std::string comment(std::string_view text) {
    constexpr std::size_t widest = 100;
    std::string result;
    for (bool first = true; !text.empty(); first = false) {
      std::size_t length = text.size();
      if (length > widest) length = std::min(text.rfind(' ', widest), text.find(' ', widest));
      result += (first ? "//   " : "//       ") + std::string(text.substr(0, length)) + "\n";
      text.remove_prefix(std::min(text.size(), length == text.npos ? length : length + 1));
    }
    return result;
  }
  std::string opening() const {
    const auto line = [&](const std::string& label, NodeId id) { return comment(label + formula(g_, id)); };
    std::string result = "#pragma once\n// A system from a text, with generated names.\n";
    result += line("(a) T = ", m_.kinetic) + line("(b) V = ", m_.potential);
    for (const Row& row : m_.constraints) result += line("(c) g = ", row.node);
    for (std::size_t k = 0; k < m_.rate_offset.size(); ++k)
      result += "//   (c) A(q) v + b(q) = 0, row " + std::to_string(k) + "\n";
    return result +
           "\n#include \"kernels/math/quotients.hpp\"\n#include \"kernels/systems/shared/concept.hpp\"\n" +
           (facts_.nonholonomic && !facts_.chaplygin
                ? "#include \"kernels/systems/shared/constrained_increment.hpp\"\n\n"
                : "\n") +
           "namespace livens::inline LIVENS_ISA {\n\n";
  }
  std::string description_struct() const {
    static constexpr const char* domains[] = {"real", "non_negative", "positive"};
    std::string values, list;
    std::size_t entry = 0;
    for (std::size_t k = 0; k < text_.parameters.size(); ++k) {
      const Parameter& p = text_.parameters[k];
      const std::string name = "p" + std::to_string(k);
      std::vector<std::string> defaults;
      bool damps = false;
      for (const double value : p.defaults) {
        defaults.push_back(literal(value));
        damps = damps || m_.damps[entry++];
      }
      values += "  static constexpr double " + name + "[] = {" + joined(defaults) + "};\n";
      list += "      {.name = \"" + name + "\",\n       .symbol = \"" + name +
              "\",\n       .unit = \"\",\n       .meaning = \"\",\n       .domain = Domain::" +
              domains[static_cast<std::size_t>(p.domain)] + ",\n       .defaults = " + name +
              (damps ? ",\n       .damps = true" : "") + "},\n";
    }
    return "struct " + class_ + "Description {\n" + values +
           "  static constexpr ParameterInfo parameters[] = {\n" + list +
           "  };\n  static constexpr SystemInfo info = {.name = \"" + class_ +
           "\",\n                                      .meaning = \"\",\n"
           "                                      .paper = \"\",\n                                      "
           ".layout = \"\",\n"
           "                                      .coordinates = " +
           text(d_) + ",\n                                      .constraints = " + text(facts_.constraints) +
           ",\n                                      .momentum_maps = " + text(facts_.momentum_maps) +
           ",\n                                      .nonholonomic = " +
           (facts_.nonholonomic ? "true" : "false") +
           ",\n                                      .parameters = parameters,\n"
           "                                      .default_scheme = \"" +
           info_.default_scheme +
           "\",\n                                      .default_step = " + literal(info_.default_step) +
           ",\n                                      .default_end = " + literal(info_.default_end) +
           ",\n                                      .singular_mass = " +
           (facts_.singular_mass ? "true" : "false") + "};\n};\n\n";
  }
  std::string class_head() const {
    const std::string d = text(d_), P = text(text_.parameter_count());
    const std::string next = ",\n                                ";
    std::string bases = "Described<" + class_ + "Description>";
    if (!facts_.nonholonomic && facts_.constraints == 0) bases += next + "NoConstraints<Scalar_, " + d + ">";
    if (is_regular() && !facts_.damped) bases += next + "NoDamping<Scalar_>";
    if (facts_.momentum_maps == 0) bases += next + "NoMomentumMaps<Scalar_, " + d + ">";
    std::string result = "template <class Scalar_>\nstruct " + class_ + " : " + bases +
                         " {\n  using Scalar = Scalar_;\n  template <class Other>\n  using Over = " + class_ +
                         "<Other>;\n  using Position = Vec<Scalar, " + d + ">;\n\n  Vec<Scalar, " + P +
                         "> parameters;\n";
    std::vector<std::string> names;
    for (std::size_t k = 0; k < members_.nodes().size(); ++k) names.push_back("k" + std::to_string(k));
    if (!names.empty()) result += "  Scalar " + joined(names) + ";\n";
    result += "\n  LIVENS_HD explicit " + class_ + "(const Vec<Scalar, " + P +
              ">& parameter) : parameters(parameter) {\n";
    const Code code = code_of(g_, members_.nodes(), {}, nullptr);
    result += code.statements;
    for (std::size_t k = 0; k < names.size(); ++k)
      result += "    " + names[k] + " = " + code.values[k] + ";\n";
    return result + wrapped(set_inertia_) + "  }\n\n";
  }

  const Description& text_;
  Mechanics& m_;
  const TextFacts& facts_;
  std::string class_;
  const SystemInfo& info_;
  std::string set_inertia_;
};

}  // namespace

std::string header_of(const Description& description, Mechanics& mechanics, const std::string& class_name,
                      const SystemInfo& info) {
  return HeaderWriter(description, mechanics, class_name, info).write();
}

}  // namespace livens::expressions
