#pragma once
// Which type of kernels/systems/shared/inertia.hpp a constant mass matrix is: A (x) I with the largest blocks
// that its entries, as nodes, are equal in.

#include "expressions/mechanics.hpp"

namespace livens::expressions {

/// A d x d matrix is A (x) I with blocks of that size, to the node.
bool has_blocks(const Graph& graph, const std::vector<NodeId>& matrix, int d, int dimension);

struct MassKind {
  enum Structure { diagonal, coupled, patterned } structure;
  int blocks, dimension;  ///< of A; of I
};

/// `patterned` is the one without an inverse, dimension 1.
MassKind mass_kind(const Mechanics& mechanics);

}  // namespace livens::expressions
