#pragma once
// Values as TOML writes them.

#include <string>

namespace livens::host {

/// A text in quotation marks.
std::string toml_text(const std::string& text);

/// The shortest decimals that give the same double, and no integer; nan and inf.
std::string toml_number(double number);

}  // namespace livens::host
