#pragma once
// A mechanism in vectors z, q = S z + c block by block, found in what its text says: one that is nothing but frames, or a
// unit vector of the plane, or two or three in space that their inertias couple, and points that follow them, or one of
// particles, rods and springs (particles.hpp). In the former every row of g is |u|^2 = l^2, d_a.d_b = 0 between the three
// directors of a frame, or linear, and then gives the place of a point by the vectors; V is a weight along one axis of space.

#include <vector>

#include "expressions/description.hpp"
#include "expressions/graph.hpp"

namespace livens::expressions {

struct Mechanics;

/// A spring between vectors, with a viscous element beside it.
struct VectorSpring {
  std::vector<NodeId> coefficient;  ///< of every vector in s
  NodeId law;                       ///< f of sigma = |s|^2, which is the leaf of time here
  NodeId viscosity;
};

/// As kernels/systems/shared/vector_form.hpp has it; matrices row by row, all of parameters alone.
struct VectorParts {
  int dimension = 0;                                 ///< of space
  int drifting = 0, free = 0, unit = 0, frames = 0;  ///< in this order; of every frame its three directors
  int axis = 0;                                      ///< of q along which weights act: the last one of z
  std::vector<NodeId> taken;                         ///< T of z = T (q - c)/l, vectors x blocks of q
  std::vector<NodeId> per_length;                    ///< 1/l of every vector
  std::vector<NodeId> placed;                        ///< S, blocks of q x vectors
  std::vector<NodeId> offset;                        ///< c, coordinates
  std::vector<NodeId> inertia, drag, metric;         ///< S^T A S, S^T C S, S^T S, vectors x vectors
  std::vector<NodeId> weight, scale;                 ///< of every vector; g is scale (|u|^2 - 1)/2
  NodeId level = none;                               ///< V at z = 0, without springs
  std::vector<VectorSpring> springs;
  std::vector<NodeId> slip;  ///< of coordinate_slip(), drifting and free x unit vectors
  int momentum_maps = 0;  ///< those of the text are the angular momentum, 3, or its component along `axis`, 1
  bool coupled = false;   ///< inertia, drag or metric has entries between vectors
  bool coupled_metric = false;  ///< the metric has
  /// The only point is q_0 = arm d3 + c beside the frame q_1, q_2, q_3, with an arm that cannot vanish, rows stand in the
  /// order of TiedFrameSystem, M is diagonal, and the weight is that of the point.
  bool tied = false;

  int count() const { return drifting + free + unit + 3 * frames; }
  /// Component of q that component i of a vector is.
  int component(int i) const { return (i + 1 + axis) % dimension; }
};

/// Of more frames the forms in vectors, whose matrices are dense, are no faster than the condensed ones, and take longer
/// to compile.
inline constexpr int most_frames = 4, most_unit_vectors = 3;

/// l = sqrt(scale/factor) of a row with factor |u|^2 - scale: where the text has l^2 or 1/l^2, abs(l), with no root and no
/// division for a form to take in every step.
NodeId length_of(Graph& g, NodeId scale, NodeId factor);

/// The vectors of a mechanism, or none.
VectorParts vector_parts(const Description& description, Mechanics& mechanics);

}  // namespace livens::expressions
