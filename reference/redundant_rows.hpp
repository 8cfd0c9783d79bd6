#pragma once
// Rows of g that others imply: docs/equations/text.md, section 5.

#include "system.hpp"

namespace livens::reference {

/// Of every row, in their order, whether it depends on those before it that do not: at the system's initial
/// state brought onto g(q,0) = 0, and on g = 0 near it. Of no row where Newton's method finds no such state.
std::vector<bool> dependent_rows(const System& system);

}  // namespace livens::reference
