// [ensemble.table]: values of the instances from a file of numbers.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "host/spec/quantity_name.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

using ensembles::Variation;

/// One column as a variation of every instance.
Variation variation_of(const Place& place, const Table::Column& column, const SystemInfo& system) {
  const QuantityName quantity = read_quantity_name(place, column.name, system);
  if (column.width != quantity.count) {
    const std::string name = column.name.substr(0, column.name.find('['));
    const std::string expected =
        column.width > 1 ? fmt::format("{} of them", quantity.count)
                         : fmt::format("a column for each, '{}[0]' and so on, or an array of N,{} numbers",
                                       name, quantity.count);
    refuse(place, fmt::format("has {} numbers a row, for {} entries", column.width, quantity.count),
           expected);
  }
  return {.what = column.name,
          .target = quantity.target,
          .first = quantity.first,
          .count = quantity.count,
          .law = ensembles::Law::table,
          .points = {},
          .each = true,
          .rows = column.values};
}

/// A column of arrays in memory as a .csv has it: one for every entry.
std::vector<Table::Column> entries_of(const Place& place, const Table::Column& column,
                                      const SystemInfo& system) {
  if (column.width == 1) return {column};
  const std::string name = column.name.substr(0, column.name.find('['));
  const int first =
      read_quantity_name(place, column.name, system).first - read_quantity_name(place, name, system).first;
  std::vector<Table::Column> entries;
  for (int k = 0; k < column.width; ++k) {
    std::vector<double> values;
    for (std::size_t at = static_cast<std::size_t>(k); at < column.values->size();
         at += static_cast<std::size_t>(column.width))
      values.push_back((*column.values)[at]);
    entries.push_back({fmt::format("{}[{}]", name, first + k), 1,
                       std::make_shared<const std::vector<double>>(std::move(values))});
  }
  return entries;
}

}  // namespace

void expect_regular(const Place& place, const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) return;
  refuse(place, fmt::format("{} cannot be read ({})", path, error ? error.message() : "not a regular file"),
         "a table of numbers");
}

std::string beside(const std::string& spec, const std::string& typed) {
  return (std::filesystem::path(spec).parent_path() / typed).string();
}

std::optional<Table> SpecReader::open_table(const Section& section) const {
  const Place place = section.place("file");
  if (inputs.memory) return *inputs.memory;
  const std::string typed = *section.text("file"), path = beside(document.file(), typed);
  expect_regular(place, path);
  if (!typed.ends_with(".h5") && section.has("group"))
    refuse(section.place("group"), "only HDF5 files have groups", "it with a file that ends in .h5");
  if (typed.ends_with(".csv")) return read_csv(path);
  if (typed.ends_with(".npz")) return read_npz(path);
  if (!typed.ends_with(".h5"))
    refuse(place, fmt::format("'{}' is no kind of file that is read", typed), ".csv, .npz or .h5");
  if (!inputs.hdf5) return {};
  try {
    return inputs.hdf5->table(path, section.text("group").value_or("/"));
  } catch (const FileError& error) {
    refuse(place, error.what());
  }
}

void SpecReader::read_table() {
  const Section ensemble = document.section("ensemble"), section = ensemble.section("table");
  if (!ensemble.has("table")) return;
  section.allow(std::vector<std::string>{"file", "group"});
  if (!section.has("file")) refuse(section.place("file"), "missing", "a table, e.g. 'design.csv'");
  const std::optional<Table> table = open_table(section);
  if (!table) return;
  const Place place = section.place("file");
  const std::string typed = *section.text("file");
  if (table->rows == 0 || table->columns.empty())
    refuse(place, fmt::format("'{}' has no rows", typed), "one an instance");
  std::vector<std::string> names;
  Table used;
  for (const Table::Column& column : table->columns) {
    const Place there{typed, typed.ends_with(".csv") ? 1 : 0, column.name};
    section.attempt([&] {
      Variation variation = variation_of(there, column, *system);
      if (!inputs.memory) {
        add_variation(there, std::move(variation));
        used.columns.push_back(column);
        return;
      }
      for (Table::Column& entry : entries_of(there, column, *system)) {
        add_variation(there, variation_of(there, entry, *system));
        used.columns.push_back(std::move(entry));
      }
    });
  }
  for (const Table::Column& column : used.columns) names.push_back(column.name);
  limit_size(typed, table->rows);
  keep_file(place, typed, used.sha256(), table->rows, names);
}

void SpecReader::limit_size(const std::string& file, std::int64_t rows) {
  if (!rows_given || rows < rows_given->rows) rows_given = RowsGiven{file, rows};
}

}  // namespace livens::host
