// [system] with a system written as text, in a file of its own or in [system.text].

#include "host/spec/spec_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "expressions/nearest.hpp"
#include "expressions/table_ranges.hpp"
#include "host/pairs/text_pairs.hpp"
#include "host/spec/spec_parts.hpp"

namespace livens::host {
namespace {

const Table::Column& column_of(const Table& table, const std::string& path, const std::string& name) {
  std::vector<std::string> names;
  for (const Table::Column& column : table.columns) {
    if (column.name == name) return column;
    names.push_back(column.name);
  }
  refuse_unknown({path, 1}, fmt::format("no column '{}'", name), name, names);
}

/// A table without a value is what a number that is none comes from, one of whose arguments is outside where
/// the instance stayed, or would be within two steps of uniform motion.
std::function<Status(const ensembles::FailedInstance&)> diagnosis_of(const TextSystem& text) {
  const expressions::TableRanges ranges(text);
  if (ranges.empty()) return {};
  return [ranges](const ensembles::FailedInstance& at) {
    if (at.status != Status::not_finite && at.status != Status::newton_diverged &&
        at.status != Status::singular_matrix)
      return at.status;
    for (const double steps : {0.0, 1.0, 2.0}) {
      std::vector<double> q(at.q.begin(), at.q.end());
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += steps * at.step * at.v[i];
      if (ranges.left(q, at.v, at.time + steps * at.step, at.parameters)) return Status::outside_table;
    }
    return at.status;
  };
}

}  // namespace

ColumnReader columns_beside(const std::string& text, std::vector<FileOfTable>* used) {
  return [=](const std::string& file, const std::array<std::string, 2>& names) -> Columns {
    const std::string path = beside(text, file);
    expect_regular({text}, path);
    const Table table = read_csv(path);
    Table kept;
    kept.rows = table.rows;
    for (const std::string& name : names) kept.columns.push_back(column_of(table, path, name));
    if (used) used->push_back({path, kept.sha256(), kept.rows, {names.begin(), names.end()}});
    return {*kept.columns[0].values, *kept.columns[1].values};
  };
}

TextSystem read_text_file(const std::string& path, std::vector<FileOfTable>* used) {
  const auto refuse_file = [&](const std::string& why) {
    refuse({path}, fmt::format("cannot be read ({})", why), "a system as text in TOML");
  };
  std::error_code error;
  // Nothing that has no end, and nothing to wait for.
  if (!std::filesystem::is_regular_file(path, error))
    refuse_file(error ? error.message() : "not a regular file");
  if (std::filesystem::file_size(path, error) > longest_text)
    refuse_file(fmt::format("longer than {} bytes", longest_text));
  std::ifstream file(path, std::ios::binary);
  std::string text(longest_text + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) refuse_file(std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return read_text_system(text, path, columns_beside(path, used));
}

bool names_text_file(const std::string& typed) { return typed.ends_with(".toml"); }

std::string as_tables(const TextSystem& text) {
  std::istringstream lines(text.identity());
  std::string tables = "[system.text]\n";
  for (std::string line; std::getline(lines, line);)
    tables += (line.starts_with('[') ? "[system.text." + line.substr(1) : line) + '\n';
  return tables;
}

const SystemInfo* SpecReader::read_text(const Section& section) {
  if (section.has("name"))
    refuse(section.place("name"),
           fmt::format("system.{} is given too", section.has("text") ? "text" : "file"), "one of the two");
  const std::string& source = document.file();
  // A result keeps the text behind the name of the file that it came from: then the text counts.
  std::vector<FileOfTable> used;
  const TextSystem text =
      section.has("text") ? read_text_system(*section.table("text"), source, columns_beside(source, &used))
                          : read_text_file(beside(source, *section.text("file")), &used);
  const std::filesystem::path folder = std::filesystem::path(source).parent_path();
  for (const FileOfTable& file : used)
    keep_file(section.place(section.has("text") ? "text" : "file"),
              std::filesystem::path(file.path).lexically_relative(folder).string(), file.sha256, file.rows,
              file.columns);
  spec.request.text = text.identity();
  spec.request.diagnosis = diagnosis_of(text);
  spec.warnings = text.warnings();
  catalogue = with_text(catalogue, text);
  return catalogue.system(text.name())->info;
}

void SpecReader::warn_of_unused_parameters() {
  const TextSystem* const text = text_of(*system);
  if (text == nullptr) return;
  std::vector<std::string> observed = spec.request.stops;
  for (const ensembles::ObservedExpression& one : spec.request.expressions) observed.push_back(one.text);
  for (std::string& warning : text->unused(observed)) spec.warnings.push_back(std::move(warning));
}

void SpecReader::keep_text() {
  const SystemKernels& entry = *catalogue.system(spec.request.system);
  spec.text = with_tables(spec.text, as_tables(*text_of(*entry.info)), document.place("system"));
}

}  // namespace livens::host
