#pragma once
// Nodes of expressions in the order in which they are computed, as instructions on rows of Taylor
// coefficients. A row has the coefficients of a node, order by order, for the instances of a group.

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "expressions/graph.hpp"
#include "taylor/plan.hpp"

namespace livens::taylor {

using expressions::Graph;
using expressions::Leaf;
using expressions::NodeId;

/// The rows of the leaves: those of a kind one after the other.
struct LeafRows {
  int position, velocity, time, parameter;
  int count;  ///< all rows that are no result of an instruction
};

/// When an operation can be computed: once for all, as soon as the coordinates are known to an order, or when
/// the velocities are. What no series needs is computed at order 0 alone.
enum class Stage : std::uint8_t { constant, position, velocity, value };

/// Of an operation that has no recurrence here.
struct NoSeries : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Tape {
 public:
  /// Everything that the roots need; of `values` alone the values. Leaves are positions, velocities, time and
  /// parameters; time counts as a position. Throws NoSeries where there is one of these, and std::logic_error
  /// for other leaves and for the operations of discrete gradients.
  Tape(const Graph& graph, std::span<const NodeId> roots, const LeafRows& leaves,
       std::span<const NodeId> values = {});

  int rows() const { return rows_; }
  int row_of(NodeId root) const { return row_.at(root); }
  bool moves(NodeId root) const { return stage_.at(root) != Stage::constant; }
  std::span<const Instruction> instructions(Stage stage) const {
    return instructions_[static_cast<std::size_t>(stage)];
  }
  /// Rows that are numbers.
  struct Number {
    int row;
    double value;
  };
  std::span<const Number> numbers() const { return numbers_; }

 private:
  using Rotations = std::map<NodeId, Instruction>;  ///< by their angles
  void add(const Graph& graph, NodeId id, const LeafRows& leaves, Stage earliest, Rotations& rotations);
  /// The row of an instruction that no node is the result of.
  int add(Op op, int a, int b, Stage stage);

  /// In an order in which what is alike, and does not wait for each other, goes together.
  void arrange(std::vector<Instruction>& instructions) const;

  int rows_;
  std::unordered_map<NodeId, int> row_;
  std::unordered_map<NodeId, Stage> stage_;
  std::vector<Instruction> instructions_[4];
  std::vector<Number> numbers_;
};

}  // namespace livens::taylor
