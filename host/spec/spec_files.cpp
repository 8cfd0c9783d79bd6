// [files]: what a result keeps of the files that its spec names. They are not in it; their shape and their
// SHA-256 are, so that the same spec with another file is another run.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "expressions/toml_text.hpp"
#include "host/spec/spec_parts.hpp"
#include "host/spec/toml_writing.hpp"

namespace livens::host {

void SpecReader::keep_file(const Place& place, const std::string& typed, const std::string& sha256,
                           std::int64_t rows, const std::vector<std::string>& columns) {
  spec.files.push_back(beside(document.file(), typed));
  const Section kept = document.section("files").section(typed);
  if (kept.has("sha256")) {
    if (*kept.text("sha256") == sha256) return;
    refuse(place,
           fmt::format("'{}' is not the file that this spec was run with: the SHA-256 of its numbers is {}",
                       typed, sha256),
           fmt::format("{}, or a spec without [files]", *kept.text("sha256")));
  }
  std::vector<std::string> names;
  for (const std::string& column : columns) names.push_back(toml_text(column));
  kept_files += fmt::format("[files.{}]\nrows = {}\ncolumns = [{}]\nsha256 = \"{}\"\n", toml_text(typed),
                            rows, fmt::join(names, ", "), sha256);
}

void SpecReader::keep_files() {
  if (!kept_files.empty()) spec.text = with_tables(spec.text, kept_files, document.place("files"));
}

std::string with_tables(const std::string& text, const std::string& tables, const Place& place) {
  std::string together = text + "\n\n" + tables;
  try {
    parse_toml(together, "spec");
  } catch (const toml::parse_error&) {
    refuse(place, fmt::format("[{}] cannot be kept behind an inline table", place.key), "a table of its own");
  }
  return together;
}

}  // namespace livens::host
