// [system] with a system written as text, in a file of its own or in [system.text].

#include "host/spec/spec_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "expressions/toml_text.hpp"
#include "host/spec/spec_parts.hpp"
#include "host/spec/text_pairs.hpp"

namespace livens::host {
namespace {

/// A path that is typed in a spec: from the directory of the spec.
std::string beside(const std::string& spec, const std::string& typed) {
  return (std::filesystem::path(spec).parent_path() / typed).string();
}

}  // namespace

TextSystem read_text_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file.is_open() || file.bad() || errno != 0)
    refuse({path, ""},
           fmt::format("cannot be read ({}); expected a system as text in TOML", std::strerror(errno)));
  return read_text_system(text.str(), path);
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
    refuse(section.place("name"), fmt::format("system.{} is given too; expected one of the two",
                                              section.has("text") ? "text" : "file"));
  const std::string& source = document.file();
  // A result keeps the text behind the name of the file that it came from: then the text counts.
  const TextSystem text = section.has("text") ? read_text_system(*section.table("text"), source)
                                              : read_text_file(beside(source, *section.text("file")));
  spec.request.text = text.identity();
  spec.warnings = text.warnings();
  catalogue = with_text(catalogue, text);
  return catalogue.system(text.name())->info;
}

void SpecReader::keep_text() {
  const SystemKernels& entry = *catalogue.system(spec.request.system);
  const std::string together = spec.text + "\n\n" + as_tables(*text_of(*entry.info));
  try {
    parse_toml(together, document.file());
  } catch (const toml::parse_error&) {
    refuse(document.place("system"),
           "the system's text cannot be kept behind an inline table; expected [system]");
  }
  spec.text = together;
}

}  // namespace livens::host
