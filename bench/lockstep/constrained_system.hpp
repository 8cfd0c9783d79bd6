#pragma once
// The constraints of one system as a check of its projection takes them: functions over arrays, an instance
// at a time, on the host. Of what kernels/stepping/projection.hpp is made of, nothing is used but g, A, b and
// the action of M: the derivative of g is taken with dual numbers, M by its columns.

#include <vector>

#include "kernels/description/interface.hpp"

namespace livens {

/// d coordinates, m constraints; matrices by columns.
struct ConstrainedSystem {
  const SystemInfo* info;
  /// M(q), d x d; the identity where M has no inverse.
  void (*metric)(const double* parameters, const double* q, double* M);
  /// g(q), m entries, and Dg(q), m x d. Null for a nonholonomic system.
  void (*position)(const double* parameters, const double* q, double* g, double* G);
  /// A(q) v + b(q), m entries, and A(q), m x d; holonomic: G(q) v and G(q).
  void (*velocity)(const double* parameters, const double* q, const double* v, double* residual, double* A);
};

/// Those that were compiled and have constraints.
const std::vector<ConstrainedSystem>& constrained_systems();

}  // namespace livens
