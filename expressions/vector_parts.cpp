#include "expressions/vector_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "expressions/degree.hpp"
#include "expressions/derivatives.hpp"
#include "expressions/mass_kind.hpp"
#include "expressions/mechanics.hpp"
#include "expressions/particles.hpp"

namespace livens::expressions {
namespace {

/// A row of g: what it is between blocks.
struct BlockRow {
  enum Kind { square, product, linear } kind;
  int a = 0, b = 0;                  ///< blocks of a square (one) or of a product
  int component = 0;                 ///< of a linear row
  std::vector<NodeId> coefficients;  ///< of blocks, in a linear row
  NodeId factor = none;              ///< D^2 g in the blocks
  NodeId constant = none;            ///< g(0)
};
using Directors = std::array<int, 3>;

class Finder {
 public:
  Finder(const Description& description, Mechanics& mechanics, int dimension)
      : text_(description),
        m_(mechanics),
        g_(mechanics.graph),
        d_(mechanics.facts.coordinates),
        D_(dimension),
        blocks_(d_ / dimension) {}

  std::optional<VectorParts> find() {
    if (!are_blocks(m_.mass) || (!m_.damping.empty() && !are_blocks(m_.damping))) return {};
    if (!read_rows() || !eliminate() || !find_vectors() || !find_axis()) return {};
    set_matrices();
    // Rods that nothing couples are those of particles.hpp.
    if (D_ == 3 && parts_.unit > 0 && is_diagonal(parts_.inertia)) return {};
    parts_.tied = is_tied();
    return parts_;
  }

 private:
  static std::size_t place(int row, int width, int column) {
    return static_cast<std::size_t>(row * width + column);
  }
  NodeId zero() { return g_.constant(0.0); }
  NodeId at_origin(NodeId node) {
    return substitute(g_, std::span(&node, 1), Leaf::position, [&](int) { return zero(); }).front();
  }
  bool is_one(NodeId node) const { return g_[node].is_constant(1.0); }

  bool are_blocks(const std::vector<NodeId>& matrix) const { return has_blocks(g_, matrix, d_, D_); }
  /// Entry (a, b) of A.
  NodeId of_blocks(const std::vector<NodeId>& matrix, int a, int b) const {
    return matrix[place(D_ * a, d_, D_ * b)];
  }

  bool read_rows() {
    for (int k = 0; k < m_.facts.constraints; ++k) {
      const auto row = read_row(k);
      if (!row) return false;
      rows_.push_back(*row);
    }
    return true;
  }
  std::optional<BlockRow> read_row(int k) {
    const auto first = m_.curvature.begin() + k * d_ * d_;
    const std::vector<NodeId> curvature(first, first + d_ * d_);
    BlockRow row;
    row.constant = at_origin(m_.constraints[static_cast<std::size_t>(k)].node);
    row.coefficients.assign(static_cast<std::size_t>(blocks_), zero());
    row.component = -1;
    for (int i = 0; i < d_; ++i) {
      const NodeId slope = at_origin(m_.constraint_jacobian[place(k, d_, i)]);
      if (g_.is_zero(slope)) continue;
      if (row.component >= 0 && row.component != i % D_) return {};
      row.component = i % D_;
      row.coefficients[static_cast<std::size_t>(i / D_)] = slope;
    }
    if (std::all_of(curvature.begin(), curvature.end(), [&](NodeId e) { return g_.is_zero(e); })) {
      row.kind = BlockRow::linear;
      if (row.component < 0) return {};
      return row;
    }
    if (row.component >= 0 || !are_blocks(curvature)) return {};
    int entries = 0;
    for (int a = 0; a < blocks_; ++a)
      for (int b = a; b < blocks_; ++b)
        if (const NodeId entry = of_blocks(curvature, a, b); !g_.is_zero(entry)) {
          row.a = a, row.b = b, row.factor = entry;
          ++entries;
        }
    if (entries != 1) return {};
    row.kind = row.a == row.b ? BlockRow::square : BlockRow::product;
    return row;
  }

  /// Gives a block by the others for every linear row of blocks; its pivot is the largest number, and cannot vanish.
  bool eliminate() {
    placed_.assign(static_cast<std::size_t>(blocks_ * blocks_), zero());
    parts_.offset.assign(static_cast<std::size_t>(d_), zero());
    for (int b = 0; b < blocks_; ++b) placed_[place(b, blocks_, b)] = g_.constant(1.0);
    gone_.assign(static_cast<std::size_t>(blocks_), false);
    std::vector<bool> done(rows_.size());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (rows_[k].kind != BlockRow::linear || done[k]) continue;
      std::vector<const BlockRow*> alike(static_cast<std::size_t>(D_));
      for (std::size_t other = k; other < rows_.size(); ++other) {
        const BlockRow& row = rows_[other];
        if (row.kind != BlockRow::linear || done[other] || row.coefficients != rows_[k].coefficients)
          continue;
        const BlockRow*& slot = alike[static_cast<std::size_t>(row.component)];
        if (slot) continue;
        slot = &row;
        done[other] = true;
      }
      if (std::find(alike.begin(), alike.end(), nullptr) != alike.end() || !eliminate(alike)) return false;
    }
    return true;
  }
  bool has_own_row(int block) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const BlockRow& row) {
      return row.kind != BlockRow::linear && (row.a == block || row.b == block);
    });
  }
  /// One row for every component, with the same coefficients.
  bool eliminate(const std::vector<const BlockRow*>& rows) {
    // In what is left of the blocks.
    std::vector<NodeId> coefficients(static_cast<std::size_t>(blocks_), zero()), constants;
    for (const BlockRow* row : rows) constants.push_back(row->constant);
    for (int b = 0; b < blocks_; ++b) {
      const NodeId factor = rows.front()->coefficients[static_cast<std::size_t>(b)];
      if (g_.is_zero(factor)) continue;
      for (int c = 0; c < blocks_; ++c) {
        NodeId& sum = coefficients[static_cast<std::size_t>(c)];
        sum = g_.add(sum, g_.multiply(factor, placed_[place(b, blocks_, c)]));
      }
      for (int i = 0; i < D_; ++i) {
        NodeId& sum = constants[static_cast<std::size_t>(i)];
        sum = g_.add(sum, g_.multiply(factor, parts_.offset[place(b, D_, i)]));
      }
    }
    int pivot = -1;
    double largest = 0.0;
    for (int b = 0; b < blocks_; ++b) {
      const Node& factor = g_[coefficients[static_cast<std::size_t>(b)]];
      if (!factor.is(Op::constant) || !(std::abs(factor.value) > largest) || has_own_row(b)) continue;
      pivot = b;
      largest = std::abs(factor.value);
    }
    if (pivot < 0) return false;
    const NodeId factor = coefficients[static_cast<std::size_t>(pivot)];
    const auto solved = [&](NodeId term) { return g_.divide(g_.negate(term), factor); };
    for (NodeId& entry : coefficients) entry = solved(entry);
    for (NodeId& entry : constants) entry = solved(entry);
    coefficients[static_cast<std::size_t>(pivot)] = zero();
    gone_[static_cast<std::size_t>(pivot)] = true;
    for (int b = 0; b < blocks_; ++b) {
      const NodeId share = placed_[place(b, blocks_, pivot)];
      if (g_.is_zero(share)) continue;
      placed_[place(b, blocks_, pivot)] = zero();
      for (int c = 0; c < blocks_; ++c) {
        NodeId& sum = placed_[place(b, blocks_, c)];
        sum = g_.add(sum, g_.multiply(share, coefficients[static_cast<std::size_t>(c)]));
      }
      for (int i = 0; i < D_; ++i) {
        NodeId& sum = parts_.offset[place(b, D_, i)];
        sum = g_.add(sum, g_.multiply(share, constants[static_cast<std::size_t>(i)]));
      }
    }
    return true;
  }

  /// What is left are directors of frames, a unit vector of the plane, or some unit vectors in space.
  bool find_vectors() {
    std::vector<int> left;
    for (int b = 0; b < blocks_; ++b)
      if (!gone_[static_cast<std::size_t>(b)]) left.push_back(b);
    for (const int b : left)
      if (count_rows(BlockRow::square, b, b) != 1) return false;
    parts_.dimension = D_;
    if (D_ == 2) {
      if (left.size() != 1 || m_.facts.constraints != D_ * (blocks_ - 1) + 1) return false;
      parts_.unit = 1;
      block_ = left;
      return true;
    }
    if (std::none_of(rows_.begin(), rows_.end(), [](auto& row) { return row.kind == BlockRow::product; })) {
      parts_.unit = static_cast<int>(left.size());
      block_ = left;
      return left.size() > 1 && left.size() <= most_unit_vectors &&
             m_.facts.constraints == parts_.unit + D_ * (blocks_ - parts_.unit);
    }
    if (left.empty() || left.size() % 3 != 0 || left.size() > 3 * most_frames) return false;
    while (!left.empty()) {
      const auto frame = frame_with(left.front(), left);
      if (!frame) return false;
      for (const int b : *frame) {
        block_.push_back(b);
        std::erase(left, b);
      }
      ++parts_.frames;
    }
    return m_.facts.constraints == 6 * parts_.frames + D_ * (blocks_ - 3 * parts_.frames);
  }
  int count_rows(BlockRow::Kind kind, int a, int b) const {
    return static_cast<int>(std::count_if(rows_.begin(), rows_.end(), [&](const BlockRow& row) {
      return row.kind == kind && std::minmax(row.a, row.b) == std::minmax(a, b);
    }));
  }
  /// The directors that have rows d_a.d_b = 0 with this one, right-handed where the mechanism starts. Rows are those of
  /// unit length, in the units in which a frame measures them.
  std::optional<Directors> frame_with(int first, const std::vector<int>& left) const {
    Directors frame = {first, -1, -1};
    int found = 1;
    for (const int b : left)
      if (b != first && count_rows(BlockRow::product, first, b) == 1) {
        if (found == 3) return {};
        frame[static_cast<std::size_t>(found++)] = b;
      }
    if (found != 3 || count_rows(BlockRow::product, frame[1], frame[2]) != 1) return {};
    for (const BlockRow& row : rows_) {
      if (row.kind == BlockRow::linear || std::find(frame.begin(), frame.end(), row.a) == frame.end())
        continue;
      if (!is_one(row.factor) || !g_[row.constant].is_constant(row.kind == BlockRow::square ? -0.5 : 0.0))
        return {};
    }
    if (is_left_handed(frame)) std::swap(frame[0], frame[1]);
    return frame;
  }
  bool is_left_handed(const Directors& frame) const {
    const std::vector<double> parameters = default_parameters(text_);
    Values values;
    values.parameters = parameters;
    const std::vector<double> q = evaluate(g_, m_.initial_position, values);
    const auto at = [&](int director, int i) {
      return q[place(frame[static_cast<std::size_t>(director)], 3, (i + 3) % 3)];
    };
    double volume = 0.0;
    for (int i = 0; i < 3; ++i)
      volume += at(0, i) * (at(1, i + 1) * at(2, i + 2) - at(1, i + 2) * at(2, i + 1));
    return volume < 0.0;
  }

  /// The axis of space along which DV acts; the last where there is no weight.
  bool find_axis() {
    int axis = -1;
    for (int i = 0; i < d_; ++i) {
      if (g_.is_zero(m_.potential_gradient[static_cast<std::size_t>(i)])) continue;
      if (axis >= 0 && axis != i % D_) return false;
      axis = i % D_;
    }
    parts_.axis = axis < 0 ? D_ - 1 : axis;
    return true;
  }

  void set_matrices() {
    const int n = parts_.count();
    std::vector<NodeId> length;
    for (const int b : block_) {
      const BlockRow& row = *std::find_if(rows_.begin(), rows_.end(), [&](const BlockRow& one) {
        return one.kind == BlockRow::square && one.a == b;
      });
      const NodeId scale = g_.multiply(g_.constant(-2.0), row.constant);
      parts_.scale.push_back(scale);
      length.push_back(length_of(g_, scale, row.factor));
      parts_.per_length.push_back(g_.divide(g_.constant(1.0), length.back()));
      for (int i = 0; i < blocks_; ++i) parts_.taken.push_back(g_.constant(i == b ? 1.0 : 0.0));
    }
    for (int i = 0; i < blocks_; ++i)
      for (int a = 0; a < n; ++a)
        parts_.placed.push_back(g_.multiply(placed_[place(i, blocks_, block_[static_cast<std::size_t>(a)])],
                                            length[static_cast<std::size_t>(a)]));
    const auto placed = [&](int i, int a) { return parts_.placed[place(i, n, a)]; };
    const auto congruent = [&](auto&& entry) {
      std::vector<NodeId> result;
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
          NodeId sum = zero();
          for (int i = 0; i < blocks_; ++i)
            for (int j = 0; j < blocks_; ++j)
              sum = g_.add(sum, g_.multiply(g_.multiply(placed(i, a), placed(j, b)), entry(i, j)));
          result.push_back(sum);
        }
      return result;
    };
    parts_.inertia = congruent([&](int i, int j) { return of_blocks(m_.mass, i, j); });
    parts_.metric = congruent([&](int i, int j) { return i == j ? g_.constant(1.0) : zero(); });
    if (!m_.damping.empty())
      parts_.drag = congruent([&](int i, int j) { return of_blocks(m_.damping, i, j); });
    parts_.coupled_metric = !is_diagonal(parts_.metric);
    parts_.coupled = parts_.coupled_metric || !is_diagonal(parts_.inertia) || !is_diagonal(parts_.drag);
    for (int a = 0; a < n; ++a) {
      NodeId sum = zero();
      for (int i = 0; i < blocks_; ++i)
        sum = g_.add(sum, g_.multiply(placed(i, a), m_.potential_gradient[place(i, D_, parts_.axis)]));
      parts_.weight.push_back(sum);
    }
    parts_.level = substitute(g_, std::span(&m_.potential, 1), Leaf::position, [&](int i) {
                     return parts_.offset[static_cast<std::size_t>(i)];
                   }).front();
  }

  /// Of the vectors; also none.
  bool is_diagonal(const std::vector<NodeId>& matrix) const {
    const int n = parts_.count();
    for (int i = 0; i < static_cast<int>(matrix.size()); ++i)
      if (i / n != i % n && !g_.is_zero(matrix[static_cast<std::size_t>(i)])) return false;
    return true;
  }

  /// Seen from its operations: a product of numbers that are not zero and of positive parameters.
  bool cannot_vanish(NodeId id) const {
    const Node& node = g_[id];
    switch (node.op) {
      case Op::constant:
        return node.value != 0.0;
      case Op::leaf:
        return node.leaf == Leaf::parameter && is_positive(node.a);
      case Op::negate:
      case Op::sqrt:
      case Op::abs:
        return cannot_vanish(node.a);
      case Op::multiply:
      case Op::divide:
        return cannot_vanish(node.a) && cannot_vanish(node.b);
      default:
        return false;
    }
  }
  bool is_positive(int entry) const {
    for (const Parameter& parameter : text_.parameters) {
      if (entry < static_cast<int>(parameter.defaults.size())) return parameter.domain == Domain::positive;
      entry -= static_cast<int>(parameter.defaults.size());
    }
    return false;
  }

  bool is_tied() const {
    const Directors directors = {1, 2, 3};
    for (int i = 0; i < blocks_; ++i)
      for (int j = 0; j < i; ++j)
        if (!g_.is_zero(of_blocks(m_.mass, i, j))) return false;
    if (parts_.frames != 1 || blocks_ != 4 || parts_.coupled || parts_.axis != 2 ||
        !std::equal(directors.begin(), directors.end(), block_.begin()))
      return false;
    if (!cannot_vanish(parts_.placed[2])) return false;
    for (int a = 0; a < 3; ++a) {
      if (a < 2 && !g_.is_zero(parts_.placed[static_cast<std::size_t>(a)])) return false;
      if (!g_.is_zero(m_.potential_gradient[place(a + 1, 3, 2)])) return false;
    }
    static constexpr int pairs[6][2] = {{1, 1}, {2, 2}, {3, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (std::size_t k = 0; k < 6; ++k)
      if (rows_[k].kind == BlockRow::linear || rows_[k].a != pairs[k][0] || rows_[k].b != pairs[k][1])
        return false;
    for (int i = 0; i < 3; ++i) {
      const BlockRow& row = rows_[static_cast<std::size_t>(6 + i)];
      if (row.kind != BlockRow::linear || row.component != i || !is_one(row.coefficients.front()))
        return false;
    }
    return true;
  }

  const Description& text_;
  Mechanics& m_;
  Graph& g_;
  int d_, D_, blocks_;
  std::vector<BlockRow> rows_;
  std::vector<NodeId> placed_;  ///< every block by those that are left
  std::vector<bool> gone_;      ///< given by others
  std::vector<int> block_;      ///< which block of q a vector is, but for its length
  VectorParts parts_;
};

/// The map is component k of the sum of q x p over blocks: bilinear, with these numbers for coefficients.
bool is_angular_momentum(Mechanics& m, NodeId map, int dimension, int k) {
  Graph& g = m.graph;
  const int d = m.facts.coordinates;
  // Of what jumps derivatives know nothing.
  if (!degree_in(Leaf::momentum, g, map).is(1) || !degree_in(Leaf::position, g, map).is(1)) return false;
  const std::vector<NodeId> by_momentum = gradient(g, map, Leaf::momentum, d);
  for (int j = 0; j < d; ++j) {
    const std::vector<NodeId> second = derivative(g, by_momentum, Leaf::position, j);
    for (int i = 0; i < d; ++i) {
      double expected = 0.0;  // of q_j p_i
      if (i / dimension == j / dimension && j % dimension == (k + 1) % 3 && i % dimension == (k + 2) % 3)
        expected = 1.0;
      if (i / dimension == j / dimension && j % dimension == (k + 2) % 3 && i % dimension == (k + 1) % 3)
        expected = -1.0;
      if (!g[second[static_cast<std::size_t>(i)]].is_constant(expected)) return false;
    }
  }
  return true;
}

/// What the vectors have for the momentum maps of the text: they have its origin, and axes turned to `axis`.
int maps_of_vectors(const VectorParts& parts, Mechanics& mechanics) {
  const int maps = mechanics.facts.momentum_maps, last = parts.dimension - 1;
  const auto is_component = [&](int row, int k) {
    return is_angular_momentum(mechanics, mechanics.momentum[static_cast<std::size_t>(row)].node,
                               parts.dimension, k);
  };
  if (std::any_of(parts.offset.begin(), parts.offset.end(),
                  [&](NodeId entry) { return !mechanics.graph.is_zero(entry); }))
    return 0;
  if (maps == 1 && (last == 2 || parts.axis == last) && is_component(0, last == 2 ? parts.axis : 2)) return 1;
  const bool all = maps == 3 && last == 2 && parts.axis == last && parts.frames == 0;
  return all && is_component(0, 0) && is_component(1, 1) && is_component(2, 2) ? 3 : 0;
}

}  // namespace

NodeId length_of(Graph& g, NodeId scale, NodeId factor) {
  const Node reciprocal = g[factor];
  const bool is_reciprocal =
      g[scale].is_constant(1.0) && reciprocal.is(Op::divide) && g[reciprocal.a].is_constant(1.0);
  const NodeId square = is_reciprocal ? reciprocal.b : g.divide(scale, factor);
  const Node product = g[square];
  if (product.is(Op::multiply) && product.a == product.b) return g.unary(Op::abs, product.a);
  return g.unary(Op::sqrt, square);
}

VectorParts vector_parts(const Description& description, Mechanics& mechanics) {
  const TextFacts& f = mechanics.facts;
  if (f.general || f.nonholonomic || f.forced || !f.constant_mass || f.singular_mass ||
      !f.quadratic_constraints || f.constraints == 0 || !mechanics.dropped.empty())
    return {};
  // On a copy: what is tried, and leads to nothing, may reach the most nodes that there may be.
  Mechanics trial = mechanics;
  std::optional<VectorParts> found;
  try {
    if (f.linear_potential)
      for (const int dimension : {3, 2})
        if (!found) found = Finder(description, trial, dimension).find();
    if (!found) found = particles(trial);
    if (!found) return {};
    found->momentum_maps = maps_of_vectors(*found, trial);
  } catch (const TooLarge&) {
    return {};
  }
  mechanics.graph = std::move(trial.graph);
  return *found;
}

}  // namespace livens::expressions
