#pragma once
// A mechanism that is nothing but frames, or a unit vector of the plane, and points that follow them: its vectors, found
// in what its text says. Every row of g is |u|^2 = l^2, d_a.d_b = 0 between the three directors of a frame, or linear, and
// then gives the place of a point by the vectors: q = S z + c, block by block. V is a weight along one axis of space.

#include <vector>

#include "expressions/description.hpp"
#include "expressions/graph.hpp"

namespace livens::expressions {

struct Mechanics;

/// As kernels/systems/shared/vector_form.hpp has it; matrices row by row, all of parameters alone.
struct VectorParts {
  int dimension = 0;           ///< of space
  int unit = 0, frames = 0;    ///< the vectors are the unit vectors, then the directors of every frame
  int axis = 0;                ///< of q along which weights act: the last one of z
  std::vector<int> block;      ///< which block of q a vector is, but for its length
  std::vector<NodeId> length;  ///< of every vector in q
  std::vector<NodeId> placed;  ///< S, blocks of q x vectors
  std::vector<NodeId> offset;  ///< c, coordinates
  std::vector<NodeId> inertia, drag, metric;  ///< S^T A S, S^T C S, S^T S, vectors x vectors
  std::vector<NodeId> weight, scale;          ///< of every vector; g is scale (|u|^2 - 1)/2
  NodeId level = none;                        ///< V at z = 0
  bool coupled = false;                       ///< inertia, drag or metric has entries between vectors
  /// The only point is q_0 = arm d3 + c beside the frame q_1, q_2, q_3, with an arm that cannot vanish, rows stand in the
  /// order of TiedFrameSystem, M is diagonal, and the weight is that of the point.
  bool tied = false;

  int count() const { return static_cast<int>(block.size()); }
  /// Component of q that component i of a vector is.
  int component(int i) const { return (i + 1 + axis) % dimension; }
};

/// Of more frames the forms in vectors, whose matrices are dense, are no faster than the condensed ones, and take longer
/// to compile.
inline constexpr int most_frames = 4;

/// The vectors of a mechanism, or none.
VectorParts vector_parts(const Description& description, Mechanics& mechanics);

}  // namespace livens::expressions
