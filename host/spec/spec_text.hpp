#pragma once
// Systems written as text, in files of their own and in specs.

#include <string>

#include "expressions/text_system.hpp"

namespace livens::host {

/// Reads a system from a file. Throws RequestError, and RequestError where it cannot be read.
TextSystem read_text_file(const std::string& path);

/// True for what is typed in place of a system's name: a path that ends in ".toml".
bool names_text_file(const std::string& typed);

/// The system as the tables [system.text] of a spec.
std::string as_tables(const TextSystem& text);

}  // namespace livens::host
