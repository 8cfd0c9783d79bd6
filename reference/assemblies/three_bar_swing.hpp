#pragma once
// Two rigid rods carry a flexible beam. Paper: gamma-convergence-constrained, section 4.2, after Bauchau et
// al. 1995. e2 is along the beam, e3 up; no gravity. Bodies: rod A, the nodes of the beam, rod B.

#include "../assembly/parts.hpp"
#include "../reference.hpp"

namespace livens::reference {

/// The paper's values; docs/equations/assembly.md has what it does not print. The last digits of EI2 and M2,
/// printed as 10.2656 and 0.1406, follow from the others: the section is a rectangle of 0.015 m x 0.05 m.
struct ThreeBarSwing {
  int elements = 10;             // of the beam; even, for there is a node at midspan
  double length = 0.72;          // of the beam, m
  double height = 0.36;          // of the ground above it, m: rod A is vertical, rod B at 45 degrees
  double rod_mass = 0.01;        // kg
  double rod_edge = 0.02;        // of the square base of a rod, a pyramid, m
  bool base_at_ground = true;    // or at the beam
  double midspan_mass = 5.0;     // kg
  double peak_load = 10000.0;    // at midspan along e2, N
  double load_peaks_at = 0.125;  // s; it rises from t = 0 and is gone after twice that time
  double load_in_start = 1.0;    // share of its half step in the first step's equation; 0 as printed
  Section section{.shear_stiffness = 175480.7692,
                  .axial_stiffness = 547500.0,
                  .bending_stiffness_1 = 114.0625,
                  .bending_stiffness_2 = 10.265625,
                  .torsional_stiffness = 13.7401,
                  .line_mass = 7500.0,
                  .line_inertia_1 = 1.5625,
                  .line_inertia_2 = 0.140625};
};

/// Throws std::invalid_argument for a number of elements that is not positive and even.
Assembly three_bar_swing(const ThreeBarSwing& given = {});

/// Number of the body at midspan.
int midspan(const ThreeBarSwing& given = {});

/// As assembled, at rest.
State at_rest(const Assembly& assembly);

}  // namespace livens::reference
