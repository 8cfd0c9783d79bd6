// The quantities of kernels/backends/quantity_table.hpp as the table in docs/contract.md.

#include <fmt/format.h>

#include "host/commands/commands.hpp"
#include "kernels/backends/quantity_table.hpp"

namespace livens::host {
namespace {

template <class Row>
std::string meaning_of(const Row& row) {
  return row.nonholonomic ? fmt::format("{}; nonholonomic: {}", row.meaning, row.nonholonomic) : row.meaning;
}

std::string line(const std::string& name, const char* unit, std::string meaning, const char* where) {
  for (std::size_t bar = 0; (bar = meaning.find('|', bar)) != std::string::npos; bar += 2)
    meaning.insert(bar, 1, '\\');
  return fmt::format("| `{}` | {} | {} | {} |\n", name, unit, meaning, where);
}

const char* place_of(const ColumnRow& row) {
  if (!has_formula(row.kind)) return "`/instances`";
  return row.standard ? "`/statistics`, observe" : "observe";
}

/// The index of an entry and what it is less than.
const char* index_of(EntryCount entries) {
  switch (entries) {
    case EntryCount::coordinates:
      return "[0..d-1]";
    case EntryCount::momentum_maps:
      return "[0..s-1]";
    case EntryCount::constraints:
    case EntryCount::position_constraints:
      return "[0..m-1]";
    default:
      return "";
  }
}

}  // namespace

std::string quantities_as_markdown() {
  std::string text = "| name | unit | what | where |\n| --- | --- | --- | --- |\n";
  for (const ColumnRow& row : columns)
    // The steps of all instances together are a root attribute.
    if (row.column != Column::steps) text += line(row.name, row.unit, meaning_of(row), place_of(row));
  for (const SampledRow& row : sampled_rows)
    if (row.quantity != Sampled::own)
      text += line(std::string(row.name) + index_of(row.entries), row.unit, meaning_of(row), "observe");
  return text;
}

}  // namespace livens::host
