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

/// The first such row of g or of A, in the sense of docs/equations/text.md, section 5; nothing where all are
/// independent.
std::optional<DependentRow> dependent_row(const Description& description, const Mechanics& mechanics);

/// Of every row of g, whether it is such a row. Throws RequestError where the rows do not hold together.
std::vector<bool> redundant_rows(const Description& description, const Mechanics& mechanics);

}  // namespace livens::expressions
