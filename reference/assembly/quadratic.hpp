#pragma once
// Quadratic functions of few of many coordinates: strains and constraints of bodies with directors are dot
// products of vectors that are linear in the coordinates.

#include <utility>
#include <vector>

#include "../dual.hpp"
#include "parts.hpp"

namespace livens::reference {

/// s(q) = x.A x/2 + b.x + c, x = q(variables), A symmetric.
struct Quadratic {
  std::vector<Eigen::Index> variables;
  MatrixXd A;
  VectorXd b;
  double c;

  double at(const VectorXd& q) const {
    const VectorXd x = q(variables);
    return x.dot(0.5 * (A * x) + b) + c;
  }

  /// Ds(q) by its variables.
  VectorXd gradient(const VectorXd& q) const { return A * q(variables) + b; }
};

/// A vector of space, linear in q: constant + sum of c (q_i, q_i+1, q_i+2) over its terms (i, c).
struct SpatialVector {
  Vector3d constant = Vector3d::Zero();
  std::vector<std::pair<Eigen::Index, double>> terms;

  /// Its change with a change of q, 3 entries.
  template <class S>
  Vector<S> change(const Vector<S>& Dq) const {
    Vector<S> sum = Vector<S>::Constant(3, S(0.0));
    for (const auto& [i, factor] : terms) sum += factor * Dq.segment(i, 3);
    return sum;
  }

  friend SpatialVector operator+(SpatialVector a, const SpatialVector& b) {
    a.constant += b.constant;
    a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
    return a;
  }
  friend SpatialVector operator*(double c, SpatialVector a) {
    a.constant *= c;
    for (auto& [i, factor] : a.terms) factor *= c;
    return a;
  }
  friend SpatialVector operator-(const SpatialVector& a, const SpatialVector& b) { return a + (-1.0) * b; }
};

/// phi of a body, its director of that number, 0 to 2, a place in it; constants of the ground.
SpatialVector position(int body);
SpatialVector director(int body, int number);
SpatialVector point(const Place& place);

/// The sum of a.b over the pairs (a, b), less the offset.
Quadratic dot(const std::vector<std::pair<SpatialVector, SpatialVector>>& pairs, double offset);

}  // namespace livens::reference
