#pragma once

namespace livens {

/// The forms of a pair that are compiled into a program. The others, which serve comparisons, are compiled on
/// first use.
enum class Forms { preferred, all };

}  // namespace livens
