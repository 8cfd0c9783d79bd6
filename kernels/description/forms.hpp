#pragma once

namespace livens {

/// The forms of a pair that are compiled into a program: the one that is taken where none is asked for, beside it those
/// of few unknowns, or all. The others, which serve comparisons, are compiled on first use.
enum class Forms { preferred, small, all };

}  // namespace livens
