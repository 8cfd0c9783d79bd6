#pragma once
// The certified problems: texts of problems/ with their certificates and what is said about them, as parts of
// the program.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace livens::host {

/// A text of problems/ by its name, and what `livens certify` has made of it; empty: not yet.
struct EmbeddedProblem {
  std::string_view name, text, certificate;
};
/// All of them, from the table that CMake writes, and problems/about.toml.
std::span<const EmbeddedProblem> embedded_problems();
std::string_view embedded_about();

/// What problems/about.toml says of one.
struct Problem {
  std::string name, title, source, units, note;
  double end;  ///< s
  std::string text, certificate;
};

/// In the order of their names.
const std::vector<Problem>& problems();
/// Null where there is none of that name.
const Problem* problem(std::string_view name);
std::vector<std::string> problem_names();

/// {"name": {"title", "source", "units", "note", "end", "text", "certificate"}, ...}
std::string problems_json();

}  // namespace livens::host
