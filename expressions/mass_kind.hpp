#pragma once
// Which type of kernels/systems/shared/inertia.hpp a constant mass matrix is: A (x) I with the largest blocks
// that its entries, as nodes, are equal in.

#include "expressions/mechanics.hpp"

namespace livens::expressions {

struct MassKind {
  enum Structure { diagonal, coupled, patterned } structure;
  int blocks, dimension;  ///< of A; of I
};

/// `patterned` is the one without an inverse, dimension 1.
MassKind mass_kind(const Mechanics& mechanics);

}  // namespace livens::expressions
