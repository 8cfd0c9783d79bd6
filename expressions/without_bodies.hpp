#pragma once
// A text with bodies and joints as one without: coordinates, kinetic energy, rows and forces in their place.
// docs/equations/text.md, section 5.

#include <string>

#include "expressions/description.hpp"

namespace livens::expressions {

/// The same system without [bodies] and [joints]; names of joints are among its abbreviations. Throws
/// RequestError for what the words of bodies and joints say that cannot be.
Description without_bodies(const Description& description);

/// An expression with abbreviations replaced by what they stand for, in parentheses.
std::string spelled_out(const std::string& text, const std::vector<Function>& abbreviations);
/// Of all expressions: without abbreviations the same text.
Description spelled_out(Description description);

}  // namespace livens::expressions
