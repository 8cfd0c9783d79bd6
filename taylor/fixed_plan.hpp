#pragma once
// A plan as a type: C++ in which every list, row and sign of it is a constant, so that the loops of
// taylor/loops.hpp over them are written out when the step is compiled. The text of the type is also the name
// of the plan: what was compiled serves the motions whose plan has the same text.

#include <string>

#include "taylor/plan.hpp"

namespace livens::taylor {

/// Whether a step written out is compiled in seconds; large ones take minutes.
bool worth_writing_out(const Plan& plan);

/// The definition of `struct FixedPlan`, for taylor/fixed_series.hpp.
std::string fixed_plan(const Plan& plan);

}  // namespace livens::taylor
