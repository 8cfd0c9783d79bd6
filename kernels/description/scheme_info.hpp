#pragma once
// What a scheme is, in words and numbers.

#include <span>

#include "kernels/description/capabilities.hpp"
#include "kernels/description/compositions.hpp"
#include "kernels/description/settings.hpp"

namespace livens {

/// What composition makes of a scheme.
struct Composable {
  int highest;      ///< order; 0: it has its own alone
  const char* why;  ///< it is no higher, in words; null: it is any of composed_orders
};
/// With these options, on a system whose mass matrix is constant and regular or is not.
using ComposableOn = Composable (*)(const Settings&, bool regular_mass);
/// Of a map that is its own adjoint, Phi_-h o Phi_h the identity, on all consistent states, and leads to
/// such.
constexpr Composable to_any_order(const Settings&, bool) { return {most_composed_order, nullptr}; }
constexpr Composable composable_unknown(const Settings&, bool) {
  return {0, "nothing says that it is its own adjoint"};
}

struct SchemeInfo {
  const char* name;
  const char* meaning;
  const char* paper;  ///< document and equation numbers
  const char* needs;  ///< what a system must have for it
  int order;
  OptionList options = {};
  std::span<const Capabilities> runs_on = {};  ///< `needs`, as sets of capabilities of which one must be had
  ComposableOn composable = composable_unknown;
  bool exact_energy = false;  ///< keeps the balance of energy to round-off; the standard tolerance is 0
  /// g++ leaves the functions of its steps as they are, without clones for some of their arguments: of del_* and rattle it
  /// would leave calls in a step, with every lane in memory between them. Others are faster with clones.
  bool without_clones = false;
  /// Null: its steps can be cut where a gap closes. Else why not, in words.
  const char* no_impacts =
      "its steps have not been tried with impacts; ems, ggl_mp, rattle and livens take them";
};

/// Settings with the scheme's own standard options.
constexpr Settings standard_settings(const SchemeInfo& scheme, Settings settings = {}) {
  for (const SchemeOption& option : scheme.options) settings.options[option.place] = option.standard;
  return settings;
}

/// The order of a scheme with these options, where it is not composed. That of a map that is its own adjoint
/// is even, whatever it is with other options.
constexpr int own_order(const SchemeInfo& scheme, const Settings& settings) {
  return scheme.order == 1 && scheme.composable(settings, true).highest > 0 ? 2 : scheme.order;
}

}  // namespace livens
