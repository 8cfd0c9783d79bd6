#include "tests/digests/cases.hpp"

namespace livens::selftest {

std::vector<Case> cases(const Extent& extent) {
  const std::int64_t size = extent.instances;
  Settings strict;
  strict.tolerance = 0.0;
  Settings compensated = strict;
  compensated.compensated = true;
  Settings mixed, mixed_strict = strict;
  mixed.precision = mixed_strict.precision = Precision::mixed;
  Settings hasty;  // fails often: retries, diverged iterations and the pivoted solve get their share
  hasty.max_iterations = 3;
  Settings fourth, eighth;
  fourth.order = 4;
  eighth.order = 8;
  const Spread far = {.size = size, .parameters = 0.5, .velocities = 3.0, .step_factor = 8.0};
  const Spread quick = {.size = size, .velocities = 2.0, .step_factor = 3.0};
  const Spread none = {.size = size, .parameters = 0.0, .velocities = 0.0};
  return {
      {"default", {.size = size}, Settings{}, Consistency::project},
      {"to round-off", {.size = size}, strict, Consistency::project},
      {"damped", {.size = size, .damped = true}, Settings{}, Consistency::project, true},
      {"compensated", {.size = size}, compensated, Consistency::project, false, true},
      {"long steps", far, Settings{}, Consistency::project},
      {"three iterations", quick, hasty, Consistency::project},
      {"kept inconsistent", {.size = size}, Settings{}, Consistency::keep},
      {"required consistent", none, Settings{}, Consistency::require},
      {"mixed", {.size = size}, mixed, Consistency::project},
      {"mixed to round-off", {.size = size}, mixed_strict, Consistency::project},
      {"mixed, long steps", far, mixed, Consistency::project},
      {"order 4", {.size = size, .damped = true}, fourth, Consistency::project, false, false, 4},
      {"order 8", {.size = size}, eighth, Consistency::project, false, false, 8},
      {"order 4, long steps", far, fourth, Consistency::project, false, false, 4},
  };
}

std::string name_of(const PairKernels& pair) {
  const char* precision = pair.precision == Precision::single ? " single" : "";
  return std::string(pair.system->info->name) + ' ' + pair.scheme->name + ' ' + pair.form + precision;
}

std::string name_of(const PairKernels& pair, const Case& which) { return name_of(pair) + ", " + which.name; }

}  // namespace livens::selftest
