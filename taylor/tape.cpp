#include "taylor/tape.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace livens::taylor {
namespace {

using expressions::Node;

/// The rows of a leaf of this kind begin at the first number.
std::pair<int, Stage> place_of(Leaf leaf, const LeafRows& leaves) {
  switch (leaf) {
    case Leaf::position:
      return {leaves.position, Stage::position};
    case Leaf::velocity:
      return {leaves.velocity, Stage::velocity};
    case Leaf::time:
      return {leaves.time, Stage::position};
    case Leaf::parameter:
      return {leaves.parameter, Stage::constant};
    default:
      throw std::logic_error("a leaf that has no Taylor series");
  }
}

}  // namespace

Tape::Tape(const Graph& graph, std::span<const NodeId> roots, const LeafRows& leaves,
           std::span<const NodeId> values)
    : rows_(leaves.count) {
  Rotations rotations;
  for (const auto& [wanted, earliest] : {std::pair{roots, Stage::constant}, {values, Stage::value}}) {
    const std::vector<bool> needed = expressions::reachable(graph, wanted);
    for (NodeId id = 0; id < static_cast<NodeId>(needed.size()); ++id)
      if (needed[static_cast<std::size_t>(id)] && !row_.contains(id))
        add(graph, id, leaves, earliest, rotations);
  }
  for (std::vector<Instruction>& instructions : instructions_) arrange(instructions);
}

void Tape::arrange(std::vector<Instruction>& instructions) const {
  struct Placed {
    /// First how many results, each of which waits for the one before, it waits for.
    std::tuple<int, Op, bool, bool, bool> kind;
    Instruction instruction;
  };
  std::vector<int> waits(static_cast<std::size_t>(rows_));
  const auto of = [&](int row) -> int& { return waits[static_cast<std::size_t>(row)]; };
  std::vector<Placed> all;
  for (const Instruction& i : instructions) {
    int place = of(i.a);
    if (i.op != Op::inverse_power) place = std::max(place, of(i.b));
    const bool takes_partner = i.op == Op::asin || i.op == Op::acos;
    if (takes_partner) place = std::max(place, of(i.partner));
    of(i.to) = ++place;
    if (i.partner != 0 && !takes_partner) of(i.partner) = place;
    all.push_back({{place, i.op, i.moves_a, i.moves_b, i.a == i.b}, i});
  }
  std::ranges::stable_sort(all, {}, &Placed::kind);
  instructions.clear();
  for (auto first = all.begin(); first != all.end();) {
    const auto last =
        std::find_if(first, all.end(), [&](const Placed& one) { return one.kind != first->kind; });
    while (first != last) {
      const auto left = last - first;
      const int alike = !first->instruction.may_be_alike() || left < 2 ? 1 : left < 4 ? 2 : 4;
      first->instruction.alike = alike;
      for (const auto end = first + alike; first != end; ++first) instructions.push_back(first->instruction);
    }
  }
}

void Tape::add(const Graph& graph, NodeId id, const LeafRows& leaves, Stage earliest, Rotations& rotations) {
  const Node& node = graph[id];
  if (node.is(Op::constant)) {
    numbers_.push_back({rows_, node.value});
    row_[id] = rows_++;
    stage_[id] = Stage::constant;
    return;
  }
  if (node.is(Op::leaf)) {
    const auto [first, stage] = place_of(node.leaf, leaves);
    row_[id] = first + (node.leaf == Leaf::time ? 0 : node.a);
    stage_[id] = stage;
    return;
  }
  if (node.is(Op::table)) throw NoSeries("its text has a table, of which the scheme makes no series");
  if (node.is(Op::leaf) && node.leaf == Leaf::reaction)
    throw NoSeries("it observes a reaction of a joint, of which the scheme makes no series");
  if (node.is(Op::atan2)) throw NoSeries("its text has atan2, of which the scheme makes no series");
  if (node.op > Op::cosh && !node.is(Op::inverse_power) && (node.op < Op::min || node.op > Op::kept))
    throw std::logic_error("an operation that has no recurrence");
  const NodeId b = expressions::is_binary(node.op) ? node.b : node.a;
  Stage stage = std::max(stage_.at(node.a), stage_.at(b));
  if (stage != Stage::constant) stage = std::max(stage, earliest);
  stage_[id] = stage;
  const Op op = node.is(Op::ratio) ? Op::divide : node.op;  // a series at 0/0 has no sense of its own
  Instruction instruction{op, moves(node.a), moves(b), row_.at(node.a), row_.at(b), 0, 0};
  if (node.is(Op::inverse_power)) instruction.b = static_cast<int>(graph[node.b].value);
  if (node.is(Op::sin) || node.is(Op::cos)) {
    const auto [place, is_new] = rotations.try_emplace(node.a, instruction);
    Instruction& rotation = place->second;
    if (is_new) {
      rotation.op = Op::sin;
      rotation.to = rows_++;
      rotation.partner = rows_++;
      instructions_[static_cast<std::size_t>(stage)].push_back(rotation);
    }
    row_[id] = node.is(Op::sin) ? rotation.to : rotation.partner;
    return;
  }
  if (node.is(Op::asin) || node.is(Op::acos)) {
    // sqrt((1 - a)(1 + a)), whose reciprocal is the slope but for its sign.
    const int one = rows_++, a = row_.at(node.a);
    numbers_.push_back({one, 1.0});
    const int less = add(Op::subtract, one, a, stage), more = add(Op::add, one, a, stage);
    const int product = add(Op::multiply, less, more, stage);
    instruction.partner = add(Op::sqrt, product, product, stage);
  }
  row_[id] = instruction.to = rows_++;
  if (node.is(Op::tanh) || node.is(Op::atan) || node.is(Op::sinh) || node.is(Op::cosh))
    instruction.partner = rows_++;
  instructions_[static_cast<std::size_t>(stage)].push_back(instruction);
}

int Tape::add(Op op, int a, int b, Stage stage) {
  const bool moves = stage != Stage::constant;
  instructions_[static_cast<std::size_t>(stage)].push_back({op, moves, moves, a, b, rows_, 0});
  return rows_++;
}

}  // namespace livens::taylor
