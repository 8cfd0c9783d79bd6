#pragma once
// An expression evaluated from its words, with dual numbers and without a graph: the judge of what the parser
// and the derivatives make of it, wherever a text is read. Nothing is shared with them but the words.

#include <string_view>

#include "expressions/parser.hpp"

namespace livens::expressions {

/// Throws Slip where the graph that the parser makes of the text has another value, or another derivative,
/// at random states, than the text itself has, beyond what rounding explains: an error of livens, not of the
/// text. The text is one that the parser has accepted.
void expect_agreement(const Scope& scope, std::string_view text);

}  // namespace livens::expressions
