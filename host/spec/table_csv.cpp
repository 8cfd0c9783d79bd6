#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "host/spec/table.hpp"

namespace livens::host {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// What stands before the next comma, which goes; a cell in quotation marks without them.
std::string_view take_cell(std::string_view& rest) {
  const std::size_t comma = rest.find(',');
  std::string_view cell = trimmed(rest.substr(0, comma));
  rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
  return cell;
}

std::size_t cells_in(std::string_view line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
}

Place place_of(const std::string& path, std::int64_t line, const std::string& column = {}) {
  return {path, line, column};
}

/// Refuses a file that seems to be something else.
void refuse_other_kinds(const std::string& path, std::string_view line) {
  struct Kind {
    std::string_view beginning;
    const char *problem, *expected;
  };
  constexpr Kind kinds[] = {
      {"\x1f\x8b", "is compressed by gzip", "it unpacked, by gunzip"},
      {"BZh", "is compressed by bzip2", "it unpacked, by bunzip2"},
      {"\xfd\x37zXZ", "is compressed by xz", "it unpacked, by unxz"},
      {"\x28\xb5\x2f\xfd", "is compressed by zstd", "it unpacked, by unzstd"},
      {"PK\x03\x04", "is an archive or a workbook of Excel", "text, as 'Save as CSV' writes it"},
      {"\xff\xfe", "is text in UTF-16", "UTF-8"},
      {"\xfe\xff", "is text in UTF-16", "UTF-8"}};
  for (const auto& [beginning, problem, expected] : kinds)
    if (line.starts_with(beginning)) refuse({path}, problem, expected);
  if (trimmed(line).find('\r') != std::string_view::npos)
    refuse({path}, "has lines that end in CR alone", "LF, or CR and LF");
}

/// The separator of a first line that has none of commas.
const char* other_separator(std::string_view line) {
  if (line.find(',') != std::string_view::npos) return nullptr;
  constexpr std::pair<char, const char*> separators[] = {
      {';', "';'"}, {'\t', "tabs"}, {'|', "'|'"}, {' ', "blanks"}};
  for (const auto& [separator, name] : separators)
    if (trimmed(line).find(separator) != std::string_view::npos) return name;
  return nullptr;
}

std::vector<std::string> read_names(const std::string& path, std::string_view line) {
  refuse_other_kinds(path, line);
  if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // the mark of UTF-8 that Excel writes
  if (line.starts_with('#')) line.remove_prefix(1);             // numpy.savetxt's
  if (const char* separator = other_separator(line))
    refuse(place_of(path, 1), fmt::format("the columns are separated by {}", separator),
           "',', and a point in numbers");
  std::vector<std::string> names;
  for (std::size_t count = cells_in(line); names.size() < count;) {
    names.emplace_back(take_cell(line));
    if (names.back().empty())
      refuse(place_of(path, 1), fmt::format("column {} has no name", names.size()),
             "one like 'initial.v[0]', and no index (pandas: to_csv(index=False))");
  }
  return names;
}

double read_number(const std::string& path, std::int64_t line, const std::string& column,
                   std::string_view cell) {
  double number = 0.0;
  const char* const end = cell.data() + cell.size();
  const char* const first = cell.data() + (cell.starts_with('+') ? 1 : 0);
  const auto [last, error] = std::from_chars(first, end, number);
  if (error == std::errc() && last == end) return number;
  if (cell.empty()) refuse(place_of(path, line, column), "empty", "a number");
  const char* const why = error == std::errc::result_out_of_range ? "is no double" : "is no number";
  refuse(place_of(path, line, column), fmt::format("'{}' {}", cell, why), "one like 0.25, nan or inf");
}

}  // namespace

Table read_csv(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line)) {
    if (errno != 0) refuse({path}, std::strerror(errno));
    refuse({path}, "empty", "names of columns in its first line");
  }
  const std::vector<std::string> names = read_names(path, line);
  std::vector<std::vector<double>> columns(names.size());
  std::int64_t number = 1, blank = 0;
  while (std::getline(file, line)) {
    ++number;
    std::string_view rest = trimmed(line);
    if (rest.empty()) {
      blank = blank == 0 ? number : blank;  // at the end of a file
      continue;
    }
    if (blank != 0) refuse(place_of(path, blank), "blank", "a row of numbers");
    if (const std::size_t cells = cells_in(rest); cells != names.size())
      refuse(place_of(path, number), fmt::format("has {} columns", cells),
             fmt::format("{}, as the first line has{}", names.size(),
                         rest.find('"') == std::string_view::npos
                             ? ""
                             : ", and no comma within a number, as in \"1,000.5\""));
    for (std::size_t i = 0; i < names.size(); ++i)
      columns[i].push_back(read_number(path, number, names[i], take_cell(rest)));
  }
  if (file.bad()) refuse({path}, std::strerror(errno));
  Table table;
  table.rows = static_cast<std::int64_t>(columns.front().size());
  for (std::size_t i = 0; i < names.size(); ++i)
    table.columns.push_back(
        {names[i], 1, std::make_shared<const std::vector<double>>(std::move(columns[i]))});
  return table;
}

}  // namespace livens::host
