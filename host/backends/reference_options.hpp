#pragma once
// Settings of a scheme as the reference takes them: its options by name.

#include "kernels/description/interface.hpp"
#include "reference/reference.hpp"

namespace livens::host {

/// For the step h, s. An option that follows from the system is left out.
inline reference::Options reference_options(const SchemeInfo& scheme, const Settings& settings, double h) {
  reference::Options options{scheme.name, h, settings.tolerance, settings.max_iterations, settings.order};
  options.max_impacts = settings.max_impacts;
  for (const SchemeOption& option : scheme.options) {
    const double value = settings.options[option.place];
    if (!option.is_word())
      options.given[option.name] = value;
    else if (value != of_system)
      options.given[option.name] = option.words[static_cast<std::size_t>(value)];
  }
  return options;
}

}  // namespace livens::host
