#pragma once
// Comma-separated tables (RFC 4180), line by line into a file.

#include <string>

#include "host/export/result_fields.hpp"
#include "host/files/pending_file.hpp"

namespace livens::host {

/// A text as a cell: in quotation marks where a comma, a quotation mark or the end of a line asks for them.
std::string csv_cell(const std::string& text);

/// A table under way to its file, which appears under its name when it is complete. Throws FileError.
class CsvFile {
 public:
  explicit CsvFile(const std::string& path) : file_(path) {}

  /// Begins a line behind another sign than a cell, as "# ".
  void begin_line(const std::string& sign) { line_ = sign; }
  void cell(const std::string& text) { line_ += csv_cell(text) + ','; }
  void cell(const Rows& rows, std::size_t i);
  void end_line();
  void commit();

 private:
  void flush();

  PendingFile file_;
  std::string line_, text_;  // the line being made, with a comma behind each cell; lines not yet written
  std::int64_t written_ = 0;
};

}  // namespace livens::host
