#pragma once
// A basis of the states on the constraints, docs/equations/tangents.md, section 3.

#include "reference.hpp"

namespace livens::reference {

/// Directions of (q, p, v), 3d rows, one a column: 2(d - m) of them, first (n_j, b_j) and then (0, M n_j), each with the v
/// that belongs to it. At the start, of a holonomic system of formulas with a regular M.
Eigen::MatrixXd tangent_space(const Model& model, const State& state);

}  // namespace livens::reference
