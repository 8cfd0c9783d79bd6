#pragma once
// The differential equation that the schemes approximate: M q'' = -DV - G^T lambda,
// G q'' + D(G v) v = 0, for constant regular M.

#include <Eigen/LU>

#include "reference/system.hpp"

namespace livens::reference {

struct Motion {
  VectorXd acceleration, lambda;
};

inline Motion equations_of_motion(const System& system, const State& state) {
  const VectorXd &q = state.q, &v = state.v;
  const MatrixXd G = constraint_jacobian(system, q), Minv = mass_matrix(system, q).inverse();
  VectorXd curvature(G.rows());  // D(G v) v
  for (Eigen::Index k = 0; k < curvature.size(); ++k) {
    curvature[k] = v.dot(constraint_curvature(system, q, VectorXd(VectorXd::Unit(curvature.size(), k)), v));
  }
  const VectorXd force = -potential_gradient(system, q);
  const VectorXd lambda = (G * Minv * G.transpose()).inverse() * (curvature + G * Minv * force);
  return {Minv * (force - G.transpose() * lambda), lambda};
}

}  // namespace livens::reference
