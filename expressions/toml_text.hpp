#pragma once
// TOML from anywhere as a document. The parser, the destructor of a document and everything that walks one
// take a little stack for every level of nesting, so a text that nests deeper than any spec is refused before
// it is parsed.

#include <toml++/toml.h>

#include <string_view>

namespace livens {

/// Levels of brackets, and keys in one dotted key.
inline constexpr int most_levels = 32;

/// Throws toml::parse_error, also for a text that nests too deep. `source` is what places in it remember.
toml::table parse_toml(std::string_view text, std::string_view source);

}  // namespace livens
