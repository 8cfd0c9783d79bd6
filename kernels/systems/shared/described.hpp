#pragma once
// The part of a system's class that comes from its description, so that every count is stated once.

#include "kernels/description/interface.hpp"
#include "kernels/math/scalar.hpp"

namespace livens::inline LIVENS_ISA {

/// Base of a system's class. Description: `info`, with the list of parameters.
template <class Description>
struct Described {
  static constexpr int coordinates = Description::info.coordinates;
  static constexpr int constraints = Description::info.constraints;
  static constexpr int momentum_maps = Description::info.momentum_maps;
  static constexpr int parameter_count = livens::parameter_count(Description::info);
  /// Some parameter dissipates energy.
  static constexpr bool damped = [] {
    for (const ParameterInfo& parameter : Description::info.parameters)
      if (parameter.damps) return true;
    return false;
  }();
  static const SystemInfo& info() { return Description::info; }
  /// Parameters with what follows from others in the place of NaN: here nothing does.
  template <class Parameters>
  static LIVENS_HD Parameters completed(const Parameters& parameters) {
    return parameters;
  }
};

}  // namespace livens::inline LIVENS_ISA
