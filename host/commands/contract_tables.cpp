// The tables of docs/contract.md that follow from tables of the program (scripts/contract_tables.py).

#include <fmt/format.h>

#include <algorithm>

#include "host/commands/commands.hpp"
#include "host/pairs/registry.hpp"
#include "host/results/remedies.hpp"
#include "kernels/description/quantity_table.hpp"

namespace livens::host {
namespace {

/// A row of Markdown, where a bar would end a cell.
std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (std::string cell : cells) {
    for (std::size_t bar = 0; (bar = cell.find('|', bar)) != std::string::npos; bar += 2)
      cell.insert(bar, 1, '\\');
    line += " " + cell + " |";
  }
  return line + "\n";
}

std::string code(const std::string& word) { return "`" + word + "`"; }

template <class Row>
std::string meaning_of(const Row& row) {
  return row.nonholonomic ? fmt::format("{}; nonholonomic: {}", row.meaning, row.nonholonomic) : row.meaning;
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

/// The standard value as it is typed in a spec, or how it follows from the system.
std::string standard_of(const SchemeOption& option) {
  if (!option.is_word()) return code(fmt::format("{}", option.standard));
  if (option.standard == of_system) return option.expected;
  return code(fmt::format("\"{}\"", option.words[static_cast<std::size_t>(option.standard)]));
}

std::string values_of(const SchemeOption& option) {
  if (!option.is_word()) return option.expected;
  std::string words;
  for (const char* word : option.words)
    words += (words.empty() ? "" : ", ") + code(fmt::format("\"{}\"", word));
  return words;
}

/// What the table says of an option, and the schemes that have it so.
struct OptionLine {
  std::string name, standard, values, meaning, schemes;
  bool same(const OptionLine& other) const {
    return name == other.name && standard == other.standard && values == other.values &&
           meaning == other.meaning;
  }
};

}  // namespace

std::string quantities_as_markdown() {
  std::string text = "| name | unit | what | where |\n| --- | --- | --- | --- |\n";
  for (const ColumnRow& column : columns)
    // The steps of all instances together are a root attribute.
    if (column.column != Column::steps)
      text += row({code(column.name), column.unit, meaning_of(column), place_of(column)});
  for (const SampledRow& sampled : sampled_rows)
    if (sampled.quantity != Sampled::own)
      text += row({code(std::string(sampled.name) + index_of(sampled.entries)), sampled.unit,
                   meaning_of(sampled), "observe"});
  return text;
}

std::string options_as_markdown() {
  const Catalogue catalogue = registered();
  std::vector<OptionLine> lines;
  for (const SchemeInfo* scheme : catalogue.schemes) {
    for (const SchemeOption& option : scheme->options) {
      OptionLine line{option.name, standard_of(option), values_of(option), option.meaning,
                      code(scheme->name)};
      const auto same =
          std::find_if(lines.begin(), lines.end(), [&](const OptionLine& other) { return line.same(other); });
      if (same == lines.end())
        lines.push_back(line);
      else
        same->schemes += ", " + line.schemes;
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const OptionLine& a, const OptionLine& b) { return a.name < b.name; });
  std::string text =
      "| key of `[scheme]` | scheme | default | values | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const OptionLine& line : lines)
    text += row({code(line.name), line.schemes, line.standard, line.values, line.meaning});
  return text;
}

std::string statuses_as_markdown() {
  std::string text = "| status | name | the instance | to try |\n| --- | --- | --- | --- |\n";
  for (const StatusRow& status : status_rows)
    text += row({fmt::format("{}", static_cast<int>(status.status)), code(status.name), status.meaning,
                 remedies[static_cast<std::size_t>(status.status)].text});
  return text;
}

}  // namespace livens::host
