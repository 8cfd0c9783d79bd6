#pragma once
// Forces and torques that joints exert, at a node: by the multipliers of the motion through it, whatever the scheme.
// docs/equations/text.md, section 5.

#include <vector>

#include "expressions/mechanics.hpp"

namespace livens::expressions {

/// A node's accelerations and multipliers as the solution of a linear system: the equations of motion, and the rows
/// differentiated until they have accelerations. equations/general.md, (b) and (c).
struct MotionAtNode {
  int rows;
  std::vector<NodeId> matrix, right;  ///< d + rows each way

  /// The leaf that stands for one of them.
  static NodeId multiplier(Graph& g, int k) { return g.leaf(Leaf::end_velocity, k); }
};
MotionAtNode motion_at_node(Mechanics& mechanics);

/// Six entries a joint (Leaf::reaction): force and torque on its second body, or, where that is ground, the opposite
/// of what the first one has of them.
inline constexpr int reactions_of_a_joint = 6;
/// One of them, of multipliers. `typed`: the text with its bodies; `scope`: its names.
NodeId reaction(Mechanics& mechanics, const Description& typed, const Scope& scope, int index);

}  // namespace livens::expressions
