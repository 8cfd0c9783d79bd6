#pragma once
// Sparing colour for who reads at a terminal: what went wrong.

#include <cstdio>
#include <string>

namespace livens::host {

/// True where the stream is a terminal that shows colours (TERM is not "dumb") to somebody who wants them:
/// NO_COLOR is not set, or empty (no-color.org).
bool coloured(std::FILE* stream);

/// In red, where the stream is coloured.
std::string in_red(const std::string& text, std::FILE* stream);

/// A line on the standard error about what went wrong.
void tell_problem(const std::string& message);

/// The names of the statuses that are failures in red, and those of `ok` in green, where the stream is
/// coloured.
std::string with_coloured_statuses(const std::string& text, std::FILE* stream);

}  // namespace livens::host
