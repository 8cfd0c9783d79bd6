#pragma once
// The cases every pair runs on: ensembles that converge, that need retries and the pivoted solve, that fail.

#include <string>
#include <vector>

#include "tests/digests/population.hpp"

namespace livens::selftest {

struct Case {
  const char* name;
  Spread spread;
  Settings settings;
  Consistency consistency;
  bool damped = false;       ///< only for pairs that handle damping
  bool compensated = false;  ///< only for pairs that offer it
  /// Only for pairs that are composed to that order, of the two systems whose steps are least alike: with
  /// Newton's method and without, with damping and the work of a constraint.
  int composed = 0;

  /// Mixed is what is solved in double precision.
  bool suits(const PairKernels& pair) const {
    const bool mixed = settings.precision == Precision::mixed;
    return (!damped || pair.damped) && (composed == 0 || is_composed(pair)) &&
           (!compensated || pair.compensated) &&
           (!mixed || (pair.unknowns > 0 && pair.advance_mixed != nullptr));
  }

 private:
  bool is_composed(const PairKernels& pair) const {
    const std::string system = pair.system->info->name;
    return (system == "double_spherical_pendulum" || system == "foucault_pendulum") &&
           pair.precision == Precision::full &&
           composed <= pair.scheme->composable(standard_settings(*pair.scheme), true).highest;
  }
};

/// The extent of the runs: instances, and the units of steps after which records are looked at.
struct Extent {
  std::int64_t instances;
  std::vector<std::int64_t> stops;
};
inline const Extent small = {64, {1, 4}}, large = {256, {1, 40, 100}};

std::vector<Case> cases(const Extent& extent);

/// system scheme form, and "single" where it is in that precision.
std::string name_of(const PairKernels& pair);

/// The name of the pair and that of the case: what a digest is filed under.
std::string name_of(const PairKernels& pair, const Case& which);

}  // namespace livens::selftest
