#pragma once
// Rows that others imply: docs/equations/text.md, section 5.

#include "system.hpp"

namespace livens::reference {

/// Of every row of g and then of A, in their order, whether it depends on those before it that do not: at the
/// system's initial state brought onto g(q,0) = 0, and on g = 0 near it. Where Newton's method finds no such state:
/// at the initial state as it is and around it, or an exception if the rows must hold.
std::vector<bool> dependent_rows(const System& system, bool must_hold);

}  // namespace livens::reference
