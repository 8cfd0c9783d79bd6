#pragma once
// The options of the schemes that give the true motion.

#include "kernels/description/scheme_options.hpp"

namespace livens::host {

/// The option of taylor; its order follows from it, 26 from the standard value.
inline constexpr NumberOption taylor_tolerance = {
    {.name = "relative_tolerance",
     .place = 0,
     .meaning = "error of a step of the solver's own, relative to the state",
     .standard = 1e-15,
     .expected = "a number from 1e-16 to 1e-3",
     .accepts = [](double value) { return value >= 1e-16 && value <= 1e-3; }}};

/// Those of reference_ode and reference_dae; the standard values are those of reference_ode.
inline constexpr NumberOption relative_tolerance = {
    {.name = "relative_tolerance",
     .place = 0,
     .meaning = "error of a step of the solver's own, relative to the state",
     .standard = 1e-12,
     .expected = "a number between 0 and 1",
     .accepts = [](double value) { return value > 0.0 && value < 1.0; }}};
inline constexpr NumberOption absolute_tolerance = {{.name = "absolute_tolerance",
                                                     .place = 1,
                                                     .meaning = "the same in SI units, for a small state",
                                                     .standard = 1e-14,
                                                     .expected = relative_tolerance.expected,
                                                     .accepts = relative_tolerance.accepts}};

}  // namespace livens::host
