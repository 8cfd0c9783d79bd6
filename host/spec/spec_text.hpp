#pragma once
// Systems written as text, in files of their own and in specs.

#include <cstdint>
#include <string>
#include <vector>

#include "expressions/text_system.hpp"

namespace livens::host {

/// A file that a text has a table from, and what is kept of it: of the two columns that are read.
struct FileOfTable {
  std::string path, sha256;
  std::int64_t rows;
  std::vector<std::string> columns;
};

/// Finds the columns of tables in .csv files beside a text. Files that were read are added to `used`, which
/// outlives the reader, where it is given. Throws RequestError.
ColumnReader columns_beside(const std::string& text, std::vector<FileOfTable>* used = nullptr);

/// Reads a system from a file. Throws RequestError, also where it, or a file of a table, cannot be read.
TextSystem read_text_file(const std::string& path, std::vector<FileOfTable>* used = nullptr);

/// True for what is typed in place of a system's name: a path that ends in ".toml".
bool names_text_file(const std::string& typed);

/// The system as the tables [system.text] of a spec.
std::string as_tables(const TextSystem& text);

}  // namespace livens::host
