#pragma once
// How a run steps its instances.

#include <cstdint>
#include <type_traits>

#include "kernels/description/scheme_options.hpp"

namespace livens {

/// The treatment of initial values that violate the constraints.
enum class Consistency : std::uint8_t { project, require, keep };

/// Numbers of a step: all in double precision; the Newton matrix solved in single, residual and state in
/// double; all in single.
enum class Precision : std::uint8_t { full, mixed, single };

/// The part of a spec that is about the stepping, the same for all instances.
struct Settings {
  double tolerance = 1e-10;     ///< infinity norm of the scaled residual; 0: to round-off
  int max_iterations = 25;      ///< of one Newton solve
  int retry = 2;                ///< a failed step is redone as 2, 4, ..., 2^retry substeps
  bool compensated = false;     ///< two-sum state updates
  double energy_balance = 0.0;  ///< largest |energy error| over energy_scale before an instance is marked; 0:
                                ///< any
  int max_impacts = 32;         ///< on a wall in one step, before the mechanism rests there
  Precision precision = Precision::full;
  bool largest_violations = true;    ///< of constraints and momentum maps, over all nodes, are kept
  std::uint8_t order = 0;            ///< 4, 6 or 8 by composition; 0: the scheme's own
  double options[max_options] = {};  ///< of the scheme, in the order of its list

  /// settings.value<ViADescription::alpha>(): one of them, a double or the enumeration of its words.
  template <const auto& option>
  constexpr auto value() const {
    constexpr int place = option.place;
    return static_cast<typename std::remove_cvref_t<decltype(option)>::Value>(options[place]);
  }
};

}  // namespace livens
