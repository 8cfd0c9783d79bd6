#pragma once
// A mechanism as data: bodies, beam elements between them, joints, loads. Each body has the coordinates
// (phi, d1, d2, d3) in R^12: a point and three directors, orthonormal by constraints. The nodes of a beam are
// bodies without a mass of their own, so joints and loads need not know what they act on.

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

namespace livens::reference {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// phi is the centre of mass, or the place of a beam's node.
struct Body {
  Vector3d position = Vector3d::Zero();       // phi where it is assembled, m
  Matrix3d directors = Matrix3d::Identity();  // columns d1, d2, d3 there
  double mass = 0.0;                          // kg; of a node what is fixed to it
  Vector3d euler_inertia = Vector3d::Zero();  // E1, E2, E3 in kg m^2: T has 1/2 sum E_i |d_i'|^2
};

/// A beam's cross-section, in the plane of d1 and d2; d3 is along the beam.
struct Section {
  double shear_stiffness = 0.0;                                 // GA, N
  double axial_stiffness = 0.0;                                 // EA, N
  double bending_stiffness_1 = 0.0, bending_stiffness_2 = 0.0;  // EI1, EI2 about d1 and d2, N m^2
  double torsional_stiffness = 0.0;                             // GJ, N m^2
  double line_mass = 0.0;                                       // A rho, kg/m
  double line_inertia_1 = 0.0, line_inertia_2 = 0.0;            // M1, M2 of d1 and d2, kg m
};

/// Two nodes, linear in between. Straight when undeformed, and as long as where its bodies are assembled.
struct BeamElement {
  int start, end;  // bodies
  Section section;
};

/// In the place of a body: at rest at the origin, its directors the inertial axes.
constexpr int ground = -1;

/// phi + at_1 d1 + at_2 d2 + at_3 d3 of a body; of the ground the point `at` itself.
struct Place {
  int body;
  Vector3d at;
};

/// Two places are one. With an axis, 0 to 2, the director of that number is common to both bodies, too.
struct Joint {
  Place on, of;             // `of` hangs on `on`: the order matters to the null space alone
  std::optional<int> axis;  // none: spherical
};

/// A force on phi: its history is (t, N), straight between its entries, constant before and after them.
struct Load {
  int body;
  Vector3d direction;
  std::vector<std::pair<double, double>> history;
};

struct Assembly {
  std::vector<Body> bodies;
  std::vector<BeamElement> elements;
  std::vector<Joint> joints;
  std::vector<Load> loads;
  double load_in_start = 1.0;    // share of the loads' half step in the first step's equation; 0 as printed
  double energy_of_loads = 0.0;  // J; what energies are compared with where there is none at the start
  std::vector<Vector3d> axes;    // lines through the origin about which the angular momentum is conserved
};

}  // namespace livens::reference
