#pragma once
// Random instances whose masses, lengths, stiffnesses are not one (unit values hide a missing M^-1) and whose
// states are consistent and without symmetries.

#include <random>
#include <string>
#include <vector>

#include "tests/laws/tables.hpp"

namespace livens::laws {

struct Instance {
  std::vector<double> parameters, q, v;
  double h;
};

/// The damping of a drawn system: `damping` parameters are zero without.
enum class Damping { off, on };

/// The distance by which coordinates may be moved and still be near the default state, over 0.15 m: the
/// centre of mass of the top is 0.075 m from its tip.
inline double length_scale(const SystemInfo& system) {
  return system.name == std::string("heavy_top") ? 0.05 : 1.0;
}

/// A random instance near the system's defaults; h is a fraction of its default step.
Instance draw(const SystemKernels& system, std::mt19937_64& random, Damping damping,
              double fraction_of_step = 0.4);

/// As many instances as asked for, each drawn on its own.
std::vector<Instance> draw_many(const SystemKernels& system, std::mt19937_64& random, Damping damping,
                                int count, double fraction_of_step = 0.4);

}  // namespace livens::laws
