#pragma once
// Rows of constraints that depend on each other: then multipliers are not determined and no scheme can take a
// step, whatever the state.

#include <optional>
#include <vector>

#include "expressions/description.hpp"
#include "expressions/mechanics.hpp"

namespace livens::expressions {

/// A row whose gradient is a combination of those of rows before it.
struct DependentRow {
  int row;
  std::vector<int> of;
};

/// The first such row; nothing where all are independent. That a place is singular is no fault of the rows:
/// where they depend on each other at the initial state, by the default parameters, or where that comes onto
/// g(q) = 0, they are looked at near it as well, brought onto g(q) = 0, and have to be dependent at all of
/// these states: in a flat linkage, which some schemes leave, they are not; where two surfaces touch in a
/// point they are. Of nonholonomic rows, A(q) is what is looked at.
std::optional<DependentRow> dependent_row(const Description& description, const Mechanics& mechanics);

/// Of every row of g, whether it depends on rows before it that do not: docs/equations/text.md, section 5. Throws
/// RequestError where one of these does not hold together with the others.
std::vector<bool> redundant_rows(const Description& description, const Mechanics& mechanics);

}  // namespace livens::expressions
