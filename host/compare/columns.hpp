#pragma once
// Columns of a table, and how they stand side by side on a terminal.

#include <string>
#include <vector>

namespace livens::host {

/// A column with a cell for every row. An empty heading: not on the terminal; an empty name: only there.
struct TableColumn {
  std::string name, heading;
  std::vector<std::string> cells, shown;  ///< for files; for the terminal
  bool text = false;                      ///< left-aligned
};

/// Columns with a heading side by side, as many as 80 characters hold; the rest in further blocks, each with
/// the numbers of the rows.
std::string in_blocks(const std::vector<TableColumn>& columns, std::size_t rows);

}  // namespace livens::host
