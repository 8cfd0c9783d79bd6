#include "host/export/csv_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <set>

#include "host/errors.hpp"
#include "host/export/csv_file.hpp"
#include "host/export/result_fields.hpp"
#include "host/spec/spec.hpp"

namespace livens::host {
namespace {

namespace fs = std::filesystem;

/// A field of a table, or some entries of its rows.
struct CsvColumn {
  Field field;
  std::vector<std::string> names;    // one for each number of a row, or sample
  std::vector<std::size_t> entries;  // of these; those whose names came before are left out
};

bool is_in(const Field& field, const std::string& group) { return field.name.starts_with(group); }

/// "initial.v[9:12]", "initial.v[*]" and "initial.v" are initial.v[9], initial.v[0], ... by their entries.
std::string entry_name(const std::string& name, std::size_t entry) {
  const std::size_t bracket = name.find('[');
  std::size_t first = 0;
  if (bracket != std::string::npos)
    std::from_chars(name.data() + bracket + 1, name.data() + name.size(), first);  // else 0
  return fmt::format("{}[{}]", name.substr(0, bracket), first + entry);
}

/// Entry `entry` of the axis behind the first `axes` of a field, by the label of that axis where it has some: "final_q[x]".
/// What was drawn keeps its name in a spec, so that a table can be a design again.
std::string labelled_name(const ensembles::Result& result, const Field& field, const std::string& group,
                          std::size_t axes, const std::string& name, std::size_t entry) {
  const std::vector<std::string>& labels = names_of_axis(result, group + field.shape[axes].name);
  return labels.empty() || is_in(field, group + "parameters/") ? entry_name(name, entry)
                                                               : fmt::format("{}[{}]", name, labels[entry]);
}

/// The numbers of a row of a field, whose rows have the first `axes` axes.
std::size_t width_behind(const Field& field, std::size_t axes) {
  std::int64_t width = 1;
  for (std::size_t k = axes; k < field.shape.size(); ++k) width *= field.shape[k].length;
  return static_cast<std::size_t>(width);
}

/// The columns of fields whose rows have `axes` axes in common. What is observed under the name of an entry
/// ("final_q[1]") is that entry.
std::vector<CsvColumn> columns_of(const ensembles::Result& result, const std::vector<Field>& fields,
                                  const std::string& group, std::size_t axes) {
  std::vector<CsvColumn> columns;
  std::set<std::string> known;
  for (const Field& field : fields) {
    if (!is_in(field, group) || field.shape.size() < axes) continue;
    std::string name = field.name.substr(group.size());
    if (name.starts_with("parameters/")) name = name.substr(name.find('/') + 1);
    CsvColumn column{field, {}, {}};
    for (std::size_t i = 0; i < width_behind(field, axes); ++i) {
      const bool entry = field.shape.size() > axes;
      if (known.insert(entry ? entry_name(name, i) : name).second) column.entries.push_back(i);
      column.names.push_back(entry ? labelled_name(result, field, group, axes, name, i) : name);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

/// Number `i` of a row of derivatives: d(final_q[3])/d(initial.v[1]), or covariance[1][3].
std::string tangent_name(const ensembles::Result& result, const Field& field, const std::string& group,
                         std::size_t axes, std::size_t i) {
  const std::string of = field.name.substr(group.size());
  if (of == ensembles::followed_covariance) {
    const auto width = static_cast<std::size_t>(field.shape.back().length);
    return fmt::format("{}[{}][{}]", of, i / width, i % width);
  }
  const std::size_t directions = result.wrt.size();
  const bool entry = field.shape.size() > axes + 1;  // the last axis has the directions
  return fmt::format("d({})/d({})",
                     entry ? labelled_name(result, field, group, axes, of, i / directions) : of,
                     result.wrt[i % directions]);
}

/// Columns of derivatives, directly in a group.
std::vector<CsvColumn> columns_of_tangents(const ensembles::Result& result, const std::vector<Field>& fields,
                                           const std::string& group, std::size_t axes) {
  std::vector<CsvColumn> columns;
  for (const Field& field : fields) {
    if (!is_in(field, group) || field.shape.size() < axes ||
        field.name.find('/', group.size()) != std::string::npos)
      continue;
    CsvColumn column{field, {}, std::vector<std::size_t>(width_behind(field, axes))};
    std::iota(column.entries.begin(), column.entries.end(), std::size_t{0});
    for (const std::size_t i : column.entries)
      column.names.push_back(tangent_name(result, field, group, axes, i));
    columns.push_back(std::move(column));
  }
  return columns;
}

void write_heads(CsvFile& csv, const std::vector<std::string>& first, const std::vector<std::string>& units,
                 const std::vector<CsvColumn>& columns) {
  for (const std::string& name : first) csv.cell(name);
  for (const CsvColumn& column : columns)
    for (const std::size_t i : column.entries) csv.cell(column.names[i]);
  csv.end_line();
  csv.begin_line("# ");
  for (const std::string& unit : units) csv.cell(unit);
  for (const CsvColumn& column : columns)
    for (std::size_t i = 0; i < column.entries.size(); ++i) csv.cell(column.field.unit);
  csv.end_line();
}

/// The numbers in one line of `columns`: those of row `row` of portions of rows.
void write_cells(CsvFile& csv, const std::vector<CsvColumn>& columns, const std::vector<Rows>& portions,
                 std::size_t row) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (const std::size_t i : columns[k].entries) csv.cell(portions[k], row * columns[k].names.size() + i);
}

std::vector<Rows> portions_of(const ResultReader& file, const std::vector<CsvColumn>& columns,
                              std::int64_t first, std::int64_t count) {
  std::vector<Rows> portions;
  for (const CsvColumn& column : columns) portions.push_back(rows_of(file, column.field, first, count));
  return portions;
}

std::int64_t width_of(const std::vector<CsvColumn>& columns) {
  std::int64_t width = 0;
  for (const CsvColumn& column : columns) width += column.field.width();
  return width;
}

void write_instances(const ResultReader& file, const std::vector<Field>& fields, CsvFile& csv) {
  const ResultFile& outline = file.outline();
  std::vector<CsvColumn> columns = columns_of(outline.result, fields, "/instances/", 1);
  std::ranges::move(
      columns_of_tangents(outline.result, fields, std::string("/") + ensembles::tangent_group, 1),
      std::back_inserter(columns));
  // Where instances were chosen, their numbers are a dataset.
  const auto number = std::ranges::find(columns, "/instances/number",
                                        [](const CsvColumn& column) { return column.field.name; });
  std::vector<CsvColumn> numbers;
  if (number != columns.end()) {
    numbers = {*number};
    columns.erase(number);
  }
  const std::int64_t shard_first = outline.shard ? outline.shard->range.first : 0;
  write_heads(csv, {"instance"}, {"1"}, columns);
  in_portions(outline.result.size, width_of(columns), [&](std::int64_t first, std::int64_t count) {
    const std::vector<Rows> portions = portions_of(file, columns, first, count);
    const std::vector<Rows> chosen = portions_of(file, numbers, first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (chosen.empty())
        csv.cell(std::to_string(shard_first + first + i));
      else
        csv.cell(chosen.front(), row);
      write_cells(csv, columns, portions, row);
      csv.end_line();
    }
  });
}

const Field& field_named(const ResultReader& file, const std::vector<Field>& fields,
                         const std::string& name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  if (found == fields.end()) throw FileError(file.path(), "cannot be read (" + name + " is missing)");
  return *found;
}

/// The whole of a field of the samples.
Rows all_of(const ResultReader& file, const std::vector<Field>& fields, const std::string& name) {
  const Field& field = field_named(file, fields, name);
  return rows_of(file, field, 0, field.rows());
}

void write_statistics(const ResultReader& file, const std::vector<Field>& fields, CsvFile& csv) {
  const ensembles::Result& outline = file.outline().result;
  const Rows ok = all_of(file, fields, "/statistics/ok");
  for (const char* name : {"quantity", "unit", "time", "ok", "mean", "std", "min", "max", "rms"})
    csv.cell(name);
  for (const double level : outline.quantile_levels) csv.cell(fmt::format("quantile_{}", level));
  csv.end_line();
  csv.begin_line("# ");
  for (const char* unit : {"1", "1", "s", "1"}) csv.cell(unit);
  for (std::size_t i = 0; i < 5 + outline.quantile_levels.size(); ++i) csv.cell("unit");
  csv.end_line();
  for (const ensembles::ObservableStatistics& entry : outline.statistics) {
    const std::string at = "/statistics/" + entry.name + "/";
    std::vector<Rows> values;
    for (const char* name : {"mean", "std", "min", "max", "rms"})
      values.push_back(all_of(file, fields, at + name));
    const Rows quantiles = all_of(file, fields, at + "quantiles");
    const std::size_t levels = outline.quantile_levels.size();
    for (std::size_t k = 0; k < outline.time.size(); ++k) {
      csv.cell(entry.name);
      csv.cell(entry.unit);
      csv.cell(fmt::format("{}", outline.time[k]));
      csv.cell(ok, k);
      for (const Rows& one : values) csv.cell(one, k);
      for (std::size_t level = 0; level < levels; ++level) csv.cell(quantiles, k * levels + level);
      csv.end_line();
    }
  }
}

void write_histograms(const ResultReader& file, const std::vector<Field>& fields, CsvFile& csv) {
  const ensembles::Result& outline = file.outline().result;
  for (const char* name : {"quantity", "unit", "time", "lower_edge", "width", "count"}) csv.cell(name);
  csv.end_line();
  csv.begin_line("# ");
  for (const char* unit : {"1", "1", "s", "unit", "unit", "1"}) csv.cell(unit);
  csv.end_line();
  for (const ensembles::ObservableStatistics& entry : outline.statistics) {
    const std::string at = "/statistics/" + entry.name + "/";
    const Field& field = field_named(file, fields, at + "histogram");
    const Field& edges = field_named(file, fields, at + "bins");
    // Older files have one set of bins for all samples, and no width.
    const bool by_sample = edges.shape.size() == 2;
    const Rows widths = by_sample ? all_of(file, fields, at + "bin_width") : Rows{};
    const Rows shared = by_sample ? Rows{} : all_of(file, fields, at + "bins");
    const auto bins = static_cast<std::size_t>(entry.bin_count);
    in_portions(field.rows(), field.width(), [&](std::int64_t first, std::int64_t count) {
      const Rows rows = rows_of(file, field, first, count);
      const Rows own = by_sample ? rows_of(file, edges, first, count) : Rows{};
      const auto& counts = std::get<std::vector<std::int64_t>>(rows.values);
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        const std::size_t k = static_cast<std::size_t>(first) + i / bins;
        csv.cell(entry.name);
        csv.cell(entry.unit);
        csv.cell(fmt::format("{}", outline.time[k]));
        by_sample ? csv.cell(own, i) : csv.cell(shared, i % bins);
        by_sample ? csv.cell(widths, k) : csv.cell("nan");
        csv.cell(rows, i);
        csv.end_line();
      }
    });
  }
}

void write_trajectories(const ResultReader& file, const std::vector<Field>& fields, CsvFile& csv) {
  const ensembles::Result& outline = file.outline().result;
  std::vector<CsvColumn> columns = columns_of(outline, fields, "/trajectories/", 2);
  std::ranges::move(columns_of_tangents(outline, fields, path_of_followed_tangents(), 2),
                    std::back_inserter(columns));
  write_heads(csv, {"instance", "time"}, {"1", "s"}, columns);
  const std::size_t samples = outline.time.size();
  const auto followed = static_cast<std::int64_t>(outline.trajectories.instance.size());
  in_portions(followed, width_of(columns), [&](std::int64_t first, std::int64_t count) {
    const std::vector<Rows> portions = portions_of(file, columns, first, count);
    for (std::size_t row = 0; row < static_cast<std::size_t>(count) * samples; ++row) {
      const std::size_t trajectory = static_cast<std::size_t>(first) + row / samples;
      csv.cell(std::to_string(outline.trajectories.instance[trajectory]));
      csv.cell(fmt::format("{}", outline.time[row % samples]));
      write_cells(csv, columns, portions, row);
      csv.end_line();
    }
  });
}

struct CsvTable {
  const char* name;
  void (*write)(const ResultReader&, const std::vector<Field>&, CsvFile&);
};
constexpr CsvTable tables[] = {{"instances.csv", write_instances},
                               {"statistics.csv", write_statistics},
                               {"histograms.csv", write_histograms},
                               {"trajectories.csv", write_trajectories}};

}  // namespace

std::vector<std::string> export_csv(const ResultReader& file, const std::string& directory, bool overwrite) {
  std::vector<std::string> paths;
  for (const CsvTable& table : tables) {
    paths.push_back((fs::path(directory) / table.name).string());
    if (!overwrite) refuse_overwriting_result(paths.back());
  }
  std::error_code problem;
  fs::create_directories(directory, problem);
  if (problem) throw FileError(directory, "cannot be made (" + problem.message() + ")");
  const std::vector<Field> fields = fields_of(file);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    CsvFile csv(paths[i]);
    tables[i].write(file, fields, csv);
    csv.commit();
  }
  return paths;
}

}  // namespace livens::host
