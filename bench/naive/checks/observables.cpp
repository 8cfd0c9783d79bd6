#include <cmath>
#include <limits>

#include "checks/checks.hpp"
#include "naive.hpp"

namespace livens::naive {
namespace {

/// A size with the unit of its last known digit. Zero means round-off, which `unit` then bounds.
struct Expected {
  double value, unit;
};

struct Row {
  const char *system, *scheme;
  Expected energy, constraint, velocity_constraint, momentum;
};

// Energies of four_particle and heavy_top are about 10, the linkage takes 10000 steps: round-off is a random
// walk from eps |q| |p| / h a step.
constexpr Expected o{0, 1e-11}, walk{0, 1e-9}, unknown{0, std::numeric_limits<double>::infinity()};

constexpr Row rows[] = {
    {"four_particle", "ems", o, o, o, o},
    {"four_particle", "ggl_vi", {4.1e-1, 1e-2}, o, o, o},
    {"four_particle", "rattle", unknown, o, o, o},
    {"four_particle", "del_multiplier", unknown, o, unknown, o},
    {"heavy_top", "ems", o, o, o, o},
    {"heavy_top", "ggl_vi", {1.9e-4, 1e-5}, o, {.37, 1e-2}, o},
    {"heavy_top", "rattle", unknown, o, o, o},
    {"heavy_top", "del_multiplier", unknown, o, unknown, o},
    {"double_four_bar", "ems", walk, o, o, o},
    {"double_four_bar", "ggl_vi", {9.1e-2, 1e-3}, o, {1e-4, 1e-4}, o},
    {"double_spherical_pendulum", "rattle", unknown, o, o, o},
};

}  // namespace

void check_observables() {
  for (const Row& row : rows) {
    const std::string name = std::string(row.system) + " " + row.scheme + ", ";
    for (const Pair& pair : pairs()) {
      if (pair.system != row.system || pair.scheme != row.scheme) continue;
      const auto result = pair.integrate(0, std::lround(pair.end / pair.default_step), 1e-13);
      const auto compare = [&](const char* what, double found, const Expected& expected) {
        if (std::isinf(expected.unit)) return;
        char value[32];
        std::snprintf(value, sizeof value, ": |%.2e - %.2g|", found, expected.value);
        expect(name + what + value, std::abs(found - expected.value), expected.unit);
      };
      compare("change of energy", result.max_energy_error, row.energy);
      compare("|g|", result.max_constraint, row.constraint);
      compare("|G v|", result.max_velocity_constraint, row.velocity_constraint);
      compare("change of momentum", result.max_momentum_error, row.momentum);
    }
  }
}

}  // namespace livens::naive
