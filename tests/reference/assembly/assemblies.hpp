#pragma once
// The common part of the tests of assemblies: mechanisms beside the swing, and starts without symmetry.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>
#include <random>

#include "reference/assemblies/three_bar_swing.hpp"
#include "reference/assembly/assembly_integrator.hpp"
#include "reference/assembly/reparametrisation.hpp"

namespace livens::reference {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// Entries between -1 and 1.
inline VectorXd random_vector(Eigen::Index size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  VectorXd x(size);
  for (double& xi : x) xi = entry(engine);
  return x;
}

/// Displaced out of every plane by about 1e-3 m or radian, moving with 0.1 m/s or 1/s. More than that, and
/// nodes that differ so much strain the beam such that trajectories part within a second.
inline State random_start(const Assembly& assembly, unsigned seed) {
  const AssembledSystem system(assembly);
  const Reparametrisation reparametrisation(assembly);
  const VectorXd w = 1e-3 * random_vector(reparametrisation.unknowns(), seed),
                 nu = 0.1 * random_vector(reparametrisation.unknowns(), seed + 1000),
                 q = system.assembled() + reparametrisation.increment(system.assembled(), w);
  return {q, reparametrisation.null_space(q) * nu};
}

/// Another swing: a rod on a ball joint at the origin, on its end a beam of three elements on an axis, on the
/// beam's end a second rod on a ball joint. No loads, and no numbers that are alike.
inline Assembly flail() {
  const Section section{.shear_stiffness = 900.0,
                        .axial_stiffness = 1700.0,
                        .bending_stiffness_1 = 11.0,
                        .bending_stiffness_2 = 7.0,
                        .torsional_stiffness = 5.0,
                        .line_mass = 3.0,
                        .line_inertia_1 = 0.02,
                        .line_inertia_2 = 0.03};
  Assembly flail;
  flail.bodies.push_back({{0.2, 0, 0}, Matrix3d::Identity(), 1.3, {0.02, 0.03, 0.05}});
  for (int k = 0; k < 4; ++k) {
    Body node;
    node.position = {0.5, 0.0, 0.25 * k};
    flail.bodies.push_back(node);
    if (k > 0) flail.elements.push_back({k, k + 1, section});
  }
  flail.bodies.push_back({{0.5, 0.4, 0.75}, Matrix3d::Identity(), 0.7, {0.01, 0.015, 0.025}});
  flail.joints = {{.on = {4, {0, 0, 0}}, .of = {5, {0, -0.4, 0}}, .axis = {}},
                  {.on = {0, {0.3, 0, 0}}, .of = {1, {0, 0, 0}}, .axis = 1},
                  {.on = {ground, {0, 0, 0}}, .of = {0, {-0.2, 0, 0}}, .axis = {}}};
  return flail;
}

/// Sum of u_k x c_k over the points and directors: the angular momentum about the origin. G^T lambda has
/// none about an axis that the joints on the ground let the assembly turn about, so c stands for p there.
inline Vector3d angular_momentum(const AssemblyNode& node) {
  Vector3d L = Vector3d::Zero();
  for (Eigen::Index k = 0; k < node.q.size(); k += 3) {
    L += node.q.segment<3>(k).cross(node.momentum.segment<3>(k));
  }
  return L;
}

}  // namespace livens::reference
