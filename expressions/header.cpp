#include "expressions/header.hpp"

#include <algorithm>
#include <cmath>

#include "expressions/derivatives.hpp"
#include "expressions/mass_kind.hpp"
#include "expressions/vector_members.hpp"

namespace livens::expressions {
namespace {

class HeaderWriter : VectorMembers {
 public:
  HeaderWriter(Mechanics& mechanics, std::string class_name, const SystemInfo& info, Gradients gradients)
      : VectorMembers(mechanics.graph, mechanics.facts.coordinates),
        m_(mechanics),
        facts_(mechanics.facts),
        class_(std::move(class_name)),
        info_(info),
        gradients_(gradients) {}

  std::string write() {
    if (!facts_.general) {
      potential();
      if (facts_.nonholonomic)
        contact();
      else if (facts_.constraints > 0)
        constraints();
    }
    if (facts_.constant_mass)
      constant_mass();
    else if (!facts_.general)
      variable_mass();
    if (facts_.momentum_maps > 0)
      vector("momentum_map", "const Position& q, const Position& p", nodes_of(m_.momentum));
    if (!facts_.general) {
      if (has_damping_matrix()) damping();
      if (facts_.nonholonomic)
        body_ += "  LIVENS_HD Scalar dissipation_rate() const { return " + one(m_.dissipation_rate) + "; }\n";
      if (facts_.forced) vector("load", "const Scalar& t", m_.force);
    }
    vectors(m_);
    if (facts_.has_general_terms()) general_terms();
    if (!m_.dropped.empty()) dropped_rows();
    initial("initial_position", m_.initial_position);
    initial("initial_velocity", m_.initial_velocity);
    return opening() + description_struct() + class_head() + body_ +
           "};\n\n}  // namespace livens::inline LIVENS_ISA\n";
  }

 private:
  bool has_damping_matrix() const { return !facts_.nonholonomic && facts_.damped; }

  void potential() {
    const bool linear = facts_.linear_potential;
    body_ += "  /// (b).\n";
    scalar("potential", "const Position& q", m_.potential);
    scalar("potential_scale", "const Position& q", potential_scale());
    vector("gradient", "const Position& q", m_.potential_gradient);
    body_ += std::string("  static constexpr bool linear_potential = ") + (linear ? "true" : "false") + ";\n";
    if (facts_.nonholonomic) return;
    if (gradients_ == Gradients::of_the_text)
      body_ += "  static constexpr bool defines_discrete_gradient = true;\n";
    std::vector<NodeId> hessian(static_cast<std::size_t>(d_ * d_), g_.constant(0.0));
    if (!linear) {
      const std::vector<NodeId> Dbar = discrete_gradient(g_, m_.potential, d_);
      const std::vector<NodeId> slope = jacobian(Dbar, Leaf::end);
      names_.position = "q0";
      body_ += "  /// The discrete chain rule, operation by operation.\n";
      vector("discrete_gradient", "const Position& q0, const Position& q1", Dbar);
      matrix("discrete_gradient_jacobian", "const Position& q0, const Position& q1", slope);
      names_.position = "q";
      hessian = jacobian(m_.potential_gradient, Leaf::position);
      matrix("hessian", "const Position& q", hessian);
      // The quotient's Jacobian has entries where the Hessian has them; both are looked at.
      for (std::size_t e = 0; e < static_cast<std::size_t>(d_ * d_); ++e)
        if (is_zero(hessian[e])) hessian[e] = slope[e];
    }
    std::vector<bool> stiff = nonzero(hessian);
    for (std::size_t e = 0; e < m_.damping.size(); ++e) stiff[e] = stiff[e] || !is_zero(m_.damping[e]);
    pattern("stiff(int i, int j)", "i", stiff);
  }

  /// Of functions of two places, of which the first is given.
  std::string ends() const {
    return "const Position& q0, const Scalar& t0, " + moved('Q', "q1") + ", const Scalar& t1";
  }

  NodeId potential_scale() {
    NodeId scale = g_.constant(0.0);
    for (const NodeId term : m_.potential_terms) scale = g_.add(scale, g_.unary(Op::abs, term));
    return scale;
  }

  /// A sum with those of its terms first that do not move, so that it is small, and finely rounded, where it ends: as it is
  /// typed, |u|^2 - 1 is rounded at 1, above which numbers are half as dense as below, and the mean of its errors is not zero
  /// (decision 37).
  NodeId still_first(NodeId row) {
    const auto is_still = [this](NodeId id) { return !g_.has(id, Leaf::position); };
    // The sum may have a factor.
    std::vector<Node> around;
    NodeId sum = row;
    for (;; sum = around.back().is(Op::multiply) && is_still(around.back().a) ? around.back().b
                                                                              : around.back().a) {
      const Node node = g_[sum];
      if (!node.is(Op::negate) && !(node.is(Op::multiply) && (is_still(node.a) || is_still(node.b))) &&
          !(node.is(Op::divide) && is_still(node.b)))
        break;
      around.push_back(node);
    }
    std::vector<std::pair<NodeId, bool>> terms = terms_of(sum);
    const auto moving =
        std::ranges::stable_partition(terms, is_still, &std::pair<NodeId, bool>::first).begin();
    if (moving == terms.begin()) return row;
    NodeId result = g_.constant(0.0);
    for (const auto& [term, is_negative] : terms)
      result = is_negative ? g_.subtract(result, term) : g_.add(result, term);
    for (auto node = around.rbegin(); node != around.rend(); ++node)
      result = node->is(Op::multiply) && is_still(node->a) ? g_.multiply(node->a, result)
                                                           : g_.again(*node, result, node->b);
    return result;
  }
  /// Terms of a sum as they are typed, and whether each is taken away; none of a sum with more of them than a text types.
  std::vector<std::pair<NodeId, bool>> terms_of(NodeId sum) const {
    std::vector<std::pair<NodeId, bool>> terms, left = {{sum, false}};
    while (!left.empty() && terms.size() + left.size() <= static_cast<std::size_t>(most_terms)) {
      const auto [id, is_negative] = left.back();
      left.pop_back();
      const Node node = g_[id];
      if (node.is(Op::add) || node.is(Op::subtract)) {
        left.emplace_back(node.b, is_negative != node.is(Op::subtract));
        left.emplace_back(node.a, is_negative);
      } else if (node.is(Op::negate)) {
        left.emplace_back(node.a, !is_negative);
      } else {
        terms.emplace_back(id, is_negative);
      }
    }
    return left.empty() ? terms : std::vector<std::pair<NodeId, bool>>();
  }
  std::vector<NodeId> position_rows() {
    std::vector<NodeId> rows = nodes_of(m_.constraints);
    for (NodeId& row : rows) row = still_first(row);
    return rows;
  }

  void constraints() {
    body_ += "  /// (c).\n";
    vector("constraints_at", "const Position& q", position_rows());
    matrix("constraint_jacobian", "const Position& q", m_.constraint_jacobian, Others::unspecified);
    pattern("constrains(int k, int j)", "k", nonzero(m_.constraint_jacobian));
    if (facts_.quadratic_constraints)
      by_value("curvature", "int k, int i, int j", text(d_) + " * k + i", m_.curvature);
    else
      matrix("curvature_at", "const Position& q", m_.curvature);
    pattern("curved(int k, int i, int j)", text(d_) + " * k + i", nonzero(m_.curvature));
  }

  void dropped_rows() {
    NodeId largest = g_.constant(0.0);
    for (const Row& row : m_.dropped) largest = g_.binary(Op::max, largest, g_.unary(Op::abs, row.node));
    names_.position = "n.q";
    const Code code = code_of(g_, std::span(&largest, 1), names_, &members_);
    body_ +=
        "  /// Of the rows that are dropped.\n  static constexpr int sampled_count = 1;\n"
        "  using Node = NodeState<Scalar, " +
        text(d_) + ">;\n";
    function("Vec<Scalar, 1> sampled", "const Node& n, const Scalar& t",
             code.statements + "    return {{" + code.values.front() + "}};\n");
    names_.position = "q";
  }

  void damping() { by_value("damping", "int i, int j", "i", m_.damping); }

  /// What kernels/systems/shared/general.hpp asks for; of t everywhere.
  void general_terms() {
    const std::string position = moved('Q', "q") + ", const Scalar& t",
                      state = moved('Q', "q") + ", " + moved('V', "v") + ", const Scalar& t";
    const auto any = [&](const std::vector<NodeId>& nodes) {
      return std::any_of(nodes.begin(), nodes.end(), [&](NodeId e) { return !is_zero(e); });
    };
    body_ += "  /// L = T - V and its parts.\n";
    if (facts_.general) {
      scalar("potential_scale", "const Position& q", at_start(potential_scale()));
      scalar("potential", "const Position& q", at_start(m_.potential));
      vector("gradient", "const Position& q", at_start(m_.potential_gradient));
    }
    scalar("potential", position, m_.potential);
    vector("lagrangian_gradient", state, gradient(g_, m_.lagrangian, Leaf::position, d_));
    scalar("lagrangian_rate", state, derivative(g_, std::span(&m_.lagrangian, 1), Leaf::time, 0).front());
    names_.position = "q0";
    names_.time = "t0";
    vector("discrete_lagrangian_gradient", ends() + ", " + moved('V', "v"),
           discrete_gradient_in_time(g_, m_.lagrangian, d_));
    names_.velocity = "v0";
    vector("mean_discrete_gradient", ends() + ", " + moved('V', "v0") + ", " + moved('W', "v1"),
           discrete_gradient_in_time(g_, mean_lagrangian(m_), d_));
    names_.velocity = "v";
    names_.position = "q";
    names_.time = "t";
    if (any(m_.shift)) {
      vector("shift", position, m_.shift);
      NodeId product = g_.constant(0.0);
      for (int i = 0; i < d_; ++i)
        product =
            g_.add(product, g_.multiply(m_.shift[static_cast<std::size_t>(i)], g_.leaf(Leaf::velocity, i)));
      const std::vector<NodeId> slope = gradient(g_, product, Leaf::position, d_);
      if (any(slope)) vector("shift_gradient", state, slope);
    }
    if (!is_zero(m_.offset)) scalar("offset", position, m_.offset);
    if (!facts_.constant_mass && facts_.general) mass_at_time();
    if (any(m_.force)) vector("force", state, m_.force);
    if (facts_.nonholonomic) {
      vector("potential_gradient", position, m_.potential_gradient);
      const bool of_state = std::any_of(m_.force.begin(), m_.force.end(), [&](NodeId e) {
        return depends(g_, e, Leaf::position) || depends(g_, e, Leaf::velocity);
      });
      const auto flag = [&](const char* name, bool holds) {
        body_ += std::string("  static constexpr bool ") + name + (holds ? " = true;\n" : " = false;\n");
      };
      flag("loads_of_time", !of_state);
      flag("mass_of_position", std::any_of(m_.mass.begin(), m_.mass.end(),
                                           [&](NodeId e) { return depends(g_, e, Leaf::position); }));
      flag("rows_of_time", facts_.constraints > facts_.velocity_rows ||
                               std::any_of(m_.rates.begin(), m_.rates.end(), [&](const Row& row) {
                                 return depends(g_, row.node, Leaf::time);
                               }));
    }
    if (facts_.general && facts_.nonholonomic)
      body_ += "  LIVENS_HD Scalar dissipation_rate() const { return " + one(m_.dissipation_rate) + "; }\n";
    std::vector<NodeId> resistance;
    if (m_.dissipation != none) resistance = gradient(g_, m_.dissipation, Leaf::velocity, d_);
    if (any(resistance)) vector("resistance", state, resistance);
    couplings(resistance);
    if (facts_.constraints > 0) couplings_of_rows();
    rows();
  }
  /// Where the balance of a coordinate depends on another one and its velocity.
  void couplings(const std::vector<NodeId>& resistance) {
    std::vector<std::vector<NodeId>> terms = {gradient(g_, m_.lagrangian, Leaf::position, d_),
                                              discrete_gradient_in_time(g_, m_.lagrangian, d_),
                                              m_.potential_gradient,
                                              m_.shift,
                                              m_.force,
                                              resistance};
    for (int j = 0; j < d_; ++j) {
      terms.emplace_back();
      for (int i = 0; i < d_; ++i) terms.back().push_back(m_.mass_entry(i, j));
    }
    std::vector<bool> coupled;
    for (int i = 0; i < d_; ++i) {
      std::vector<NodeId> row;
      for (const std::vector<NodeId>& nodes : terms)
        if (!nodes.empty()) row.push_back(nodes[static_cast<std::size_t>(i)]);
      const std::vector<bool> of_row = involved(row);
      coupled.insert(coupled.end(), of_row.begin(), of_row.end());
    }
    pattern("couples(int i, int j)", "i", coupled);
  }
  /// Where the entry of a row's derivative along one coordinate depends on another one.
  void couplings_of_rows() {
    const auto at = [](const std::vector<NodeId>& rows, int k, int columns, int i) {
      return rows[static_cast<std::size_t>(k * columns + i)];
    };
    std::vector<std::vector<NodeId>> mean;
    for (const Row& row : m_.constraints) mean.push_back(discrete_gradient_in_time(g_, row.node, d_));
    std::vector<bool> coupled;
    for (int i = 0; i < d_; ++i) {
      std::vector<NodeId> entries;
      for (int k = 0; k < static_cast<int>(mean.size()); ++k) {
        entries.push_back(at(m_.constraint_jacobian, k, d_, i));
        entries.push_back(mean[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)]);
      }
      for (int k = 0; k < facts_.velocity_rows; ++k) entries.push_back(at(m_.rate_matrix, k, d_, i));
      const std::vector<bool> of_entries = involved(entries);
      coupled.insert(coupled.end(), of_entries.begin(), of_entries.end());
    }
    pattern("rows_couple(int i, int j)", "i", coupled);
  }
  /// By coordinate: one of the nodes depends on it or on its velocity.
  std::vector<bool> involved(const std::vector<NodeId>& nodes) const {
    const std::vector<bool> needed = reachable(g_, nodes);
    std::vector<bool> result(static_cast<std::size_t>(d_));
    for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id) {
      const Node& node = g_[id];
      if (needed[static_cast<std::size_t>(id)] && node.is(Op::leaf) &&
          (node.leaf == Leaf::position || node.leaf == Leaf::end || node.leaf == Leaf::velocity))
        result[static_cast<std::size_t>(node.a)] = true;
    }
    return result;
  }
  void mass_at_time() {
    mass_pattern();
    varying_inertia();
    inertia_of(moved('Q', "q") + ", const Scalar& t");
  }
  /// g and A v + b.
  void rows() {
    const int m = facts_.constraints - facts_.velocity_rows, a = facts_.velocity_rows;
    const std::string position = moved('Q', "q") + ", const Scalar& t";
    body_ += "  static constexpr int position_rows = " + text(m) + ", velocity_rows = " + text(a) + ";\n";
    if (m > 0) {
      vector("constraints_at", position, position_rows());
      body_ += "  static constexpr bool curves(int k) {\n    constexpr bool row[] = {";
      for (int k = 0; k < m; ++k) {
        bool any = false;
        for (int e = 0; e < d_ * d_; ++e)
          any = any || !is_zero(m_.curvature[static_cast<std::size_t>(k * d_ * d_ + e)]);
        body_ += std::string(k > 0 ? ", " : "") + (any ? "true" : "false");
      }
      body_ += "};\n    return row[k];\n  }\n";
      slopes_of_rows("constraint", nodes_of(m_.constraints), m_.constraint_jacobian, m_.constraint_rate);
    }
    if (a > 0) {
      patterned_matrix("rate_matrix", position, m_.rate_matrix, d_);
      std::vector<bool> involves;
      for (const Row& row : m_.rates) {
        const std::vector<bool> of_row = involved({row.node});
        involves.insert(involves.end(), of_row.begin(), of_row.end());
      }
      pattern("rate_involves(int k, int j)", "k", involves);
      vector("rate_offset", position, m_.rate_offset);
    }
    if (facts_.impacts > 0) impacts();
  }
  /// What kernels/systems/shared/walls.hpp asks for.
  void impacts() {
    body_ += "  /// gap(q, t) >= 0.\n  static constexpr int walls = " + text(facts_.impacts) +
             ", kept_impacts = " + text(standard_kept_impacts) + ";\n";
    vector("gaps_at", moved('Q', "q") + ", const Scalar& t", m_.gaps);
    std::vector<NodeId> N;
    for (const NodeId gap : m_.gaps)
      for (const NodeId entry : gradient(g_, gap, Leaf::position, d_)) N.push_back(entry);
    slopes_of_rows("gap", m_.gaps, N, derivative(g_, m_.gaps, Leaf::time, 0));
    vector("restitutions", "", m_.restitutions);
  }
  /// The derivatives of rows f(q, t): D_q f, f_t, the change of D_q f, the discrete ones.
  void slopes_of_rows(const std::string& of, const std::vector<NodeId>& values,
                      const std::vector<NodeId>& slopes, const std::vector<NodeId>& rates) {
    const std::string position = moved('Q', "q") + ", const Scalar& t";
    patterned_matrix(of + "_jacobian", position, slopes, d_);
    vector(of + "_rate", position, rates);
    // Along the increments v and h.
    std::vector<NodeId> along = scaled(derivative(g_, slopes, Leaf::time, 0), Leaf::step, 0);
    for (int j = 0; j < d_; ++j)
      along = sum(along, scaled(derivative(g_, slopes, Leaf::position, j), Leaf::velocity, j));
    patterned_matrix(of + "_jacobian_change", position + ", " + moved('V', "v") + ", const Scalar& h", along,
                     d_);
    std::vector<NodeId> mean;
    for (const NodeId value : values)
      for (const NodeId entry : discrete_gradient_in_time(g_, value, d_)) mean.push_back(entry);
    std::vector<NodeId> change = scaled(derivative(g_, mean, Leaf::time, 0), Leaf::step, 0);
    change = sum(change, scaled(derivative(g_, mean, Leaf::end_time, 0), Leaf::step, 0));
    for (int j = 0; j < d_; ++j) {
      change = sum(change, scaled(derivative(g_, mean, Leaf::position, j), Leaf::velocity, j));
      change = sum(change, scaled(derivative(g_, mean, Leaf::end, j), Leaf::end_velocity, j));
    }
    names_.position = "q0";
    names_.time = "t0";
    names_.velocity = "v0";
    body_ += "  /// The discrete Jacobian, its last column that of t, and its change along v0, v1, h.\n";
    patterned_matrix("discrete_" + of + "_jacobian", ends(), mean, d_ + 1);
    patterned_matrix("discrete_" + of + "_change",
                     ends() + ", " + moved('V', "v0") + ", " + moved('W', "v1") + ", const Scalar& h", change,
                     d_ + 1);
    names_.position = "q";
    names_.time = "t";
    names_.velocity = "v";
  }
  std::vector<NodeId> scaled(std::vector<NodeId> nodes, Leaf kind, int index) {
    for (NodeId& node : nodes) node = g_.multiply(node, g_.leaf(kind, index));
    return nodes;
  }
  std::vector<NodeId> sum(std::vector<NodeId> a, const std::vector<NodeId>& b) {
    for (std::size_t e = 0; e < a.size(); ++e) a[e] = g_.add(a[e], b[e]);
    return a;
  }
  std::vector<NodeId> at_start(const std::vector<NodeId>& nodes) {
    return substitute(g_, nodes, Leaf::time, [&](int) { return g_.constant(0.0); });
  }
  NodeId at_start(NodeId node) { return at_start(std::vector<NodeId>{node}).front(); }

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
    set_members_ += code.statements;
    if (kind.structure == MassKind::diagonal)
      set_members_ += "    inertia = Inertia(Vec<Scalar, " + n + ">{{" + joined(code.values) + "}});\n";
    else if (kind.structure == MassKind::coupled)
      set_members_ +=
          "    inertia = Inertia(Mat<Scalar, " + n + ", " + n + ">{{" + joined(code.values) + "}});\n";
    else
      set_members_ += "    inertia.value = {{" + joined(code.values) + "}};\n";
  }
  std::string inertia_type(const MassKind& kind) const {
    const std::string blocks = text(kind.blocks) + ", " + text(kind.dimension) + ">";
    if (kind.structure == MassKind::diagonal) return "DiagonalInertia<Scalar, " + blocks;
    if (kind.structure == MassKind::coupled) return "CoupledInertia<Scalar, " + blocks;
    return "PatternedInertia<Scalar, MassPattern>";
  }

  void varying_inertia() {
    body_ += std::string("  template <class Number>\n  using InertiaOf = ") +
             (facts_.singular_mass ? "" : "Regular") +
             "PatternedInertia<Number, MassPattern>;\n  using Inertia = InertiaOf<Scalar>;\n";
  }
  void inertia_of(const std::string& arguments) {
    const LeafNames names = names_among(arguments);
    const Code code = code_of(g_, m_.mass, names, &members_);
    const std::string type = "InertiaOf<" + number_of(g_, m_.mass, names) + ">";
    std::string body = code.statements + "    " + type + " M;\n";
    for (std::size_t e = 0; e < static_cast<std::size_t>(d_ * d_); ++e)
      if (!is_zero(m_.mass[e]))
        body += "    M.value(" + text(static_cast<int>(e) / d_) + ", " + text(static_cast<int>(e) % d_) +
                ") = " + code.values[e] + ";\n";
    function(type + " inertia_of", arguments, body + "    return M;\n");
  }
  void variable_mass() {
    const std::string state = "const Position& q, const Position& v";
    body_ += "  /// (a): M(q).\n";
    mass_pattern();
    varying_inertia();
    inertia_of(moved('Q', "q"));
    const std::vector<NodeId> DT = gradient(g_, m_.kinetic, Leaf::position, d_);
    body_ += "  /// D_q T(q, v).\n";
    vector("kinetic_gradient", state, DT);
    std::vector<bool> cyclic;
    for (int i = 0; i < d_; ++i)
      cyclic.push_back(!depends(g_, m_.kinetic, Leaf::position, i) &&
                       !depends(g_, m_.potential, Leaf::position, i));
    body_ += "  /// Coordinates that neither T nor V depends on.\n";
    listed("cyclic", cyclic);
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
    if (affine) vector("constraint_offset", "const Position& q", m_.rate_offset);
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
    std::string result = "#pragma once\n// Written from the text of a system.\n";
    result += line("(a) T = ", m_.kinetic) + line("(b) V = ", m_.potential);
    for (const Row& row : m_.constraints) result += line("(c) g = ", row.node);
    for (const NodeId gap : m_.gaps) result += line("gap = ", gap);
    for (std::size_t k = 0; k < m_.rate_offset.size(); ++k)
      result += "//   (c) A(q) v + b(q) = 0, row " + std::to_string(k) + "\n";
    return result +
           "\n#include \"kernels/math/quotients.hpp\"\n#include \"kernels/systems/shared/concept.hpp\"\n" +
           (facts_.has_general_terms() ? "#include \"kernels/stepping/general_nodes.hpp\"\n" : "") +
           (facts_.nonholonomic && !facts_.chaplygin
                ? "#include \"kernels/systems/shared/constrained_increment.hpp\"\n"
                : "") +
           tables_of(g_) + "\nnamespace livens::inline LIVENS_ISA {\n\n";
  }
  /// As a literal of C++.
  static std::string word(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }
  static std::string truth(bool is) { return is ? "true" : "false"; }

  std::string description_struct() const {
    static constexpr const char* domains[] = {"real", "non_negative", "positive"};
    std::string values, list, sampled;
    for (const ParameterInfo& p : info_.parameters) {
      const std::string place = "p" + std::to_string(&p - info_.parameters.data());
      std::vector<std::string> defaults;
      for (const double value : p.defaults)
        defaults.push_back(std::isnan(value) ? "__builtin_nan(\"\")" : literal(value));
      values += "  static constexpr double " + place + "[] = {" + joined(defaults) + "};\n";
      list += "      {.name = " + word(p.name) + ",\n       .symbol = " + word(p.symbol) +
              ",\n       .unit = " + word(p.unit) + ",\n       .meaning = " + word(p.meaning) +
              ",\n       .domain = Domain::" + domains[static_cast<std::size_t>(p.domain)] +
              ",\n       .defaults = " + place +
              (p.derived ? ",\n       .derived = " + word(p.derived) : "") +
              (p.damps ? ",\n       .damps = true" : "") + "},\n";
    }
    if (!list.empty()) list = "  static constexpr ParameterInfo parameters[] = {\n" + list + "  };\n";
    for (const ObservableInfo& one : info_.sampled)
      sampled += "{" + word(one.name) + ", " + word(one.unit) + ", " + word(one.meaning) + "},";
    if (!sampled.empty()) list += "  static constexpr ObservableInfo sampled[] = {" + sampled + "};\n";
    std::vector<std::pair<const char*, std::string>> entries = {
        {"name", word(info_.name)},
        {"meaning", word(info_.meaning)},
        {"paper", word(info_.paper)},
        {"layout", word(info_.layout)},
        {"coordinates", text(d_)},
        {"constraints", text(facts_.constraints)},
        {"momentum_maps", text(facts_.momentum_maps)},
        {"nonholonomic", truth(facts_.nonholonomic)},
        {"parameters", info_.parameters.empty() ? "{}" : "parameters"},
        {"default_scheme", word(info_.default_scheme)},
        {"default_step", literal(info_.default_step)},
        {"default_end", literal(info_.default_end)},
        {"singular_mass", truth(facts_.singular_mass)}};
    if (!sampled.empty()) entries.emplace_back("sampled", "sampled");
    std::string info;
    for (const auto& [key, value] : entries)
      info += (info.empty() ? "{." : ",\n                                      .") + std::string(key) +
              " = " + value;
    return "struct " + class_ + "Description {\n" + values + list +
           "  static constexpr SystemInfo info = " + info + "};\n};\n\n";
  }
  /// What follows from others in the place of NaN, one after the other: one may follow from one before.
  std::string completed(const std::string& all) const {
    std::string body;
    for (const auto& [entry, value] : m_.following) {
      const Code code = code_of(g_, std::vector{value}, {}, nullptr);
      const std::string given = "parameters[" + text(entry) + "]";
      body += "    {";
      for (const char c :
           "\n" + code.statements + "    " + given + " = given_or(" + given + ", " + code.values[0] + ");")
        body += c == '\n' ? "\n  " : std::string(1, c);
      body += "\n    }\n";
    }
    return "\n  static LIVENS_HD " + all + " completed(" + all + " parameters) {\n" + wrapped(body) +
           "    return parameters;\n  }\n";
  }
  std::string class_head() const {
    const std::string d = text(d_), P = text(livens::parameter_count(info_));
    const std::string next = ",\n                                ";
    std::string bases = "Described<" + class_ + "Description>";
    if (!facts_.general && !facts_.nonholonomic && facts_.constraints == 0)
      bases += next + "NoConstraints<Scalar_, " + d + ">";
    if (!facts_.general && !facts_.nonholonomic && !facts_.damped) bases += next + "NoDamping<Scalar_>";
    if (facts_.momentum_maps == 0) bases += next + "NoMomentumMaps<Scalar_, " + d + ">";
    std::string result = "template <class Scalar_>\nstruct " + class_ + " : " + bases +
                         " {\n  using Scalar = Scalar_;\n  template <class Other>\n  using Over = " + class_ +
                         "<Other>;\n  using Position = Vec<Scalar, " + d + ">;\n\n  Vec<Scalar, " + P +
                         "> parameters;\n";
    std::vector<std::string> names;
    for (std::size_t k = 0; k < members_.nodes().size(); ++k) names.push_back("k" + std::to_string(k));
    if (!names.empty()) result += "  Scalar " + joined(names) + ";\n";
    const std::string all = "Vec<Scalar, " + P + ">";
    if (!m_.following.empty()) result += completed(all);
    result += "\n  LIVENS_HD explicit " + class_ + "(const " + all + "& parameter) : parameters(" +
              (m_.following.empty() ? "parameter" : "completed(parameter)") + ") {\n";
    const Code code = code_of(g_, members_.nodes(), {}, nullptr);
    result += code.statements;
    for (std::size_t k = 0; k < names.size(); ++k)
      result += "    " + names[k] + " = " + code.values[k] + ";\n";
    return result + wrapped(set_members_) + "  }\n\n";
  }

  Mechanics& m_;
  const TextFacts& facts_;
  std::string class_;
  const SystemInfo& info_;
  Gradients gradients_;
};

}  // namespace

std::string header_of(Mechanics& mechanics, const std::string& class_name, const SystemInfo& info,
                      Gradients gradients) {
  return HeaderWriter(mechanics, class_name, info, gradients).write();
}

}  // namespace livens::expressions
