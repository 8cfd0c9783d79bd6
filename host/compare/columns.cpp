#include "host/compare/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace livens::host {
namespace {

std::size_t width_of(const TableColumn& column) {
  std::size_t width = column.heading.size();
  for (const std::string& cell : column.shown) width = std::max(width, cell.size());
  return width;
}

}  // namespace

std::string in_blocks(const std::vector<TableColumn>& all, std::size_t rows) {
  std::vector<const TableColumn*> columns;
  for (const TableColumn& column : all)
    if (!column.heading.empty()) columns.push_back(&column);
  constexpr std::size_t widest = 80;
  const std::size_t numbers = std::to_string(rows).size();
  std::string text;
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t last = first, width = numbers;
    while (last < columns.size() && (last == first || width + 2 + width_of(*columns[last]) <= widest))
      width += 2 + width_of(*columns[last++]);
    const auto line = [&](const std::string& number, auto cell_of) {
      std::string row = fmt::format("{:>{}}", number, numbers);
      for (std::size_t k = first; k < last; ++k) {
        const std::size_t cell = width_of(*columns[k]);
        row += columns[k]->text ? fmt::format("  {:<{}}", cell_of(*columns[k]), cell)
                                : fmt::format("  {:>{}}", cell_of(*columns[k]), cell);
      }
      row.erase(row.find_last_not_of(' ') + 1);
      text += row + '\n';
    };
    line("", [](const TableColumn& column) { return column.heading; });
    for (std::size_t i = 0; i < rows; ++i)
      line(std::to_string(i), [i](const TableColumn& column) { return column.shown[i]; });
    if ((first = last) < columns.size()) text += '\n';
  }
  return text;
}

}  // namespace livens::host
