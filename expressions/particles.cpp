#include "expressions/particles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "expressions/degree.hpp"
#include "expressions/derivatives.hpp"
#include "expressions/mass_kind.hpp"
#include "expressions/mechanics.hpp"

namespace livens::expressions {
namespace {

struct Rod {
  int from = -1, to = 0;  ///< particles, from the origin where `from` is none
  NodeId length, scale;   ///< g = scale (|u|^2 - 1)/2
};
/// A particle, or the centre of mass of the two on a rod.
struct FreeBody {
  std::vector<int> particles;
  NodeId mass;
};
/// f(|s|^2), s = sum c_b q_b; the first c_b that is not zero is 1.
struct Central {
  std::vector<double> c;
  NodeId law;
};

class ParticleFinder {
 public:
  explicit ParticleFinder(Mechanics& mechanics)
      : m_(mechanics),
        g_(mechanics.graph),
        d_(mechanics.facts.coordinates),
        n_(d_ / D),
        rod_of_(place(n_), -1),
        sigma_(g_.leaf(Leaf::time)) {}

  std::optional<VectorParts> find() {
    if (!has_blocks(g_, m_.mass, d_, D)) return {};
    for (int a = 0; a < n_; ++a)
      for (int b = 0; b < a; ++b)
        if (!g_.is_zero(of_blocks(m_.mass, a, b))) return {};
    if (!find_rods()) return {};
    find_bodies();
    // That the whole drifts takes one body from those that are free.
    if (too_many(static_cast<int>(bodies_.size()) - 1) || !find_forces() || !find_dampers()) return {};
    set_vectors();
    if (too_many(parts_.free) || static_cast<int>(springs_.size()) > most_springs) return {};
    return parts_;
  }

 private:
  static constexpr int D = 3;
  static constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();  ///< of decimals in c
  static constexpr int most_tried = 20 * most_springs;  ///< each takes as long as the text is
  static std::size_t place(int row, int width, int column) {
    return static_cast<std::size_t>(row * width + column);
  }
  static std::size_t place(int i) { return static_cast<std::size_t>(i); }
  bool too_many(int free) const {
    return D * free + (D - 1) * static_cast<int>(rods_.size()) > most_freedoms_of_particles;
  }
  NodeId zero() { return g_.constant(0.0); }
  NodeId one() { return g_.constant(1.0); }
  NodeId mass(int particle) const { return of_blocks(m_.mass, particle, particle); }
  NodeId of_blocks(const std::vector<NodeId>& matrix, int a, int b) const {
    return matrix[place(D * a, d_, D * b)];
  }
  NodeId at_zero(NodeId node, Leaf kind) {
    return substitute(g_, std::span(&node, 1), kind, [&](int) { return zero(); }).front();
  }
  bool is_zero(NodeId node) const { return g_.is_zero(node); }
  bool are_zero(const std::vector<NodeId>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) { return is_zero(node); });
  }

  bool find_rods() {
    for (int k = 0; k < m_.facts.constraints; ++k) {
      const auto first = m_.curvature.begin() + k * d_ * d_;
      const std::vector<NodeId> curvature(first, first + d_ * d_);
      if (!has_blocks(g_, curvature, d_, D)) return false;
      for (int i = 0; i < d_; ++i)
        if (!is_zero(at_zero(m_.constraint_jacobian[place(k, d_, i)], Leaf::position))) return false;
      std::vector<int> ends;
      for (int a = 0; a < n_; ++a)
        if (!are_zero({curvature.begin() + D * a * d_, curvature.begin() + (D * a + 1) * d_}))
          ends.push_back(a);
      if (ends.empty() || ends.size() > 2) return false;
      const NodeId factor = of_blocks(curvature, ends.back(), ends.back());
      if (ends.size() == 2 && (of_blocks(curvature, ends[0], ends[0]) != factor ||
                               of_blocks(curvature, ends[0], ends[1]) != g_.negate(factor)))
        return false;
      for (const int end : ends) {
        if (rod_of_[place(end)] >= 0) return false;
        rod_of_[place(end)] = k;
      }
      const NodeId constant = at_zero(m_.constraints[place(k)].node, Leaf::position);
      const NodeId scale = g_.multiply(g_.constant(-2.0), constant);
      rods_.push_back({ends.size() == 2 ? ends[0] : -1, ends.back(), length_of(g_, scale, factor), scale});
    }
    return true;
  }

  /// The terms of a sum with their signs and factors; a square of a vector is one.
  std::vector<NodeId> terms_of(NodeId sum, Leaf kind) {
    std::vector<NodeId> terms;
    std::vector<std::pair<NodeId, NodeId>> open = {{sum, one()}};  // with their factors
    while (!open.empty()) {
      const auto [id, factor] = open.back();
      open.pop_back();
      const Node node = g_[id];
      const bool is_sum = node.is(Op::add) || node.is(Op::subtract);
      if (is_sum && !as_square(id, kind)) {
        open.emplace_back(node.b, node.is(Op::subtract) ? g_.negate(factor) : factor);
        open.emplace_back(node.a, factor);
      } else if (node.is(Op::negate)) {
        open.emplace_back(node.a, g_.negate(factor));
      } else if (node.is(Op::multiply) && !g_.has(node.a, kind)) {
        open.emplace_back(node.b, g_.multiply(factor, node.a));
      } else if (node.is(Op::multiply) && !g_.has(node.b, kind)) {
        open.emplace_back(node.a, g_.multiply(factor, node.b));
      } else if (node.is(Op::divide) && !g_.has(node.b, kind)) {
        open.emplace_back(node.a, g_.divide(factor, node.b));
      } else {
        terms.push_back(g_.multiply(factor, id));
      }
    }
    return terms;
  }

  /// It is a polynomial of the second degree, and no longer than one of some vectors.
  bool may_be_square(NodeId node, Leaf kind) {
    constexpr std::size_t longest = 200;
    std::vector<NodeId> parts = {node};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Node& part = g_[parts[i]];
      const auto add = [&](NodeId operand) {
        if (g_.has(operand, kind) && std::find(parts.begin(), parts.end(), operand) == parts.end())
          parts.push_back(operand);
      };
      if (operands_of(part.op) > 0) add(part.a);
      if (is_binary(part.op)) add(part.b);
      if (parts.size() > longest) return false;
    }
    return degree_in(kind, g_, node).high == 2 && ++tried_ <= most_tried;
  }
  /// beta |s|^2 + e0 as a node of sigma, with c; nothing where the node is none of it.
  std::optional<Central> as_square(NodeId node, Leaf kind) {
    const auto [known, is_new] = squares_.try_emplace(node);
    if (is_new && may_be_square(node, kind)) known->second = read_square(node, kind);
    return known->second;
  }
  std::optional<Central> read_square(NodeId node, Leaf kind) {
    const std::vector<NodeId> slope = gradient(g_, node, kind, d_);
    for (const NodeId entry : slope)
      if (!is_zero(at_zero(entry, kind))) return {};
    std::vector<NodeId> second(place(d_ * d_));
    for (int j = 0; j < d_; ++j) {
      const std::vector<NodeId> column = derivative(g_, slope, kind, j);
      for (int i = 0; i < d_; ++i) {
        if (!g_[column[place(i)]].is(Op::constant)) return {};
        second[place(i, d_, j)] = column[place(i)];
      }
    }
    if (!has_blocks(g_, second, d_, D)) return {};
    const auto entry = [&](int a, int b) { return g_[of_blocks(second, a, b)].value; };
    int pivot = 0;
    while (pivot < n_ && entry(pivot, pivot) == 0.0) ++pivot;
    if (pivot == n_) return {};
    const double twice_beta = entry(pivot, pivot);
    Central square;
    for (int b = 0; b < n_; ++b) square.c.push_back(entry(pivot, b) / twice_beta);
    for (int a = 0; a < n_; ++a)
      for (int b = 0; b < n_; ++b)
        if (std::abs(entry(a, b) - twice_beta * square.c[place(a)] * square.c[place(b)]) >
            rounding * std::abs(entry(a, b)))
          return {};
    square.law = g_.add(g_.multiply(g_.constant(0.5 * twice_beta), sigma_), at_zero(node, kind));
    return square;
  }
  /// A term that depends on the leaves of a kind through one |s|^2 alone.
  std::optional<Central> as_central(NodeId term, Leaf kind) {
    const std::vector<bool> needed = reachable(g_, std::span(&term, 1));
    for (NodeId id = 0; id <= term; ++id) {
      if (!needed[place(id)] || !g_.has(id, kind) || !(g_[id].is(Op::add) || g_[id].is(Op::subtract)))
        continue;
      auto square = as_square(id, kind);
      if (!square) continue;
      const NodeId by = square->law;
      square->law =
          substitute(g_, std::span(&term, 1), [&](NodeId node) { return node == id ? by : none; }).front();
      if (!g_.has(square->law, kind)) return square;
    }
    return {};
  }
  Central& spring_along(const std::vector<double>& c) {
    auto found = std::find_if(springs_.begin(), springs_.end(), [&](const Central& spring) {
      return std::equal(c.begin(), c.end(), spring.c.begin(),
                        [](double a, double b) { return std::abs(a - b) <= rounding * std::abs(b); });
    });
    if (found != springs_.end()) return *found;
    viscosity_.push_back(zero());
    springs_.push_back({c, zero()});
    return springs_.back();
  }

  bool find_forces() {
    weight_.assign(place(d_), zero());
    parts_.level = zero();
    for (const NodeId term : terms_of(m_.potential, Leaf::position)) {
      const std::vector<NodeId> slope = gradient(g_, term, Leaf::position, d_);
      if (std::none_of(slope.begin(), slope.end(), [&](NodeId e) { return g_.has(e, Leaf::position); })) {
        for (int i = 0; i < d_; ++i) weight_[place(i)] = g_.add(weight_[place(i)], slope[place(i)]);
        parts_.level = g_.add(parts_.level, at_zero(term, Leaf::position));
      } else if (const auto central = as_central(term, Leaf::position)) {
        Central& spring = spring_along(central->c);
        spring.law = g_.add(spring.law, central->law);
      } else {
        return false;
      }
    }
    int axis = -1;
    for (int i = 0; i < d_; ++i) {
      if (is_zero(weight_[place(i)])) continue;
      if (axis >= 0 && axis != i % D) return false;
      axis = i % D;
    }
    parts_.axis = axis < 0 ? D - 1 : axis;
    return true;
  }
  bool find_dampers() {
    if (m_.dissipation == none) return true;
    for (const NodeId term : terms_of(m_.dissipation, Leaf::velocity)) {
      const auto central = as_central(term, Leaf::velocity);
      if (!central) return false;
      const NodeId slope = derivative(g_, std::span(&central->law, 1), Leaf::time, 0).front();
      if (g_.has(slope, Leaf::time)) return false;
      const Central& spring = spring_along(central->c);
      NodeId& viscosity = viscosity_[place(static_cast<int>(&spring - springs_.data()))];
      viscosity = g_.add(viscosity, g_.multiply(g_.constant(2.0), slope));
    }
    return true;
  }

  void find_bodies() {
    for (int b = 0; b < n_; ++b) {
      const int k = rod_of_[place(b)];
      if (k < 0)
        bodies_.push_back({{b}, mass(b)});
      else if (const Rod& rod = rods_[place(k)]; rod.from == b)
        bodies_.push_back({{b, rod.to}, g_.add(mass(b), mass(rod.to))});
    }
  }
  /// Nothing holds the whole: moving all particles alike changes neither V nor the rods.
  bool drifts() const {
    const bool held = std::any_of(rods_.begin(), rods_.end(), [](const Rod& rod) { return rod.from < 0; });
    const bool pulled = std::any_of(springs_.begin(), springs_.end(), [](const Central& spring) {
      double sum = 0.0, size = 0.0;
      for (const double c : spring.c) {
        sum += c;
        size += std::abs(c);
      }
      return std::abs(sum) > rounding * size;
    });
    return !held && !pulled && are_zero(weight_);
  }

  /// sum_b c_b q_b in the vectors: (a), (b).
  std::vector<NodeId> in_vectors(const std::vector<double>& c) {
    std::vector<NodeId> result(place(parts_.count()), zero());
    std::vector<double> of_body;
    for (const FreeBody& body : bodies_) {
      of_body.push_back(0.0);
      for (const int b : body.particles) of_body.back() += c[place(b)];
    }
    if (parts_.drifting == 0) {
      for (int i = 0; i < parts_.free; ++i) result[place(i)] = g_.constant(of_body[place(i)]);
    } else {
      double sum = of_body[0];
      for (int i = 1; i <= parts_.free; ++i) {
        sum += of_body[place(i)];
        const NodeId share = g_.divide(bodies_[place(i)].mass, mass_of_first_[place(i)]);
        result[place(i)] = g_.subtract(g_.constant(of_body[place(i)]), g_.multiply(g_.constant(sum), share));
      }
      result[0] = g_.constant(sum);
    }
    for (int k = 0; k < parts_.unit; ++k) {
      const Rod& rod = rods_[place(k)];
      NodeId& entry = result[place(parts_.drifting + parts_.free + k)];
      NodeId ends = g_.constant(c[place(rod.to)]);
      if (rod.from >= 0)
        ends = g_.subtract(g_.multiply(ends, share_of(rod, rod.from)),
                           g_.multiply(g_.constant(c[place(rod.from)]), share_of(rod, rod.to)));
      entry = g_.multiply(ends, rod.length);
    }
    return result;
  }
  /// m/(m_a + m_b).
  NodeId share_of(const Rod& rod, int particle) {
    return g_.divide(mass(particle), g_.add(mass(rod.from), mass(rod.to)));
  }
  /// The row of T for the centre of mass of a body.
  std::vector<NodeId> centre_of(const FreeBody& body) {
    std::vector<NodeId> row(place(n_), zero());
    for (const int b : body.particles)
      row[place(b)] = body.particles.size() == 1 ? one() : g_.divide(mass(b), body.mass);
    return row;
  }

  void set_vectors() {
    parts_.dimension = D;
    parts_.drifting = drifts() ? 1 : 0;
    parts_.free = static_cast<int>(bodies_.size()) - parts_.drifting;
    parts_.unit = static_cast<int>(rods_.size());
    std::vector<NodeId> inertia;
    const auto add_vector = [&](const std::vector<NodeId>& row, NodeId mass) {
      parts_.taken.insert(parts_.taken.end(), row.begin(), row.end());
      parts_.per_length.push_back(one());
      inertia.push_back(mass);
    };
    if (parts_.drifting == 0) {
      for (const FreeBody& body : bodies_) add_vector(centre_of(body), body.mass);
    } else {
      std::vector<NodeId> centre = centre_of(bodies_[0]), reduced;
      std::vector<std::vector<NodeId>> Jacobi;
      mass_of_first_ = {bodies_[0].mass};
      for (int i = 1; i <= parts_.free; ++i) {
        const NodeId before = mass_of_first_.back(), own = bodies_[place(i)].mass, both = g_.add(before, own);
        const std::vector<NodeId> next = centre_of(bodies_[place(i)]);
        const NodeId old_share = g_.divide(before, both), new_share = g_.divide(own, both);
        Jacobi.emplace_back();
        for (int b = 0; b < n_; ++b) {
          NodeId& mean = centre[place(b)];
          Jacobi.back().push_back(g_.subtract(next[place(b)], mean));
          mean = g_.add(g_.multiply(old_share, mean), g_.multiply(new_share, next[place(b)]));
        }
        reduced.push_back(g_.divide(g_.multiply(before, own), both));
        mass_of_first_.push_back(both);
      }
      add_vector(centre, mass_of_first_.back());
      for (std::size_t i = 0; i < Jacobi.size(); ++i) add_vector(Jacobi[i], reduced[i]);
    }
    for (const Rod& rod : rods_) {
      std::vector<NodeId> row(place(n_), zero());
      row[place(rod.to)] = one();
      NodeId reduced = mass(rod.to);
      if (rod.from >= 0) {
        row[place(rod.from)] = g_.constant(-1.0);
        reduced = g_.multiply(mass(rod.from), share_of(rod, rod.to));
      }
      add_vector(row, g_.multiply(reduced, g_.multiply(rod.length, rod.length)));
      parts_.per_length.back() = g_.divide(one(), rod.length);
    }
    const int count = parts_.count();
    parts_.inertia.assign(place(count * count), zero());
    for (int i = 0; i < count; ++i) parts_.inertia[place(i, count, i)] = inertia[place(i)];
    parts_.scale.assign(place(count - parts_.unit), one());
    for (const Rod& rod : rods_) parts_.scale.push_back(rod.scale);
    for (int b = 0; b < n_; ++b) {
      std::vector<double> c(place(n_));
      c[place(b)] = 1.0;
      const std::vector<NodeId> row = in_vectors(c);
      parts_.placed.insert(parts_.placed.end(), row.begin(), row.end());
    }
    parts_.offset.assign(place(d_), zero());
    set_forces();
    set_slip();
  }
  void set_forces() {
    const int count = parts_.count();
    for (int i = 0; i < count; ++i) {
      NodeId sum = zero();
      for (int b = 0; b < n_; ++b)
        sum = g_.add(sum, g_.multiply(parts_.placed[place(b, count, i)], weight_[place(b, D, parts_.axis)]));
      parts_.weight.push_back(sum);
    }
    for (std::size_t k = 0; k < springs_.size(); ++k)
      parts_.springs.push_back({in_vectors(springs_[k].c), springs_[k].law, viscosity_[k]});
  }
  /// G^T gamma moves the ends of a rod apart, by the same way: what else that moves, for what it moves u by.
  void set_slip() {
    for (int o = 0; o < parts_.drifting + parts_.free; ++o)
      for (const Rod& rod : rods_) {
        NodeId moved = zero();
        if (rod.from >= 0)
          moved = g_.multiply(
              g_.multiply(g_.constant(0.5), rod.length),
              g_.subtract(parts_.taken[place(o, n_, rod.to)], parts_.taken[place(o, n_, rod.from)]));
        parts_.slip.push_back(moved);
      }
  }

  Mechanics& m_;
  Graph& g_;
  int d_, n_;
  std::vector<int> rod_of_;  ///< by particle, or -1
  NodeId sigma_;
  std::vector<Rod> rods_;
  std::vector<FreeBody> bodies_;
  std::map<NodeId, std::optional<Central>> squares_;
  int tried_ = 0;                      ///< of read_square()
  std::vector<NodeId> mass_of_first_;  ///< M_j
  std::vector<Central> springs_;
  std::vector<NodeId> viscosity_;  ///< beside every spring
  std::vector<NodeId> weight_;     ///< the constant part of DV, coordinates
  VectorParts parts_;
};

}  // namespace

std::optional<VectorParts> particles(Mechanics& mechanics) {
  if (mechanics.facts.coordinates % 3 != 0) return {};
  return ParticleFinder(mechanics).find();
}

}  // namespace livens::expressions
