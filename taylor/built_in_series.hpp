#pragma once
// Steps of the built-in systems written out, as they were compiled into the program.

#include <string_view>

#include "taylor/recurrences.hpp"

namespace livens::taylor {

/// Those for an instruction set and a plan of this text (taylor/fixed_plan.hpp), or null.
const FixedSeries* built_in_series(std::string_view instruction_set, std::string_view plan);

}  // namespace livens::taylor
