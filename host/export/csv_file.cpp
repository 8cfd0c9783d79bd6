#include "host/export/csv_file.hpp"

namespace livens::host {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void CsvFile::cell(const Rows& rows, std::size_t i) {
  rows.append(line_, i);
  line_ += ',';
}

void CsvFile::end_line() {
  constexpr std::size_t enough = 1 << 20;
  line_.back() = '\n';
  text_ += line_;
  line_.clear();
  if (text_.size() >= enough) flush();
}

void CsvFile::commit() {
  flush();
  file_.commit();
}

void CsvFile::flush() {
  file_.write(text_, written_);
  written_ += static_cast<std::int64_t>(text_.size());
  text_.clear();
}

}  // namespace livens::host
